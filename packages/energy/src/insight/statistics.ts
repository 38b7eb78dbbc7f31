/** Quantile of ascending numbers, between neighbours by part (type 7 of Hyndman & Fan 1996). NaN of none. */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(sorted.length - 1, below + 1)] as number;
  return low + (high - low) * (place - below);
}

/** Median of numbers in any order; NaN of none. */
export function medianOf(values: readonly number[]): number {
  return quantileOfSorted(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/**
 * Slope of a series by the median of the slopes of all pairs (Theil 1950, Sen 1968), per step; null values are left out. NaN
 * of fewer than two.
 *
 * @param isPair whether two places may be compared; any may without it.
 */
export function medianSlope(
  values: readonly (number | null)[],
  isPair: (start: number, end: number) => boolean = () => true,
): number {
  const slopes: number[] = [];
  values.forEach((from, start) => {
    if (from === null) return;
    for (let end = start + 1; end < values.length; end += 1) {
      const to = values[end] ?? null;
      if (to !== null && isPair(start, end)) slopes.push((to - from) / (end - start));
    }
  });
  return medianOf(slopes);
}

/** Standard deviation by the median distance from a middle (times 1.4826, as of a normal distribution); NaN of none. */
export const robustDeviation = (values: readonly number[], middle = 0): number =>
  1.4826 * medianOf(values.map((value) => Math.abs(value - middle)));
