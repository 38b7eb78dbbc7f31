import { MAX_TREND_GROUPS, MAX_TREND_MONTHS } from '@sonnenwarte/contract/install-trend/install-trend';
import type { MonthGroup } from './install-trend.store.ts';

interface Group {
  group: string | null;
  plants: number[];
  kwp: number[];
}

export interface Trend {
  months: string[];
  groups: Group[];
  before: { plants: number; kwp: number };
  undated: number;
}

const numberOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
const nameOf = (number: number): string => `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`;

const rounded = (kwp: number): number => Math.round(kwp * 1_000) / 1_000;

/**
 * Months between two, both included, with plants and kWp of the largest groups and of all others, so that all groups together are all plants of the
 * span. Where no month is named the span is from the first plant to the month of now.
 */
export function trendOf(
  rows: readonly MonthGroup[],
  span: { first?: string | undefined; last?: string | undefined },
  now: string,
): Trend {
  const dated = rows.flatMap((row) => (row.month === null ? [] : [{ ...row, at: numberOf(row.month) }]));
  const newest = dated.reduce((latest, { at }) => Math.max(latest, at), numberOf(now));
  const end = span.last === undefined ? newest : numberOf(span.last);
  const oldest = dated.reduce((first, { at }) => Math.min(first, at), end);
  const begin = Math.max(span.first === undefined ? oldest : numberOf(span.first), end - MAX_TREND_MONTHS + 1);
  const length = Math.max(0, end - begin + 1);
  const within = dated.filter(({ at }) => at >= begin && at <= end);

  const sums = new Map<string, number>();
  for (const { group, kwp } of within) sums.set(group, (sums.get(group) ?? 0) + kwp);
  const largest = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([group]) => group);
  const own = new Set(largest.slice(0, MAX_TREND_GROUPS));
  const groups = new Map<string | null, Group>();
  const order: (string | null)[] = [...own, ...(largest.length > own.size ? [null] : [])];
  for (const group of order) {
    groups.set(group, { group, plants: new Array<number>(length).fill(0), kwp: new Array<number>(length).fill(0) });
  }
  for (const { group, plants, kwp, at } of within) {
    const into = groups.get(own.has(group) ? group : null);
    if (!into) continue;
    into.plants[at - begin] = (into.plants[at - begin] ?? 0) + plants;
    into.kwp[at - begin] = (into.kwp[at - begin] ?? 0) + kwp;
  }
  const earlier = dated.filter(({ at }) => at < begin);
  return {
    months: Array.from({ length }, (_, index) => nameOf(begin + index)),
    groups: [...groups.values()].map((each) => ({ ...each, kwp: each.kwp.map(rounded) })),
    before: {
      plants: earlier.reduce((sum, { plants }) => sum + plants, 0),
      kwp: rounded(earlier.reduce((sum, { kwp }) => sum + kwp, 0)),
    },
    undated: rows.reduce((sum, { month, plants }) => sum + (month === null ? plants : 0), 0),
  };
}
