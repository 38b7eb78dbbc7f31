/** A value of the past and how much it says of what is to come. */
export interface Weighted {
  value: number;
  weight: number;
}

/** The tenth, the half and nine tenths of what may come. */
export interface Range {
  p10: number;
  p50: number;
  p90: number;
}

const TAIL = 0.1;

/**
 * The range that holds a further value of the same kind in eight of ten cases, from weighted values of the past: order statistics at k / (n + 1),
 * which is right for any distribution of values in any order (Wilks 1941), carried over to weights by cumulated weight over the whole
 * with one more value of their mean weight (Tibshirani et al. 2019).
 *
 * @param values at least nine of equal weight for both ends to lie within them; else an end is the outermost value.
 */
export function weightedRange(values: readonly Weighted[]): Range {
  const sorted = values.filter(({ weight }) => weight > 0).sort((one, other) => one.value - other.value);
  const whole = sorted.reduce((sum, { weight }) => sum + weight, 0);
  // What a value of these weighs on average, seen by weight: the further value counts as one of them.
  const further = sorted.reduce((sum, { weight }) => sum + weight * weight, 0) / (whole || 1);
  const at = (share: number) => valueAt(sorted, share * (whole + further), further);
  return { p10: at(TAIL), p50: at(0.5), p90: at(1 - TAIL) };
}

/** Where the cumulated weight reaches a mark, straight between two values; the further value's weight is half before and half behind. */
function valueAt(sorted: readonly Weighted[], mark: number, further: number): number {
  let reached = further / 2;
  let before: { value: number; at: number } | undefined;
  for (const { value, weight } of sorted) {
    const at = reached + weight / 2;
    if (at >= mark) {
      if (before === undefined) return value;
      return before.value + ((value - before.value) * (mark - before.at)) / (at - before.at || 1);
    }
    before = { value, at };
    reached += weight;
  }
  return sorted.at(-1)?.value ?? Number.NaN;
}
