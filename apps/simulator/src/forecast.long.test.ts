import { expect, test } from 'vitest';
import { coverageOfDemo } from './testing/yield-days.ts';

const YEARS = 3;

test('the ranges of forecasts hold the truth in 80 ± 5 % of the days of three years in each of the twelve climates', () => {
  const table = coverageOfDemo(Date.UTC(2023, 2, 1), YEARS * 365);
  console.table(table);
  expect(table).toHaveLength(12);
  const wrong = table.filter((row) => Math.abs(row.tomorrow - 80) > 5 || Math.abs(row.restAtNoon - 80) > 5);
  expect(wrong).toEqual([]);
  // A range that holds the truth because it is as wide as the day would say nothing.
  for (const { restWidth, tomorrowWidth } of table) expect(restWidth).toBeLessThan(tomorrowWidth / 2);
});
