import protobuf, { type Writer } from 'protobufjs/minimal.js';
import { DataType } from './datatypes.ts';
import type {
  DataSet,
  MetricMetadata,
  MetricValue,
  PropertySet,
  PropertyValue,
  SparkplugMetric,
  SparkplugPayload,
} from './sparkplug-payload.ts';
import { encodeArray } from './sparkplug-values.ts';

type Scalar = number | bigint | boolean | string;

/** Writes one message. Errors: see `encodePayload`. */
export function writePayload(payload: SparkplugPayload, omitDatatypes: boolean): Uint8Array {
  const writer = protobuf.Writer.create();
  if (payload.timestampMs !== undefined) writeLong(writer.uint32(8), payload.timestampMs);
  for (const metric of payload.metrics) {
    writer.uint32(18).fork();
    writeMetric(writer, metric, omitDatatypes);
    writer.ldelim();
  }
  if (payload.seq !== undefined) writeLong(writer.uint32(24), payload.seq);
  if (payload.uuid !== undefined) writer.uint32(34).string(payload.uuid);
  if (payload.body !== undefined) writer.uint32(42).bytes(payload.body);
  return writer.finish();
}

function writeMetric(writer: Writer, metric: SparkplugMetric, omitDatatypes: boolean): void {
  const { datatype, value } = metric;
  if (metric.name !== undefined) writer.uint32(10).string(metric.name);
  if (metric.alias !== undefined) writeLong(writer.uint32(16), metric.alias);
  if (metric.timestampMs !== undefined) writeLong(writer.uint32(24), metric.timestampMs);
  if (datatype !== undefined && !omitDatatypes) writer.uint32(32).uint32(datatype);
  if (metric.isHistorical !== undefined) writer.uint32(40).bool(metric.isHistorical);
  if (metric.isTransient !== undefined) writer.uint32(48).bool(metric.isTransient);
  const isNull = value === null || metric.isNull === true;
  if (isNull || metric.isNull !== undefined) writer.uint32(56).bool(isNull);
  if (metric.metadata !== undefined) {
    writer.uint32(66).fork();
    writeMetadata(writer, metric.metadata);
    writer.ldelim();
  }
  if (metric.properties !== undefined) {
    writer.uint32(74).fork();
    writePropertySet(writer, metric.properties);
    writer.ldelim();
  }
  if (!isNull && value !== null) writeMetricValue(writer, value, datatype);
}

function writeMetricValue(writer: Writer, value: MetricValue, datatype: number | undefined): void {
  if (value instanceof Uint8Array) {
    if (datatype !== undefined && datatype !== DataType.Bytes && datatype !== DataType.File)
      throw unfit(value, datatype);
    writer.uint32(130).bytes(value);
  } else if (Array.isArray(value)) {
    if (datatype === undefined) throw new TypeError('an array value needs a datatype');
    writer.uint32(130).bytes(encodeArray(value, datatype));
  } else if (typeof value === 'object') {
    if (datatype !== undefined && datatype !== DataType.DataSet) throw unfit(value, datatype);
    writer.uint32(138).fork();
    writeDataSet(writer, value);
    writer.ldelim();
  } else writeScalar(writer, value, datatype, 10);
}

function writeScalar(writer: Writer, value: Scalar, datatype: number | undefined, intField: number): void {
  switch (datatype ?? inferred(value)) {
    case DataType.Int8:
      writer.uint32(intField << 3).uint32(ranged(value, -128, 127) >>> 0);
      return;
    case DataType.Int16:
      writer.uint32(intField << 3).uint32(ranged(value, -32_768, 32_767) >>> 0);
      return;
    case DataType.Int32:
      writer.uint32(intField << 3).uint32(ranged(value, -2_147_483_648, 2_147_483_647) >>> 0);
      return;
    case DataType.UInt8:
      writer.uint32(intField << 3).uint32(ranged(value, 0, 255));
      return;
    case DataType.UInt16:
      writer.uint32(intField << 3).uint32(ranged(value, 0, 65_535));
      return;
    case DataType.UInt32:
      writer.uint32(intField << 3).uint32(ranged(value, 0, 4_294_967_295));
      return;
    case DataType.Int64:
      writeLong(writer.uint32((intField + 1) << 3), ranged64(value, -(2n ** 63n), 2n ** 63n - 1n));
      return;
    case DataType.UInt64:
    case DataType.DateTime:
      writeLong(writer.uint32((intField + 1) << 3), ranged64(value, 0n, 2n ** 64n - 1n));
      return;
    case DataType.Float:
      if (typeof value !== 'number') throw unfit(value, DataType.Float);
      writer.uint32(((intField + 2) << 3) | 5).float(value);
      return;
    case DataType.Double:
      if (typeof value !== 'number') throw unfit(value, DataType.Double);
      writer.uint32(((intField + 3) << 3) | 1).double(value);
      return;
    case DataType.Boolean:
      if (typeof value !== 'boolean') throw unfit(value, DataType.Boolean);
      writer.uint32((intField + 4) << 3).bool(value);
      return;
    case DataType.String:
    case DataType.Text:
    case DataType.UUID:
      if (typeof value !== 'string') throw unfit(value, DataType.String);
      writer.uint32(((intField + 5) << 3) | 2).string(value);
      return;
    default:
      throw unfit(value, datatype ?? 0);
  }
}

