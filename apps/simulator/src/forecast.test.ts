import { expect, test } from 'vitest';
import { coverageOfDemo } from './testing/yield-days.ts';

test('the ranges of forecasts hold the truth in 80 ± 5 % of a hundred days, all twelve climates together', () => {
  const table = coverageOfDemo(Date.UTC(2025, 2, 1), 100);
  expect(table).toHaveLength(12);
  for (const share of ['tomorrow', 'restAtNoon'] as const) {
    const held = table.reduce((sum, row) => sum + row[share], 0) / table.length;
    expect(Math.abs(held - 80), `${share}: ${JSON.stringify(table)}`).toBeLessThanOrEqual(5);
  }
});
