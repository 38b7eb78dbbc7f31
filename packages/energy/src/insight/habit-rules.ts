import { type DayLedger, hoursOf } from './day-ledger.ts';
import type { DayObservation } from './observation.ts';
import { BUCKET_HOURS, BUCKET_MS } from './plant-day.ts';
import { type PlantProfile, PROFILE_DAYS, SOLAR_HOURS } from './profile.ts';
import { medianOf, medianSlope, quantileOfSorted, robustDeviation } from './statistics.ts';

const SHADED_SHARE = 0.72;
const LEAST_CLEAR_DAYS = 4;
const LEAST_KNOWN_HOURS = 4;
const SHADE_WORTH_SHARE = 0.02;
/** So long the sun takes from where its hours can be told to the horizon. */
const LOW_SUN_HOURS = 3;
const SOILED_SHARE = 0.955;
const LEAST_TREND_DAYS = 14;
const RECENT_DAYS = 7;
/** Of the whole decline: more in one step is no dirt. */
const STEP_SHARE = 0.75;
const STEP_DAYS = 6;
/** Of days around a trend: two medians of six days differ by that by chance. */
const STEP_DEVIATIONS = 0.75;
/** Over all known days, of the level. */
const LEAST_DECLINE = 0.0275;
/** Of the clear sky's energy: days that differ less are of one kind. */
const LIKE_LIGHT = 0.2;
/** Of a clear day, kWh/kWp. */
const LEAST_CLEAR_YIELD = 2;
/** A slope within so many standard errors is chance. */
const CHANCE_ERRORS = 3;

/** Hour of the day by the sun's mean course, 0-23: 12 begins when it stands highest. */
export function solarHourOf(tsMs: number, longitude: number): number {
  const hour = Math.floor(tsMs / 3_600_000 + longitude / 15) % SOLAR_HOURS;
  return (hour + SOLAR_HOURS) % SOLAR_HOURS;
}

export interface ShadedHours {
  /** 1 for each hour of the sun that is shaded. */
  hours: Uint8Array;
  share: number;
  clearDays: number;
  /** Weakest hour against the others, whether shaded or not. */
  least: number;
}

/** Hours at which clear days give less than the other hours do; undefined where too little is known of them. */
export function shadedHours(profile: PlantProfile | null): ShadedHours | undefined {
  if (profile === null) return undefined;
  const medians = profile.hourRatios.map((ratios) =>
    ratios.length >= LEAST_CLEAR_DAYS ? medianOf(ratios) : Number.NaN,
  );
  const known = medians.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b);
  if (known.length < LEAST_KNOWN_HOURS) return undefined;
  const usual = quantileOfSorted(known, 0.7);
  const hours = Uint8Array.from(medians, (value) => (value < SHADED_SHARE * usual ? 1 : 0));
  const shaded = medians.filter((_, hour) => hours[hour] === 1);
  // Where most hours are weak it is not the hours.
  if (shaded.length > known.length / 2) hours.fill(0);
  else reachLowSun(hours, medians);
  return {
    hours,
    share: shaded.length === 0 ? 1 : shaded.reduce((sum, each) => sum + each, 0) / shaded.length / usual,
    clearDays: Math.max(0, ...profile.hourRatios.filter((_, hour) => hours[hour] === 1).map((each) => each.length)),
    least: (known[0] as number) / usual,
  };
}

/** What stands before the sun in the last hour in which it can be told stands there when it is lower too; the same of the first. */
function reachLowSun(hours: Uint8Array, medians: readonly number[]): void {
  const first = medians.findIndex((each) => !Number.isNaN(each));
  const last = medians.findLastIndex((each) => !Number.isNaN(each));
  if (hours[first] === 1) hours.fill(1, Math.max(0, first - LOW_SUN_HOURS), first);
  if (hours[last] === 1) hours.fill(1, last + 1, last + 1 + LOW_SUN_HOURS);
}

/** Less at the same hours of clear days than at the others. */
export function findShade(ledger: DayLedger, shaded: ShadedHours | undefined): void {
  if (!ledger.isCompared || shaded === undefined) return;
  const { day, count, lit, excluded, expected } = ledger;
  const mask = new Uint8Array(count);
  let sumW = 0;
  let first = SOLAR_HOURS;
  let last = 0;
  for (let at = 0; at < count; at += 1) {
    const hour = solarHourOf(day.startMs + at * BUCKET_MS, expected.sky.longitude);
    if (shaded.hours[hour] === 0 || lit[at] === 0 || excluded[at] === 1 || Number.isNaN(day.pvW[at])) continue;
    const gapW = ledger.gapW(at);
    if (!(gapW > 0.05 * (ledger.expectedW[at] as number))) continue;
    sumW += ledger.claim(at, gapW);
    mask[at] = 1;
    first = Math.min(first, hour);
    last = Math.max(last, hour);
  }
  const lossWh = sumW * BUCKET_HOURS;
  if (lossWh < SHADE_WORTH_SHARE * ledger.expectedWh() || hoursOf(mask) < 0.5) {
    ledger.ruledOut.push({ kind: 'shade', measure: 'hour-share', value: shaded.least, bound: SHADED_SHARE });
    return;
  }
  ledger.reasons.push({
    kind: 'shade',
    lossWh,
    spans: ledger.spansOf(mask, 6),
    confidence: 0.7,
    evidence: { fromSolarHour: first, toSolarHour: last + 1, share: shaded.share, clearDays: shaded.clearDays },
  });
}

