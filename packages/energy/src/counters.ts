import type { Quality } from './quality.ts';

export type { Quality } from './quality.ts';

/** A value that does not follow from the last accepted one and waits for the next reading to confirm or refute it. */
export interface CounterCandidate {
  tsMs: number;
  wh: number;
}

/** State of one lifetime counter of one device. JSON-serialisable; times in epoch ms, energies in Wh. */
export interface CounterState {
  lastTsMs: number;
  /** Highest accepted value of this epoch. */
  lastWh: number;
  /** Grows by one whenever the series starts anew (reset, replacement). */
  epoch: number;
  /** Time of the reading at which the counter was last seen to grow. */
  changedTsMs?: number;
  candidate?: CounterCandidate;
  /** Where the epoch before ended, to join the series again when a device reports zeros for a while and recovers. */
  before?: { tsMs: number; wh: number; countedWh: number };
}

/**
 * Energy between two readings. `fromMs` may lie before the reading before: a counter that stood still for some readings
 * and then grew is taken to have grown since it last changed (at most 15 minutes back).
 */
export interface CounterStep {
  fromMs: number;
  toMs: number;
  /** Never negative. */
  energyWh: number;
  quality: Quality;
  event?: CounterEvent;
}

/**
 * `reset` restarted near zero; `replaced` goes on from another value; `wrap` passed its width; `implausible` a single
 * reading was held back (energy 0) or, on the next one, found to be a spike; `gap` readings further apart than `gapMs`.
 */
export type CounterEvent = 'reset' | 'wrap' | 'replaced' | 'implausible' | 'gap';

export interface CounterOptions {
  /** Most that can flow through this channel, W. A margin of 20 % is added. */
  maxPowerW: number;
  /** Widths at which counters of this kind start again at zero, Wh. */
  wrapWh?: readonly number[];
  /** Readings further apart are a gap: the energy counts, its distribution in time is estimated. */
  gapMs: number;
  /** Smallest step of the counter, Wh; a fall by no more is noise. Default 100 (0.1 kWh). */
  resolutionWh?: number;
}

export const DEFAULT_RESOLUTION_WH = 100;

/** A counter that updates more slowly than it is read stands still for at most this long. */
export const LATCH_MS = 15 * 60_000;

/** A device that restarted its counter and recovers does so within this time; later a jump is a jump. */
export const REJOIN_MS = 24 * 3_600_000;

const HOUR_MS = 3_600_000;
const POWER_MARGIN = 1.2;
// Two units in the last place of a float32.
const FLOAT32_NOISE = 2 ** -22;

/** Most energy, Wh, that a counter can gain in a time, with margin for power and for its resolution. */
function plausibleGainWh(elapsedMs: number, options: CounterOptions): number {
  return (options.maxPowerW * POWER_MARGIN * elapsedMs) / HOUR_MS + 2 * (options.resolutionWh ?? DEFAULT_RESOLUTION_WH);
}

/** Widest fall, Wh, that is taken as noise of resolution or of float32 rounding. */
export function counterNoiseWh(counterWh: number, options: CounterOptions): number {
  const resolution = options.resolutionWh ?? DEFAULT_RESOLUTION_WH;
  // The epsilon lets a decimal step survive binary subtraction.
  return Math.max(resolution, counterWh * FLOAT32_NOISE) * (1 + 1e-9) + 1e-6;
}

/** Elapsed time that counts for plausibility: since the last reading, or since the last growth within the latch time. */
function elapsedSinceGrowthMs(state: CounterState, tsMs: number): number {
  const changedTsMs = state.changedTsMs ?? state.lastTsMs;
  return Math.max(tsMs - state.lastTsMs, Math.min(tsMs - changedTsMs, LATCH_MS));
}

function follows(sinceWh: number, elapsedMs: number, counterWh: number, options: CounterOptions): boolean {
  const gainWh = counterWh - sinceWh;
  return gainWh >= -counterNoiseWh(sinceWh, options) && gainWh <= plausibleGainWh(elapsedMs, options);
}

function wrapGainWh(state: CounterState, tsMs: number, counterWh: number, options: CounterOptions): number | undefined {
  const limitWh = plausibleGainWh(elapsedSinceGrowthMs(state, tsMs), options);
  for (const widthWh of options.wrapWh ?? []) {
    const gainWh = counterWh + widthWh - state.lastWh;
    if (state.lastWh <= widthWh && gainWh >= 0 && gainWh <= limitWh) return gainWh;
  }
  return undefined;
}

/** Widths of 16- and 32-bit registers that count in 1, 10, 100 Wh or 1 kWh. */
export const REGISTER_WIDTHS_WH: readonly number[] = [16, 32].flatMap((bits) =>
  [1, 10, 100, 1000].map((unitWh) => 2 ** bits * unitWh),
);

/**
 * Takes one reading of a lifetime counter and says how much energy flowed since the one before.
 *
 * - The first reading only sets the base.
 * - A reading that is not later than the last accepted one is ignored (same state, no step).
 * - A fall by no more than the resolution (or float32 rounding) is noise: energy 0, the base stays.
 * - A known wrap counts at once.
 * - Any other fall, and a rise beyond what `maxPowerW` can deliver, is held back: energy 0, event `implausible`. The next
 *   reading decides: if it follows from the base, the one held back was a spike and is forgotten; if it follows from the
 *   one held back, the series starts anew there (`reset` if that value itself is plausible energy since the base, and
 *   then it counts; else `replaced`, and only what came after counts); else it is held back in turn.
 * - Within a day of a reset, a rise to where the epoch before would stand by now joins the two: a device that reported zeros for a
 *   while and recovered loses nothing.
 *
 * @param counterWh reading in Wh; a negative or non-finite one is ignored, as the first one it throws RangeError.
 */
