import { Random } from '../random.ts';
import { medianOf, quantileOfSorted } from './statistics.ts';

/** One day's energy against what it should be. */
export interface NormalisedDay {
  /** Whole days since any fixed day, in the plant's calendar. */
  day: number;
  /** Performance ratio of the day, or actual over expected energy without ageing in the expectation; null = not known. */
  normalised: number | null;
}

export interface Degradation {
  /** Median of the year-on-year changes, share a year: -0.005 = loses 0.5 % a year. */
  perYear: number;
  /** 68.2 % and 95 % confidence intervals of it by bootstrap. */
  low68: number;
  high68: number;
  low95: number;
  high95: number;
  /** Pairs of days that it rests on. */
  pairs: number;
}

export interface DegradationOptions {
  seed: number;
  resamples?: number;
}

/** Days from the first to the last that have to be stored. */
export const LEAST_DEGRADATION_DAYS = 730;
const LEAST_PAIRS = 30;
const YEAR_DAYS = 365;
const RESAMPLES = 1000;
/** A day's figure beyond these is a wrong reading and no weather. */
const PLAUSIBLE = [0.05, 1.5] as const;

/**
 * Change of a plant's yield per year after RdTools' year-on-year method (Jordan, Deline, Kurtz, Kimball & Anderson 2018, IEEE
 * JPV 8(2), 525-531): each day's normalised energy less that of the day a year before, over the median of the first year; of all of
 * them the median, its confidence from the medians of resampled changes. null where fewer than two years are stored, or fewer
 * than 30 pairs of days are known.
 *
 * @param days in any order; of two of the same day the last counts.
 */
export function degradation(
  days: readonly NormalisedDay[],
  { seed, resamples = RESAMPLES }: DegradationOptions,
): Degradation | null {
  const known = knownDays(days);
  const { first, last } = endsOf(known);
  if (!(last - first + 1 >= LEAST_DEGRADATION_DAYS)) return null;
  const ofFirstYear = [...known].filter(([day]) => day < first + YEAR_DAYS).map(([, value]) => value);
  const base = medianOf(ofFirstYear);
  const changes: number[] = [];
  for (const [day, value] of known) {
    const before = known.get(day - YEAR_DAYS);
    if (before !== undefined) changes.push((value - before) / base);
  }
  if (changes.length < LEAST_PAIRS) return null;
  const medians = resampledMedians(changes, seed, resamples);
  return {
    perYear: medianOf(changes),
    low68: quantileOfSorted(medians, 0.159),
    high68: quantileOfSorted(medians, 0.841),
    low95: quantileOfSorted(medians, 0.025),
    high95: quantileOfSorted(medians, 0.975),
    pairs: changes.length,
  };
}

/** Days from the first to the last of which a plausible figure is stored, both included: what `LEAST_DEGRADATION_DAYS` asks for. */
export function storedDays(days: readonly NormalisedDay[]): number {
  const { first, last } = endsOf(knownDays(days));
  return Math.max(0, last - first + 1);
}

function knownDays(days: readonly NormalisedDay[]): Map<number, number> {
  const known = new Map<number, number>();
  for (const { day, normalised } of days) {
    if (normalised !== null && normalised >= PLAUSIBLE[0] && normalised <= PLAUSIBLE[1]) known.set(day, normalised);
  }
  return known;
}

function endsOf(known: ReadonlyMap<number, number>): { first: number; last: number } {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const day of known.keys()) {
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  return { first, last };
}

function resampledMedians(changes: readonly number[], seed: number, resamples: number): Float64Array {
  const random = new Random(seed);
  const sorted = Float64Array.from(changes).sort();
  const draws = new Int32Array(sorted.length);
  const medians = new Float64Array(resamples);
  for (let round = 0; round < resamples; round += 1) {
    // The changes are sorted once: a draw is a count at its rank, and the median is found by counting.
    draws.fill(0);
    for (let draw = 0; draw < sorted.length; draw += 1) {
      const at = random.integer(sorted.length);
      draws[at] = (draws[at] as number) + 1;
    }
    medians[round] = medianOfCounts(sorted, draws);
  }
  return medians.sort();
}

function medianOfCounts(sorted: Float64Array, counts: Int32Array): number {
  const total = sorted.length;
  const low = Math.floor((total - 1) / 2);
  const high = Math.floor(total / 2);
  let seen = 0;
  let lower = Number.NaN;
  for (let at = 0; at < total; at += 1) {
    seen += counts[at] as number;
    if (Number.isNaN(lower) && seen > low) lower = sorted[at] as number;
    if (seen > high) return (lower + (sorted[at] as number)) / 2;
  }
  return lower;
}
