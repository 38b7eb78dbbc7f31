import { blindDay } from './blind-day.ts';
import { DayLedger, type StringShare } from './day-ledger.ts';
import { dayLight } from './day-light.ts';
import { arrayPowerW, planeOfDcWm2 } from './expected-power.ts';
import { findShade, findSoiling, type ShadedHours, shadedHours, solarHourOf } from './habit-rules.ts';
import { findClipping, findExportLimit } from './limit-rules.ts';
import type { DayObservation } from './observation.ts';
import { BUCKET_HOURS, BUCKET_MS, type PlantDay } from './plant-day.ts';
import { currentProfile, SOLAR_HOURS } from './profile.ts';
import type { MissingKind, Reason, RuledOut } from './reasons.ts';
import { findSnow } from './snow-rule.ts';
import { findAlarms, findOffline, findStandstill, findWrongMeter, silentExpectedWh } from './standing-rules.ts';
import { findWeakStrings, hasDeadString, observedStrings } from './string-rule.ts';

/**
 * Expected against actual of a plant on a day. Energies in Wh at the AC bus, over the buckets of the day. `null` = not known;
 * `missing` says for want of what. Plain data: all of it can be kept as JSON.
 */
export interface DayInsight {
  dayMs: number;
  /** Where the light is known from; null = not known, and with it nothing that is measured against the weather. */
  source: 'sensor' | 'neighbours' | null;
  /** How many neighbours count, and whether they are near. */
  peers: number;
  basis: 'near' | 'climate' | null;
  /** Under a clear sky, clipped at the rating. */
  clearSkyWh: number | null;
  /** What the inverters could give in the light of the day, in all buckets of the day. */
  expectedWh: number | null;
  /** What the arrays could give if the inverters were large enough. */
  potentialWh: number | null;
  /** What was given in the buckets that were heard. */
  actualWh: number | null;
  /**
   * What the reasons cost, and what is missing beyond the tolerance without one; never below 0, never below the sum of the reasons.
   * Buckets that were not heard count as not lost. Where the light is not known, it is what the reasons cost that are measured on the plant
   * alone, so at least that; null where there is none.
   */
  lossWh: number | null;
  /** Of the loss, what no reason explains. */
  unexplainedWh: number | null;
  /** Expected in buckets that were not heard: what nobody knows of. */
  unknownWh: number | null;
  /** Of the loss, what would have replaced bought energy in its bucket; the rest would have been fed in. null where the grid is not known. */
  lossReplacingImportWh: number | null;
  /** IEC 61724-1: yield over the yield that the plane's irradiance would allow at 25 degC, 0-1.2; null without a sensor or neighbours. */
  performanceRatio: number | null;
  /** Actual energy by size, kWh/kWp; null where less than 95 % of the day's light was heard. */
  specificYield: number | null;
  /**
   * Weighted by expected energy (IEC TS 63019): of what could be given, the part in which every inverter was there to give it. null
   * where the light is not known or 5 % and more of it were not heard.
   */
  availability: number | null;
  /** Buckets with a known PV power, of those with the sun up; 0-1. */
  completeness: number;
  /** The costliest first; those that cost nothing or nobody knows what after them. */
  reasons: Reason[];
  ruledOut: RuledOut[];
  missing: MissingKind[];
  observation: DayObservation;
}

/** What is missing beyond this part of the expected is no chance: by how well the light is known. */
const TOLERANCE = { settled: 0.06, new: 0.1, lowSun: 0.12, climate: 0.25 } as const;
/** Over a day most of what single clouds do evens out. */
const SPREAD_SHARE = 0.7;
const HEARD_SHARE = 0.95;
/** Of a clear day's energy: a darker day, or one that was held back, teaches no ratio. */
const LEAST_RATIO_SHARE = 0.06;
const CLEAR_FROM = 0.65;
const LEAST_HOUR_BUCKETS = 6;
/** Lower suns are hidden by hills and trees of everybody, and models differ. */
const HIGH_SUN_ZENITH_DEG = 66;
/** Where it never stands so high, hours count in which it stands so high of what it does at noon. */
const LOW_SUN_SHARE = 0.55;
/** Of the expected energy of the day: less tells how its mornings are, not how the plant is. */
const LEAST_SEEN_SHARE = 0.6;

