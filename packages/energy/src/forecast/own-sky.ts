import type { HourEnergies } from './day-hours.ts';
import { type Range, type Weighted, weightedRange } from './weighted-range.ts';

/** A day of a plant: what its modules would give under a clear sky, and what they gave, each hour, Wh. */
export interface SkyDay {
  clearWh: readonly number[];
  yieldWh: HourEnergies;
}

/** What has come of a day and what the clear sky had for that time and has for the rest, Wh. */
export interface SplitDay {
  clearSoFarWh: number;
  soFarWh: number;
  clearRestWh: number;
}

/** Days of the past that say how bright the next may be. */
export const PAST_DAYS = 42;
/** Without as many there is no range. */
export const LEAST_DAYS = 14;

/** How alike the clearness of two days is that say the same of the next, and how much a wholly different one still says. */
const ALIKE = 0.12;
const ALIKE_REST = 0.15;
const UNLIKE_SAYS = 0.35;
const UNLIKE_REST_SAYS = 0.01;
/** A day weighs half as much after as many days. */
const HALF_LIFE_DAYS = 40;
/** Less of the day's light says nothing of the rest. */
const LEAST_SEEN = 0.08;
/** How much of what today was brighter or duller than a day of the past its rest is moved. */
const MOVED_ALONG = 0.75;
/** No rest is told more narrowly than this share of the clear day, to either side. */
const LEAST_HALF_WIDTH = 0.003;
/** So much of the clear day's light is lost in what nobody told. */
const MOST_UNTOLD = 0.02;

const sumOf = (values: HourEnergies): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** Share of the clear sky's energy that a day gave; null where too much of it is not known, or the sun does not rise. */
export function clearnessOf({ clearWh, yieldWh }: SkyDay): number | null {
  const clear = sumOf(clearWh);
  if (!(clear > 0)) return null;
  const untold = clearWh.reduce((sum, wh, hour) => sum + ((yieldWh[hour] ?? null) === null ? wh : 0), 0);
  return untold / clear > MOST_UNTOLD ? null : sumOf(yieldWh) / clear;
}

const likeness = (one: number, other: number, width: number, floor: number): number =>
  floor + (1 - floor) * Math.exp(-(((one - other) / width) ** 2) / 2);

/** The range of Wh, never below 0. */
const timesWh = (range: Range, wh: number): Range => ({
  p10: Math.max(0, range.p10 * wh),
  p50: Math.max(0, range.p50 * wh),
  p90: Math.max(0, range.p90 * wh),
});

/**
 * What the coming day will give, Wh: its clear sky times the clearness of the last weeks, of which days count more that are younger and that
 * came after one as bright as the day before the coming one.
 *
 * @param clearness of the days before, the oldest first; null = not known.
 * @param before clearness of the day before the coming one, as far as it can be told; null = not known.
 * @returns null with fewer than `LEAST_DAYS` known ones.
 */
export function dayRange(clearness: readonly (number | null)[], before: number | null, clearWh: number): Range | null {
  const past = clearness.slice(-PAST_DAYS);
  const values: Weighted[] = past.flatMap((value, place) => {
    if (value === null) return [];
    const age = 0.5 ** ((past.length - place) / HALF_LIFE_DAYS);
    const day = past[place - 1] ?? null;
    const like = before === null || day === null ? 1 : likeness(day, before, ALIKE, UNLIKE_SAYS);
    return [{ value, weight: age * like }];
  });
  return values.length < LEAST_DAYS ? null : timesWh(weightedRange(values), clearWh);
}

/** A day split after as many hours of it; not a whole number within an hour. */
export function splitAt(day: SkyDay, hours: number): SplitDay & { restWh: number } {
  return splitBy(day, (_, hour) => Math.min(1, Math.max(0, hours - hour)));
}

/** A day split where its clear sky has given a share of the whole. */
function splitAtShare(day: SkyDay, share: number): SplitDay & { restWh: number } {
  const mark = share * sumOf(day.clearWh);
  let reached = 0;
  return splitBy(day, (clearWh) => {
    const part = Math.min(1, Math.max(0, clearWh > 0 ? (mark - reached) / clearWh : 1));
    reached += clearWh;
    return part;
  });
}

function splitBy({ clearWh, yieldWh }: SkyDay, partOf: (clearWh: number, hour: number) => number) {
  let [clearSoFarWh, soFarWh] = [0, 0];
  clearWh.forEach((wh, hour) => {
    const part = partOf(wh, hour);
    clearSoFarWh += part * wh;
    soFarWh += part * (yieldWh[hour] ?? 0);
  });
  return { clearSoFarWh, soFarWh, clearRestWh: sumOf(clearWh) - clearSoFarWh, restWh: sumOf(yieldWh) - soFarWh };
}

/**
 * What the rest of today will still give, Wh: the clear sky of the rest times the clearness that it had on days of the last weeks, split where the
 * sun had given the same share. Days that went as today has so far count most, each moved by a part of what today was brighter or duller.
 *
 * @param past whole days before today, the oldest first.
 * @param yesterday its clearness, which tells what the morning cannot yet.
 * @returns null with fewer than `LEAST_DAYS` days that are known.
 */
export function restRange(past: readonly SkyDay[], today: SplitDay, yesterday: number | null): Range | null {
  const { clearSoFarWh, soFarWh, clearRestWh } = today;
  const wholeWh = clearSoFarWh + clearRestWh;
  const share = clearSoFarWh / wholeWh;
  if (!(share >= LEAST_SEEN)) return dayRange(past.map(clearnessOf), yesterday, clearRestWh);
  const seen = soFarWh / clearSoFarWh;
  const recent = past.slice(-PAST_DAYS);
  const values: Weighted[] = recent.flatMap((day, place) => {
    if (clearnessOf(day) === null) return [];
    const then = splitAtShare(day, share);
    const [had, came] = [then.soFarWh / then.clearSoFarWh, then.restWh / then.clearRestWh];
    if (!Number.isFinite(had) || !Number.isFinite(came)) return [];
    const age = 0.5 ** ((recent.length - place) / HALF_LIFE_DAYS);
    const weight = age * likeness(had, seen, ALIKE_REST, UNLIKE_REST_SAYS);
    return [{ value: Math.max(0, came + MOVED_ALONG * (seen - had)), weight }];
  });
  if (values.length < LEAST_DAYS) return null;
  const { p10, p50, p90 } = timesWh(weightedRange(values), clearRestWh);
  const leastWh = Math.min(LEAST_HALF_WIDTH * wholeWh, clearRestWh);
  return { p10: Math.max(0, Math.min(p10, p50 - leastWh)), p50, p90: Math.max(p90, p50 + leastWh) };
}
