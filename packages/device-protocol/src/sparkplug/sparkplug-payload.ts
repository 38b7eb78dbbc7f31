import { deflateSync, gunzipSync, gzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { DataType } from './datatypes.ts';
import { type DecodeFailure, SparkplugDecodeError } from './sparkplug-error.ts';
import { readPayload } from './sparkplug-reader.ts';
import { reinterpret } from './sparkplug-values.ts';
import { writePayload } from './sparkplug-writer.ts';

/** Table value of a metric. `rows[r][c]` belongs to `columns[c]`, whose datatype number is `types[c]`. */
export interface DataSet {
  columns: string[];
  types: number[];
  rows: (number | bigint | boolean | string | null)[][];
}

/** Content of one of the array datatypes 22-34. Times are epoch milliseconds. */
export type MetricArray = number[] | (number | bigint)[] | boolean[] | string[];

/** Value of a metric. 64-bit integers and times are `number` where they are safe integers, else `bigint`. */
export type MetricValue = number | bigint | boolean | string | Uint8Array | DataSet | MetricArray;

/** Properties of a metric by name; the object has no prototype when it comes from a decoder. */
export type PropertySet = Record<string, PropertyValue>;

/** One property. `type` is a datatype number, 0 where the sender gave none. */
export interface PropertyValue {
  type: number;
  value: number | bigint | boolean | string | PropertySet | PropertySet[] | null;
}

/** Describes multi-part and file values. `size` in bytes, `seq` the part's number. */
export interface MetricMetadata {
  isMultiPart?: boolean | undefined;
  contentType?: string | undefined;
  size?: number | undefined;
  seq?: number | undefined;
  fileName?: string | undefined;
  fileType?: string | undefined;
  md5?: string | undefined;
  description?: string | undefined;
}

/** One metric. `value` is null for `isNull`, for a metric without value and for templates, which are skipped. */
export interface SparkplugMetric {
  name?: string | undefined;
  alias?: number | undefined;
  timestampMs?: number | undefined;
  datatype?: number | undefined;
  isHistorical?: boolean | undefined;
  isTransient?: boolean | undefined;
  isNull?: boolean | undefined;
  metadata?: MetricMetadata | undefined;
  properties?: PropertySet | undefined;
  value: MetricValue | null;
}

/** One Sparkplug B message body. `seq` is 0-255, `timestampMs` epoch milliseconds UTC. */
export interface SparkplugPayload {
  timestampMs?: number | undefined;
  seq?: number | undefined;
  uuid?: string | undefined;
  metrics: SparkplugMetric[];
  body?: Uint8Array | undefined;
}

/** What a decoder accepts at most. Cells, array elements and properties count over the whole payload. */
export interface DecodeLimits {
  messageBytes: number;
  inflatedBytes: number;
  /** Times the size of the compressed body. */
  inflatedTimes: number;
  metrics: number;
  dataSetCells: number;
  arrayElements: number;
  properties: number;
  depth: number;
}

/** Limits of {@link decodePayload} where the caller gives none. */
export const defaultDecodeLimits: Readonly<DecodeLimits> = {
  messageBytes: 1024 * 1024,
  inflatedBytes: 512 * 1024,
  inflatedTimes: 20,
  metrics: 5_000,
  dataSetCells: 10_000,
  arrayElements: 100_000,
  properties: 50_000,
  depth: 4,
};

export { type DecodeFailure, SparkplugDecodeError };

/** `omitDatatypes` leaves the datatype numbers out (DATA by alias) while values still follow them. */
export interface EncodeOptions {
  omitDatatypes?: boolean;
}

/** `uuid` of a payload whose `body` is another, compressed payload. */
export const COMPRESSED_UUID = 'SPBV1.0_COMPRESSED';

/**
 * Writes a payload. A metric's datatype decides its field; without one, numbers are written as doubles, bigints as Int64.
 * Throws RangeError for an integer outside its datatype and TypeError for a value that its datatype cannot hold.
 */
export function encodePayload(payload: SparkplugPayload, options: EncodeOptions = {}): Uint8Array {
  return writePayload(payload, options.omitDatatypes === true);
}

/** Writes a payload as the compressed body of another one, as common Sparkplug clients do. Errors as in {@link encodePayload}. */
export function compressPayload(payload: SparkplugPayload, algorithm: 'GZIP' | 'DEFLATE'): Uint8Array {
  const plain = encodePayload(payload);
  return encodePayload({
    timestampMs: payload.timestampMs,
    seq: payload.seq,
    uuid: COMPRESSED_UUID,
    metrics: [{ name: 'algorithm', datatype: DataType.String, value: algorithm }],
    body: algorithm === 'GZIP' ? gzipSync(plain) : deflateSync(plain),
  });
}

/**
 * Reads a payload, inflating a compressed one; `inflated` is told its size then. Integers without a datatype come out unsigned: see {@link applyDatatype}.
 * A value in a field that does not fit its datatype comes out as the field says, so check with `typeof`.
 * Throws only {@link SparkplugDecodeError}.
 */
export function decodePayload(
  bytes: Uint8Array,
  limits?: Partial<DecodeLimits>,
  inflated?: (bytes: number) => void,
): SparkplugPayload {
  const allowed = limits === undefined ? defaultDecodeLimits : { ...defaultDecodeLimits, ...limits };
  if (bytes.length > allowed.messageBytes) {
    throw new SparkplugDecodeError('too-large', `message of ${bytes.length} bytes`);
  }
  const payload = guarded(bytes, allowed);
  return payload.uuid === COMPRESSED_UUID ? decompress(payload, allowed, inflated) : payload;
}

/** The value of a metric, its integers read as `datatype` says (the one known from the birth). Null for a broken array. */
export function applyDatatype(metric: SparkplugMetric, datatype: number): MetricValue | null {
  return reinterpret(metric.value, datatype, defaultDecodeLimits.arrayElements) ?? null;
}

function guarded(bytes: Uint8Array, limits: DecodeLimits): SparkplugPayload {
  try {
    return readPayload(bytes, limits);
  } catch (error) {
    if (error instanceof SparkplugDecodeError) throw error;
    const reason = error instanceof RangeError ? 'truncated' : 'malformed';
    throw new SparkplugDecodeError(reason, error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function decompress(
  outer: SparkplugPayload,
  limits: DecodeLimits,
  inflated?: (bytes: number) => void,
): SparkplugPayload {
  const { body } = outer;
  if (body === undefined) throw new SparkplugDecodeError('malformed', 'compressed payload without body');
  const named = outer.metrics.find((metric) => metric.name === 'algorithm')?.value ?? 'DEFLATE';
  const most = Math.max(1, Math.min(limits.inflatedBytes, limits.inflatedTimes * body.length));
  const bytes = inflate(body, String(named).toUpperCase(), most);
  inflated?.(bytes.length);
  const inner = guarded(bytes, limits);
  if (inner.uuid === COMPRESSED_UUID)
    throw new SparkplugDecodeError('unsupported', 'compressed payload in a compressed one');
  inner.seq ??= outer.seq;
  inner.timestampMs ??= outer.timestampMs;
  return inner;
}

function inflate(body: Uint8Array, algorithm: string, maxOutputLength: number): Uint8Array {
  try {
    if (algorithm === 'GZIP') return gunzipSync(body, { maxOutputLength });
    if (algorithm === 'DEFLATE') {
      return hasZlibHeader(body) ? inflateSync(body, { maxOutputLength }) : inflateRawSync(body, { maxOutputLength });
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw new SparkplugDecodeError('too-large', `inflated payload above ${maxOutputLength} bytes`, { cause: error });
    }
    const reason = code === 'Z_BUF_ERROR' ? 'truncated' : 'malformed';
    throw new SparkplugDecodeError(reason, 'compressed body cannot be inflated', { cause: error });
  }
  throw new SparkplugDecodeError('unsupported', 'compression algorithm is neither GZIP nor DEFLATE');
}

function hasZlibHeader(body: Uint8Array): boolean {
  const [method = 0, flags = 0] = body;
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0;
}
