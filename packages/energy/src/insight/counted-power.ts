import { crediblePvW, type IsDark, mostPvW, type Nameplate } from './credible-power.ts';
import { BUCKET_HOURS } from './plant-day.ts';
import { medianOf } from './statistics.ts';

/** What the counters of a plant say of a span, by bucket. */
export interface CountedEnergy {
  /** PV energy that was accounted, Wh; NaN = not known. */
  energyWh: Float64Array;
  /** 1 where it comes of counters alone: neither integrated from a power, nor spread, nor set by hand. */
  isFirm: Uint8Array;
  /** 1 where it is estimated: then it says nothing that the power does not. */
  isEstimated: Uint8Array;
}

export interface PvTold {
  /** Mean PV power per bucket at the AC bus, W; NaN = not known. */
  powerW: Float64Array;
  nameplate: Nameplate;
  /** null = no counters. */
  counted: CountedEnergy | null;
  isDark?: IsDark;
}

/** Told power and counted energy of the same buckets that do not go together, Wh. */
export interface Contradiction {
  toldWh: number;
  /** By counters, else by what the plant can give. */
  countedWh: number;
}

/** PV power that can be believed. */
export interface BelievedPv {
  /** Mean PV power per bucket at the AC bus, W, never below 0; NaN where it is not known or was left out. */
  powerW: Float64Array;
  /** The most that the plant can give, W; Infinity where nothing is known of it. */
  mostW: number;
  /** 1 where a told value was left out. */
  leftOut: Uint8Array;
  /** Energy by the counters, brought to the AC bus, Wh; null where they do not tell all of the span. */
  countedWh: number | null;
  /** Counted energy over that of the power that is believed, of the buckets of which both are known; 1 where nothing contradicts. */
  countedShare: number;
  contradiction: Contradiction | null;
}

/**
 * Power is measured at the AC bus, behind a conversion loss of at most a fifth; counters of arrays before it. Together with what trapezoids
 * between samples are wrong by, they go together within these shares.
 */
const MOST_SHARE = 1.15;
const LEAST_SHARE = 0.75;
/** Counters go in whole kWh. */
const STEP_WH = 1_000;
/** ... and lag by some minutes; of a day in which they are known to contradict, less is granted to each hour. */
const LAG_HOURS = 0.1;
const LAG_OF_HOUR = 0.025;
/** Of a span's energy: what may be estimated where the counters are taken to tell all of it. */
const ESTIMATED_SHARE = 0.02;
/** Shorter than a lag, a counter says nothing of the power. */
const WINDOW_BUCKETS = 12;
/** PVWatts v5 (Dobos, NREL/TP-6A20-62641): nominal efficiency of an inverter. */
const EFFICIENCY = 0.96;
const LEAST_EFFICIENCY = 0.8;

interface Sums {
  toldWh: number;
  countedWh: number;
}

type Test = (sums: Sums, lagHours?: number) => boolean;

/**
 * PV power of a span without what cannot be: held against the nameplate, and against the counters of the same buckets. Where power and counters
 * contradict each other, the counters hold, and the power is left out in the hours in which it does (in all, where no hour stands out).
 * A nameplate that the counters contradict is wrong itself: then the power holds.
 */
export function believedPv({ powerW: told, nameplate, counted, isDark }: PvTold): BelievedPv {
  const nameplateW = mostPvW(nameplate);
  const sizeW = Number.isFinite(nameplateW) ? nameplateW : 0;
  const isOff: Test = ({ toldWh, countedWh }, lagHours = LAG_HOURS) => {
    const floorWh = STEP_WH + lagHours * sizeW;
    return toldWh > MOST_SHARE * countedWh + floorWh || toldWh < LEAST_SHARE * countedWh - floorWh;
  };
  const bounded = crediblePvW(told, nameplateW, isDark);
  const finite = crediblePvW(told, Number.POSITIVE_INFINITY);
  const isNameplateWrong =
    counted !== null && isOff(sumsOf(bounded, counted, told)) && !isOff(sumsOf(finite, counted, told));
  const mostW = isNameplateWrong ? Number.POSITIVE_INFINITY : nameplateW;
  const powerW = isNameplateWrong ? finite : bounded;
  if (counted !== null && isOff(sumsOf(powerW, counted))) leaveOut(powerW, counted, isOff);
  const sums = contradictionOf(finite, counted, bounded);
  const contradiction = isOff(sums) ? sums : null;
  const efficiency = counted === null ? EFFICIENCY : efficiencyOf(counted, powerW, contradiction === null);
  return {
    powerW,
    mostW,
    leftOut: Uint8Array.from(told, (watts, at) => Number(!Number.isNaN(watts) && Number.isNaN(powerW[at]))),
    countedWh: counted === null ? null : wholeOf(counted, powerW, efficiency),
    countedShare: counted === null || contradiction === null ? 1 : shareOf(counted, powerW, efficiency),
    contradiction,
  };
}

