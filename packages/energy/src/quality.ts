/**
 * How a figure came about, best first:
 * `measured` straight from a counter; `corrected` from a counter whose series was joined (wrap, reset, replacement,
 * discarded spike); `estimated` integrated from power, spread over a gap, or derived from the balance.
 */
export type Quality = 'measured' | 'corrected' | 'estimated';

export const QUALITIES: readonly Quality[] = ['measured', 'corrected', 'estimated'];

const RANK: Record<Quality, number> = { measured: 0, corrected: 1, estimated: 2 };

/** The worse of two qualities. */
export function worseQuality(a: Quality, b: Quality): Quality {
  return RANK[a] >= RANK[b] ? a : b;
}