function writeDataSet(writer: Writer, set: DataSet): void {
  if (set.types.length !== set.columns.length) throw new TypeError('data set: columns and types differ in number');
  writer.uint32(8).uint32(set.columns.length);
  for (const column of set.columns) writer.uint32(18).string(column);
  for (const type of set.types) writer.uint32(24).uint32(type);
  for (const row of set.rows) {
    if (row.length !== set.columns.length) throw new TypeError('data set: row and columns differ in number');
    writer.uint32(34).fork();
    row.forEach((cell, column) => {
      writer.uint32(10).fork();
      if (cell !== null) writeScalar(writer, cell, set.types[column], 1);
      writer.ldelim();
    });
    writer.ldelim();
  }
}

function writeMetadata(writer: Writer, metadata: MetricMetadata): void {
  if (metadata.isMultiPart !== undefined) writer.uint32(8).bool(metadata.isMultiPart);
  if (metadata.contentType !== undefined) writer.uint32(18).string(metadata.contentType);
  if (metadata.size !== undefined) writeLong(writer.uint32(24), metadata.size);
  if (metadata.seq !== undefined) writeLong(writer.uint32(32), metadata.seq);
  if (metadata.fileName !== undefined) writer.uint32(42).string(metadata.fileName);
  if (metadata.fileType !== undefined) writer.uint32(50).string(metadata.fileType);
  if (metadata.md5 !== undefined) writer.uint32(58).string(metadata.md5);
  if (metadata.description !== undefined) writer.uint32(66).string(metadata.description);
}

function writePropertySet(writer: Writer, set: PropertySet): void {
  const entries = Object.entries(set);
  for (const [key] of entries) writer.uint32(10).string(key);
  for (const [, property] of entries) {
    writer.uint32(18).fork();
    writePropertyValue(writer, property);
    writer.ldelim();
  }
}

function writePropertyValue(writer: Writer, property: PropertyValue): void {
  const { type, value } = property;
  if (type !== 0) writer.uint32(8).uint32(type);
  if (value === null) writer.uint32(16).bool(true);
  else if (Array.isArray(value)) {
    writer.uint32(82).fork();
    for (const set of value) {
      writer.uint32(10).fork();
      writePropertySet(writer, set);
      writer.ldelim();
    }
    writer.ldelim();
  } else if (typeof value === 'object') {
    writer.uint32(74).fork();
    writePropertySet(writer, value);
    writer.ldelim();
  } else writeScalar(writer, value, type === 0 ? undefined : type, 3);
}

function writeLong(writer: Writer, value: number | bigint): void {
  if (typeof value === 'bigint') writer.uint64(BigInt.asUintN(64, value).toString());
  else if (value >= 0 && value <= 0xffffffff) writer.uint32(value);
  else writer.int64(value);
}

function inferred(value: Scalar): number {
  if (typeof value === 'number') return DataType.Double;
  if (typeof value === 'bigint') return DataType.Int64;
  return typeof value === 'boolean' ? DataType.Boolean : DataType.String;
}

function ranged(value: Scalar, low: number, high: number): number {
  const asNumber = typeof value === 'bigint' ? Number(value) : value;
  if (typeof asNumber !== 'number') throw new TypeError('integer datatype needs an integer');
  if (!Number.isInteger(asNumber) || asNumber < low || asNumber > high) {
    throw new RangeError(`${asNumber} is no integer from ${low} to ${high}`);
  }
  return asNumber;
}

function ranged64(value: Scalar, low: bigint, high: bigint): number | bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && (value >= 0 || low < 0n)) return value;
  if (typeof value === 'number' && !Number.isInteger(value)) throw new RangeError(`${value} is no integer`);
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new TypeError('integer datatype needs an integer');
  const wide = BigInt(value);
  if (wide < low || wide > high) throw new RangeError(`${wide} is no integer from ${low} to ${high}`);
  return wide;
}

function unfit(value: unknown, datatype: number): TypeError {
  return new TypeError(`datatype ${datatype} cannot hold a ${typeof value}`);
}
