import { DataType } from './datatypes.ts';
import type { MetricArray, MetricValue } from './sparkplug-payload.ts';

const TWO_POW_32 = 4_294_967_296;

/** An unsigned 64-bit integer from its halves: a number where it is a safe integer, else a bigint. */
export function unsignedFromHalves(low: number, high: number): number | bigint {
  if (high < 0x200000) return high * TWO_POW_32 + low;
  return (BigInt(high) << 32n) | BigInt(low);
}

/** The number of the same value where it is a safe integer, else the bigint itself. */
export function narrow(value: bigint): number | bigint {
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : value;
}

/**
 * Reads a value that was decoded by its field alone as `datatype` says. Applying it twice changes nothing.
 * Undefined for array bytes that are broken or hold more than `maxElements`.
 */
export function reinterpret(
  value: MetricValue | null,
  datatype: number,
  maxElements: number,
): MetricValue | null | undefined {
  if (typeof value === 'number') return reinterpretNumber(value, datatype);
  if (typeof value === 'bigint') return reinterpretBigint(value, datatype);
  if (datatype === DataType.Template) return null;
  if (value instanceof Uint8Array && datatype >= DataType.Int8Array && datatype <= DataType.DateTimeArray) {
    return decodeArray(value, datatype, maxElements);
  }
  return value;
}

function reinterpretNumber(value: number, datatype: number): number | boolean {
  if (datatype === DataType.Float || datatype === DataType.Double) return value;
  if (datatype === DataType.Boolean) return value !== 0;
  if (!Number.isInteger(value)) return value;
  switch (datatype) {
    case DataType.Int8:
      return (value << 24) >> 24;
    case DataType.Int16:
      return (value << 16) >> 16;
    case DataType.Int32:
      return value | 0;
    case DataType.UInt8:
      return value & 0xff;
    case DataType.UInt16:
      return value & 0xffff;
    case DataType.UInt32:
      return value >>> 0;
    default:
      return value;
  }
}

function reinterpretBigint(value: bigint, datatype: number): number | bigint | boolean {
  switch (datatype) {
    case DataType.Int8:
      return Number(BigInt.asIntN(8, value));
    case DataType.Int16:
      return Number(BigInt.asIntN(16, value));
    case DataType.Int32:
      return Number(BigInt.asIntN(32, value));
    case DataType.Int64:
      return narrow(BigInt.asIntN(64, value));
    case DataType.UInt8:
    case DataType.UInt16:
    case DataType.UInt32:
      return reinterpretNumber(Number(BigInt.asUintN(32, value)), datatype);
    case DataType.Boolean:
      return value !== 0n;
    default:
      return value;
  }
}

const elementBytes: Record<number, number> = {
  [DataType.Int8Array]: 1,
  [DataType.Int16Array]: 2,
  [DataType.Int32Array]: 4,
  [DataType.Int64Array]: 8,
  [DataType.UInt8Array]: 1,
  [DataType.UInt16Array]: 2,
  [DataType.UInt32Array]: 4,
  [DataType.UInt64Array]: 8,
  [DataType.FloatArray]: 4,
  [DataType.DoubleArray]: 8,
  [DataType.DateTimeArray]: 8,
};

/** Unpacks array bytes (Sparkplug 3.0, 6.4.17: little endian, booleans bit-packed, strings ended by a zero byte). */
export function decodeArray(bytes: Uint8Array, datatype: number, maxElements: number): MetricArray | undefined {
  if (datatype === DataType.BooleanArray) return decodeBooleans(bytes, maxElements);
  if (datatype === DataType.StringArray) return decodeStrings(bytes, maxElements);
  const width = elementBytes[datatype];
  if (width === undefined || bytes.length % width !== 0 || bytes.length / width > maxElements) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const elements: (number | bigint)[] = new Array(bytes.length / width);
  for (let i = 0; i < elements.length; i += 1) elements[i] = elementAt(view, i * width, datatype);
  return elements;
}

