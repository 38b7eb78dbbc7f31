import { type ActiveAlarm, alarmByCode } from './alarms.ts';
import { type DeviceKind, isDeviceKind } from './points.ts';
import { isDeviceSn } from './topics.ts';

/** A reading on the JSON on-ramp. */
export type JsonValue = number | boolean | string;

/** Readings of one device at one time. */
export interface JsonSample {
  tsMs: number;
  deviceSn: string;
  kind: DeviceKind;
  historical: boolean;
  values: [name: string, value: JsonValue][];
  /** All active alarms, where the message gave a list. */
  alarms?: ActiveAlarm[];
}

/** What the readers of this file accept at most. */
export interface JsonLimits {
  messageBytes: number;
  samples: number;
  /** Readings, and alarms, of one sample. */
  values: number;
  nameLength: number;
  textLength: number;
}

/** Limits where the caller gives none. */
export const defaultJsonLimits: Readonly<JsonLimits> = {
  messageBytes: 256 * 1024,
  samples: 1_000,
  values: 500,
  nameLength: 128,
  textLength: 256,
};

/** Why a JSON message was refused. */
export type JsonFailure =
  | 'too-large'
  | 'not-json'
  | 'bad-shape'
  | 'bad-time'
  | 'bad-device'
  | 'bad-kind'
  | 'bad-value'
  | 'bad-alarm';

/** The only error that the readers of this file throw. */
export class JsonMessageError extends Error {
  readonly reason: JsonFailure;

  constructor(reason: JsonFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JsonMessageError';
    this.reason = reason;
  }
}

/**
 * Reads a message of `pv/v1/{sn}/up`: `{"ts":ms,"dev":"SN","kind":"inverter","v":{...},"hist":true,"alarms":[{"code":1001}]}`
 * or an array of such. `ts` left out means `receivedMs`, `hist` false. Throws {@link JsonMessageError}, for one wrong entry too.
 */
export function parseUp(
  bytes: Uint8Array,
  receivedMs: number,
  limits?: Partial<JsonLimits>,
): { samples: JsonSample[] } {
  const allowed = { ...defaultJsonLimits, ...limits };
  const message = parseJson(bytes, allowed);
  const entries = Array.isArray(message) ? message : [message];
  if (entries.length === 0) throw new JsonMessageError('bad-shape', 'the array is empty');
  if (entries.length > allowed.samples) throw new JsonMessageError('too-large', `more than ${allowed.samples} samples`);
  return { samples: entries.map((entry) => sampleOf(entry, receivedMs, allowed)) };
}

/** An answer on `pv/v1/{sn}/ack`. `code` as in the results of commands. */
export interface JsonAck {
  id: string;
  code: number;
  message: string;
  values: [name: string, value: JsonValue][];
}

/** Reads `{"id","code","msg","v":{}}`; `msg` and `v` may be left out. Throws {@link JsonMessageError}. */
export function parseAck(bytes: Uint8Array, limits?: Partial<JsonLimits>): JsonAck {
  const allowed = { ...defaultJsonLimits, ...limits };
  const message = parseJson(bytes, allowed);
  if (!isObject(message)) throw new JsonMessageError('bad-shape', 'not an object');
  const { id, code, msg = '', v = {} } = message;
  if (typeof id !== 'string' || id.length === 0 || id.length > 64) throw new JsonMessageError('bad-shape', 'id');
  if (typeof code !== 'number' || !Number.isInteger(code)) throw new JsonMessageError('bad-shape', 'code');
  if (typeof msg !== 'string' || msg.length > allowed.textLength) throw new JsonMessageError('bad-shape', 'msg');
  return { id, code, message: msg, values: valuesOf(v, allowed) };
}

/** What a command of the on-ramp asks for. */
export interface JsonCommand {
  id: string;
  op: 'set' | 'get' | 'action';
  args: Record<string, JsonValue>;
}

/** The body for `pv/v1/{sn}/cmd`. */
export function buildCommand(command: JsonCommand): Uint8Array {
  const { id, op, args } = command;
  return Buffer.from(JSON.stringify({ id, op, args }));
}

function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  if (bytes.length > limits.messageBytes) throw new JsonMessageError('too-large', `message of ${bytes.length} bytes`);
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (error) {
    throw new JsonMessageError('not-json', 'the message is no JSON', { cause: error });
  }
}

function sampleOf(entry: unknown, receivedMs: number, limits: JsonLimits): JsonSample {
  if (!isObject(entry)) throw new JsonMessageError('bad-shape', 'not an object');
  const { ts = receivedMs, dev, kind, hist = false, v = {}, alarms } = entry;
  if (typeof ts !== 'number' || !Number.isSafeInteger(ts) || ts < 0) throw new JsonMessageError('bad-time', 'ts');
  if (typeof dev !== 'string' || !isDeviceSn(dev)) throw new JsonMessageError('bad-device', 'dev');
  if (typeof kind !== 'string' || !isDeviceKind(kind)) throw new JsonMessageError('bad-kind', 'kind');
  if (typeof hist !== 'boolean') throw new JsonMessageError('bad-shape', 'hist');
  const sample: JsonSample = { tsMs: ts, deviceSn: dev, kind, historical: hist, values: valuesOf(v, limits) };
  if (alarms !== undefined) sample.alarms = alarmsOf(alarms, ts, limits);
  return sample;
}

function valuesOf(values: unknown, limits: JsonLimits): [name: string, value: JsonValue][] {
  if (!isObject(values)) throw new JsonMessageError('bad-shape', 'v');
  const entries = Object.entries(values);
  if (entries.length > limits.values) throw new JsonMessageError('too-large', `more than ${limits.values} values`);
  const accepted: [name: string, value: JsonValue][] = [];
  for (const [name, value] of entries) {
    if (name.length === 0 || name.length > limits.nameLength)
      throw new JsonMessageError('bad-value', 'name of a value');
    if (value === null) continue;
    if (!isJsonValue(value, limits)) throw new JsonMessageError('bad-value', name);
    accepted.push([name, value]);
  }
  return accepted;
}

function alarmsOf(list: unknown, sampleMs: number, limits: JsonLimits): ActiveAlarm[] {
  if (!Array.isArray(list)) throw new JsonMessageError('bad-alarm', 'alarms');
  if (list.length > limits.values) throw new JsonMessageError('too-large', `more than ${limits.values} alarms`);
  return list.map((entry) => {
    if (!isObject(entry)) throw new JsonMessageError('bad-alarm', 'not an object');
    const { code, level, since = sampleMs, extra = '' } = entry;
    if (typeof code !== 'number' || !Number.isInteger(code)) throw new JsonMessageError('bad-alarm', 'code');
    if (typeof since !== 'number' || !Number.isSafeInteger(since)) throw new JsonMessageError('bad-alarm', 'since');
    if (typeof extra !== 'string' || extra.length > limits.textLength) throw new JsonMessageError('bad-alarm', 'extra');
    if (level !== undefined && level !== 1 && level !== 2 && level !== 3 && level !== 4) {
      throw new JsonMessageError('bad-alarm', 'level');
    }
    return { code, level: level ?? alarmByCode(code)?.level ?? 2, sinceMs: since, extra };
  });
}

function isJsonValue(value: unknown, limits: JsonLimits): value is JsonValue {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.length <= limits.textLength;
  return typeof value === 'boolean';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
