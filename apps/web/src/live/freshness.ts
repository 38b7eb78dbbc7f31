export type Freshness = 'none' | 'live' | 'late';

/** Upload intervals after which a value counts as old and shows its age. */
const INTERVALS_UNTIL_LATE = 2;

/**
 * How fresh a value is: without a time there is none; older than two upload intervals it is late. Where values are asked for every
 * so often, they are as old as two of these pauses before something is amiss.
 */
export function freshnessOf(asOfMs: number | null, intervalS: number, nowMs: number, refreshMs = 0): Freshness {
  if (asOfMs === null) return 'none';
  return nowMs - asOfMs > INTERVALS_UNTIL_LATE * Math.max(intervalS * 1_000, refreshMs) ? 'late' : 'live';
}

export const ageMsOf = (asOfMs: number, nowMs: number): number => Math.max(0, nowMs - asOfMs);
