import type { series } from '@sonnenwarte/contract/analysis/analysis';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { zoneOffsetMinutes } from '../format/dates.ts';

export type Series = Result<typeof series>;

/** A curve by its samples, in the order of time. A value that is null breaks it. */
export interface CurveData {
  readonly timesMs: readonly number[];
  readonly values: readonly (number | null)[];
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The moments of an answer's lists of times. */
export const timesOf = ({ times }: Pick<Series, 'times'>): number[][] =>
  times.map((list) => {
    const moments = list.slice();
    for (let place = 1; place < moments.length; place += 1)
      moments[place] = (moments[place - 1] ?? 0) + (moments[place] ?? 0);
    return moments;
  });

/** What a clock shows, as if it were UTC. */
const wallMs = (tsMs: number, timeZone: string): number => tsMs + zoneOffsetMinutes(tsMs, timeZone) * MINUTE_MS;

/** The moment at which a clock shows it; in the hour that comes twice the first, in the one that is left out the one after. */
export function momentOf(shownMs: number, timeZone: string): number {
  const guess = shownMs - zoneOffsetMinutes(shownMs - DAY_MS, timeZone) * MINUTE_MS;
  return wallMs(guess, timeZone) === shownMs ? guess : shownMs - zoneOffsetMinutes(guess, timeZone) * MINUTE_MS;
}

/** A moment so many days on, at which the clock shows the same time. */
export const daysOn = (tsMs: number, days: number, timeZone: string): number =>
  momentOf(wallMs(tsMs, timeZone) + days * DAY_MS, timeZone);

const QUARTER_MS = 900_000;

/**
 * Lays curves upon another time: each sample where the one clock shows, so many days later, what the other showed. What a clock leaves out or shows
 * twice on one of the days would lie upon each other; only what goes on in time is kept.
 */
export function layingUpon(days: number, from: string, to: string): (curve: CurveData) => CurveData {
  // Clocks are changed at full quarters of an hour: within one the shift is the same, for all curves.
  const shifts = new Map<number, number>();
  const shiftOf = (tsMs: number): number => {
    const quarter = Math.floor(tsMs / QUARTER_MS);
    const known = shifts.get(quarter);
    if (known !== undefined) return known;
    const startMs = quarter * QUARTER_MS;
    const shiftMs = momentOf(wallMs(startMs, from) + days * DAY_MS, to) - startMs;
    shifts.set(quarter, shiftMs);
    return shiftMs;
  };
  return ({ timesMs, values }) => {
    const times: number[] = [];
    const kept: (number | null)[] = [];
    for (const [at, tsMs] of timesMs.entries()) {
      const shown = tsMs + shiftOf(tsMs);
      if (shown <= (times.at(-1) ?? Number.NEGATIVE_INFINITY)) continue;
      times.push(shown);
      kept.push(values[at] ?? null);
    }
    return { timesMs: times, values: kept };
  };
}

/** Place of the last moment that is not after another, -1 before the first. */
export function placeAt(timesMs: readonly number[], tsMs: number): number {
  let low = 0;
  let high = timesMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesMs[middle] ?? 0) <= tsMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What a curve told last is what it shows for so long. */
const LASTS_MS = 300_000;

/** The sample that a curve shows at a moment: the nearest one, none within a gap, before the first or long after the last. */
export function sampleAt({ timesMs, values }: CurveData, tsMs: number): { tsMs: number; value: number } | undefined {
  const before = placeAt(timesMs, tsMs);
  const sample = (place: number) => {
    const [at, value] = [timesMs[place], values[place]];
    return at === undefined || value === null || value === undefined ? undefined : { tsMs: at, value };
  };
  const [one, other] = [sample(before), sample(before + 1)];
  if (one?.tsMs === tsMs) return one;
  if (one !== undefined && before === timesMs.length - 1) return tsMs - one.tsMs <= LASTS_MS ? one : undefined;
  if (one === undefined || other === undefined) return undefined;
  return tsMs - one.tsMs <= other.tsMs - tsMs ? one : other;
}

/** The next moment of any curve after another (or before it) within a span. */
export function nextSample(curves: readonly CurveData[], tsMs: number, by: 1 | -1): number | undefined {
  let found: number | undefined;
  for (const { timesMs, values } of curves) {
    let place = by > 0 ? placeAt(timesMs, tsMs) + 1 : placeAt(timesMs, tsMs - 1);
    while (values[place] === null) place += by;
    const at = timesMs[place];
    if (at !== undefined && (found === undefined || by * (at - found) < 0)) found = at;
  }
  return found;
}

interface Aligned {
  readonly timesMs: readonly number[];
  readonly values: readonly (readonly (number | null | undefined)[])[];
}

/** Columns of a chart that draws curves of different times: what a curve does not tell of a moment is undefined, and drawn across. */
export function aligned(curves: readonly CurveData[]): Aligned {
  const [first] = curves;
  if (first === undefined) return { timesMs: [], values: [] };
  if (curves.every(({ timesMs }) => timesMs === first.timesMs))
    return { timesMs: first.timesMs, values: curves.map(({ values }) => values) };
  const timesMs = merged(curves.map((curve) => curve.timesMs));
  return {
    timesMs,
    values: curves.map((curve) => {
      const column = new Array<number | null | undefined>(timesMs.length).fill(undefined);
      let place = 0;
      for (const [at, tsMs] of curve.timesMs.entries()) {
        while ((timesMs[place] ?? tsMs) < tsMs) place += 1;
        column[place] = curve.values[at] ?? null;
      }
      return column;
    }),
  };
}

/** All moments of ordered lists, each once. */
function merged(lists: readonly (readonly number[])[]): number[] {
  const distinct = [...new Set(lists)];
  const total = distinct.reduce((sum, list) => sum + list.length, 0);
  const all = new Float64Array(total);
  let at = 0;
  for (const list of distinct) {
    all.set(list, at);
    at += list.length;
  }
  all.sort();
  const once: number[] = [];
  for (const tsMs of all) if (tsMs !== once.at(-1)) once.push(tsMs);
  return once;
}
