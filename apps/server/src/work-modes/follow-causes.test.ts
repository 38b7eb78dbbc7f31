import { expect, test } from 'vitest';
import { causeOf, isFarOff, type Now } from './follow-causes.ts';

const HOUR_MS = 3_600_000;
const fromMs = 100 * HOUR_MS;
const quarters = (value: number) => Array.from({ length: 96 }, () => value);
/** 4 kW of sun and 2 kW of consumption, a battery that stays at half. */
const expected = {
  fromMs,
  prices: 'known',
  socPercent: quarters(50),
  generationWh: quarters(1_000),
  demandWh: quarters(500),
};
const twoHours = { buckets: 24, untilMs: fromMs + 2 * HOUR_MS, generationWh: 8_000, demandWh: 4_000 };
const asExpected: Now = { nowMs: fromMs + 2 * HOUR_MS, prices: 'known', socPercent: 50, come: twoHours };

test.each<[string, Partial<Now>, ReturnType<typeof causeOf>]>([
  ['nothing where all is as expected', {}, undefined],
  ['prices that are others', { prices: 'others' }, 'prices'],
  ['a battery that is emptier', { socPercent: 40 }, 'charge'],
  ['a battery that is fuller', { socPercent: 60 }, 'charge'],
  ['nothing where the battery is off by little', { socPercent: 59 }, undefined],
  ['nothing where its charge is not known', { socPercent: null }, undefined],
  ['less sun', { come: { ...twoHours, generationWh: 5_900 } }, 'sun'],
  ['nothing where the sun is off by little', { come: { ...twoHours, generationWh: 6_100 } }, undefined],
  ['more consumption', { come: { ...twoHours, demandWh: 5_100 } }, 'consumption'],
  [
    'nothing where too little time has passed',
    { come: { ...twoHours, buckets: 5, untilMs: fromMs + HOUR_MS / 2, demandWh: 9_000 } },
    undefined,
  ],
  ['nothing where most was not heard', { come: { ...twoHours, buckets: 12, generationWh: 1_000 } }, undefined],
  [
    'what was heard, where a little was not',
    { come: { ...twoHours, buckets: 20, generationWh: 6_600, demandWh: 3_300 } },
    undefined,
  ],
])('a running plan is worth another look for %s', (_, now, cause) => {
  expect(causeOf(expected, { ...asExpected, ...now })).toBe(cause);
});

test('an energy is far off by a quarter, and by a kilowatt-hour at least', () => {
  expect([isFarOff(900, 0), isFarOff(1_000, 0), isFarOff(8_000, 10_000), isFarOff(12_500, 10_000)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
