import type { Quality } from './quality.ts';

export type { Quality } from './quality.ts';

export interface CounterReading {
  tsMs: number;
  wh: number;
}

/** A value that does not follow from the last accepted one and waits for the next reading to confirm or refute it. */
export interface CounterCandidate extends CounterReading {
  /** Of rises too far, one upon the other: how many, and how fast the fastest was, W. */
  rises?: number;
  fastestW?: number;
}

/** State of one lifetime counter of one device; times in epoch ms, energies in Wh. */
export interface CounterState {
  lastTsMs: number;
  /** Highest accepted value of this epoch. */
  lastWh: number;
  /** Grows by one whenever the series starts anew (reset, replacement). */
  epoch: number;
  /** Time of the reading at which the counter was last seen to grow. */
  changedTsMs: number;
  candidate: CounterCandidate | undefined;
  /** Where the epoch before ended, to join the series again when a device reports nonsense for a while and recovers. */
  before: { tsMs: number; wh: number; countedWh: number; hasGrown: boolean } | undefined;
  /** The reading at which the series began, while the counter has not grown from it: until then it may be nonsense. */
  first: CounterReading | undefined;
}

/**
 * Energy between two readings. `fromMs` may lie before the reading before: a counter that stood still for some readings though
 * energy flowed, and then grew, is taken to have grown since it last changed (at most 15 minutes back); when within that time, its power says.
 */
export interface CounterStep {
  fromMs: number;
  toMs: number;
  /** Never negative. */
  energyWh: number;
  quality: Quality;
  event?: CounterEvent;
  /** The reading is held back: of the time up to it nothing is known. */
  isHeld?: true;
  /** What flowed up to the reading before, which was held back until now. */
  earlier?: CounterStep;
  /** The reading at which the series begins, now that another one follows from it. */
  opened?: CounterReading;
  /** Power, W, that would let count what is left out at a joint. */
  neededW?: number;
}

/**
 * `reset` restarted near zero; `replaced` goes on from another value, also from that of an earlier epoch; `wrap` passed its
 * width; `implausible` a single reading was held back or, on the next one, found to be a spike; `gap` readings
 * further apart than `gapMs`.
 */
export type CounterEvent = 'reset' | 'wrap' | 'replaced' | 'implausible' | 'gap';

export interface CounterOptions {
  /** Most that can flow through this channel, W. A margin of 20 % is added. */
  maxPowerW: number;
  /** Widths at which counters of this kind start again at zero, Wh. */
  wrapWh?: readonly number[];
  /** Readings further apart are a gap: the energy counts, its distribution in time is estimated. */
  gapMs: number;
  /** Smallest step of the counter, Wh; a fall by no more is noise. Default 100 (0.1 kWh); 1 kWh where readings are whole kWh. */
  resolutionWh?: number;
  /** Energy, Wh, that the channel's power gave in a time; undefined where its power is not known. */
  powerWh?: ((fromMs: number, toMs: number) => number | undefined) | undefined;
  /** Whether a growth after a standstill is of the time before the last reading too. Default: it is. */
  isLate?: ((state: CounterState, tsMs: number, counterWh: number) => boolean) | undefined;
  /** Is told the greatest power, W, of a counter that went on rising too far; may raise `maxPowerW`. */
  learn?: ((powerW: number) => void) | undefined;
}

export const DEFAULT_RESOLUTION_WH = 100;

/** A counter that updates more slowly than it is read stands still for at most this long. */
export const LATCH_MS = 15 * 60_000;

/** A device that restarted its counter and recovers does so within this time; later a jump is a jump. */
export const REJOIN_MS = 24 * 3_600_000;

/** A counter whose readings are whole kWh counts in steps of 1 kWh. */
const WHOLE_WH = 1_000;
const HOUR_MS = 3_600_000;
const POWER_MARGIN = 1.2;
// Two units in the last place of a float32.
const FLOAT32_NOISE = 2 ** -22;
/** A counter that rises too far so often in succession, at alike rates, counts: its channel carries more than was known. */
const RISES = 3;
const ALIKE = 8;

