import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { DataType } from '../sparkplug/datatypes.ts';
import type { DataSet, MetricValue, SparkplugMetric } from '../sparkplug/sparkplug-payload.ts';
import { LARGEST_INDEX, MOST_RECORD_BYTES } from './fault-record.ts';

/**
 * How fault records are told and read (profile PV-1). A device says in its birth, and whenever it has recorded, the index of its newest record
 * (`FaultRecord/Newest`, 0: none). `Device Control/FaultRecordList` is answered with `FaultRecord/List` beside the result;
 * `Device Control/FaultRecordRead` with a result (code 2: it keeps that record no longer) and then the parts of the record, a DDATA each.
 */
export const RecordName = {
  newest: 'FaultRecord/Newest',
  list: 'FaultRecord/List',
  requestIndex: 'FaultRecord/Request/Index',
  /** Numbers of the parts that are wanted, with commas between them; all without it. */
  requestParts: 'FaultRecord/Request/Parts',
  partRecord: 'FaultRecord/Part/Record',
  partNumber: 'FaultRecord/Part/Number',
  partCount: 'FaultRecord/Part/Count',
  partSize: 'FaultRecord/Part/Size',
  partSha256: 'FaultRecord/Part/Sha256',
  partCrc32: 'FaultRecord/Part/Crc32',
  partData: 'FaultRecord/Part/Data',
} as const;

/** Records that one device may say it keeps. */
export const MOST_LISTED = 64;
export const MOST_PART_BYTES = 16 * 1024;
export const MOST_PARTS = 64;
const SHA256 = /^[0-9a-f]{64}$/;
const LATEST_MS = 8.64e15;

/** A record that a device says it keeps. */
export interface ListedRecord {
  readonly index: number;
  readonly timeMs: number;
  readonly code: number;
  readonly size: number;
}

/** A part of a record. All but the last have `ceil(size / count)` bytes. */
export interface RecordPart {
  readonly index: number;
  /** From 0. */
  readonly number: number;
  readonly count: number;
  /** Bytes of the whole record, and the hash of them. */
  readonly size: number;
  readonly sha256: string;
  readonly data: Uint8Array;
}

/** What a message says of fault records. `refused`: it said something that is not taken. */
export interface RecordFrame {
  newest?: number;
  list?: readonly ListedRecord[];
  part?: RecordPart;
  refused: boolean;
}

/** The metric with which a device answers what it keeps. */
export function recordListMetric(records: readonly ListedRecord[]): SparkplugMetric {
  const value: DataSet = {
    columns: ['index', 'time', 'code', 'size'],
    types: [DataType.Int32, DataType.DateTime, DataType.Int32, DataType.Int32],
    rows: records.map(({ index, timeMs, code, size }) => [index, timeMs, code, size]),
  };
  return { name: RecordName.list, datatype: DataType.DataSet, value };
}

/** The record in parts of at most `partBytes`, with what each says of the whole. */
export function recordParts(index: number, bytes: Uint8Array, partBytes = MOST_PART_BYTES): RecordPart[] {
  const size = bytes.length;
  const count = Math.max(1, Math.ceil(size / partBytes));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const length = Math.ceil(size / count);
  return Array.from({ length: count }, (_, number) => ({
    index,
    number,
    count,
    size,
    sha256,
    data: bytes.slice(number * length, (number + 1) * length),
  }));
}

/** The metrics of a DDATA that carries a part. */
export function partMetrics({ index, number, count, size, sha256, data }: RecordPart): SparkplugMetric[] {
  const int = (name: string, value: number): SparkplugMetric => ({ name, datatype: DataType.Int32, value });
  return [
    int(RecordName.partRecord, index),
    int(RecordName.partNumber, number),
    int(RecordName.partCount, count),
    int(RecordName.partSize, size),
    { name: RecordName.partSha256, datatype: DataType.String, value: sha256 },
    { name: RecordName.partCrc32, datatype: DataType.UInt32, value: crc32(data) },
    { name: RecordName.partData, datatype: DataType.Bytes, value: data },
  ];
}

