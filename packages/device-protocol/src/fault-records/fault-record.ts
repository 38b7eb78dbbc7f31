/** A value that a device had when its fault began, with the limits between which it should have been. */
export interface RecordRegister {
  readonly name: string;
  readonly value: number | boolean | string;
  readonly low?: number;
  readonly high?: number;
}

/** A quantity that was sampled around the fault: `samples * scale` is in `unit`. */
export interface RecordChannel {
  readonly name: string;
  readonly unit: string;
  readonly scale: number;
  readonly samples: Int16Array;
}

/** What made the device record: a quantity that left its limit. */
export interface RecordTrigger {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
}

/** What a device keeps of one of its faults. */
export interface FaultRecord {
  /** Counts up from 1 over the life of the device. */
  readonly index: number;
  /** When the fault began: the moment of sample `before`. */
  readonly timeMs: number;
  /** Alarm code. */
  readonly code: number;
  readonly trigger: RecordTrigger | undefined;
  readonly rateHz: number;
  /** Samples before the trigger. */
  readonly before: number;
  readonly nominalHz: number;
  readonly registers: readonly RecordRegister[];
  readonly channels: readonly RecordChannel[];
}

/** Bytes that are no record. */
export class FaultRecordError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FaultRecordError';
  }
}

export const MOST_RECORD_BYTES = 256 * 1024;
export const MOST_CHANNELS = 16;
export const MOST_CHANNEL_SAMPLES = 8_192;
export const MOST_REGISTERS = 200;
export const LARGEST_INDEX = 2_147_483_647;
const MOST_HEADER_BYTES = 64 * 1024;
const MOST_RATE_HZ = 1_000_000;
const LONGEST_NAME = 64;
const LONGEST_UNIT = 12;
const LONGEST_TEXT = 128;
const LARGEST = 1e15;
const SMALLEST_SCALE = 1e-9;
const MAGIC = 0x31465650;
const PREAMBLE = 8;
const NAME = /^[A-Za-z0-9]+(?:\/[A-Za-z0-9]+)+$/;
// What a text of a device may not hold: control characters, and what turns the direction of text.
const UNSEEN = /[\p{Cc}\p{Cf}]/u;

/**
 * Bytes of a record: `PVF1`, the length of the header (UInt32, little endian), the header as JSON in UTF-8, then the samples of each channel one after the
 * other as Int16, little endian.
 */
export function encodeFaultRecord(record: FaultRecord): Uint8Array {
  const { channels, ...rest } = record;
  const samples = channels[0]?.samples.length ?? 0;
  const header = new TextEncoder().encode(
    JSON.stringify({ ...rest, samples, channels: channels.map(({ samples: _, ...channel }) => channel) }),
  );
  const bytes = new Uint8Array(PREAMBLE + header.length + 2 * samples * channels.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, header.length, true);
  bytes.set(header, PREAMBLE);
  let at = PREAMBLE + header.length;
  for (const channel of channels) {
    for (const sample of channel.samples) {
      view.setInt16(at, sample, true);
      at += 2;
    }
  }
  return bytes;
}

/** Reads the bytes of a record. Throws FaultRecordError for whatever is not exactly one within all bounds. */
export function decodeFaultRecord(bytes: Uint8Array): FaultRecord {
  if (bytes.length > MOST_RECORD_BYTES || bytes.length < PREAMBLE) throw new FaultRecordError('size');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerBytes = view.getUint32(4, true);
  if (view.getUint32(0, true) !== MAGIC) throw new FaultRecordError('format');
  if (headerBytes > MOST_HEADER_BYTES || PREAMBLE + headerBytes > bytes.length) throw new FaultRecordError('header');
  const header = fieldsOf(parsed(bytes.subarray(PREAMBLE, PREAMBLE + headerBytes)), 'header');
  const samples = whole(header.samples, 0, MOST_CHANNEL_SAMPLES);
  const told = listOf(header.channels, MOST_CHANNELS);
  if (bytes.length !== PREAMBLE + headerBytes + 2 * samples * told.length) throw new FaultRecordError('samples');
  const channels = told.map((channel, place) =>
    channelOf(channel, samplesAt(view, PREAMBLE + headerBytes + 2 * samples * place, samples)),
  );
  if (new Set(channels.map(({ name }) => name)).size !== channels.length) throw new FaultRecordError('channels');
  const before = whole(header.before, 0, Math.max(0, samples - 1));
  return {
    index: whole(header.index, 1, LARGEST_INDEX),
    timeMs: whole(header.timeMs, 0, 8.64e15),
    code: whole(header.code, 0, LARGEST_INDEX),
    trigger: header.trigger === undefined || header.trigger === null ? undefined : triggerOf(header.trigger),
    rateHz: number(header.rateHz, 1, MOST_RATE_HZ),
    before,
    nominalHz: number(header.nominalHz, 1, 1_000),
    registers: listOf(header.registers, MOST_REGISTERS).map(registerOf),
    channels,
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new FaultRecordError('header');
  }
}

function fieldsOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new FaultRecordError(what);
  return value as Record<string, unknown>;
}

function listOf(value: unknown, most: number): unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new FaultRecordError('list');
  return value;
}

function number(value: unknown, low: number, high: number): number {
  if (typeof value !== 'number' || !(value >= low && value <= high)) throw new FaultRecordError('number');
  return value;
}

function whole(value: unknown, low: number, high: number): number {
  if (!Number.isInteger(value)) throw new FaultRecordError('number');
  return number(value, low, high);
}

function nameOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > LONGEST_NAME || !NAME.test(value)) throw new FaultRecordError('name');
  return value;
}

function textOf(value: unknown, longest: number): string {
  if (typeof value !== 'string' || value.length > longest || UNSEEN.test(value) || !value.isWellFormed())
    throw new FaultRecordError('text');
  return value;
}

function triggerOf(value: unknown): RecordTrigger {
  const { name, value: told, limit } = fieldsOf(value, 'trigger');
  return { name: nameOf(name), value: number(told, -LARGEST, LARGEST), limit: number(limit, -LARGEST, LARGEST) };
}

function registerOf(value: unknown): RecordRegister {
  const { name, value: told, low, high } = fieldsOf(value, 'register');
  return {
    name: nameOf(name),
    value:
      typeof told === 'boolean'
        ? told
        : typeof told === 'string'
          ? textOf(told, LONGEST_TEXT)
          : number(told, -LARGEST, LARGEST),
    ...(low !== undefined && { low: number(low, -LARGEST, LARGEST) }),
    ...(high !== undefined && { high: number(high, -LARGEST, LARGEST) }),
  };
}

function channelOf(value: unknown, samples: Int16Array): RecordChannel {
  const { name, unit, scale } = fieldsOf(value, 'channel');
  return {
    name: nameOf(name),
    unit: textOf(unit, LONGEST_UNIT),
    scale: number(scale, SMALLEST_SCALE, LARGEST),
    samples,
  };
}

function samplesAt(view: DataView, from: number, count: number): Int16Array {
  const samples = new Int16Array(count);
  for (let place = 0; place < count; place += 1) samples[place] = view.getInt16(from + 2 * place, true);
  return samples;
}