/** Widths of 16- and 32-bit registers that count in 1, 10, 100 Wh or 1 kWh. */
export const REGISTER_WIDTHS_WH: readonly number[] = [16, 32].flatMap((bits) =>
  [1, 10, 100, 1000].map((unitWh) => 2 ** bits * unitWh),
);

/**
 * Takes one reading of a lifetime counter and says how much energy flowed since the one before.
 *
 * - The first reading only sets the base. It is `opened` once another one follows from it; one that is refuted before the
 *   counter has grown from it was nonsense, and the series begins at the next that is confirmed.
 * - A reading that is not later than the last accepted one is ignored (same state, no step).
 * - A fall by no more than the resolution (or float32 rounding) is noise: energy 0, the base stays.
 * - A rise by no more than `maxPowerW` can deliver counts at once.
 * - Anything else is held back: event `implausible`, and nothing is known of the time before it. The next reading decides. If it follows from the base, the
 *   one held back was a spike and is forgotten. If it follows from the one held back, the series goes on there: as that of
 *   the epoch before (`replaced`) where it would stand there by now, within a day; as a `wrap` where what is plausible
 *   reaches a known width; as a `reset` if the value itself is plausible energy since the base, which then counts; else
 *   `replaced`, and only what came after counts. If neither, it is held back in turn.
 *
 * @param counterWh reading in Wh; a negative or non-finite one is ignored, as the first one it throws RangeError.
 */
export function counterStep(
  state: CounterState | undefined,
  tsMs: number,
  counterWh: number,
  options: CounterOptions,
): { state: CounterState; step?: CounterStep } {
  if (state === undefined) return { state: openCounter(tsMs, counterWh) };
  const next = { ...state };
  const step = advanceCounter(next, tsMs, counterWh, options);
  return step === undefined ? { state: next } : { state: next, step };
}

/** State after the first reading. */
export function openCounter(tsMs: number, counterWh: number): CounterState {
  if (!isReading(counterWh)) throw new RangeError('The first reading of a counter must be a finite number >= 0');
  // All that may be set later has its place from the beginning: a state keeps its shape.
  return {
    lastTsMs: tsMs,
    lastWh: counterWh,
    epoch: 0,
    changedTsMs: tsMs,
    candidate: undefined,
    before: undefined,
    first: { tsMs, wh: counterWh },
  };
}

/** Whether a counter that was just opened is past the reading, in Wh, at which its series is known to begin. */
export function isPast(
  { lastTsMs, lastWh }: CounterState,
  begin: readonly [tsMs: number, wh: number] | undefined,
): boolean {
  if (begin === undefined || lastTsMs <= begin[0]) return false;
  return lastWh > begin[1] || lastWh < begin[1] - DEFAULT_RESOLUTION_WH;
}

export function isReading(counterWh: number | undefined): counterWh is number {
  return counterWh !== undefined && counterWh >= 0 && counterWh < Number.POSITIVE_INFINITY;
}

/** As `counterStep`, but changes the given state; for callers that keep many counters. */
export function advanceCounter(
  state: CounterState,
  tsMs: number,
  counterWh: number,
  options: CounterOptions,
): CounterStep | undefined {
  if (!isReading(counterWh) || !(tsMs > state.lastTsMs)) return undefined;
  const { candidate } = state;
  if (candidate === undefined) return acceptOrHold(state, tsMs, counterWh, options);
  if (tsMs <= candidate.tsMs) return undefined;
  const goesOn =
    candidate.wh >= state.lastWh &&
    counterWh >= candidate.wh - noiseWh(candidate.wh, resolutionOf(candidate.wh, counterWh, options));
  if (!goesOn && isGrowth(state, tsMs, counterWh, options)) return acceptGain(state, tsMs, counterWh, options);
  if (goesOn && isGrowth(state, candidate.tsMs, candidate.wh, options)) {
    return acceptBoth(state, candidate, tsMs, counterWh, options);
  }
  if (follows(candidate.wh, tsMs - candidate.tsMs, counterWh, options)) {
    return acceptCandidate(state, candidate, tsMs, counterWh, options);
  }
  const next: CounterCandidate = { tsMs, wh: counterWh };
  if (goesOn && options.learn !== undefined) {
    noteRise(next, candidate, state);
    if ((next.rises ?? 0) >= RISES) {
      options.learn(next.fastestW ?? 0);
      if (isGrowth(state, candidate.tsMs, candidate.wh, options)) {
        return acceptBoth(state, candidate, tsMs, counterWh, options);
      }
    }
  }
  return holdBack(state, next);
}

