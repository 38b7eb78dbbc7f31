import * as z from 'zod/mini';
import { line } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { runStates, unitStates } from './moves.ts';
import { failReasons, judgedLimits, loadStep, planFacts } from './plan.ts';

export const timeMs = z.nullable(z.int());

export const figure = z.nullable(z.number());

/** As it stands on the unit; kept in capitals. */
export const unitSn = line(32, 4).check(z.regex(/^[0-9A-Za-z][0-9A-Za-z._-]*$/));

/** A position of a rack: the unit on it, or nothing where it is empty. */
export const unitPlace = line(32).check(z.regex(/^(?:[0-9A-Za-z][0-9A-Za-z._-]{3,31})?$/));

export const planRow = z.object({
  planID: z.string(),
  ...planFacts,
  steps: z.array(loadStep),
  /** Runs that were made with it. */
  runs: z.int(),
  changedMs: z.int(),
});

export type PlanRow = z.infer<typeof planRow>;

export const planFields = fieldsOf(planRow)({
  name: is.text,
  durationMinutes: is.own,
  steps: is.own,
  limits: is.own,
  runs: is.count,
  changedMs: is.time,
});

export const runRow = z.object({
  runID: z.string(),
  number: z.int(),
  rack: z.string(),
  batch: z.string(),
  manufacturer: z.string(),
  model: z.string(),
  planName: z.string(),
  state: z.enum(runStates),
  createdMs: z.int(),
  startedMs: timeMs,
  /** When its time is over, or would have been. */
  endsMs: timeMs,
  endedMs: timeMs,
  abortReason: z.string(),
  durationMinutes: z.int(),
  /** The portal tells the inverters their load; else a load bank does. */
  setsLoad: z.boolean(),
  units: z.int(),
  open: z.int(),
  passed: z.int(),
  failed: z.int(),
  /** Units that are over and are still limited to what the run told them. */
  limited: z.int(),
  /** Of its duration, percent. */
  progress: z.int(),
  can: z.object({ start: z.boolean(), abort: z.boolean(), remove: z.boolean() }),
});

export type RunRow = z.infer<typeof runRow>;

export const runFields = fieldsOf(runRow)({
  number: is.own,
  rack: is.text,
  batch: is.text,
  model: is.text,
  planName: is.text,
  state: is.choice('burn-in.runState', runStates),
  progress: unsorted(is.percent),
  units: unsorted(is.count),
  passed: unsorted(is.count),
  failed: unsorted(is.count),
  createdMs: is.time,
  startedMs: is.time,
  endedMs: is.time,
});

/** A unit on the rack. */
export const boardUnit = z.object({
  position: z.int(),
  sn: z.string(),
  state: z.enum(unitStates),
  reason: z.nullable(z.enum(failReasons)),
  /** Its newest values, and when they were; null once they are older than the run can use. */
  valuesMs: timeMs,
  powerW: figure,
  askedW: figure,
  temperatureC: figure,
  alarms: z.int(),
  endedMs: timeMs,
  /** It is over, and still limited to what the run told it, percent. */
  stillPercent: figure,
});

export type BoardUnit = z.infer<typeof boardUnit>;

export const unitRow = z.object({
  /** Run and position. */
  unitID: z.string(),
  runID: z.string(),
  runNumber: z.int(),
  rack: z.string(),
  batch: z.string(),
  position: z.int(),
  sn: z.string(),
  model: z.string(),
  state: z.enum(unitStates),
  reason: z.nullable(z.enum(failReasons)),
  /** Its first run, its second, and so on; null before it began. */
  attempt: z.nullable(z.int()),
  startedMs: timeMs,
  endedMs: timeMs,
  outputPercent: figure,
  efficiencyPercent: figure,
  temperatureC: figure,
});

export type UnitRow = z.infer<typeof unitRow>;

export const unitFields = fieldsOf(unitRow)({
  sn: is.serial,
  runNumber: is.own,
  rack: is.text,
  batch: is.text,
  position: is.count,
  model: is.text,
  state: is.choice('burn-in.unitState', unitStates),
  reason: is.choice('burn-in.reason', failReasons),
  attempt: is.count,
  startedMs: is.time,
  endedMs: is.time,
  outputPercent: is.own,
  efficiencyPercent: is.own,
  temperatureC: is.own,
});

export const verdict = z.object({
  limit: z.enum(judgedLimits),
  allowed: z.number(),
  /** The worst that was measured, and when. */
  measured: figure,
  atMs: timeMs,
  /** Null while it is not decided. */
  holds: z.nullable(z.boolean()),
});

export type Verdict = z.infer<typeof verdict>;

const alarmFacts = {
  alarmID: z.string(),
  code: z.int(),
  level: z.int(),
  sinceMs: z.int(),
  untilMs: timeMs,
  /** It was what the unit failed for. */
  failed: z.boolean(),
};

export const unitAlarm = z.object(alarmFacts);

export const alarmRow = z.object({
  ...alarmFacts,
  runID: z.string(),
  runNumber: z.int(),
  rack: z.string(),
  batch: z.string(),
  position: z.int(),
  sn: z.string(),
});

export type AlarmRow = z.infer<typeof alarmRow>;

export const alarmFields = fieldsOf(alarmRow)({
  code: is.own,
  level: is.own,
  sn: is.serial,
  runNumber: is.own,
  rack: is.text,
  batch: is.text,
  position: unsorted(is.count),
  sinceMs: is.time,
  untilMs: is.time,
  failed: is.own,
});
