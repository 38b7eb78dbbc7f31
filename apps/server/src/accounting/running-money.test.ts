import { instantOf } from '@sonnenwarte/energy/calendar';
import { expect, test } from 'vitest';
import { runningMoney } from './running-money.ts';

const zone = 'Europe/Berlin';
const from = (day: string) => instantOf(day, zone);
const amounts = { todayMicro: 1_250_000, monthMicro: 33_000_001 };
const of = (...currencies: (readonly [fromMs: number, currency: string])[]) =>
  runningMoney(
    currencies.map(([fromMs, currency]) => ({ fromMs, currency })),
    { day: '2026-06-20', zone },
    amounts,
  );
const beginning = Number.NEGATIVE_INFINITY;

test('money of a day and its month is told in the one currency that was valid', () => {
  const told = { currency: 'EUR', todayMoney: '1.250000', monthMoney: '33.000001' };
  expect(of([beginning, 'EUR'])).toEqual(told);
  expect(of([beginning, 'EUR'], [from('2026-06-10'), 'EUR'])).toEqual(told);
  expect(of([beginning, 'CHF'], [from('2026-06-01'), 'EUR'])).toEqual(told);
  expect(of([beginning, 'EUR'], [from('2026-06-21'), 'CHF'])).toEqual(told);
});

test('of a month or a day in which the currency changed there is none', () => {
  const inMonth = { currency: 'EUR', todayMoney: '1.250000', monthMoney: undefined };
  expect(of([beginning, 'CHF'], [from('2026-06-20'), 'EUR'])).toEqual(inMonth);
  expect(of([beginning, 'EUR'], [from('2026-06-05'), 'CHF'], [from('2026-06-06'), 'EUR'])).toEqual(inMonth);
  const inDay = { currency: 'EUR', todayMoney: undefined, monthMoney: undefined };
  expect(of([beginning, 'CHF'], [from('2026-06-20T08:00'), 'EUR'])).toEqual(inDay);
});