/** Step of a counter, Wh, by a reading and the one before. One that fell to zero says nothing of its step. */
function resolutionOf(fromWh: number, toWh: number, { resolutionWh = DEFAULT_RESOLUTION_WH }: CounterOptions): number {
  const isWhole = toWh > 0 && fromWh % WHOLE_WH === 0 && toWh % WHOLE_WH === 0;
  return isWhole ? Math.max(WHOLE_WH, resolutionWh) : resolutionWh;
}

/** How much more, Wh, than flowed a counter may have gained by its steps. */
function slackWh(resolutionWh: number): number {
  return resolutionWh === WHOLE_WH ? WHOLE_WH + DEFAULT_RESOLUTION_WH : 2 * resolutionWh;
}

/** Most energy, Wh, that can flow in a time, with margin. */
function mostWh(elapsedMs: number, { maxPowerW }: CounterOptions): number {
  return (maxPowerW * POWER_MARGIN * elapsedMs) / HOUR_MS;
}

/** Widest fall, Wh, that is taken as noise of resolution or of float32 rounding. */
function noiseWh(counterWh: number, resolutionWh: number): number {
  // The epsilon lets a decimal step survive binary subtraction.
  return Math.max(resolutionWh, counterWh * FLOAT32_NOISE) * (1 + 1e-9) + 1e-6;
}

function follows(sinceWh: number, elapsedMs: number, counterWh: number, options: CounterOptions): boolean {
  const gainWh = counterWh - sinceWh;
  const resolutionWh = resolutionOf(sinceWh, counterWh, options);
  return gainWh >= -noiseWh(sinceWh, resolutionWh) && gainWh <= mostWh(elapsedMs, options) + slackWh(resolutionWh);
}

/** What flowed while the counter stood still up to its last reading, as its power says; undefined where that is not known. */
function stillWh(state: CounterState, tsMs: number, options: CounterOptions): number | undefined {
  const fromMs = Math.max(state.changedTsMs, tsMs - LATCH_MS);
  if (fromMs >= state.lastTsMs) return 0;
  const wh = options.powerWh?.(fromMs, state.lastTsMs);
  return wh === undefined ? undefined : wh * POWER_MARGIN;
}

/** Whether a counter that fell and has stood still since is back where the epoch before would stand by now. */
function hasReturned(
  { before, lastWh }: CounterState,
  tsMs: number,
  counterWh: number,
  options: CounterOptions,
): boolean {
  if (before === undefined || before.hasGrown || before.wh <= lastWh || tsMs - before.tsMs > REJOIN_MS) return false;
  return counterWh > lastWh && follows(before.wh, tsMs - before.tsMs, counterWh, options);
}

/** Whether a reading is plain growth of the series. */
function isGrowth(state: CounterState, tsMs: number, counterWh: number, options: CounterOptions): boolean {
  const gainWh = counterWh - state.lastWh;
  const flowWh = mostWh(tsMs - state.lastTsMs, options);
  const isPlain = gainWh >= 0 && gainWh <= flowWh + slackWh(options.resolutionWh ?? DEFAULT_RESOLUTION_WH);
  if (isPlain) return state.before === undefined || !hasReturned(state, tsMs, counterWh, options);
  const resolutionWh = resolutionOf(state.lastWh, counterWh, options);
  if (gainWh < 0) return gainWh >= -noiseWh(state.lastWh, resolutionWh);
  if (hasReturned(state, tsMs, counterWh, options)) return false;
  const limitWh = flowWh + slackWh(resolutionWh);
  if (gainWh <= limitWh) return true;
  const latchedMs = Math.min(tsMs - state.changedTsMs, LATCH_MS) - (tsMs - state.lastTsMs);
  if (!(latchedMs > 0)) return false;
  return gainWh <= limitWh + (stillWh(state, tsMs, options) ?? mostWh(latchedMs, options));
}

