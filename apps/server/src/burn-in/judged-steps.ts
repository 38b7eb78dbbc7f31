import {
  EFFICIENCY_FROM_PERCENT,
  isSettled,
  type RunStep,
  settledMinutes,
  stepAt,
} from '@sonnenwarte/contract/burn-in/plan';
import type { UnitProgress } from '../stores/schema-burn-in.ts';
import { type Frame, type Minute, rounded, withWorst } from './frame.ts';

const MINUTE_MS = 60_000;

/** Of the settled minutes of a step so many must have been measured. */
const LEAST_SHARE = 0.5;

const stepOf = ({ steps, startMs, endMs }: Frame, atMs: number): RunStep | undefined =>
  stepAt(steps, endMs - startMs, atMs - startMs);

const withUnmeasured = (
  progress: UnitProgress,
  limit: 'minOutputPercent' | 'minEfficiencyPercent',
  atMs: number,
): UnitProgress =>
  progress.unmeasured?.[limit] === undefined
    ? { ...progress, unmeasured: { ...progress.unmeasured, [limit]: atMs } }
    : progress;

/** Ends a step: what it gave on the mean of its settled minutes; `isWhole`: whether enough of them must have been measured. */
function stepClosed(progress: UnitProgress, step: RunStep, frame: Frame, isWhole: boolean): UnitProgress {
  const { step: _, stepMs, minutes = 0, acW = 0, bothMinutes = 0, bothAcW = 0, dcW = 0, ...rest } = progress;
  const { percent } = step;
  const { ratedW, intervalMs } = frame;
  const atMs = frame.startMs + step.startMs;
  const expected = settledMinutes(step) / Math.max(1, intervalMs / MINUTE_MS);
  const isTooFew = (count: number): boolean =>
    isWhole && (count === 0 ? expected >= 1 : count < expected * LEAST_SHARE);
  let next: UnitProgress = rest;
  if (percent > 0) {
    if (minutes > 0 && ratedW !== null && ratedW > 0) {
      const share = ((acW / minutes) * 10_000) / (ratedW * percent);
      next = withWorst(next, 'minOutputPercent', [rounded(share), atMs]);
    }
    if (isTooFew(minutes)) next = withUnmeasured(next, 'minOutputPercent', atMs);
  }
  if (percent >= EFFICIENCY_FROM_PERCENT) {
    if (bothMinutes > 0 && dcW > 0)
      next = withWorst(next, 'minEfficiencyPercent', [rounded((bothAcW / dcW) * 100), atMs]);
    if (isTooFew(bothMinutes)) next = withUnmeasured(next, 'minEfficiencyPercent', atMs);
  }
  return next;
}

/** Ends all steps that are over at a moment, those of which nothing was measured as well. */
export function stepsClosedUntil(progress: UnitProgress, untilMs: number, frame: Frame): UnitProgress {
  let next = progress;
  let atMs = progress.stepMs ?? frame.startMs;
  for (let step = stepOf(frame, atMs); step !== undefined; step = stepOf(frame, atMs)) {
    const endMs = frame.startMs + step.endMs;
    if (endMs > untilMs) break;
    next = stepClosed(next, step, frame, true);
    atMs = endMs;
  }
  return { ...next, stepMs: atMs };
}

/** What the step under way has given so far counts where a unit fails within it. */
export function stepLeft(progress: UnitProgress, frame: Frame): UnitProgress {
  const step = stepOf(frame, progress.stepMs ?? frame.startMs);
  return step === undefined ? progress : stepClosed(progress, step, frame, false);
}

/** Adds a minute to its step. */
export function withStep(progress: UnitProgress, minute: Minute, frame: Frame): UnitProgress {
  const next = stepsClosedUntil(progress, minute.atMs, frame);
  const step = stepOf(frame, minute.atMs);
  const { acW, dcW } = minute;
  if (step === undefined || acW === null || !isSettled(step, minute.atMs - frame.startMs)) return next;
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
