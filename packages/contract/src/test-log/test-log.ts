import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';

const administrators = [255] as const satisfies readonly Level[];

export const directions = ['up', 'down'] as const;
/** Types of Sparkplug, and channels of the JSON on-ramp. */
export const messageKinds = [
  'NBIRTH',
  'NDATA',
  'NDEATH',
  'NCMD',
  'DBIRTH',
  'DDATA',
  'DDEATH',
  'DCMD',
  'up',
  'status',
  'cmd',
  'ack',
  'other',
] as const;
/** Why a recording ended: its time was over, somebody ended it, or it held as much as it may. */
export const recordingEnds = ['time', 'stopped', 'full'] as const;

/** Hours that a datalogger is recorded at most. */
export const MOST_RECORDING_HOURS = 24;
/** Recordings that are kept, running and ended ones together; each holds this many messages and bytes at most. */
export const MOST_RECORDINGS = 20;
export const MOST_RECORDED_MESSAGES = 20_000;
export const MOST_RECORDED_BYTES = 16 * 1024 * 1024;
/** Of a datalogger that is not recorded: its newest refused messages. */
export const MOST_REFUSED_OF_DATALOGGER = 5;
/** A battery log shows this many days at a time. */
export const MOST_BATTERY_DAYS = 3;

const timeMs = z.int().check(z.gte(0), z.lte(8.64e15));

export const messageRow = z.object({
  id: z.int(),
  atMs: z.int(),
  direction: z.enum(directions),
  kind: z.enum(messageKinds),
  dataloggerSN: z.string(),
  /** Empty where the message is the datalogger's own. */
  deviceSN: z.string(),
  sizeBytes: z.int(),
  /** Why it, or a part of it, was not taken; empty where it was. */
  refusedFor: z.string(),
  /** The first of its values, or its text. */
  summary: z.string(),
  /** A secret was taken out of it. */
  withheld: z.boolean(),
});
export type MessageRow = z.infer<typeof messageRow>;

/** What a message carried: bytes in hex, and what they say. */
const carried = {
  hex: z.string(),
  /** Bytes that it had beyond those that are kept. */
  cutBytes: z.int(),
  /** Of the JSON on-ramp, and what cannot be decoded; empty otherwise. */
  text: z.string(),
  values: z.array(z.object({ name: z.string(), value: z.string(), unit: z.string() })),
};
export const messageEntry = z.extend(messageRow, carried);
export type MessageEntry = z.infer<typeof messageEntry>;

/** `text` and `hex` are in files only. */
export const messageFields = fieldsOf(messageEntry)({
  atMs: is.time,
  direction: is.own,
  kind: unsorted(is.text),
  dataloggerSN: unsorted(is.serial),
  deviceSN: unsorted(is.serial),
  sizeBytes: unsorted(is.count),
  refusedFor: is.own,
  summary: is.own,
  text: is.own,
  hex: is.own,
});

export const messages = endpoint({
  method: 'POST',
  path: '/c/v0/log/test/list',
  feature: 'test-log',
  summary: 'Recorded and refused messages of dataloggers in both directions, by page, filter and order.',
  callers: administrators,
  code: 'log:view',
  reads: true,
  list: { rows: 'messages', key: 'id', fields: messageFields },
  input: z.object({
    ...paging,
    condition: filteredBy({
      direction: z.optional(z.enum(directions)),
      kind: z.optional(z.enum(messageKinds)),
      refused: z.optional(z.enum(['yes', 'no'])),
      fromMs: z.optional(timeMs),
      toMs: z.optional(timeMs),
    }),
    sort: sortedBy(messageFields, 'atMs', 'desc'),
  }),
  result: z.object({ ...paged, messages: z.array(messageRow) }),
});
export const exportMessages = exportOf(messages);

export const message = endpoint({
  method: 'GET',
  path: '/c/v0/log/test/message',
  feature: 'test-log',
  summary: 'One message with its bytes and what they say.',
  callers: administrators,
  code: 'log:view',
  input: z.object({ id: z.coerce.number().check(z.int(), z.gte(1)) }),
  result: messageEntry,
});

