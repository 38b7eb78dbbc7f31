import { type ActiveAlarm, alarmByCode, isAlarmCode } from '../points/alarms.ts';
import { type DeviceKind, isDeviceKind } from '../points/points.ts';
import type { PlainSetting } from '../points/setting-values.ts';
import { isDeviceSn } from '../sparkplug/topics.ts';

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

/** Why a JSON message, or a part of it, was refused. */
export type JsonFailure =
  | 'too-large'
  | 'not-json'
  | 'bad-shape'
  | 'bad-time'
  | 'bad-device'
  | 'bad-kind'
  | 'bad-name'
  | 'bad-value'
  | 'null-value'
  | 'bad-alarm';

/** A part of a message that was left out while the rest was taken; `name` is the reading's, or the field that is wrong. */
export interface JsonRefusal {
  reason: JsonFailure;
  name: string;
}

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
 * or an array of such. `ts` left out means `receivedMs`, `hist` false. Throws {@link JsonMessageError} for a message that is none;
 * an entry, reading or alarm that is wrong is left out, and told in `refused`.
 */
export function parseUp(
  bytes: Uint8Array,
  receivedMs: number,
  limits?: Partial<JsonLimits>,
): { samples: JsonSample[]; refused: JsonRefusal[] } {
  const allowed = { ...defaultJsonLimits, ...limits };
  const message = parseJson(bytes, allowed);
  const entries = Array.isArray(message) ? message : [message];
  if (entries.length === 0) throw new JsonMessageError('bad-shape', 'the array is empty');
  if (entries.length > allowed.samples) throw new JsonMessageError('too-large', `more than ${allowed.samples} samples`);
  const samples: JsonSample[] = [];
  const refused: JsonRefusal[] = [];
  for (const entry of entries) {
    try {
      samples.push(sampleOf(entry, receivedMs, allowed, refused));
    } catch (error) {
      if (!(error instanceof JsonMessageError)) throw error;
      refused.push({ reason: error.reason, name: error.message });
    }
  }
  return { samples, refused };
}

/** An answer on `pv/v1/{sn}/ack`. `code` as in the results of commands. */
export interface JsonAck {
  id: string;
  code: number;
  message: string;
  /** Serial number of the device that answers; undefined: the logger itself. */
  deviceSn?: string;
  values: [name: string, value: PlainSetting][];
}

/**
 * Reads `{"id","code","msg","dev","v":{}}`; `msg`, `dev` and `v` may be left out. A value of `v` is a number, a switch, a text, or of a table a list of rows,
 * each `{"column":number}`. Throws {@link JsonMessageError}.
 */
export function parseAck(bytes: Uint8Array, limits?: Partial<JsonLimits>): JsonAck {
  const allowed = { ...defaultJsonLimits, ...limits };
  const message = parseJson(bytes, allowed);
  if (!isObject(message)) throw new JsonMessageError('bad-shape', 'not an object');
  const { id, code, msg = '', dev, v = {} } = message;
  if (typeof id !== 'string' || id.length === 0 || id.length > 64) throw new JsonMessageError('bad-shape', 'id');
  if (typeof code !== 'number' || !Number.isInteger(code)) throw new JsonMessageError('bad-shape', 'code');
  if (typeof msg !== 'string' || msg.length > allowed.textLength) throw new JsonMessageError('bad-shape', 'msg');
  if (dev !== undefined && (typeof dev !== 'string' || !isDeviceSn(dev)))
    throw new JsonMessageError('bad-device', 'dev');
  const refused: JsonRefusal[] = [];
  const values = valuesOf(v, allowed, refused, isSettingValue);
  const wrong = refused.find(({ reason }) => reason !== 'null-value');
  if (wrong !== undefined) throw new JsonMessageError(wrong.reason, wrong.name);
  return { id, code, message: msg, ...(typeof dev === 'string' && { deviceSn: dev }), values };
}

/**
 * What a command of the on-ramp asks for. `args` of `set` are settings by name, written all or nothing; of `get` `{"names":[...]}`, each a name or a prefix
 * that ends in `*`; of `action` `{"action":"Reboot"}` with its parameters by name.
 */
export interface JsonCommand {
  id: string;
  op: 'set' | 'get' | 'action';
  /** Serial number of the device that is meant; undefined: the logger itself. */
  dev?: string;
  /** Void from then on. */
  expiresMs?: number;
  args: Readonly<Record<string, PlainSetting | readonly string[]>>;
}

