import type { Reader } from 'protobufjs/minimal.js';
import { SparkplugDecodeError } from './sparkplug-error.ts';
import type { DataSet, MetricMetadata, PropertySet, PropertyValue } from './sparkplug-payload.ts';
import {
  type Budget,
  lengthEnd,
  outside,
  readLong,
  readLongAsNumber,
  readString,
  readTag,
  skip,
  spend,
} from './sparkplug-primitives.ts';
import { reinterpret } from './sparkplug-values.ts';

/** Reads the message up to `end`. */
export function readMetadata(reader: Reader, end: number): MetricMetadata {
  const metadata: MetricMetadata = {};
  while (reader.pos < end) {
    const tag = readTag(reader);
    switch (tag) {
      case 8:
        metadata.isMultiPart = reader.bool();
        break;
      case 18:
        metadata.contentType = readString(reader, end);
        break;
      case 24:
        metadata.size = readLongAsNumber(reader);
        break;
      case 32:
        metadata.seq = readLongAsNumber(reader);
        break;
      case 42:
        metadata.fileName = readString(reader, end);
        break;
      case 50:
        metadata.fileType = readString(reader, end);
        break;
      case 58:
        metadata.md5 = readString(reader, end);
        break;
      case 66:
        metadata.description = readString(reader, end);
        break;
      default:
        skip(reader, tag, end);
    }
  }
  if (reader.pos !== end) throw outside();
  return metadata;
}

/** Reads the message up to `end`. */
export function readPropertySet(reader: Reader, end: number, budget: Budget, depth: number): PropertySet {
  if (depth > budget.depth)
    throw new SparkplugDecodeError('too-large', `properties deeper than ${budget.depth} levels`);
  const keys: string[] = [];
  const values: PropertyValue[] = [];
  while (reader.pos < end) {
    const tag = readTag(reader);
    if (tag === 10) {
      budget.properties = spend(budget.properties, 1, 'properties');
      keys.push(readString(reader, end));
    } else if (tag === 18) {
      values.push(readPropertyValue(reader, lengthEnd(reader, end), budget, depth));
    } else skip(reader, tag, end);
  }
  if (reader.pos !== end) throw outside();
  if (keys.length !== values.length)
    throw new SparkplugDecodeError('malformed', 'properties: keys and values differ in number');
  const set: PropertySet = Object.create(null);
  values.forEach((value, index) => {
    set[keys[index] ?? ''] = value;
  });
  return set;
}

function readPropertyValue(reader: Reader, end: number, budget: Budget, depth: number): PropertyValue {
  let type = 0;
  let isNull = false;
  let value: PropertyValue['value'] = null;
  while (reader.pos < end) {
    const tag = readTag(reader);
    switch (tag) {
      case 8:
        type = reader.uint32();
        break;
      case 16:
        isNull = reader.bool();
        break;
      case 24:
        value = reader.uint32();
        break;
      case 32:
        value = readLong(reader);
        break;
      case 45:
        value = reader.float();
        break;
      case 49:
        value = reader.double();
        break;
      case 56:
        value = reader.bool();
        break;
      case 66:
        value = readString(reader, end);
        break;
      case 74:
        value = readPropertySet(reader, lengthEnd(reader, end), budget, depth + 1);
        break;
      case 82:
        value = readPropertySets(reader, lengthEnd(reader, end), budget, depth + 1);
        break;
      default:
        skip(reader, tag, end);
    }
  }
  if (reader.pos !== end) throw outside();
  if (isNull) return { type, value: null };
  return { type, value: typeof value === 'object' ? value : (scalar(value, type) ?? null) };
}

function readPropertySets(reader: Reader, end: number, budget: Budget, depth: number): PropertySet[] {
  const sets: PropertySet[] = [];
  while (reader.pos < end) {
    const tag = readTag(reader);
    if (tag === 10) {
      budget.properties = spend(budget.properties, 1, 'properties');
      sets.push(readPropertySet(reader, lengthEnd(reader, end), budget, depth));
    } else skip(reader, tag, end);
  }
  if (reader.pos !== end) throw outside();
  return sets;
}

/** Reads the message up to `end`. */
export function readDataSet(reader: Reader, end: number, budget: Budget): DataSet {
  const columns: string[] = [];
  const types: number[] = [];
  const rows: DataSet['rows'] = [];
  let columnCount: number | undefined;
  while (reader.pos < end) {
    const tag = readTag(reader);
    switch (tag) {
      case 8:
        columnCount = readLongAsNumber(reader);
        break;
      case 18:
        budget.cells = spend(budget.cells, 1, 'data set cells');
        columns.push(readString(reader, end));
        break;
      case 24:
        budget.cells = spend(budget.cells, 1, 'data set cells');
        types.push(reader.uint32());
        break;
      case 26: {
        const packedEnd = lengthEnd(reader, end);
        while (reader.pos < packedEnd) {
          budget.cells = spend(budget.cells, 1, 'data set cells');
          types.push(reader.uint32());
        }
        if (reader.pos !== packedEnd) throw outside();
        break;
      }
      case 34:
        budget.cells = spend(budget.cells, 1, 'data set cells');
        rows.push(readRow(reader, lengthEnd(reader, end), budget));
        break;
      default:
        skip(reader, tag, end);
    }
  }
  if (reader.pos !== end) throw outside();
  const ragged = rows.some((row) => row.length !== columns.length);
  if (ragged || types.length !== columns.length || (columnCount ?? columns.length) !== columns.length) {
    throw new SparkplugDecodeError('malformed', 'data set: columns, types and rows differ in number');
  }
  for (const row of rows) {
    for (let column = 0; column < row.length; column += 1) {
      const cell = row[column];
      if (cell !== null && cell !== undefined) row[column] = scalar(cell, types[column] ?? 0);
    }
  }
  return { columns, types, rows };
}

function readRow(reader: Reader, end: number, budget: Budget): DataSet['rows'][number] {
  const row: DataSet['rows'][number] = [];
  while (reader.pos < end) {
    const tag = readTag(reader);
    if (tag === 10) {
      budget.cells = spend(budget.cells, 1, 'data set cells');
      row.push(readCell(reader, lengthEnd(reader, end)));
    } else skip(reader, tag, end);
  }
  if (reader.pos !== end) throw outside();
  return row;
}

function readCell(reader: Reader, end: number): number | bigint | boolean | string | null {
  let value: number | bigint | boolean | string | null = null;
  while (reader.pos < end) {
    const tag = readTag(reader);
    switch (tag) {
      case 8:
        value = reader.uint32();
        break;
      case 16:
        value = readLong(reader);
        break;
      case 29:
        value = reader.float();
        break;
      case 33:
        value = reader.double();
        break;
      case 40:
        value = reader.bool();
        break;
      case 50:
        value = readString(reader, end);
        break;
      default:
        skip(reader, tag, end);
    }
  }
  if (reader.pos !== end) throw outside();
  return value;
}

function scalar(value: number | bigint | boolean | string, type: number): number | bigint | boolean | string | null {
  const result = reinterpret(value, type, 0);
  return typeof result === 'object' || result === undefined ? null : result;
}
