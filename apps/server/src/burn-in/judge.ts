import type { FailReason, JudgedLimit } from '@sonnenwarte/contract/burn-in/plan';
import type { UnitProgress } from '../stores/schema-burn-in.ts';
import { breaks, type Frame, type Minute, rounded, withWorst } from './frame.ts';
import { stepsClosedUntil, withStep } from './judged-steps.ts';

const MINUTE_MS = 60_000;
/** What a datalogger has kept may come so long after it was heard of again. */
export const GRACE_MS = 10 * MINUTE_MS;
/** Who is silent for too long is told so a moment later: a sample may be under way. */
const PATIENCE_MS = 5 * MINUTE_MS;
/** While a datalogger is away, what it keeps is waited for so long at most. */
export const MOST_WAIT_MS = 60 * MINUTE_MS;
/** Between two samples that lie no further apart nothing is missing. */
const LEAST_GAP_MS = 95_000;
/** Nothing is missing of a run of which the last sample is no older at its end. */
const TAIL_MS = 30_000;

/** What is known at a moment. */
export interface Known {
  readonly nowMs: number;
  /** Minutes before are over, and may be read. */
  readonly readableMs: number;
  /** Since when this portal has been listening. */
  readonly listeningSinceMs: number;
  /** Since when the datalogger has been there; null while it is away. */
  readonly loggerSinceMs: number | null;
  /** There is more behind the last of the minutes. */
  readonly isCut?: boolean;
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
  /** Where it stopped: at a hole that may still be filled, or at the newest sample; undefined where all that is readable was read. */
  readonly stands?: 'atHole' | 'atNewest';
  /** The newest minute, of which the rest may still come. */
  readonly newest?: Minute;
}

export const gapOf = ({ intervalMs }: Pick<Frame, 'intervalMs'>): number =>
  Math.max(LEAST_GAP_MS, 1.5 * intervalMs + 5_000);

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

/** Keeps that nothing was told from one moment to another. A break that is too long fails a unit when it has become so. */
export function withSilence(progress: UnitProgress, fromMs: number, toMs: number, frame: Frame): Advanced {
  const value = silenceOf(fromMs, toMs);
  const missingMs = toMs - fromMs > gapOf(frame) ? (progress.missingMs ?? 0) + toMs - fromMs : progress.missingMs;
  const next = {
    ...withWorst(progress, 'maxSilenceMinutes', [value, fromMs]),
    ...(missingMs !== undefined && { missingMs }),
  };
  const allowed = frame.limits.maxSilenceMinutes;
  if (allowed === null || value <= allowed) return { progress: next };
  return { progress: next, failure: { reason: 'maxSilenceMinutes', value, atMs: fromMs + allowed * MINUTE_MS } };
}

/** Reads a minute, with the break before it. */
export function take(before: UnitProgress, minute: Minute, frame: Frame): Advanced {
  const silence = withSilence(before, before.lastMs ?? frame.startMs, minute.firstMs, frame);
  if (silence.failure !== undefined) return silence;
  const firstTemperatureC = before.firstTemperatureC ?? minute.temperatureC ?? undefined;
  let progress: UnitProgress = {
    ...silence.progress,
    readMs: minute.atMs + MINUTE_MS,
    firstMs: before.firstMs ?? minute.firstMs,
    lastMs: minute.lastMs,
    receivedMs: minute.receivedMs,
    ...(firstTemperatureC !== undefined && { firstTemperatureC }),
  };
  let failure: Failure | undefined;
  for (const [limit, told] of hardValues(minute, firstTemperatureC)) {
    if (told === null) continue;
    const value = rounded(told);
    progress = withWorst(progress, limit, [value, minute.atMs]);
    if (failure === undefined && breaks(limit, value, frame)) failure = { reason: limit, value, atMs: minute.atMs };
  }
  return failure === undefined ? { progress: withStep(progress, minute, frame) } : { progress, failure };
}

/**
 * Reads further minutes of a unit, in the order of time; what follows them in the list shows whether they are whole. However they are parted
 * into several readings, and however late they come within the time that is waited, it comes to the same. It stops where something is missing
 * that may still come, and where a hard limit is broken.
 */
export function advance(
  before: UnitProgress,
  minutes: readonly Minute[],
  frame: Frame,
  { nowMs, readableMs }: Pick<Known, 'nowMs' | 'readableMs'>,
): Advanced {
  const gapMs = gapOf(frame);
  let progress = before;
  const list = minutes.filter(({ atMs }) => atMs >= (before.readMs ?? frame.startMs - MINUTE_MS + 1));
  const mayBeFilled = (fromMs: number, receivedMs: number, minute: Minute): boolean =>
    minute.firstMs - fromMs > gapMs && nowMs < Math.max(receivedMs, minute.receivedMs) + GRACE_MS;
  for (const [place, minute] of list.entries()) {
    if (minute.atMs >= frame.endMs) {
      // Only shows that the unit went on telling.
      return mayBeFilled(progress.lastMs ?? frame.startMs, progress.receivedMs ?? 0, minute)
        ? { progress, stands: 'atHole' }
        : { progress };
    }
    if (minute.atMs >= readableMs) return { progress };
    if (mayBeFilled(progress.lastMs ?? frame.startMs, progress.receivedMs ?? 0, minute))
      return { progress, stands: 'atHole' };
    const taken = take(progress, minute, frame);
    if (taken.failure !== undefined) return taken;
    const next = list[place + 1];
    const isWhole =
      next !== undefined || (minute.atMs + MINUTE_MS >= frame.endMs && frame.endMs - minute.lastMs <= TAIL_MS);
    if (!isWhole) return { progress, stands: 'atNewest', newest: minute };
    if (next !== undefined && mayBeFilled(minute.lastMs, minute.receivedMs, next))
      return { progress, stands: 'atHole' };
    progress = taken.progress;
  }
  const isRead = (progress.lastMs ?? frame.startMs) >= frame.endMs - TAIL_MS;
  return isRead ? { progress } : { progress, stands: 'atNewest' };
}

/** When a silence counts although what was kept meanwhile might still come: since it became too long, or since the end of the time. */
export function silenceCountsMs(sinceMs: number, patienceMs: number, known: Known): number {
  const { loggerSinceMs, listeningSinceMs } = known;
  const mostMs = sinceMs + MOST_WAIT_MS;
  const loggerMs = loggerSinceMs === null ? mostMs : Math.min(mostMs, loggerSinceMs + GRACE_MS);
  return Math.max(sinceMs + patienceMs, loggerMs, listeningSinceMs + GRACE_MS);
}

/** Whether a unit of which nothing newer came has been silent for too long, as far as can be known. */
export function silentNow(lastMs: number, frame: Frame, known: Known): Failure | undefined {
  const allowed = frame.limits.maxSilenceMinutes;
  if (allowed === null) return undefined;
  const value = silenceOf(lastMs, Math.min(known.nowMs, frame.endMs));
  const atMs = lastMs + allowed * MINUTE_MS;
  if (value <= allowed || known.nowMs < silenceCountsMs(atMs, PATIENCE_MS, known)) return undefined;
  return { reason: 'maxSilenceMinutes', value, atMs };
}

/** How it stands where its time is over: all steps closed, the silence up to the end kept. */
export function endedAt(progress: UnitProgress, frame: Frame): UnitProgress {
  const { endMs } = frame;
  const lastMs = progress.lastMs ?? frame.startMs;
  const silent = lastMs < endMs ? withSilence(progress, lastMs, endMs, frame).progress : progress;
  return stepsClosedUntil(silent, endMs, frame);
}