/** The body for `pv/v1/{sn}/cmd`. */
export function buildCommand(command: JsonCommand): Uint8Array {
  const { id, op, dev, expiresMs, args } = command;
  return Buffer.from(JSON.stringify({ id, op, dev, expires: expiresMs, args }));
}

function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  if (bytes.length > limits.messageBytes) throw new JsonMessageError('too-large', `message of ${bytes.length} bytes`);
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (error) {
    throw new JsonMessageError('not-json', 'the message is no JSON', { cause: error });
  }
}

function sampleOf(entry: unknown, receivedMs: number, limits: JsonLimits, refused: JsonRefusal[]): JsonSample {
  if (!isObject(entry)) throw new JsonMessageError('bad-shape', 'not an object');
  const { ts = receivedMs, dev, kind, hist = false, v = {}, alarms } = entry;
  if (typeof ts !== 'number' || !Number.isSafeInteger(ts) || ts < 0) throw new JsonMessageError('bad-time', 'ts');
  if (typeof dev !== 'string' || !isDeviceSn(dev)) throw new JsonMessageError('bad-device', 'dev');
  if (typeof kind !== 'string' || !isDeviceKind(kind)) throw new JsonMessageError('bad-kind', 'kind');
  if (typeof hist !== 'boolean') throw new JsonMessageError('bad-shape', 'hist');
  const values = valuesOf(v, limits, refused);
  const sample: JsonSample = { tsMs: ts, deviceSn: dev, kind, historical: hist, values };
  if (alarms !== undefined) sample.alarms = alarmsOf(alarms, ts, limits, refused);
  return sample;
}

function valuesOf<T extends PlainSetting = JsonValue>(
  values: unknown,
  limits: JsonLimits,
  refused: JsonRefusal[],
  isValue: (value: unknown, limits: JsonLimits) => value is T = isJsonValue as (value: unknown) => value is T,
): [name: string, value: T][] {
  if (!isObject(values)) throw new JsonMessageError('bad-shape', 'v');
  const entries = Object.entries(values);
  if (entries.length > limits.values) throw new JsonMessageError('too-large', `more than ${limits.values} values`);
  const accepted: [name: string, value: T][] = [];
  for (const [name, value] of entries) {
    if (name.length === 0 || name.length > limits.nameLength) refused.push({ reason: 'bad-name', name });
    else if (value === null) refused.push({ reason: 'null-value', name });
    else if (isValue(value, limits)) accepted.push([name, value]);
    else refused.push({ reason: 'bad-value', name });
  }
  return accepted;
}

function alarmsOf(list: unknown, sampleMs: number, limits: JsonLimits, refused: JsonRefusal[]): ActiveAlarm[] {
  if (!Array.isArray(list)) throw new JsonMessageError('bad-alarm', 'alarms');
  if (list.length > limits.values) throw new JsonMessageError('too-large', `more than ${limits.values} alarms`);
  return list.flatMap((entry) => {
    const wrong = wrongFieldOf(entry, limits);
    if (wrong !== undefined) {
      refused.push({ reason: 'bad-alarm', name: wrong });
      return [];
    }
    const { code, level, since = sampleMs, extra = '' } = entry as ActiveAlarm & { since?: number };
    return { code, level: level ?? alarmByCode(code)?.level ?? 2, sinceMs: since, extra };
  });
}

function wrongFieldOf(entry: unknown, limits: JsonLimits): string | undefined {
  if (!isObject(entry)) return 'alarms';
  const { code, level, since = 0, extra = '' } = entry;
  if (!isAlarmCode(code)) return 'code';
  if (typeof since !== 'number' || !Number.isSafeInteger(since)) return 'since';
  if (typeof extra !== 'string' || extra.length > limits.textLength) return 'extra';
  return level === undefined || level === 1 || level === 2 || level === 3 || level === 4 ? undefined : 'level';
}

function isJsonValue(value: unknown): value is JsonValue {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' || typeof value === 'boolean';
}

const MOST_ROWS = 64;
const MOST_COLUMNS = 32;
const COLUMN = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;

function isSettingValue(value: unknown, limits: JsonLimits): value is PlainSetting {
  if (!Array.isArray(value))
    return isJsonValue(value) && !(typeof value === 'string' && value.length > limits.textLength);
  return value.length <= MOST_ROWS && value.every(isRow);
}

function isRow(row: unknown): boolean {
  if (!isObject(row)) return false;
  const cells = Object.entries(row);
  return (
    cells.length <= MOST_COLUMNS &&
    cells.every(([column, cell]) => COLUMN.test(column) && typeof cell === 'number' && Number.isFinite(cell))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
