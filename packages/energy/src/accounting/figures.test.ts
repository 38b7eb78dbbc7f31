import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  co2AvoidedKg,
  performanceRatio,
  selfConsumptionRate,
  selfSufficiency,
  selfUsedWh,
  specificYield,
} from './figures.ts';

const wh = fc.double({ min: 0, max: 1e9, noNaN: true });

describe('key figures', () => {
  test('rates lie between 0 and 1 and are absent where there is nothing to divide by', () => {
    fc.assert(
      fc.property(wh, wh, (whole, part) => {
        for (const rate of [selfConsumptionRate(whole, part), selfSufficiency(whole, part)]) {
          if (whole === 0) expect(rate).toBeUndefined();
          else {
            expect(rate).toBeGreaterThanOrEqual(0);
            expect(rate).toBeLessThanOrEqual(1);
          }
        }
      }),
    );
  });

  test('a year of the prototype gives its autarky and self-consumption', () => {
    expect(selfSufficiency(4559, 689)).toBeCloseTo(0.849, 3);
    expect(selfConsumptionRate(9920, 5835)).toBeCloseTo(0.412, 3);
    expect(selfUsedWh(9920, 5835)).toBe(4085);
  });

  test('specific yield is kWh per kWp, performance ratio its share of the light', () => {
    expect(specificYield(9_920_000, 10_000)).toBe(992);
    expect(specificYield(1, 0)).toBeUndefined();
    expect(performanceRatio(9_920_000, 10_000, 1_240_000)).toBeCloseTo(0.8, 9);
    expect(performanceRatio(1, 10_000, 0)).toBeUndefined();
  });

  test('avoided CO2 takes the factor of the country, else the average of the world', () => {
    expect(co2AvoidedKg(1_000_000, 'DE')).toBe(380);
    expect(co2AvoidedKg(1_000_000, 'XX')).toBe(480);
    expect(co2AvoidedKg(1_000_000)).toBe(480);
  });
});