function elementAt(view: DataView, offset: number, datatype: number): number | bigint {
  switch (datatype) {
    case DataType.Int8Array:
      return view.getInt8(offset);
    case DataType.Int16Array:
      return view.getInt16(offset, true);
    case DataType.Int32Array:
      return view.getInt32(offset, true);
    case DataType.Int64Array:
      return narrow(view.getBigInt64(offset, true));
    case DataType.UInt8Array:
      return view.getUint8(offset);
    case DataType.UInt16Array:
      return view.getUint16(offset, true);
    case DataType.UInt32Array:
      return view.getUint32(offset, true);
    case DataType.FloatArray:
      return view.getFloat32(offset, true);
    case DataType.DoubleArray:
      return view.getFloat64(offset, true);
    default:
      return unsignedFromHalves(view.getUint32(offset, true), view.getUint32(offset + 4, true));
  }
}

function decodeBooleans(bytes: Uint8Array, maxElements: number): boolean[] | undefined {
  if (bytes.length < 4) return undefined;
  const count = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  if (count > maxElements || bytes.length - 4 < Math.ceil(count / 8)) return undefined;
  const elements: boolean[] = new Array(count);
  for (let i = 0; i < count; i += 1) elements[i] = (((bytes[4 + (i >> 3)] ?? 0) >> (7 - (i & 7))) & 1) === 1;
  return elements;
}

function decodeStrings(bytes: Uint8Array, maxElements: number): string[] | undefined {
  if (bytes.length === 0) return [];
  if (bytes[bytes.length - 1] !== 0) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const elements: string[] = [];
  for (let start = 0; start < buffer.length; ) {
    if (elements.length === maxElements) return undefined;
    const end = buffer.indexOf(0, start);
    elements.push(buffer.toString('utf8', start, end));
    start = end + 1;
  }
  return elements;
}

/** Packs array elements as {@link decodeArray} reads them. Throws TypeError for elements that the datatype cannot hold. */
export function encodeArray(elements: MetricArray, datatype: number): Uint8Array {
  if (datatype === DataType.BooleanArray) return encodeBooleans(elements);
  if (datatype === DataType.StringArray) return encodeStrings(elements);
  const width = elementBytes[datatype];
  if (width === undefined) throw new TypeError(`datatype ${datatype} holds no array`);
  const view = new DataView(new ArrayBuffer(elements.length * width));
  elements.forEach((element, index) => {
    if (typeof element !== 'number' && typeof element !== 'bigint')
      throw new TypeError('array element is not a number');
    setElement(view, index * width, datatype, element);
  });
  return new Uint8Array(view.buffer);
}

function setElement(view: DataView, offset: number, datatype: number, element: number | bigint): void {
  switch (datatype) {
    case DataType.FloatArray:
      view.setFloat32(offset, Number(element), true);
      return;
    case DataType.DoubleArray:
      view.setFloat64(offset, Number(element), true);
      return;
    case DataType.Int64Array:
    case DataType.UInt64Array:
    case DataType.DateTimeArray:
      view.setBigUint64(offset, BigInt.asUintN(64, BigInt(element)), true);
      return;
    case DataType.Int32Array:
    case DataType.UInt32Array:
      view.setUint32(offset, Number(element), true);
      return;
    case DataType.Int16Array:
    case DataType.UInt16Array:
      view.setUint16(offset, Number(element), true);
      return;
    default:
      view.setUint8(offset, Number(element));
  }
}

function encodeBooleans(elements: MetricArray): Uint8Array {
  const bytes = new Uint8Array(4 + Math.ceil(elements.length / 8));
  new DataView(bytes.buffer).setUint32(0, elements.length, true);
  elements.forEach((element, index) => {
    if (typeof element !== 'boolean') throw new TypeError('array element is not a boolean');
    const at = 4 + (index >> 3);
    if (element) bytes[at] = (bytes[at] ?? 0) | (1 << (7 - (index & 7)));
  });
  return bytes;
}

function encodeStrings(elements: MetricArray): Uint8Array {
  const parts = elements.map((element) => {
    if (typeof element !== 'string' || element.includes('\0'))
      throw new TypeError('array element is not a plain string');
    return Buffer.from(`${element}\0`);
  });
  return new Uint8Array(Buffer.concat(parts));
}
