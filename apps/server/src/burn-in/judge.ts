import {
  type BurnInLimits,
  EFFICIENCY_FROM_PERCENT,
  type FailReason,
  isLowest,
  isSettled,
  type JudgedLimit,
  judgedLimits,
  type LoadStep,
  softLimits,
  stepAt,
} from '@sonnenwarte/contract/burn-in/plan';
import type { UnitProgress, Worst } from '../stores/schema-burn-in.ts';

const MINUTE_MS = 60_000;
/** A break is judged so long after it was over: what a datalogger has kept meanwhile may still come. */
export const PATIENCE_MS = 5 * MINUTE_MS;

/** What was recorded of a unit within a minute; null where it told nothing of it. */
export interface Minute {
  readonly atMs: number;
  /** Its first sample and its last. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly acW: number | null;
  readonly dcW: number | null;
  readonly temperatureC: number | null;
  readonly lowVoltageV: number | null;
  readonly highVoltageV: number | null;
  readonly lowFrequencyHz: number | null;
  readonly highFrequencyHz: number | null;
  readonly insulationKOhm: number | null;
}

/** What a unit is judged by. */
export interface Frame {
  readonly startMs: number;
  readonly endMs: number;
  readonly steps: readonly LoadStep[];
  readonly limits: BurnInLimits;
  readonly ratedW: number | null;
  readonly nowMs: number;
}

export interface Failure {
  readonly reason: FailReason;
  readonly value: number | null;
  readonly atMs: number;
}

export interface Advanced {
  readonly progress: UnitProgress;
  /** A hard limit was broken. */
  readonly failure?: Failure;
  /** It waits at a break, of which more may come. */
  readonly isPatient?: true;
}

const isWorse = (limit: JudgedLimit, value: number, than: number): boolean =>
  isLowest(limit) ? value < than : value > than;

export const breaks = (limit: JudgedLimit, value: number, { limits }: Pick<Frame, 'limits'>): boolean => {
  const allowed = limits[limit];
  return allowed !== null && isWorse(limit, value, allowed);
};

const withWorst = (progress: UnitProgress, limit: JudgedLimit, worst: Worst): UnitProgress => {
  const known = progress.worst?.[limit];
  if (known !== undefined && !isWorse(limit, worst[0], known[0])) return progress;
  return { ...progress, worst: { ...progress.worst, [limit]: worst } };
};

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Ends the step under way: what it gave on the mean of its settled minutes. */
export function stepClosed(progress: UnitProgress, { startMs, endMs, steps, ratedW }: Frame): UnitProgress {
  const { step, stepMs = 0, minutes = 0, acW = 0, bothMinutes = 0, bothAcW = 0, dcW = 0, ...rest } = progress;
  if (step === undefined) return progress;
  const percent = stepAt(steps, endMs - startMs, stepMs - startMs)?.percent ?? 0;
  let next: UnitProgress = rest;
  if (minutes > 0 && percent > 0 && ratedW !== null && ratedW > 0) {
    const share = ((acW / minutes) * 10_000) / (ratedW * percent);
    next = withWorst(next, 'minOutputPercent', [rounded(share), stepMs]);
  }
  if (bothMinutes > 0 && dcW > 0 && percent >= EFFICIENCY_FROM_PERCENT)
    next = withWorst(next, 'minEfficiencyPercent', [rounded((bothAcW / dcW) * 100), stepMs]);
  return next;
}

function withStep(progress: UnitProgress, minute: Minute, frame: Frame): UnitProgress {
  const sinceMs = minute.atMs - frame.startMs;
  const step = stepAt(frame.steps, frame.endMs - frame.startMs, sinceMs);
  if (step === undefined) return progress;
  let next = progress;
  if (next.step !== step.index)
    next = { ...stepClosed(next, frame), step: step.index, stepMs: frame.startMs + step.startMs };
  const { acW, dcW } = minute;
  if (!isSettled(step, sinceMs) || acW === null) return next;
  const both = dcW === null || dcW <= 0 ? 0 : 1;
  return {
    ...next,
    minutes: (next.minutes ?? 0) + 1,
    acW: (next.acW ?? 0) + acW,
    bothMinutes: (next.bothMinutes ?? 0) + both,
    bothAcW: (next.bothAcW ?? 0) + both * acW,
    dcW: (next.dcW ?? 0) + both * (dcW ?? 0),
  };
}

/** What a minute tells of hard limits. */
function hardValues(minute: Minute, firstTemperatureC: number | undefined): [JudgedLimit, number | null][] {
  const { temperatureC } = minute;
  const rise = temperatureC === null || firstTemperatureC === undefined ? null : temperatureC - firstTemperatureC;
  return [
    ['maxTemperatureC', temperatureC],
    ['maxRiseK', rise],
    ['minVoltageV', minute.lowVoltageV],
    ['maxVoltageV', minute.highVoltageV],
    ['minFrequencyHz', minute.lowFrequencyHz],
    ['maxFrequencyHz', minute.highFrequencyHz],
    ['minInsulationKOhm', minute.insulationKOhm],
  ];
}

const silenceOf = (fromMs: number, toMs: number): number => rounded(Math.max(0, toMs - fromMs) / MINUTE_MS);

/**
 * Reads further minutes of a unit, in the order of time. However they are parted into several readings, it comes to the same. A hard limit
 * that is broken ends it there.
 */
export function advance(before: UnitProgress, minutes: readonly Minute[], frame: Frame): Advanced {
  let progress = before;
  for (const minute of minutes) {
    if (minute.atMs < (progress.readMs ?? frame.startMs - MINUTE_MS + 1) || minute.atMs >= frame.endMs) continue;
    const fromMs = progress.lastMs ?? frame.startMs;
    const silence = silenceOf(fromMs, minute.firstMs);
    if (breaks('maxSilenceMinutes', silence, frame)) {
      if (frame.nowMs - minute.firstMs < PATIENCE_MS) return { progress, isPatient: true };
      progress = withWorst(progress, 'maxSilenceMinutes', [silence, fromMs]);
      return { progress, failure: { reason: 'maxSilenceMinutes', value: silence, atMs: fromMs } };
    }
    progress = withWorst(progress, 'maxSilenceMinutes', [silence, fromMs]);
    const firstTemperatureC = progress.firstTemperatureC ?? minute.temperatureC ?? undefined;
    progress = {
      ...progress,
      readMs: minute.atMs + MINUTE_MS,
      firstMs: progress.firstMs ?? minute.firstMs,
      lastMs: minute.lastMs,
      ...(firstTemperatureC !== undefined && { firstTemperatureC }),
    };
    let failure: Failure | undefined;
    for (const [limit, told] of hardValues(minute, firstTemperatureC)) {
      if (told === null) continue;
      const value = rounded(told);
      progress = withWorst(progress, limit, [value, minute.atMs]);
      if (failure === undefined && breaks(limit, value, frame)) failure = { reason: limit, value, atMs: minute.atMs };
    }
    if (failure !== undefined) return { progress, failure };
    progress = withStep(progress, minute, frame);
  }
  return { progress };
}

/** Whether a unit has been silent for too long at a moment. What was missed while nobody listened is not held against it. */
export function silentSince(
  progress: UnitProgress,
  atMs: number,
  listeningSinceMs: number,
  frame: Frame,
): Failure | undefined {
  const lastMs = progress.lastMs ?? frame.startMs;
  const silence = silenceOf(Math.max(lastMs, listeningSinceMs), Math.min(atMs, frame.endMs));
  if (!breaks('maxSilenceMinutes', silence, frame)) return undefined;
  return { reason: 'maxSilenceMinutes', value: silenceOf(lastMs, Math.min(atMs, frame.endMs)), atMs: lastMs };
}

/** Whether anything in the plan asks for a limit to be measured. */
const isApplicable = (limit: JudgedLimit, { limits, steps }: Frame): boolean => {
  if (limits[limit] === null || limit === 'failLevel') return false;
  if (limit === 'minOutputPercent') return steps.some(({ percent }) => percent > 0);
  if (limit === 'minEfficiencyPercent') return steps.some(({ percent }) => percent >= EFFICIENCY_FROM_PERCENT);
  return true;
};

/** The verdict at the end of the time: undefined where it has passed. */
export function failureAtEnd(progress: UnitProgress, frame: Frame): Failure | undefined {
  const { endMs } = frame;
  if (progress.firstMs === undefined) return { reason: 'noData', value: null, atMs: endMs };
  const closed = stepClosed(progress, frame);
  for (const limit of softLimits) {
    const worst = closed.worst?.[limit];
    if (worst !== undefined && breaks(limit, worst[0], frame))
      return { reason: limit, value: worst[0], atMs: worst[1] };
  }
  const isMissing = judgedLimits.some((limit) => isApplicable(limit, frame) && closed.worst?.[limit] === undefined);
  return isMissing ? { reason: 'notMeasured', value: null, atMs: endMs } : undefined;
}
