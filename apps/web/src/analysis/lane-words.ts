import { useMemo } from 'react';
import { usePointTexts } from '../devices/point-text.ts';
import { useFormat } from '../format/use-format.ts';
import { powerUnit } from './lanes.ts';
import type { ShownCurve } from './use-analysis.ts';

interface LaneWords {
  /** The unit that stands beside the name of a lane. */
  readonly unitOf: (unit: string) => string;
  /** The bare numbers at its axis. */
  readonly valueLabels: (unit: string, values: readonly number[]) => string[];
}

/** How the lanes of these curves are labelled: powers all in one unit. */
export function useLaneWords(seen: readonly Pick<ShownCurve, 'unit' | 'values'>[]): LaneWords {
  const format = useFormat();
  const texts = usePointTexts();
  const power = useMemo(() => {
    const values = seen.filter(({ unit }) => unit === 'W').map((curve) => powerUnit(curve.values));
    return values.toSorted((one, other) => other.holds - one.holds)[0] ?? powerUnit([]);
  }, [seen]);
  return {
    unitOf: (unit) => (unit === 'W' ? power.unit : texts.value(1, unit).unit || (unit === '%' ? '%' : '')),
    valueLabels: (unit, told) => {
      const values = unit === 'W' ? told.map((value) => value / power.holds) : told;
      const apart = Math.abs((values[1] ?? 1) - (values[0] ?? 0));
      const decimals = [0, 1, 2].find((count) => Math.abs(apart - Number(apart.toFixed(count))) < 1e-6) ?? 3;
      return values.map((value) => format.number(value, decimals));
    },
  };
}
