import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  co2AvoidedKg,
  performanceRatio,
  selfConsumptionRate,
  selfSufficiency,
  selfUsedWh,
  specificYield,
  suppliedWh,
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

  test('what the plant supplied is consumption less what was bought, from the grid and as fuel, and may come out of a battery later', () => {
    const nothing = { loadWh: 0, chargerWh: undefined, importWh: 0, fuelUsedWh: 0 };
    expect(suppliedWh({ loadWh: 900, chargerWh: 300, importWh: 200, fuelUsedWh: 50 })).toBe(950);
    expect(suppliedWh({ ...nothing, loadWh: 100, importWh: 400 })).toBe(-300);
    expect(suppliedWh({ ...nothing, loadWh: undefined })).toBeUndefined();
    expect(suppliedWh({ ...nothing, importWh: undefined })).toBeUndefined();
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
