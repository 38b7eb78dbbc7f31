import type { Reader } from 'protobufjs/minimal.js';
import { SparkplugDecodeError } from './sparkplug-error.ts';
import { unsignedFromHalves } from './sparkplug-values.ts';

/** What a payload may still use of its limits while it is read. */
export interface Budget {
  metrics: number;
  cells: number;
  elements: number;
  properties: number;
  readonly depth: number;
}

/** Reads a field tag: field number times 8 plus wire type. */
export function readTag(reader: Reader): number {
  const first = reader.buf[reader.pos] as number;
  if (first < 128) {
    reader.pos += 1;
    return first;
  }
  return reader.uint32();
}

let highHalf = 0;

function readLongHalves(reader: Reader): number {
  const { buf } = reader;
  let low = 0;
  let high = 0;
  for (let index = 0; index < 10; index += 1) {
    if (reader.pos >= reader.len) throw new RangeError('varint is cut off');
    const byte = buf[reader.pos++] as number;
    if (index < 4) low |= (byte & 127) << (7 * index);
    else if (index === 4) {
      low |= (byte & 127) << 28;
      high = (byte & 127) >> 4;
    } else high |= (byte & 127) << (7 * index - 32);
    if (byte < 128) {
      highHalf = high >>> 0;
      return low >>> 0;
    }
  }
  throw new Error('varint is longer than ten bytes');
}

/** Reads an unsigned 64-bit varint. */
export function readLong(reader: Reader): number | bigint {
  const low = readLongHalves(reader);
  return unsignedFromHalves(low, highHalf);
}

/** Reads an unsigned 64-bit varint as a number, inexact above 2^53. */
export function readLongAsNumber(reader: Reader): number {
  const first = reader.buf[reader.pos];
  if (first !== undefined && first < 128) {
    reader.pos += 1;
    return first;
  }
  const low = readLongHalves(reader);
  return highHalf * 4_294_967_296 + low;
}

/** Reads a length and returns where its content ends. RangeError past `limit`. */
export function lengthEnd(reader: Reader, limit: number): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > limit) throw new RangeError(`length ${length} goes past the end`);
  return end;
}

/** Reads a string that ends before `limit`. */
export function readString(reader: Reader, limit: number): string {
  const end = lengthEnd(reader, limit);
  const start = reader.pos;
  reader.pos = end;
  return (reader.buf as Buffer).toString('utf8', start, end);
}

/** Reads bytes as a copy of their own. */
export function readBytes(reader: Reader, limit: number): Uint8Array {
  const end = lengthEnd(reader, limit);
  const bytes = new Uint8Array(reader.buf.subarray(reader.pos, end));
  reader.pos = end;
  return bytes;
}

/** Skips the field of `tag`. */
export function skip(reader: Reader, tag: number, limit: number): void {
  if (tag >>> 3 === 0) throw new Error('field number 0');
  switch (tag & 7) {
    case 0:
      readLongHalves(reader);
      return;
    case 1:
      reader.pos += 8;
      break;
    case 2:
      reader.pos = lengthEnd(reader, limit);
      return;
    case 5:
      reader.pos += 4;
      break;
    default:
      throw new Error(`wire type ${tag & 7}`);
  }
  if (reader.pos > limit) throw new RangeError('field goes past the end');
}

/** What is left of a limit after `count` more. Throws `too-large` when nothing is. */
export function spend(left: number, count: number, what: string): number {
  if (left < count) throw new SparkplugDecodeError('too-large', `too many ${what}`);
  return left - count;
}

/** The error of a field that crosses the end of its message. */
export function outside(): SparkplugDecodeError {
  return new SparkplugDecodeError('malformed', 'field crosses the end of its message');
}