export function counterStep(
  state: CounterState | undefined,
  tsMs: number,
  counterWh: number,
  options: CounterOptions,
): { state: CounterState; step?: CounterStep } {
  if (state === undefined && !(counterWh >= 0 && counterWh < Number.POSITIVE_INFINITY)) {
    throw new RangeError('The first reading of a counter must be a finite number >= 0');
  }
  if (state === undefined) return { state: { lastTsMs: tsMs, lastWh: counterWh, epoch: 0, changedTsMs: tsMs } };
  const next = { ...state };
  const step = advanceCounter(next, tsMs, counterWh, options);
  return step === undefined ? { state: next } : { state: next, step };
}

/** As `counterStep`, but changes the given state; for callers that keep many counters. */
export function advanceCounter(
  state: CounterState,
  tsMs: number,
  counterWh: number,
  options: CounterOptions,
): CounterStep | undefined {
  if (!(counterWh >= 0 && counterWh < Number.POSITIVE_INFINITY) || !(tsMs > state.lastTsMs)) return undefined;
  if (state.candidate !== undefined && tsMs <= state.candidate.tsMs) return undefined;

  if (follows(state.lastWh, elapsedSinceGrowthMs(state, tsMs), counterWh, options)) {
    return acceptGain(state, tsMs, counterWh, options);
  }
  const wrappedWh = wrapGainWh(state, tsMs, counterWh, options);
  if (wrappedWh !== undefined) {
    const step: CounterStep = {
      fromMs: state.lastTsMs,
      toMs: tsMs,
      energyWh: wrappedWh,
      quality: 'corrected',
      event: 'wrap',
    };
    rebase(state, tsMs, counterWh);
    delete state.before;
    return step;
  }
  const rejoined = rejoinBefore(state, tsMs, counterWh, options);
  if (rejoined !== undefined) return rejoined;

  const { candidate } = state;
  if (candidate !== undefined && follows(candidate.wh, tsMs - candidate.tsMs, counterWh, options)) {
    return acceptCandidate(state, candidate, tsMs, counterWh, options);
  }
  state.candidate = { tsMs, wh: counterWh };
  return {
    fromMs: candidate?.tsMs ?? state.lastTsMs,
    toMs: tsMs,
    energyWh: 0,
    quality: 'corrected',
    event: 'implausible',
  };
}

function acceptGain(state: CounterState, tsMs: number, counterWh: number, options: CounterOptions): CounterStep {
  const energyWh = Math.max(0, counterWh - state.lastWh);
  const isGap = tsMs - state.lastTsMs > options.gapMs;
  const wasSpike = state.candidate !== undefined;
  let fromMs = state.lastTsMs;
  let quality: Quality = 'measured';
  if (energyWh > 0) {
    fromMs = Math.min(fromMs, Math.max(state.changedTsMs ?? fromMs, tsMs - LATCH_MS));
    state.changedTsMs = tsMs;
    if (isGap) quality = 'estimated';
    else if (wasSpike) quality = 'corrected';
  }
  const step: CounterStep = { fromMs, toMs: tsMs, energyWh, quality };
  if (isGap) step.event = 'gap';
  else if (wasSpike) step.event = 'implausible';
  if (state.before !== undefined) state.before = { ...state.before, countedWh: state.before.countedWh + energyWh };
  state.lastTsMs = tsMs;
  state.lastWh = Math.max(state.lastWh, counterWh);
  delete state.candidate;
  return step;
}

function rejoinBefore(
  state: CounterState,
  tsMs: number,
  counterWh: number,
  options: CounterOptions,
): CounterStep | undefined {
  const { before } = state;
  if (before === undefined || counterWh < state.lastWh || tsMs - before.tsMs > REJOIN_MS) return undefined;
  if (!follows(before.wh, tsMs - before.tsMs, counterWh, options)) return undefined;
  const energyWh = Math.max(0, counterWh - before.wh - before.countedWh);
  const step: CounterStep = { fromMs: state.lastTsMs, toMs: tsMs, energyWh, quality: 'corrected', event: 'replaced' };
  rebase(state, tsMs, counterWh);
  delete state.before;
  state.epoch += 1;
  return step;
}

function acceptCandidate(
  state: CounterState,
  candidate: CounterCandidate,
  tsMs: number,
  counterWh: number,
  options: CounterOptions,
): CounterStep {
  const restarted =
    candidate.wh < state.lastWh && candidate.wh <= plausibleGainWh(candidate.tsMs - state.lastTsMs, options);
  const sinceCandidateWh = Math.max(0, counterWh - candidate.wh);
  const energyWh = (restarted ? candidate.wh : 0) + sinceCandidateWh;
  const isGap = tsMs - candidate.tsMs > options.gapMs || (restarted && candidate.tsMs - state.lastTsMs > options.gapMs);
  const step: CounterStep = {
    fromMs: restarted && candidate.wh > 0 ? state.lastTsMs : candidate.tsMs,
    toMs: tsMs,
    energyWh,
    quality: isGap && energyWh > 0 ? 'estimated' : 'corrected',
    event: restarted ? 'reset' : 'replaced',
  };
  const fell = candidate.wh < state.lastWh;
  const before = { tsMs: state.lastTsMs, wh: state.lastWh, countedWh: energyWh };
  rebase(state, tsMs, Math.max(counterWh, candidate.wh));
  if (fell) state.before = before;
  else delete state.before;
  state.epoch += 1;
  return step;
}

function rebase(state: CounterState, tsMs: number, counterWh: number): void {
  state.lastTsMs = tsMs;
  state.lastWh = counterWh;
  state.changedTsMs = tsMs;
  delete state.candidate;
}
