import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisSplits, cumulated } from './trend-values.ts';

test('the line ends at all that there were before and all that came', () => {
  const group = fc.record({
    plants: fc.array(fc.nat(100), { minLength: 5, maxLength: 5 }),
    kwp: fc.array(fc.nat(1_000), { minLength: 5, maxLength: 5 }),
  });
  fc.assert(
    fc.property(fc.array(group, { maxLength: 7 }), fc.nat(1_000), (groups, before) => {
      const trend = {
        months: ['1', '2', '3', '4', '5'],
        groups: groups.map((each, index) => ({ ...each, group: String(index) })),
        before: { plants: before, kwp: before },
        undated: 0,
      };
      for (const measure of ['plants', 'kwp'] as const) {
        const line = cumulated(trend, measure);
        const added = groups.flatMap((each) => each[measure]).reduce((sum, value) => sum + value, 0);
        expect(line.at(-1)).toBe(before + added);
        expect(line).toEqual([...line].sort((a, b) => a - b));
      }
    }),
  );
});

test('an axis holds the largest value, and counts plants in whole ones', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), (largest) => {
      const splits = axisSplits(largest, 'plants');
      expect(splits.every(Number.isInteger)).toBe(true);
      expect(splits.at(-1)).toBeGreaterThanOrEqual(largest);
      expect(splits.length).toBeLessThanOrEqual(6);
    }),
  );
});
