import {
  type ChargingMode,
  type ChargingReason,
  LEAST_CHARGING_A,
  type PilePhases,
} from '@sonnenwarte/contract/chargers/chargers';

/** What a pile can do, and what its owner allows. */
export interface PileLimits {
  readonly phases: PilePhases;
  readonly mostA: number;
}

/** What the plant has left, by its newest values. */
export interface Surplus {
  /** Of the values. */
  readonly tsMs: number;
  /** What would be sold if the pile took nothing, W; below 0 where the plant buys all the same. */
  readonly freeW: number;
  /** What is bought, W. */
  readonly boughtW: number;
  /** What the pile takes, W. */
  readonly drawnW: number;
}

export interface Conditions {
  readonly nowMs: number;
  readonly mode: ChargingMode;
  readonly isPlugged: boolean;
  readonly isStopped: boolean;
  /** Of scheduled charging: now is one of its times. */
  readonly isInTime: boolean;
  /** Undefined where no values are known that are new enough. */
  readonly surplus: Surplus | undefined;
  /** From a change at the plant until the vehicle has followed it. */
  readonly reactionMs: number;
  /** Piles of the plant that charge by sun: what may be bought is for all of them together. */
  readonly sharers: number;
}

type Phases = 1 | 3;

/** What the control of one pile remembers. */
export interface ControlState {
  /** Current that the vehicle may draw, A; 0: none, the contactor is open. */
  readonly currentA: number;
  readonly phases: Phases;
  /** When the contactor was switched last. */
  readonly switchedMs: number;
  readonly raisedMs: number;
  /** Values of the last minutes, the oldest first. */
  readonly seen: readonly Seen[];
  /** Since when no values are known. */
  readonly blindSinceMs: number | undefined;
}

interface Seen {
  readonly tsMs: number;
  readonly freeW: number;
  /** What was bought for it beyond its least current since the values before, Ws. */
  readonly boughtWs: number;
}

export interface Decision {
  readonly state: ControlState;
  readonly why: ChargingReason;
  /** Until when it lasts at least, where that is known. */
  readonly untilMs: number | undefined;
}

export const CONTROL_EVERY_MS = 30_000;
/** The contactor is switched at most so often, phases with it. */
export const CONTACTOR_MS = 5 * 60_000;
const VOLTAGE_V = 230;
/**
 * No more than 100 W on the mean of any five minutes are bought beyond the least current. It aims at less: between two values more may be
 * bought than either tells.
 */
const WINDOW_MS = 5 * 60_000;
const BOUGHT_WS = 70 * 300;
/** Left over, for a mains voltage above 230 V. */
const RESERVE_W = 60;
/** Sun that has stood for so long starts it, and a shortage as long ends it: a cloud does neither. */
const START_AFTER_MS = 2 * 60_000;
const STOP_AFTER_MS = 3 * 60_000;
const START_MARGIN = 1.1;
/** More is drawn only where it was left over for as long. */
const RAISE_AFTER_MS = 60_000;
const SMALLEST_RAISE_A = 0.5;
/** Three phases pay only where they can be kept. */
const MORE_PHASES_AFTER_MS = 8 * 60_000;
const FEWER_PHASES_AFTER_MS = 2 * 60_000;
/** Without values it goes on at the least current, then not at all. */
const BLIND_MS = 5 * 60_000;
/** Values farther apart say nothing of the time between them. */
const LONGEST_STEP_MS = 60_000;
const REMEMBERED_MS = 10 * 60_000;

export const beginning = (limits: PileLimits, nowMs: number): ControlState => ({
  currentA: 0,
  phases: limits.phases === 'three' ? 3 : 1,
  // It is not known what the pile did until now.
  switchedMs: nowMs,
  raisedMs: nowMs,
  seen: [],
  blindSinceMs: undefined,
});

const powerW = (currentA: number, phases: Phases): number => currentA * VOLTAGE_V * phases;

/** What may be bought until the vehicle has followed, W: whatever falls away at once is. */
const stakeW = (leftWs: number, reactionMs: number): number => Math.max(0, leftWs) / (reactionMs / 1_000);

/** The most that a pile ever draws by sun, W. */
export const mostBySunW = (
  { phases, mostA }: PileLimits,
  { reactionMs, sharers }: Pick<Conditions, 'reactionMs' | 'sharers'>,
): number => {
  const widest: Phases = phases === 'one' ? 1 : 3;
  return Math.min(powerW(mostA, widest), leastPowerW(widest) + stakeW(BOUGHT_WS / sharers, reactionMs));
};