function acceptOrHold(state: CounterState, tsMs: number, counterWh: number, options: CounterOptions): CounterStep {
  return isGrowth(state, tsMs, counterWh, options)
    ? acceptGain(state, tsMs, counterWh, options)
    : holdBack(state, { tsMs, wh: counterWh });
}

function holdBack(state: CounterState, candidate: CounterCandidate): CounterStep {
  const fromMs = state.candidate?.tsMs ?? state.lastTsMs;
  state.candidate = candidate;
  return { fromMs, toMs: candidate.tsMs, energyWh: 0, quality: 'corrected', event: 'implausible', isHeld: true };
}

function noteRise(next: CounterCandidate, candidate: CounterCandidate, state: CounterState): void {
  const firstW = powerW(candidate.wh - state.lastWh, candidate.tsMs - state.lastTsMs);
  const beforeW = candidate.fastestW ?? firstW;
  const rateW = powerW(next.wh - candidate.wh, next.tsMs - candidate.tsMs);
  if (!(rateW <= ALIKE * beforeW && beforeW <= ALIKE * rateW)) return;
  next.rises = (candidate.rises ?? 1) + 1;
  next.fastestW = Math.max(beforeW, rateW);
}

function powerW(energyWh: number, durationMs: number): number {
  return (energyWh * HOUR_MS) / durationMs;
}

/** More is known of the channel by now: what was held back counts. */
function acceptBoth(
  state: CounterState,
  candidate: CounterCandidate,
  tsMs: number,
  counterWh: number,
  options: CounterOptions,
): CounterStep {
  state.candidate = undefined;
  const earlier = acceptGain(state, candidate.tsMs, candidate.wh, options);
  const step = acceptOrHold(state, tsMs, counterWh, options);
  step.earlier = earlier;
  if (earlier.opened !== undefined) step.opened ??= earlier.opened;
  return step;
}

function acceptGain(state: CounterState, tsMs: number, counterWh: number, options: CounterOptions): CounterStep {
  const energyWh = Math.max(0, counterWh - state.lastWh);
  const isGap = tsMs - state.lastTsMs > options.gapMs;
  const wasSpike = state.candidate !== undefined;
  let fromMs = state.lastTsMs;
  let quality: Quality = 'measured';
  if (energyWh > 0) {
    const sinceMs = Math.max(state.changedTsMs, tsMs - LATCH_MS);
    if (sinceMs < fromMs && options.isLate?.(state, tsMs, counterWh) !== false) fromMs = sinceMs;
    state.changedTsMs = tsMs;
    if (isGap) quality = 'estimated';
    else if (wasSpike) quality = 'corrected';
  }
  const step: CounterStep = { fromMs, toMs: tsMs, energyWh, quality };
  if (isGap) step.event = 'gap';
  else if (wasSpike) step.event = 'implausible';
  if (state.first !== undefined) {
    step.opened = state.first;
    if (energyWh > 0) state.first = undefined;
  }
  const { before } = state;
  if (before !== undefined) {
    if (tsMs - before.tsMs > REJOIN_MS) state.before = undefined;
    else if (energyWh > 0) state.before = { ...before, countedWh: before.countedWh + energyWh, hasGrown: true };
  }
  state.lastTsMs = tsMs;
  state.lastWh = Math.max(state.lastWh, counterWh);
  if (wasSpike) state.candidate = undefined;
  return step;
}

interface Joint {
  event: 'reset' | 'wrap' | 'replaced';
  /** What the channel gave between the last reading of the old series and the first of the new; undefined = not known. */
  energyWh: number | undefined;
  /** The new series is that of the epoch before. */
  isRejoined?: boolean;
  /** What would have to be plausible for more to count. */
  neededWh?: number;
}