/** A day with the workings that only its evidence shows. */
export interface DayWorkings {
  insight: DayInsight;
  /** What the reasons took of each bucket, W at the AC bus; null where place or size are not known. */
  claimedW: Float64Array | null;
  /** Each string that could be held against others; none where fewer than two could. */
  stringShares: readonly StringShare[];
}

/** Expected against actual of a plant-day, and why. Pure: no clock, no state beyond the profile that the day brings along. */
export const dayInsight = (day: PlantDay): DayInsight => dayWorkings(day).insight;

/** The same with how it was come by. */
export function dayWorkings(told: PlantDay): DayWorkings {
  const day = { ...told, profile: currentProfile(told.profile) };
  const { expected } = day;
  if (expected === null) return { insight: blindDay(day), claimedW: null, stringShares: [] };
  const level = day.profile?.level ?? 1;
  const ledger = new DayLedger(day, expected, dayLight(day, expected, level), level);
  const habitual = shadedHours(day.profile);
  findOffline(ledger);
  findAlarms(ledger);
  findSnow(ledger, habitual);
  findStandstill(ledger);
  findClipping(ledger);
  findExportLimit(ledger);
  // A roof that lost a string lacks most at the hours at which it has the sun, as if these were shaded.
  const isStringDead = hasDeadString(ledger);
  const shaded = isStringDead ? undefined : habitual;
  const isStringKnown = findWeakStrings(ledger, shaded);
  const observation = observe(ledger, shaded, isStringDead);
  findShade(ledger, shaded);
  findSoiling(ledger, observation);
  findWrongMeter(ledger);
  const insight = { ...figuresOf(ledger), ...verdictOf(ledger, isStringKnown), observation };
  return { insight, claimedW: ledger.claimedW, stringShares: ledger.stringShares };
}

type Figures = Omit<DayInsight, 'reasons' | 'ruledOut' | 'missing' | 'observation'>;

function figuresOf(ledger: DayLedger): Figures {
  const { day, expected, light, isCompared, count } = ledger;
  let actualW = 0;
  let clearW = 0;
  let potentialW = 0;
  let known = 0;
  let lit = 0;
  let heardClearW = 0;
  for (let at = 0; at < count; at += 1) {
    const isW = ledger.actualW(at);
    const skyW = expected.clearW[at] as number;
    const offeredW = ledger.potentialW[at] as number;
    if (!Number.isNaN(isW)) {
      actualW += isW;
      heardClearW += skyW * (1 - (ledger.silentPart[at] as number));
    }
    if (offeredW > 0) potentialW += offeredW;
    clearW += skyW;
    if (ledger.lit[at] === 0) continue;
    lit += 1;
    if (!Number.isNaN(isW)) known += 1;
  }
  const isHeard = heardClearW >= HEARD_SHARE * clearW;
  const isAnyKnown = day.pvW.some((powerW) => !Number.isNaN(powerW));
  const unexplainedWh = isCompared ? unexplainedOf(ledger) : null;
  const reasonsWh = ledger.reasons.reduce((sum, { lossWh }) => sum + (lossWh ?? 0), 0);
  return {
    dayMs: day.startMs,
    source: light.source === 'own' ? null : light.source,
    peers: light.source === 'neighbours' ? (day.neighbours?.peers ?? 0) : 0,
    basis: light.source === 'neighbours' ? (day.neighbours?.basis ?? null) : null,
    clearSkyWh: clearW * BUCKET_HOURS,
    expectedWh: isCompared ? ledger.expectedWh() : null,
    potentialWh: isCompared ? potentialW * BUCKET_HOURS : null,
    actualWh: isAnyKnown ? actualW * BUCKET_HOURS : null,
    lossWh: known === 0 || (unexplainedWh === null && reasonsWh === 0) ? null : reasonsWh + (unexplainedWh ?? 0),
    unexplainedWh: known === 0 ? null : unexplainedWh,
    unknownWh: isCompared ? silentExpectedWh(ledger) : null,
    lossReplacingImportWh: isCompared || reasonsWh > 0 ? replacingImportOf(ledger, (unexplainedWh ?? 0) > 0) : null,
    performanceRatio: isCompared && known > 0 ? performanceRatioOf(ledger) : null,
    specificYield: isHeard && isAnyKnown ? (actualW * BUCKET_HOURS) / 1000 / expected.kwp : null,
    availability: isCompared && isHeard ? availabilityOf(ledger) : null,
    completeness: lit > 0 ? known / lit : 0,
  };
}

