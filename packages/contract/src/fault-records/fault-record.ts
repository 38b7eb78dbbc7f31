import * as z from 'zod/mini';
import { deviceKind } from '../devices/device.ts';
import { recordStates } from './record-moves.ts';

/** Records of one device that are kept, the newest, and for how long. */
export const MOST_STORED = 100;
export const STORED_DAYS = 90;
/** Records that one call asks for. */
export const MOST_ASKED = 20;
/** Records with which one can be compared. */
export const MOST_FELLOWS = 20;
/** Records of neighbours count as of the same moment within this time. */
export const SAME_MOMENT_MS = 10 * 60_000;

/**
 * Why a record could not be fetched: `silent` (no answer, or parts did not come), `damaged` (what came is not what was announced), `refused` (by the device,
 * with its code), `gone` (it keeps it no longer), `away` (not reached before the order expired).
 */
export const recordFailures = ['silent', 'damaged', 'refused', 'gone', 'away'] as const;
export const recordFailure = z.enum(recordFailures);
export type RecordFailure = z.infer<typeof recordFailure>;

/** A fault record of a device: one that the device keeps, or one that has been fetched. */
export const faultRecordRow = z.object({
  recordID: z.string(),
  deviceID: z.string(),
  deviceSN: z.string(),
  kind: deviceKind,
  /** Empty where nobody says. */
  model: z.string(),
  stationID: z.string(),
  plantName: z.string(),
  ianaTimezone: z.string(),
  /** Number that the device gave it. */
  index: z.int(),
  code: z.int(),
  occurredMs: z.int(),
  /** Quantity that left its limit, as its variable; empty where the record is not here yet or names none. */
  trigger: z.string(),
  triggerUnit: z.string(),
  triggerValue: z.nullable(z.number()),
  triggerLimit: z.nullable(z.number()),
  state: z.enum(recordStates),
  failure: z.nullable(recordFailure),
  /** What the device answered where it has refused. */
  deviceCode: z.nullable(z.int()),
  /** Parts that are here, and how many there are; `null` while none has come. */
  parts: z.int(),
  partCount: z.nullable(z.int()),
  bytes: z.int(),
  /** Whether the device still has it, as it said last. */
  isOnDevice: z.boolean(),
  storedMs: z.nullable(z.int()),
  can: z.object({ ask: z.boolean(), download: z.boolean() }),
});
export type FaultRecordRow = z.infer<typeof faultRecordRow>;

/** A value at the moment of the fault. */
export const recordValue = z.object({
  variable: z.string(),
  unit: z.string(),
  value: z.union([z.number(), z.boolean(), z.string()]),
  /** Phrase of a state. */
  phrase: z.optional(z.string()),
  low: z.nullable(z.number()),
  high: z.nullable(z.number()),
  isOutside: z.boolean(),
});
export type RecordValue = z.infer<typeof recordValue>;

/** A quantity around the fault, at the rate of its record. */
export const recordWave = z.object({ variable: z.string(), unit: z.string(), values: z.array(z.number()) });
export type RecordWave = z.infer<typeof recordWave>;

/** What a stored record holds. */
export const recordContent = z.object({
  nominalHz: z.number(),
  rateHz: z.number(),
  /** Samples before the fault. */
  before: z.int(),
  values: z.array(recordValue),
  waves: z.array(recordWave),
});
export type RecordContent = z.infer<typeof recordContent>;

/** Another record to lay over it. */
export const recordFellow = z.object({
  recordID: z.string(),
  deviceSN: z.string(),
  plantName: z.string(),
  ianaTimezone: z.string(),
  code: z.int(),
  occurredMs: z.int(),
  /** Of the same device, or of a neighbour at the same moment. */
  of: z.enum(['device', 'neighbour']),
});
export type RecordFellow = z.infer<typeof recordFellow>;
