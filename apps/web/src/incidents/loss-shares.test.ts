import { expect, test } from 'vitest';
import { currencyOf, lossShares } from './loss-shares.ts';

const row = (lostWh: number | null, lostMoney: string | null, currency = 'EUR') => ({
  incidentID: '',
  lostWh,
  lostMoney,
  currency,
});

test('bars are of money where all of it is of one currency', () => {
  const rows = [row(100, '12.20'), row(900, '6.10'), row(null, null, 'PLN')];
  expect(currencyOf(rows)).toBe('EUR');
  expect(rows.map(lossShares(rows))).toEqual([1, 0.5, 0]);
});

test('else they are of energy', () => {
  const rows = [row(100, '12.20'), row(400, '6.10', 'PLN')];
  expect(currencyOf(rows)).toBeUndefined();
  expect(rows.map(lossShares(rows))).toEqual([0.25, 1]);
});

test('a page on which nothing was lost has no bars', () => {
  const rows = [row(0, '0.000000'), row(null, null)];
  expect(rows.map(lossShares(rows))).toEqual([0, 0]);
});