function toleranceOf({ day, light, expected }: DayLedger): number {
  if (light.source === 'neighbours' && day.neighbours?.basis === 'climate') return TOLERANCE.climate;
  const isLow = expected.sky.zenithDeg.every((zenithDeg) => zenithDeg > HIGH_SUN_ZENITH_DEG);
  const least = isLow ? TOLERANCE.lowSun : day.profile?.level == null ? TOLERANCE.new : TOLERANCE.settled;
  return light.source === 'neighbours' ? Math.max(least, SPREAD_SHARE * spreadOf(day.neighbours)) : least;
}

/** Half the width of the neighbours' middle half, over their light: broken clouds make plants differ. */
function spreadOf(neighbours: PlantDay['neighbours']): number {
  let widthSum = 0;
  let lightSum = 0;
  neighbours?.clearness.forEach((light, at) => {
    const width = (neighbours.upper[at] as number) - (neighbours.lower[at] as number);
    if (Number.isNaN(light) || Number.isNaN(width)) return;
    widthSum += width / 2;
    lightSum += light;
  });
  return lightSum > 0 ? widthSum / lightSum : 0;
}

function unexplainedOf(ledger: DayLedger): number {
  let gapW = 0;
  let allW = 0;
  for (let at = 0; at < ledger.count; at += 1) {
    const leftW = ledger.gapW(at);
    if (ledger.lit[at] === 0 || ledger.excluded[at] === 1 || Number.isNaN(leftW)) continue;
    gapW += leftW;
    allW += ledger.expectedW[at] as number;
  }
  return gapW > toleranceOf(ledger) * allW ? gapW * BUCKET_HOURS : 0;
}

/** Of each bucket's loss what was bought in it. */
function replacingImportOf(ledger: DayLedger, isUnexplainedCounted: boolean): number | null {
  if (ledger.reasons.some(({ kind }) => kind === 'meter-wrong')) return null;
  let replacedW = 0;
  let lostW = 0;
  let blindW = 0;
  for (let at = 0; at < ledger.count; at += 1) {
    const claimedW = ledger.claimedW[at] as number;
    const gapW = isUnexplainedCounted && ledger.excluded[at] === 0 ? ledger.gapW(at) : 0;
    const lossW = claimedW + (gapW > 0 ? gapW : 0);
    if (lossW === 0) continue;
    const gridW = ledger.day.gridW[at] as number;
    lostW += lossW;
    if (Number.isNaN(gridW)) blindW += lossW;
    else replacedW += Math.min(lossW, Math.max(0, gridW));
  }
  return blindW > 0.1 * lostW ? null : replacedW * BUCKET_HOURS;
}

/** Over the irradiance as it was measured in the plane of an array; in others, and by neighbours, as it follows from the clearness. */
function performanceRatioOf({ day, expected, light, count, silentPart }: DayLedger): number | null {
  const sensor = light.source === 'sensor' ? day.sensor : null;
  let givenW = 0;
  let lightW = 0;
  for (let at = 0; at < count; at += 1) {
    const isW = day.pvW[at] as number;
    const clearness = light.clearness[at] as number;
    if (Number.isNaN(isW) || Number.isNaN(clearness)) continue;
    givenW += isW;
    expected.model.arrays.forEach(({ ratedW }, array) => {
      const measuredWm2 = sensor?.array === array ? (sensor.planeWm2[at] as number) : Number.NaN;
      const planeWm2 = Number.isNaN(measuredWm2)
        ? planeOfDcWm2(expected, array, arrayPowerW(expected, array, at, clearness))
        : Math.max(0, measuredWm2);
      lightW += ((ratedW * planeWm2) / 1000) * (1 - (silentPart[at] as number));
    });
  }
  return lightW > 0 ? givenW / lightW : null;
}

