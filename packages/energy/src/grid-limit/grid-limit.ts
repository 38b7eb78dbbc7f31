import { filled } from './filled.ts';

/** An inverter behind the grid point whose output a controller may limit. Powers in W at its AC terminals. */
export interface LimitedUnit {
  readonly id: string;
  readonly ratedW: number;
  /** What it gives now; below 0 where it takes. */
  readonly outputW: number;
  /** Its limit in force; `null` where it is free. */
  readonly limitW: number | null;
  /** Limits are set in whole steps of it. */
  readonly stepW: number;
}

export interface GridPoint {
  /** + bought, - sold; `undefined` where nobody measures it, or its newest value is too old. */
  readonly gridW: number | undefined;
  /** What is used behind it, where that is not what `gridW` and the outputs of the units add up to, as they are not of one moment. */
  readonly load?: LoadSeen;
  /** Most that may be sold, W. */
  readonly exportLimitW: number;
}

/** What is used behind a grid point, W. */
export interface LoadSeen {
  /** Limits that are above it, with what may be sold, are lowered. */
  readonly nowW: number;
  /** Limits are raised no further than it bears; `undefined` where they are not raised at all. */
  readonly leastW: number | undefined;
}

/**
 * Why limits are as they are. `free`: nothing needs to be limited. `held`: those in force do. `lowered`: more could be sold than may be. `raised`: there
 * is room for more. `shared`: what one cannot use goes to the others. `blind`: without a measured grid power no more may be given than may be sold.
 */
export type LimitReason = 'free' | 'held' | 'lowered' | 'raised' | 'shared' | 'blind';

export interface LimitDecision {
  readonly reason: LimitReason;
  /** What the units together may give at most, W. */
  readonly capW: number;
  /** By unit; `null` is free. The same as before where the reason is `held`. */
  readonly limits: ReadonlyMap<string, number | null>;
}

/** Kept below the limit, for the error of meters: share of the limit. */
const MARGIN = 0.01;
/** More is let through only where it is worth a command: share of what is rated. */
const WORTH = 0.02;
/** A unit that gives less than this share of its limit is limited by the sun. */
const USED = 0.95;
/** Left to such a unit beyond what it gives: share of its rating. */
const RESERVE = 0.1;

/**
 * Divides what may be sold at a grid point among the inverters behind it. Since `grid = load - output`, outputs that together stay below
 * `load + limit` cannot sell more than the limit, whatever clouds do; the limits never add up to more. Only where the load falls is more sold, until
 * the next decision. What a unit cannot use for want of sun goes to the others.
 */
export function dividedLimits({ gridW, load, exportLimitW }: GridPoint, units: readonly LimitedUnit[]): LimitDecision {
  const ratedW = sumOf(units, (unit) => unit.ratedW);
  const inForceW = sumOf(units, limitInForce);
  const targetW = exportLimitW * (1 - MARGIN);
  if (gridW === undefined) return decision('blind', targetW, units);
  const addedW = gridW + sumOf(units, (unit) => unit.outputW);
  const { nowW, leastW } = load ?? { nowW: addedW, leastW: addedW };
  const capW = Math.max(0, targetW + nowW);
  if (inForceW > capW && capW < ratedW) return decision('lowered', capW, units);
  const mayRaiseToW = leastW === undefined ? inForceW : Math.min(capW, Math.max(0, targetW + leastW));
  if (mayRaiseToW >= ratedW) {
    const limits = new Map(units.map((unit) => [unit.id, null]));
    return { reason: units.every((unit) => unit.limitW === null) ? 'held' : 'free', capW, limits };
  }
  if (mayRaiseToW - inForceW >= WORTH * ratedW) return decision('raised', mayRaiseToW, units);
  if (leastW !== undefined && couldShare(units, ratedW)) {
    return decision('shared', Math.max(inForceW, mayRaiseToW), units);
  }
  return { reason: 'held', capW, limits: new Map(units.map((unit) => [unit.id, unit.limitW])) };
}

function decision(reason: LimitReason, capW: number, units: readonly LimitedUnit[]): LimitDecision {
  const limits = inSteps(divided(capW, units), capW, units);
  const isSame = units.every((unit) => limits.get(unit.id) === unit.limitW);
  return { reason: isSame && reason !== 'blind' ? 'held' : reason, capW, limits };
}

/** Whether one unit could give more while another does not use what it may. */
function couldShare(units: readonly LimitedUnit[], ratedW: number): boolean {
  const unusedW = sumOf(units, (unit) => Math.max(0, limitInForce(unit) - wantedW(unit)));
  const isOneFull = units.some((unit) => isAtLimit(unit) && limitInForce(unit) < unit.ratedW);
  return isOneFull && unusedW >= 2 * WORTH * ratedW;
}

const limitInForce = (unit: LimitedUnit): number => Math.min(unit.ratedW, unit.limitW ?? unit.ratedW);
const isAtLimit = (unit: LimitedUnit): boolean => unit.outputW >= USED * limitInForce(unit);
const wantedW = (unit: LimitedUnit): number =>
  isAtLimit(unit) ? unit.ratedW : Math.min(unit.ratedW, Math.max(0, unit.outputW) + RESERVE * unit.ratedW);

/** First what each can use, in proportion to the ratings; then the rest, to all. */
function divided(capW: number, units: readonly LimitedUnit[]): number[] {
  const ratings = units.map((unit) => unit.ratedW);
  const given = filled(capW, ratings, units.map(wantedW));
  const restW = capW - sumOf(given, (w) => w);
  const room = units.map((unit, place) => unit.ratedW - (given[place] ?? 0));
  const more = filled(restW, ratings, room);
  return given.map((w, place) => w + (more[place] ?? 0));
}

/** Whole steps whose sum stays below the cap: what is cut off goes to those from whom most was cut. */
function inSteps(shares: readonly number[], capW: number, units: readonly LimitedUnit[]): Map<string, number | null> {
  const whole = units.map((unit, place) => Math.floor((shares[place] ?? 0) / unit.stepW + 1e-9) * unit.stepW);
  let leftW = capW - sumOf(whole, (w) => w);
  const byCut = units
    .map((_, place) => place)
    .sort((a, b) => (shares[b] ?? 0) - (whole[b] ?? 0) - ((shares[a] ?? 0) - (whole[a] ?? 0)) || a - b);
  for (const place of byCut) {
    const unit = units[place];
    const w = whole[place] ?? 0;
    if (unit === undefined || unit.stepW > leftW || w + unit.stepW > unit.ratedW) continue;
    whole[place] = w + unit.stepW;
    leftW -= unit.stepW;
  }
  return new Map(
    units.map((unit, place) => [unit.id, (whole[place] ?? 0) >= unit.ratedW ? null : (whole[place] ?? 0)]),
  );
}

const sumOf = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((sum, each) => sum + of(each), 0);
