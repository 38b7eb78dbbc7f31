import { LEAST_DAYS, PAST_DAYS } from './own-sky.ts';
import { type Range, weightedRange } from './weighted-range.ts';

/** What a weather forecast let expect of a day, and what came, Wh. */
export interface ForecastPair {
  expectedWh: number;
  cameWh: number;
}

/** Days that the weather of the forecast decides least say nothing by their share. */
const LEAST_EXPECTED_WH = 1;

/** Until its own errors are known: one wide range for all plants, darker days more likely than brighter ones. */
const UNKNOWN: Range = { p10: 0.5, p50: 0.95, p90: 1.3 };

/**
 * The range around what a weather forecast lets expect, Wh, from how far off it was lately; `isLearned` false where too few pairs are known and the range
 * is the wide one for all plants.
 *
 * @param pairs the oldest first.
 */
export function weatherRange(pairs: readonly ForecastPair[], expectedWh: number): Range & { isLearned: boolean } {
  const ratios = pairs
    .filter((pair) => pair.expectedWh >= LEAST_EXPECTED_WH)
    .slice(-PAST_DAYS)
    .map((pair) => ({ value: pair.cameWh / pair.expectedWh, weight: 1 }));
  const isLearned = ratios.length >= LEAST_DAYS;
  const { p10, p50, p90 } = isLearned ? weightedRange(ratios) : UNKNOWN;
  return { p10: p10 * expectedWh, p50: p50 * expectedWh, p90: p90 * expectedWh, isLearned };
}
