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

/**
 * Marks of several quantities in one number: of the n-th, bit 2n says that some of it is estimated, bit 2n + 1 that some is
 * corrected. The marks of a sum are those of its parts, joined by OR.
 */
export function markOf(quality: Quality, place: number): number {
  return quality === 'measured' ? 0 : (quality === 'estimated' ? 1 : 2) << (2 * place);
}

/** The quality of the n-th quantity of such marks. */
export function qualityAt(marks: number, place: number): Quality {
  const bits = (marks >>> (2 * place)) & 3;
  if (bits === 0) return 'measured';
  return bits === 2 ? 'corrected' : 'estimated';
}