export const leastPowerW = (phases: Phases): number => powerW(LEAST_CHARGING_A, phases);

/** What a vehicle may draw from now on, and why. */
export function controlled(limits: PileLimits, before: ControlState, now: Conditions): Decision {
  const state = remembering(before, now);
  if (now.isStopped) return { ...switched(state, 0, now), why: 'stopped' };
  if (now.mode === 'solar') {
    // Without a vehicle nothing is switched: where it is to begin is asked when one comes.
    return now.isPlugged ? bySun(limits, state, now) : { ...switched(state, 0, now), why: 'noCar' };
  }
  if (now.mode === 'scheduled' && !now.isInTime) return paused({ ...switched(state, 0, now), why: 'outsideTimes' });
  const widest: Phases = limits.phases === 'one' ? 1 : 3;
  const why = !now.isPlugged ? 'noCar' : now.mode === 'fast' ? 'fast' : 'scheduled';
  return paused({ ...switched(state, limits.mostA, now, widest), why });
}

/** A decision that waits for the contactor says so. */
function paused(decision: Decision & { isWaiting?: boolean }): Decision {
  const { isWaiting = false, ...rest } = decision;
  if (!isWaiting) return rest;
  return { ...rest, why: 'contactorPause', untilMs: decision.state.switchedMs + CONTACTOR_MS };
}

function remembering(before: ControlState, { nowMs, surplus }: Conditions): ControlState {
  if (surplus === undefined) return { ...before, blindSinceMs: before.blindSinceMs ?? nowMs };
  const last = before.seen.at(-1);
  if (last !== undefined && surplus.tsMs <= last.tsMs) return { ...before, blindSinceMs: undefined };
  const stepMs = last === undefined ? 0 : Math.min(LONGEST_STEP_MS, surplus.tsMs - last.tsMs);
  const beyondW = Math.max(0, Math.min(surplus.boughtW, surplus.drawnW - leastPowerW(before.phases)));
  return {
    ...before,
    blindSinceMs: undefined,
    seen: [
      ...before.seen.filter(({ tsMs }) => tsMs > surplus.tsMs - REMEMBERED_MS),
      { tsMs: surplus.tsMs, freeW: surplus.freeW, boughtWs: (beyondW * stepMs) / 1_000 },
    ],
  };
}

/** Lets a current be drawn; opens and closes the contactor no more often than it may be. */
function switched(
  state: ControlState,
  currentA: number,
  { nowMs, isPlugged }: Conditions,
  phases: Phases = state.phases,
): { state: ControlState; untilMs: undefined; isWaiting?: boolean } {
  const isOn = state.currentA > 0;
  const phasesStay = phases === state.phases || !isOn;
  if (currentA > 0 === isOn && phasesStay) return { state: { ...state, currentA, phases }, untilMs: undefined };
  // Without a vehicle the contactor is open whatever is offered.
  if (!isPlugged) return { state: { ...state, currentA, phases }, untilMs: undefined };
  if (nowMs - state.switchedMs < CONTACTOR_MS) {
    const kept = isOn ? Math.min(state.currentA, currentA > 0 ? currentA : LEAST_CHARGING_A) : 0;
    return { state: { ...state, currentA: kept }, untilMs: undefined, isWaiting: true };
  }
  // Other phases begin with an open contactor.
  if (!phasesStay) return { state: { ...state, currentA: 0, switchedMs: nowMs }, untilMs: undefined, isWaiting: true };
  return { state: { ...state, currentA, phases, switchedMs: nowMs }, untilMs: undefined };
}

function bySun(limits: PileLimits, state: ControlState, now: Conditions): Decision {
  const { nowMs } = now;
  if (state.blindSinceMs !== undefined) return blind(state, now, state.blindSinceMs);
  return state.currentA > 0 ? following(limits, state, now) : starting(limits, state, nowMs, now);
}

function blind(state: ControlState, now: Conditions, sinceMs: number): Decision {
  const isOver = now.nowMs - sinceMs >= BLIND_MS || state.currentA === 0;
  const next = switched(state, isOver ? 0 : LEAST_CHARGING_A, now);
  return { state: next.state, untilMs: undefined, why: 'unknownSurplus' };
}