/** A slow decline over weeks at all hours, no step. */
export function findSoiling(ledger: DayLedger, { ratio, lightShare = null }: DayObservation): void {
  const { profile } = ledger.day;
  if (!ledger.isCompared || profile === null || profile.level === null) return;
  const ratios = [...profile.dayRatios, ratio].slice(-PROFILE_DAYS);
  const lights = [...profile.dayLights, lightShare].slice(-PROFILE_DAYS);
  const known = ratios.filter((each) => each !== null);
  if (known.length < LEAST_TREND_DAYS || !isWellLit(ledger)) return;
  const recent = medianOf(known.slice(-RECENT_DAYS));
  const share = recent / profile.level;
  const slope = slopeInLikeLight(ratios, lights);
  const perDay = slope / profile.level;
  const deviation = deviationFrom(ratios, slope);
  // Standard error of a slope over n equal steps: deviation * sqrt(12 / n^3).
  const chance = CHANCE_ERRORS * deviation * Math.sqrt(12 / known.length);
  const isFalling = -slope * known.length > Math.max(LEAST_DECLINE * profile.level, chance);
  if (!(share < SOILED_SHARE) || !isFalling || isStep(known, deviation)) {
    ledger.ruledOut.push({ kind: 'soiling', measure: 'trend', value: share, bound: SOILED_SHARE });
    return;
  }
  const { count, lit, excluded } = ledger;
  const mask = new Uint8Array(count);
  let sumW = 0;
  // The day as the trend has it today, not as chance does.
  const todayShare = Math.min(1, share + perDay * ((RECENT_DAYS - 1) / 2));
  for (let at = 0; at < count; at += 1) {
    const powerW = (ledger.expectedW[at] as number) * (1 - (ledger.silentPart[at] as number));
    if (lit[at] === 0 || excluded[at] === 1 || !(powerW > 0)) continue;
    mask[at] = 1;
    sumW += ledger.claimWhole(at, powerW * (1 - todayShare));
  }
  ledger.reasons.push({
    kind: 'soiling',
    lossWh: sumW * BUCKET_HOURS,
    spans: ledger.spansOf(mask, 12),
    confidence: 0.7,
    evidence: { share: todayShare, perDay, days: known.length },
  });
}

/** A roof of which the sun has little is modelled the worse, and by another error each week as the year goes on. */
function isWellLit({ expected: { clearW, kwp } }: DayLedger): boolean {
  const clearKwh = (clearW.reduce((sum, powerW) => sum + powerW, 0) * BUCKET_HOURS) / 1000;
  return clearKwh >= LEAST_CLEAR_YIELD * kwp;
}

/** Dirt takes the same of any light, while what a model gets wrong of a plane differs: days are held against days of their kind. */
function slopeInLikeLight(ratios: readonly (number | null)[], lights: readonly (number | null)[]): number {
  return medianSlope(ratios, (start, end) => {
    const [from, to] = [lights[start] ?? null, lights[end] ?? null];
    return from === null || to === null || Math.abs(from - to) < LIKE_LIGHT;
  });
}

/** How far days lie from a trend. */
function deviationFrom(ratios: readonly (number | null)[], slope: number): number {
  const left = ratios.flatMap((ratio, at) => (ratio === null ? [] : [ratio - slope * at]));
  return robustDeviation(left, medianOf(left));
}

/** Whether most of the decline lies between two neighbouring groups of days, beyond what the scatter of days makes of it. */
function isStep(known: readonly number[], deviation: number): boolean {
  const groups: number[] = [];
  for (let end = known.length; end >= STEP_DAYS; end -= STEP_DAYS)
    groups.unshift(medianOf(known.slice(end - STEP_DAYS, end)));
  const decline = (groups[0] as number) - (groups.at(-1) as number);
  const steps = groups.slice(1).map((value, index) => (groups[index] as number) - value);
  return Math.max(...steps) - STEP_DEVIATIONS * deviation > STEP_SHARE * decline;
}