/**
 * Reads what a message (its names resolved) says of fault records; undefined where it says nothing. What is out of bounds, contradicts itself or does not
 * have the checksum that it names is left out and `refused`; nothing throws.
 */
export function readRecordFrame(
  metrics: readonly { readonly name: string; readonly value: MetricValue | null }[],
): RecordFrame | undefined {
  const told = new Map<string, MetricValue | null>();
  for (const { name, value } of metrics) if (name.startsWith('FaultRecord/')) told.set(name, value);
  if (told.size === 0) return undefined;
  const frame: RecordFrame = { refused: false };
  if (told.has(RecordName.newest)) {
    const newest = told.get(RecordName.newest);
    if (isWhole(newest, 0, LARGEST_INDEX)) frame.newest = newest;
    else frame.refused = true;
  }
  if (told.has(RecordName.list)) {
    const list = listOf(told.get(RecordName.list) ?? null);
    if (list === undefined) frame.refused = true;
    else frame.list = list;
  }
  if ([...told.keys()].some((name) => name.startsWith('FaultRecord/Part/'))) {
    const part = partOf(told);
    if (part === undefined) frame.refused = true;
    else frame.part = part;
  }
  return frame;
}

/** The bytes of a record of which all parts are there, undefined where they are not those that were announced. */
export function assembled(parts: readonly Uint8Array[], size: number, sha256: string): Uint8Array | undefined {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length !== size || length > MOST_RECORD_BYTES) return undefined;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : undefined;
}

/** The parts that a request names; undefined: all of them. */
export function wantedParts(value: MetricValue | undefined): Set<number> | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return new Set(
    value
      .split(',')
      .slice(0, MOST_PARTS)
      .map(Number)
      .filter((number) => Number.isInteger(number)),
  );
}

function isWhole(value: unknown, low: number, high: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high;
}

function listOf(value: MetricValue | null): ListedRecord[] | undefined {
  if (typeof value !== 'object' || value === null || !('rows' in value) || value.rows.length > MOST_LISTED)
    return undefined;
  const place = (column: string) => value.columns.indexOf(column);
  const [index, time, code, size] = [place('index'), place('time'), place('code'), place('size')];
  const records: ListedRecord[] = [];
  for (const row of value.rows) {
    const record = { index: row[index], timeMs: row[time], code: row[code], size: row[size] };
    if (!isListed(record) || records.some((other) => other.index === record.index)) return undefined;
    records.push(record);
  }
  return records;
}

function isListed(record: { [Name in keyof ListedRecord]: unknown }): record is ListedRecord {
  return (
    isWhole(record.index, 1, LARGEST_INDEX) &&
    isWhole(record.timeMs, 0, LATEST_MS) &&
    isWhole(record.code, 0, LARGEST_INDEX) &&
    isWhole(record.size, 1, MOST_RECORD_BYTES)
  );
}

function partOf(told: ReadonlyMap<string, MetricValue | null>): RecordPart | undefined {
  const [index, number, count] = [
    told.get(RecordName.partRecord),
    told.get(RecordName.partNumber),
    told.get(RecordName.partCount),
  ];
  const [size, sha256] = [told.get(RecordName.partSize), told.get(RecordName.partSha256)];
  const [crc, data] = [told.get(RecordName.partCrc32), told.get(RecordName.partData)];
  if (!isWhole(index, 1, LARGEST_INDEX) || !isWhole(count, 1, MOST_PARTS) || !isWhole(number, 0, count - 1))
    return undefined;
  if (!isWhole(size, 1, MOST_RECORD_BYTES) || typeof sha256 !== 'string' || !SHA256.test(sha256)) return undefined;
  if (!(data instanceof Uint8Array) || data.length > MOST_PART_BYTES) return undefined;
  const length = Math.ceil(size / count);
  if (data.length === 0 || data.length !== Math.min(length, size - number * length)) return undefined;
  return crc === crc32(data) ? { index, number, count, size, sha256, data } : undefined;
}
