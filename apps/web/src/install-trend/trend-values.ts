import type { Result } from '@sonnenwarte/contract/endpoint';
import type { trend } from '@sonnenwarte/contract/install-trend/install-trend';
import { roundSplits } from '../charts/bar-geometry.ts';

export type Trend = Result<typeof trend>;
type Group = Trend['groups'][number];
export const measures = ['plants', 'kwp'] as const;
export type Measure = (typeof measures)[number];

const colours = ['var(--grid)', 'var(--pv)', 'var(--load)', 'var(--battery)', 'var(--charger)', 'var(--external)'];

/** A colour for each group, that of the others without a hue. */
export const groupColours = (groups: readonly Group[]): string[] =>
  groups.map(({ group }, index) => (group === null ? 'var(--off)' : (colours[index] ?? 'var(--off)')));

export const valuesOf = (group: Group, measure: Measure): readonly number[] => group[measure];

/** All that there were at the end of each month. */
export function cumulated({ months, groups, before }: Trend, measure: Measure): number[] {
  let sum = before[measure];
  return months.map((_, month) => {
    sum += groups.reduce((all, group) => all + (valuesOf(group, measure)[month] ?? 0), 0);
    return Math.round(sum * 1_000) / 1_000;
  });
}

/** Plants are counted in whole ones. */
const FINEST: Readonly<Record<Measure, number>> = { plants: 1, kwp: 0.1 };

/** From zero to a round value at or above the largest. */
export const axisSplits = (largest: number, measure: Measure): number[] => roundSplits(largest, FINEST[measure]);