/** Sums over the buckets of which the counters alone tell and a power is known; of `known` one that is left out counts as 0. */
function sumsOf(
  powerW: Float64Array,
  { energyWh, isFirm }: CountedEnergy,
  known = powerW,
  from = 0,
  to = powerW.length,
): Sums {
  const sums = { toldWh: 0, countedWh: 0 };
  for (let at = from; at < to; at += 1) {
    const wh = energyWh[at] as number;
    if (isFirm[at] === 0 || Number.isNaN(wh) || Number.isNaN(known[at])) continue;
    const watts = powerW[at] as number;
    if (!Number.isNaN(watts)) sums.toldWh += watts * BUCKET_HOURS;
    sums.countedWh += wh;
  }
  return sums;
}

/** Makes unknown what contradicts the counters. */
function leaveOut(powerW: Float64Array, counted: CountedEnergy, isOff: Test): void {
  for (let from = 0; from < powerW.length; from += WINDOW_BUCKETS) {
    const to = Math.min(powerW.length, from + WINDOW_BUCKETS);
    if (isOff(sumsOf(powerW, counted, powerW, from, to), LAG_OF_HOUR)) powerW.fill(Number.NaN, from, to);
  }
  if (isOff(sumsOf(powerW, counted))) powerW.fill(Number.NaN);
}

function contradictionOf(finite: Float64Array, counted: CountedEnergy | null, bounded: Float64Array): Contradiction {
  let toldWh = 0;
  let countedWh = 0;
  for (const [at, watts] of finite.entries()) {
    if (Number.isNaN(watts)) continue;
    const wh = counted?.isFirm[at] === 1 ? (counted.energyWh[at] as number) : Number.NaN;
    toldWh += watts * BUCKET_HOURS;
    countedWh += Number.isNaN(wh) ? (bounded[at] || 0) * BUCKET_HOURS : wh;
  }
  return { toldWh, countedWh };
}

function shareOf(counted: CountedEnergy, powerW: Float64Array, efficiency: number): number {
  const { toldWh, countedWh } = sumsOf(powerW, counted);
  return toldWh > 0 ? (efficiency * countedWh) / toldWh : 1;
}

/** The whole energy by the counters, brought to the AC bus; null where they do not tell all of it. */
function wholeOf(counted: CountedEnergy, powerW: Float64Array, efficiency: number): number | null {
  const { energyWh, isEstimated } = counted;
  let allWh = 0;
  let estimatedWh = 0;
  let known = 0;
  for (const [at, wh] of energyWh.entries()) {
    if (Number.isNaN(wh)) {
      // By night devices sleep; a power without its energy is a counter that is missing.
      if ((powerW[at] as number) > 0) return null;
      continue;
    }
    known += 1;
    allWh += wh;
    if (isEstimated[at] === 1) estimatedWh += wh;
  }
  if (known === 0 || estimatedWh > ESTIMATED_SHARE * allWh) return null;
  return allWh * efficiency;
}

/** What of the counted energy comes to the AC bus: of the whole span, or, where power told wrongly, of most of its hours. */
function efficiencyOf(counted: CountedEnergy, powerW: Float64Array, isSound: boolean): number {
  const length = isSound ? powerW.length : WINDOW_BUCKETS;
  const shares: number[] = [];
  for (let from = 0; from < powerW.length; from += length) {
    const { toldWh, countedWh } = sumsOf(powerW, counted, powerW, from, Math.min(powerW.length, from + length));
    if (countedWh > 0) shares.push(toldWh / countedWh);
  }
  const efficiency = shares.length === 0 ? EFFICIENCY : medianOf(shares);
  return Math.min(1, Math.max(LEAST_EFFICIENCY, efficiency));
}
