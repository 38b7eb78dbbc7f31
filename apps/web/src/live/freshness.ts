export type Freshness = 'none' | 'live' | 'late';

/** Upload intervals after which a value counts as old and shows its age. */
const INTERVALS_UNTIL_LATE = 2;

/** How fresh a value is: without a time there is none; older than two upload intervals it is late. */
export function freshnessOf(asOfMs: number | null, intervalS: number, nowMs: number): Freshness {
  if (asOfMs === null) return 'none';
  return nowMs - asOfMs > INTERVALS_UNTIL_LATE * intervalS * 1_000 ? 'late' : 'live';
}

export const ageMsOf = (asOfMs: number, nowMs: number): number => Math.max(0, nowMs - asOfMs);
