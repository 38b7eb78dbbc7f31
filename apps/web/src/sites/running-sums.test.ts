import { type Figures, figureNames, type SiteFigures } from '@sonnenwarte/contract/sites/site';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withToday } from './running-sums.ts';

const energies = ['generationWh', 'consumptionWh', 'feedInWh', 'purchaseWh'] as const;

const figuresOf = (wh: number | null): Figures =>
  ({
    ...Object.fromEntries(figureNames.map((name) => [name, null])),
    ...Object.fromEntries(energies.map((name) => [name, wh])),
    quality: 'measured',
    qualities: Object.fromEntries(figureNames.map((name) => [name, 'measured'])),
  }) as Figures;

const sumsOf = (today: number | null, month: number | null): SiteFigures => ({
  currency: 'EUR(€)',
  co2: { kgPerKwh: 0.38, source: '', kgPerTreeYear: 22, treeSource: '' },
  recalculating: false,
  today: figuresOf(today),
  yesterday: figuresOf(null),
  month: figuresOf(month),
  year: figuresOf(month),
  total: figuresOf(month),
});

const wh = fc.integer({ min: 0, max: 100_000 });

test('month, year and total hold what today has gained since they were read', () => {
  fc.assert(
    fc.property(wh, wh, wh, (before, otherDays, gain) => {
      const shown = withToday(sumsOf(before, before + otherDays), figuresOf(before + gain));
      for (const name of energies) {
        expect(shown.today[name]).toBe(before + gain);
        for (const period of ['month', 'year', 'total'] as const)
          expect(shown[period][name]).toBe(before + otherDays + gain);
      }
    }),
  );
});

test('today is never more than a period that holds it, also where nothing of them was known', () => {
  const today = fc.option(wh, { nil: null });
  fc.assert(
    fc.property(today, wh, today, (before, otherDays, now) => {
      const { today: shownToday, month } = withToday(
        sumsOf(before, before === null ? null : before + otherDays),
        figuresOf(now),
      );
      for (const name of energies) expect(shownToday[name] ?? 0).toBeLessThanOrEqual(month[name] ?? 0);
    }),
  );
});

test('a day that has begun anew takes nothing away', () => {
  expect(withToday(sumsOf(9_000, 50_000), figuresOf(10)).month.generationWh).toBe(50_000);
});
