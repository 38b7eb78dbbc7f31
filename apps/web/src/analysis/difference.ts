import { sampleAt } from './curves.ts';
import type { ShownCurve } from './use-analysis.ts';

/** Less apart is not told in words. */
const LEAST_DIFFERENCE = 0.1;

export interface Difference {
  readonly key: string;
  readonly otherKey: string;
  /** What the one shows of the other, percent. */
  readonly percent: number;
}

/** The biggest difference at a moment between two curves of the same meaning: the one that stays furthest behind the highest. */
export function biggestDifference(curves: readonly ShownCurve[], tsMs: number): Difference | undefined {
  let found: Difference | undefined;
  for (const likeness of new Set(curves.map((curve) => `${curve.likeness} ${curve.unit}`))) {
    const told = curves
      .filter((curve) => `${curve.likeness} ${curve.unit}` === likeness)
      .flatMap((curve) => {
        const sample = sampleAt(curve, tsMs);
        return sample === undefined || sample.value < 0 ? [] : [{ key: curve.key, value: sample.value }];
      })
      .toSorted((one, other) => one.value - other.value);
    const [least, most] = [told[0], told.at(-1)];
    if (least === undefined || most === undefined || most.value <= 0 || told.length < 2) continue;
    const percent = (100 * least.value) / most.value;
    if (percent > 100 * (1 - LEAST_DIFFERENCE) || percent >= (found?.percent ?? 100)) continue;
    found = { key: least.key, otherKey: most.key, percent };
  }
  return found;
}
