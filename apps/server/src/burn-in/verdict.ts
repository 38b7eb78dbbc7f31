import {
  EFFICIENCY_FROM_PERCENT,
  isEndReason,
  type JudgedLimit,
  judgedLimits,
  LEAST_COVERAGE_PERCENT,
  softLimits,
} from '@sonnenwarte/contract/burn-in/plan';
import type { UnitProgress } from '../stores/schema-burn-in.ts';
import { breaks, type Frame, type Minute, rounded } from './frame.ts';
import {
  type Advanced,
  advance,
  endedAt,
  type Failure,
  GRACE_MS,
  type Known,
  silenceCountsMs,
  silentNow,
  take,
  withSilence,
} from './judge.ts';
import { stepLeft } from './judged-steps.ts';
import type { OpenUnit, Step } from './round.store.ts';

/** Whether anything in the plan asks for a limit to be measured. */
const isApplicable = (limit: JudgedLimit, { limits, steps }: Frame): boolean => {
  if (limits[limit] === null || limit === 'failLevel') return false;
  if (limit === 'minOutputPercent') return steps.some(({ percent }) => percent > 0);
  if (limit === 'minEfficiencyPercent') return steps.some(({ percent }) => percent >= EFFICIENCY_FROM_PERCENT);
  return true;
};

/** Of the time of a run that was recorded, percent. */
export const coverageOf = ({ missingMs = 0 }: UnitProgress, startMs: number, endMs: number): number =>
  endMs <= startMs ? 0 : rounded(Math.max(0, 100 * (1 - missingMs / (endMs - startMs))));

/** The verdict on a unit whose time is over, by how it stands then: undefined where it has passed. */
export function failureAtEnd(ended: UnitProgress, frame: Frame): Failure | undefined {
  const { startMs, endMs } = frame;
  if (ended.firstMs === undefined) return { reason: 'noData', value: null, atMs: endMs };
  for (const limit of softLimits) {
    const worst = ended.worst?.[limit];
    if (worst !== undefined && breaks(limit, worst[0], frame))
      return { reason: limit, value: worst[0], atMs: worst[1] };
  }
  const coverage = coverageOf(ended, startMs, endMs);
  if (coverage < LEAST_COVERAGE_PERCENT) return { reason: 'notMeasured', value: coverage, atMs: endMs };
  const isMissing = judgedLimits.some(
    (limit) =>
      isApplicable(limit, frame) &&
      (ended.worst?.[limit] === undefined || (ended.unmeasured as Record<string, number>)?.[limit] !== undefined),
  );
  return isMissing ? { reason: 'notMeasured', value: coverage, atMs: endMs } : undefined;
}

/** How a unit stands after a reading: whether its time is over with nothing to be waited for, and what it failed for. */
function standing(advanced: Advanced, frame: Frame, known: Known): Advanced & { readonly isOver: boolean } {
  const { stands, newest } = advanced;
  const isTimeOver = known.readableMs >= frame.endMs;
  if (advanced.failure !== undefined || stands === 'atHole' || known.isCut) return { ...advanced, isOver: false };
  if (stands === undefined) return { ...advanced, isOver: isTimeOver };
  const lastMs = newest?.lastMs ?? advanced.progress.lastMs ?? frame.startMs;
  const silent = silentNow(lastMs, frame, known);
  const isOver = isTimeOver && known.nowMs >= silenceCountsMs(frame.endMs, GRACE_MS, known);
  if (silent === undefined && !isOver) return { ...advanced, isOver: false };
  // Of the newest minute nothing more is waited for.
  const taken: Advanced = newest === undefined ? advanced : take(advanced.progress, newest, frame);
  if (taken.failure !== undefined || silent === undefined) return { ...taken, isOver };
  const { progress } = withSilence(taken.progress, lastMs, Math.min(known.nowMs, frame.endMs), frame);
  return { progress, failure: silent, isOver: false };
}

/** What was recorded until a moment at which something else has ended it. */
function readUntil(former: UnitProgress, minutes: readonly Minute[], endMs: number, frame: Frame): UnitProgress {
  let progress = former;
  for (const minute of minutes) {
    if (minute.atMs < (progress.readMs ?? frame.startMs) || minute.atMs > endMs || minute.atMs >= frame.endMs) continue;
    const taken = take(progress, minute, frame);
    if (taken.failure !== undefined) break;
    progress = taken.progress;
  }
  return progress;
}

/** What a unit comes to by what was recorded of it, as far as is known now. */
export function judgeUnit(
  { position, state, progress: former }: Pick<OpenUnit, 'position' | 'state' | 'progress'>,
  { minutes, alarm }: { readonly minutes: readonly Minute[]; readonly alarm: Failure | undefined },
  frame: Frame,
  known: Known,
): Step | undefined {
  const stood = standing(advance(former, minutes, frame, known), frame, known);
  const { failure: broken, isOver } = stood;
  // What lies before may still become known: an alarm counts once all before it was read. What comes first counts.
  const readMs = stood.progress.readMs ?? frame.startMs;
  const isAlarm =
    alarm !== undefined &&
    (broken === undefined
      ? isOver || alarm.atMs <= frame.startMs || alarm.atMs < readMs
      : alarm.atMs <= Math.max(broken.atMs, frame.startMs));
  const hard = isAlarm ? alarm : broken;
  const progress = isAlarm ? readUntil(former, minutes, alarm.atMs, frame) : stood.progress;
  const ended = hard === undefined && isOver ? endedAt(progress, frame) : undefined;
  const failure = hard ?? (ended && failureAtEnd(ended, frame));
  const formerMs = former.readMs ?? 0;
  const hasBegun = progress.firstMs !== undefined || minutes.some(({ atMs }) => atMs < frame.endMs);
  if (failure !== undefined || ended !== undefined) {
    const closed = ended ?? stepLeft(progress, frame);
    // Who passes and was not heard of before has to begin first: the next round passes it.
    const begins = failure === undefined && state === 'waiting';
    const endedMs =
      failure === undefined || isEndReason(failure.reason) ? frame.endMs : Math.max(failure.atMs, frame.startMs);
    return {
      position,
      formerMs,
      progress: begins ? progress : closed,
      event: failure !== undefined ? 'fail' : begins ? 'begin' : 'pass',
      failure: failure ?? null,
      endedMs: begins ? null : endedMs,
      measured: closed.worst ?? {},
    };
  }
  const event = state === 'waiting' && hasBegun ? 'begin' : null;
  if (progress === former && event === null) return undefined;
  return { position, formerMs, progress, event, failure: null, endedMs: null, measured: {} };
}