function jointAt(state: CounterState, candidate: CounterCandidate, options: CounterOptions): Joint {
  const { before } = state;
  const isFall = candidate.wh < state.lastWh;
  const replaced: Joint = { event: 'replaced', energyWh: undefined };
  if (!isFall) replaced.neededWh = candidate.wh - state.lastWh;
  if (state.first !== undefined) return replaced;
  if (before !== undefined && isFall === before.wh < state.lastWh && candidate.tsMs - before.tsMs <= REJOIN_MS) {
    if (follows(before.wh, candidate.tsMs - before.tsMs, candidate.wh, options)) {
      const energyWh = Math.max(0, candidate.wh - before.wh - before.countedWh);
      return { event: 'replaced', energyWh, isRejoined: true };
    }
  }
  if (!isFall) return replaced;
  const sinceWh = mostWh(candidate.tsMs - state.lastTsMs, options);
  const limitWh = sinceWh + 2 * (options.resolutionWh ?? DEFAULT_RESOLUTION_WH);
  const wrapLimitWh = limitWh + (stillWh(state, candidate.tsMs, options) ?? 0);
  replaced.neededWh = candidate.wh;
  for (const widthWh of options.wrapWh ?? []) {
    const gainWh = candidate.wh + widthWh - state.lastWh;
    if (state.lastWh > widthWh || gainWh < 0) continue;
    if (gainWh <= wrapLimitWh) return { event: 'wrap', energyWh: gainWh };
    replaced.neededWh = Math.min(replaced.neededWh, gainWh);
  }
  if (candidate.wh > limitWh) return replaced;
  // One that starts at 0 after a pause says nothing of what the old one counted in it.
  const isBlank = candidate.wh === 0 && candidate.tsMs - state.lastTsMs > options.gapMs;
  return { event: 'reset', energyWh: isBlank ? undefined : candidate.wh };
}

/** The series goes on from the reading that was held back. */
function acceptCandidate(
  state: CounterState,
  candidate: CounterCandidate,
  tsMs: number,
  counterWh: number,
  options: CounterOptions,
): CounterStep {
  const joint = jointAt(state, candidate, options);
  const isGap = tsMs - candidate.tsMs > options.gapMs;
  const energyWh = Math.max(0, counterWh - candidate.wh);
  const step: CounterStep = {
    fromMs: candidate.tsMs,
    toMs: tsMs,
    energyWh,
    quality: isGap && energyWh > 0 ? 'estimated' : 'corrected',
    event: joint.event,
  };
  const elapsedMs = candidate.tsMs - state.lastTsMs;
  if (joint.neededWh !== undefined) {
    const missingWh = joint.neededWh - slackWh(resolutionOf(state.lastWh, candidate.wh, options));
    step.neededW = powerW(Math.max(0, missingWh), Math.max(elapsedMs, LATCH_MS)) / POWER_MARGIN;
  }
  if (joint.energyWh !== undefined) {
    const quality = elapsedMs > options.gapMs ? 'estimated' : 'corrected';
    step.earlier = { fromMs: state.lastTsMs, toMs: candidate.tsMs, energyWh: joint.energyWh, quality };
  }
  const countedWh = energyWh + (joint.energyWh ?? 0);
  const before = { tsMs: state.lastTsMs, wh: state.lastWh, countedWh, hasGrown: energyWh > 0 };
  state.candidate = undefined;
  state.before = undefined;
  if (state.first !== undefined) {
    step.opened = { tsMs: candidate.tsMs, wh: candidate.wh };
    if (energyWh > 0) state.first = undefined;
    else state.first = step.opened;
  } else {
    if (joint.isRejoined !== true) state.before = before;
    if (joint.event !== 'wrap') state.epoch += 1;
  }
  state.lastTsMs = tsMs;
  state.lastWh = Math.max(counterWh, candidate.wh);
  state.changedTsMs = tsMs;
  return step;
}
