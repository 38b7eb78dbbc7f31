/** One day's energy against what it should be. */
export interface NormalisedDay {
  /** Whole days since any fixed day, in the plant's calendar. */
  day: number;
  /** Actual over expected energy (without ageing in the expectation), or the performance ratio; null = not known. */
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

/**
 * Change of a plant's yield per year after RdTools' year-on-year method (Jordan, Deline, Kurtz, Kimball & Anderson 2018, IEEE JPV 8(2)): each day's normalised
 * energy against that of the day a year before, of all the median, its confidence by bootstrap. null where fewer than two years are
 * stored, or fewer than 30 pairs of days are known.
 */
export declare function degradation(days: readonly NormalisedDay[], options: DegradationOptions): Degradation | null;
