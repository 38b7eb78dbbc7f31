import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trendOf } from './trend.ts';

const month = fc
  .record({ year: fc.integer({ min: 2015, max: 2026 }), month: fc.integer({ min: 1, max: 12 }) })
  .map((each) => `${each.year}-${String(each.month).padStart(2, '0')}`);
const rows = fc.array(
  fc.record({
    month: fc.option(month),
    group: fc.constantFrom('DE', 'FR', 'IT', 'ES', 'PL', 'CZ', 'RO', 'KR', 'AT'),
    plants: fc.integer({ min: 1, max: 50 }),
    kwp: fc.integer({ min: 0, max: 500 }),
  }),
);
const span = fc.record({ first: fc.option(month, { nil: undefined }), last: fc.option(month, { nil: undefined }) });
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

describe('a trend', () => {
  test('holds every plant up to its last month once: before it, in it, or without a day', () => {
    fc.assert(
      fc.property(rows, span, (all, within) => {
        const { months, groups, before, undated } = trendOf(all, within, '2026-11');
        const last = months.at(-1);
        fc.pre(last !== undefined);
        const told = all.filter((row) => row.month === null || row.month <= (last ?? ''));
        const shown = before.plants + undated + sum(groups.flatMap(({ plants }) => plants));
        expect(shown).toBe(sum(told.map(({ plants }) => plants)));
        const kwp = before.kwp + sum(groups.flatMap((group) => group.kwp));
        const dated = told.filter((row) => row.month !== null);
        expect(kwp).toBeCloseTo(sum(dated.map((row) => row.kwp)), 6);
      }),
    );
  });

  test('has six groups and the others at most, the largest first, each with all months in a row', () => {
    fc.assert(
      fc.property(rows, span, (all, within) => {
        const { months, groups } = trendOf(all, within, '2026-11');
        expect(groups.length).toBeLessThanOrEqual(7);
        const own = groups.filter(({ group }) => group !== null).map(({ kwp }) => sum(kwp));
        expect(own).toEqual([...own].sort((a, b) => b - a));
        expect(groups.slice(0, -1).every(({ group }) => group !== null)).toBe(true);
        for (const { plants, kwp } of groups) {
          expect(plants).toHaveLength(months.length);
          expect(kwp).toHaveLength(months.length);
        }
        for (const [index, each] of months.slice(1).entries()) expect(each > (months[index] ?? '')).toBe(true);
      }),
    );
  });

  test('goes over the end of a year, and to now where no month is named', () => {
    const told = trendOf([{ month: '2025-11', group: 'DE', plants: 2, kwp: 9 }], {}, '2026-02');
    expect(told.months).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
    expect(told.groups).toEqual([{ group: 'DE', plants: [2, 0, 0, 0], kwp: [9, 0, 0, 0] }]);
  });
});