function starting(limits: PileLimits, state: ControlState, nowMs: number, now: Conditions): Decision {
  const steadyW = lowest(state, nowMs, START_AFTER_MS);
  const fits = (phases: Phases) => steadyW !== undefined && steadyW >= leastPowerW(phases) * START_MARGIN;
  const options: readonly Phases[] = limits.phases === 'one' ? [1] : limits.phases === 'three' ? [3] : [3, 1];
  const phases = options.find(fits);
  if (phases === undefined) return { state, why: 'waitingForSun', untilMs: undefined };
  const next = switched(state, LEAST_CHARGING_A, now, phases);
  return paused({ ...next, why: 'minimum' });
}

function following(limits: PileLimits, state: ControlState, now: Conditions): Decision {
  const { nowMs, reactionMs, sharers } = now;
  const { phases } = state;
  const leastW = leastPowerW(phases);
  const freeW = state.seen.at(-1)?.freeW ?? 0;
  const isShort = isBelow(state, nowMs, STOP_AFTER_MS, leastW);
  if (isShort && !(limits.phases === 'switching' && phases === 3)) {
    const next = switched(state, 0, now);
    return paused({ ...next, why: 'waitingForSun' });
  }
  if (limits.phases === 'switching' && phases === 3 && isBelow(state, nowMs, FEWER_PHASES_AFTER_MS, leastW))
    return reswitched(state, now);
  // No more is at stake than may still be bought.
  const leftWs = BOUGHT_WS / sharers - boughtWs(state, nowMs);
  const mayW = (w: number) => Math.min(w - RESERVE_W, leastW + stakeW(leftWs, reactionMs));
  const nowA = amperes(mayW(freeW), phases, limits);
  if (limits.phases === 'switching' && phases === 1 && nowA >= limits.mostA) {
    const steadyW = lowest(state, nowMs, MORE_PHASES_AFTER_MS);
    if (steadyW !== undefined && steadyW >= leastPowerW(3) * START_MARGIN) return reswitched(state, now);
  }
  if (nowA < state.currentA) return told({ ...state, currentA: nowA });
  const steadyA = amperes(mayW(lowest(state, nowMs, RAISE_AFTER_MS) ?? 0), phases, limits);
  const isRaised = steadyA >= state.currentA + SMALLEST_RAISE_A && nowMs - state.raisedMs >= CONTROL_EVERY_MS;
  return told(isRaised ? { ...state, currentA: steadyA, raisedMs: nowMs } : state);
}

const told = (state: ControlState): Decision => ({
  state,
  why: state.currentA > LEAST_CHARGING_A ? 'solar' : 'minimum',
  untilMs: undefined,
});

/** Opens the contactor; how many phases it closes for is asked once it may. */
function reswitched(state: ControlState, now: Conditions): Decision {
  const next = switched(state, 0, now);
  if (next.isWaiting === true) return told({ ...state, currentA: LEAST_CHARGING_A });
  return { state: next.state, why: 'switchingPhases', untilMs: next.state.switchedMs + CONTACTOR_MS };
}

/** In tenths of an ampere, as the protocol has them. */
const amperes = (w: number, phases: Phases, { mostA }: PileLimits): number =>
  Math.min(mostA, Math.max(LEAST_CHARGING_A, Math.floor((10 * w) / (VOLTAGE_V * phases)) / 10));

function boughtWs({ seen }: ControlState, nowMs: number): number {
  // What was bought within a step may lie at its end.
  const fromMs = nowMs - WINDOW_MS - LONGEST_STEP_MS;
  return seen.reduce((sum, each) => (each.tsMs > fromMs ? sum + each.boughtWs : sum), 0);
}

/** The least that was free within the last while; undefined where that is not known for all of it. */
function lowest({ seen }: ControlState, nowMs: number, whileMs: number): number | undefined {
  const fromMs = nowMs - whileMs;
  const first = seen[0];
  if (first === undefined || first.tsMs > fromMs + LONGEST_STEP_MS / 2) return undefined;
  const within = seen.filter(({ tsMs }) => tsMs > fromMs);
  return within.length === 0 ? undefined : Math.min(...within.map(({ freeW }) => freeW));
}

/** Whether less was free all through the last while. */
function isBelow({ seen }: ControlState, nowMs: number, whileMs: number, w: number): boolean {
  const fromMs = nowMs - whileMs;
  const [first] = seen;
  if (first === undefined || first.tsMs > fromMs + LONGEST_STEP_MS / 2) return false;
  return seen.every(({ tsMs, freeW }) => tsMs <= fromMs || freeW < w);
}