export const recording = z.object({
  id: z.uuid(),
  dataloggerSN: z.string(),
  plantName: z.string(),
  startedBy: z.string(),
  startedAtMs: z.int(),
  untilMs: z.int(),
  endedAtMs: z.nullable(z.int()),
  /** `null` while it runs. */
  end: z.nullable(z.enum(recordingEnds)),
  messages: z.int(),
  bytes: z.int(),
});
export type Recording = z.infer<typeof recording>;

export const recordings = endpoint({
  method: 'GET',
  path: '/c/v0/log/test/recordings',
  feature: 'test-log',
  summary: 'Recordings of dataloggers, running ones first.',
  callers: administrators,
  code: 'log:view',
  input: z.object({}),
  result: z.object({ recordings: z.array(recording) }),
});

export const record = endpoint({
  method: 'POST',
  path: '/c/v0/log/test/record',
  feature: 'test-log',
  summary:
    'Record all messages of a datalogger for some hours; of one that is recorded already, the end moves. The oldest ended recording makes room.',
  callers: administrators,
  code: 'log:view',
  changes: ['test-log'],
  names: { dataloggerSN: 'datalogger' },
  input: z.object({
    dataloggerSN: line(64, 1),
    hours: z.int().check(z.gte(1), z.lte(MOST_RECORDING_HOURS)),
  }),
  result: z.object({ id: z.uuid() }),
});

export const stop = endpoint({
  method: 'POST',
  path: '/c/v0/log/test/stop',
  feature: 'test-log',
  summary: 'End a recording; what it holds stays.',
  callers: administrators,
  code: 'log:view',
  changes: ['test-log'],
  input: z.object({ id: z.uuid() }),
  result: z.object({}),
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/log/test/delete',
  feature: 'test-log',
  summary: 'Delete a recording with all its messages.',
  callers: administrators,
  code: 'log:view',
  changes: ['test-log'],
  input: z.object({ id: z.uuid() }),
  result: z.object({}),
});

const measured = z.nullable(z.number());

export const batteryRow = z.object({
  atMs: z.int(),
  /** Phrase of its state; empty where none was told. */
  state: z.string(),
  powerW: measured,
  voltageV: measured,
  currentA: measured,
  socPercent: measured,
  sohPercent: measured,
  temperatureC: measured,
  cellVoltageMaxV: measured,
  cellVoltageMinV: measured,
  cellTempMaxC: measured,
  cellTempMinC: measured,
  chargeLimitA: measured,
  dischargeLimitA: measured,
  cycles: measured,
  /** Fault bits of the battery management. */
  faultBits: measured,
});
export type BatteryLogRow = z.infer<typeof batteryRow>;

export const batteryFields = fieldsOf(batteryRow)({
  atMs: is.time,
  state: is.own,
  powerW: is.own,
  voltageV: is.own,
  currentA: is.own,
  socPercent: is.own,
  sohPercent: is.own,
  temperatureC: is.own,
  cellVoltageMaxV: is.own,
  cellVoltageMinV: is.own,
  cellTempMaxC: is.own,
  cellTempMinC: is.own,
  chargeLimitA: is.own,
  dischargeLimitA: is.own,
  cycles: is.own,
  faultBits: is.own,
});

export const batteryLog = endpoint({
  method: 'POST',
  path: '/c/v0/log/battery/list',
  feature: 'test-log',
  summary:
    'What the management of a battery told, sample by sample, of at most three days up to `toMs`; the battery is the first one whose serial number contains `content`; by page, filter and order.',
  callers: administrators,
  code: 'log:view',
  reads: true,
  list: { rows: 'samples', key: 'atMs', fields: batteryFields, texts: 'test-log.battery' },
  input: z.object({
    ...paging,
    condition: filteredBy({ fromMs: z.optional(timeMs), toMs: z.optional(timeMs) }),
    sort: sortedBy(batteryFields, 'atMs', 'desc'),
  }),
  result: z.object({
    ...paged,
    samples: z.array(batteryRow),
    /** `null` where there is no such battery. */
    battery: z.nullable(
      z.object({ deviceID: z.uuid(), deviceSN: z.string(), plantName: z.string(), stationID: z.nullable(z.uuid()) }),
    ),
  }),
});
export const exportBatteryLog = exportOf(batteryLog);

export const testLogEndpoints = {
  messages,
  exportMessages,
  message,
  recordings,
  record,
  stop,
  remove,
  batteryLog,
  exportBatteryLog,
} as const;
