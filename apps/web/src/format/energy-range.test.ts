import { describe, expect, test } from 'vitest';
import { energyRange } from './energy-range.ts';

describe('a range of energy', () => {
  test.each([
    [2_860, 19_770, '3', '20\u00a0kWh'],
    [55_100, 57_950, '55', '58\u00a0kWh'],
    [8_310, 9_120, '8,3', '9,1\u00a0kWh'],
    [8_310, 8_330, '8,31', '8,33\u00a0kWh'],
    [640_000, 1_480_000, '0,6', '1,5\u00a0MWh'],
    [0, 0, '0,00', '0,00\u00a0kWh'],
  ])('from %d to %d Wh has one unit and no more digits than it is exact', (fromWh, toWh, first, to) => {
    expect(energyRange(fromWh, toWh, 'de')).toMatchObject({ first, to });
  });
});
