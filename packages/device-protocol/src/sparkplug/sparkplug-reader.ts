import protobuf, { type Reader } from 'protobufjs/minimal.js';
import { SparkplugDecodeError } from './sparkplug-error.ts';
import type {
  DecodeLimits,
  MetricMetadata,
  MetricValue,
  PropertySet,
  SparkplugMetric,
  SparkplugPayload,
} from './sparkplug-payload.ts';
import {
  type Budget,
  lengthEnd,
  outside,
  readBytes,
  readLong,
  readLongAsNumber,
  readString,
  readTag,
  skip,
  spend,
} from './sparkplug-primitives.ts';
import { readDataSet, readMetadata, readPropertySet } from './sparkplug-value-reader.ts';
import { reinterpret } from './sparkplug-values.ts';

const { BufferReader } = protobuf;

/** Reads one message, not looking into a compressed body. Throws RangeError where bytes are missing, else any Error. */
export function readPayload(bytes: Uint8Array, limits: DecodeLimits): SparkplugPayload {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader = new BufferReader(buffer);
  const budget: Budget = {
    metrics: limits.metrics,
    cells: limits.dataSetCells,
    elements: limits.arrayElements,
    properties: limits.properties,
    depth: limits.depth,
  };
  const metrics: SparkplugMetric[] = [];
  const payload: SparkplugPayload = {
    timestampMs: undefined,
    seq: undefined,
    uuid: undefined,
    metrics,
    body: undefined,
  };
  const end = reader.len;
  while (reader.pos < end) {
    const tag = readTag(reader);
    switch (tag) {
      case 8:
        payload.timestampMs = readLongAsNumber(reader);
        break;
      case 18:
        budget.metrics = spend(budget.metrics, 1, 'metrics');
        metrics.push(readMetric(reader, lengthEnd(reader, end), budget));
        break;
      case 24:
        payload.seq = readLongAsNumber(reader);
        break;
      case 34:
        payload.uuid = readString(reader, end);
        break;
      case 42:
        payload.body = readBytes(reader, end);
        break;
      default:
        skip(reader, tag, end);
    }
  }
  return payload;
}

function readMetric(reader: Reader, end: number, budget: Budget): SparkplugMetric {
  let name: string | undefined;
  let alias: number | undefined;
  let timestampMs: number | undefined;
  let datatype: number | undefined;
  let isHistorical: boolean | undefined;
  let isTransient: boolean | undefined;
  let isNull: boolean | undefined;
  let metadata: MetricMetadata | undefined;
  let properties: PropertySet | undefined;
  let value: MetricValue | null = null;
  while (reader.pos < end) {
    const tag = readTag(reader);
    switch (tag) {
      case 10:
        name = readString(reader, end);
        break;
      case 16:
        alias = readLongAsNumber(reader);
        break;
      case 24:
        timestampMs = readLongAsNumber(reader);
        break;
      case 32:
        datatype = reader.uint32();
        break;
      case 40:
        isHistorical = reader.bool();
        break;
      case 48:
        isTransient = reader.bool();
        break;
      case 56:
        isNull = reader.bool();
        break;
      case 66:
        metadata = readMetadata(reader, lengthEnd(reader, end));
        break;
      case 74:
        properties = readPropertySet(reader, lengthEnd(reader, end), budget, 1);
        break;
      case 80:
        value = reader.uint32();
        break;
      case 88:
        value = readLong(reader);
        break;
      case 101:
        value = reader.float();
        break;
      case 105:
        value = reader.double();
        break;
      case 112:
        value = reader.bool();
        break;
      case 122:
        value = readString(reader, end);
        break;
      case 130:
        value = readBytes(reader, end);
        break;
      case 138:
        value = readDataSet(reader, lengthEnd(reader, end), budget);
        break;
      default:
        skip(reader, tag, end);
    }
  }
  if (reader.pos !== end) throw outside();
  if (isNull === true) value = null;
  else if (datatype !== undefined && value !== null) value = typed(value, datatype, budget);
  return { name, alias, timestampMs, datatype, isHistorical, isTransient, isNull, metadata, properties, value };
}

function typed(value: MetricValue, datatype: number, budget: Budget): MetricValue | null {
  const result = reinterpret(value, datatype, budget.elements);
  if (result === undefined) throw new SparkplugDecodeError('malformed', 'array value is broken or too long');
  if (Array.isArray(result)) budget.elements = spend(budget.elements, result.length, 'array elements');
  return result;
}