function availabilityOf(ledger: DayLedger): number | null {
  const allWh = ledger.expectedWh();
  if (!(allWh > 0)) return null;
  let lackW = 0;
  for (let at = 0; at < ledger.count; at += 1) {
    const powerW = ledger.expectedW[at] as number;
    const part = Math.min(1, (ledger.silentPart[at] as number) + (ledger.stoppedPart[at] as number));
    if (powerW > 0) lackW += powerW * part;
  }
  return 1 - (lackW * BUCKET_HOURS) / allWh;
}

function verdictOf(ledger: DayLedger, isStringKnown: boolean): Pick<DayInsight, 'reasons' | 'ruledOut' | 'missing'> {
  const { day, expected } = ledger;
  const missing: MissingKind[] = [];
  const isTold = (series: Float64Array) => ledger.lit.some((isIn, at) => isIn === 1 && !Number.isNaN(series[at]));
  if (!ledger.isCompared) missing.push('reference');
  if (!isTold(day.pvW)) missing.push('power');
  if (day.profile?.level == null) missing.push('history');
  if (!isStringKnown) missing.push('strings');
  if (!isTold(day.gridW)) missing.push('grid');
  if (day.battery !== null && !isTold(day.battery.socPercent)) missing.push('state-of-charge');
  if (expected.model.ratedAcW === null) missing.push('rating');
  if (day.isLimitTold === false && ledger.isCompared && unexplainedOf(ledger) > 0) missing.push('export-limit');
  return {
    reasons: ledger.reasons.toSorted((a, b) => (b.lossWh ?? 0) - (a.lossWh ?? 0) || b.confidence - a.confidence),
    ruledOut: ledger.ruledOut,
    missing,
  };
}

/** What the day teaches: taken before what the plant's past explains is claimed. */
function observe(ledger: DayLedger, shaded: ShadedHours | undefined, isStringDead: boolean): DayObservation {
  const { day, expected, count, lit, excluded } = ledger;
  const noonZenithDeg = Math.min(...expected.sky.zenithDeg);
  const highestZenithDeg = Math.max(HIGH_SUN_ZENITH_DEG, 90 - LOW_SUN_SHARE * (90 - noonZenithDeg));
  const hours = Array.from({ length: SOLAR_HOURS }, () => ({ actualW: 0, expectedW: 0, buckets: 0 }));
  let actualW = 0;
  let expectedW = 0;
  let litW = 0;
  for (let at = 0; at < count; at += 1) {
    if (lit[at] === 0) continue;
    litW += expected.clearW[at] as number;
    const isW = ledger.actualW(at) + (ledger.claimedW[at] as number);
    const wantedW = (ledger.expectedW[at] as number) / ledger.level;
    if (excluded[at] === 1 || (ledger.silentPart[at] as number) > 0 || Number.isNaN(isW) || Number.isNaN(wantedW))
      continue;
    const hour = solarHourOf(day.startMs + at * BUCKET_MS, expected.sky.longitude);
    const clearness = ledger.light.clearness[at] as number;
    const each = hours[hour];
    if (each !== undefined && clearness >= CLEAR_FROM && (expected.sky.zenithDeg[at] as number) < highestZenithDeg) {
      each.actualW += isW;
      each.expectedW += wantedW;
      each.buckets += 1;
    }
    if (shaded?.hours[hour] === 1) continue;
    actualW += isW;
    expectedW += wantedW;
  }
  const seenShare = (expectedW * ledger.level) / Math.max(1e-9, ledger.expectedWh() / BUCKET_HOURS);
  const isEnough = ledger.isCompared && expectedW > LEAST_RATIO_SHARE * litW && seenShare > LEAST_SEEN_SHARE;
  return {
    dayMs: day.startMs,
    ratio: isEnough ? actualW / expectedW : null,
    lightShare: ledger.isCompared && litW > 0 ? ledger.expectedWh() / BUCKET_HOURS / ledger.level / litW : null,
    hourRatios: hours.map((each) =>
      ledger.isCompared && !isStringDead && each.buckets >= LEAST_HOUR_BUCKETS ? each.actualW / each.expectedW : null,
    ),
    isSnow: ledger.reasons.some(({ kind }) => kind === 'snow'),
    ...observedStrings(ledger, shaded),
  };
}
