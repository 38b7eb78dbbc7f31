import { describe, expect, test } from 'vitest';
import { Random } from '../random.ts';
import { degradation, LEAST_DEGRADATION_DAYS, type NormalisedDay, storedDays } from './degradation.ts';

/** Days with a linear loss, a season and noise. */
function days(count: number, perYear: number, seed = 1, known = 1): NormalisedDay[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, day) => ({
    day,
    normalised: random.chance(known)
      ? 0.85 * (1 + (perYear * day) / 365) + 0.03 * Math.sin((2 * Math.PI * day) / 365) + random.normal(0, 0.02)
      : null,
  }));
}

describe('year on year', () => {
  test('finds the rate through season and noise, and the interval holds it', () => {
    let within = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const found = degradation(days(4 * 365, -0.008, seed), { seed, resamples: 300 }) ?? expect.fail('not known');
      expect(Math.abs(found.perYear + 0.008)).toBeLessThan(0.004);
      expect(found.low95).toBeLessThanOrEqual(found.low68);
      expect(found.low68).toBeLessThanOrEqual(found.perYear);
      expect(found.perYear).toBeLessThanOrEqual(found.high68);
      expect(found.high68).toBeLessThanOrEqual(found.high95);
      if (found.low95 <= -0.008 && found.high95 >= -0.008) within += 1;
    }
    // Pairs share days, so the interval is somewhat narrow; RdTools has the same.
    expect(within).toBeGreaterThan(28);
  });

  test('is the median of the changes over the median of the first year', () => {
    const plain = Array.from({ length: 800 }, (_, day) => ({
      day,
      normalised: day < 365 ? 0.8 : day < 730 ? 0.796 : 0.792,
    }));
    expect(degradation(plain, { seed: 1 })?.perYear).toBeCloseTo(-0.005, 9);
  });

  test('is not known before two years, or of too few pairs', () => {
    expect(degradation(days(729, -0.01), { seed: 1 })).toBeNull();
    expect(degradation(days(730, -0.01), { seed: 1 })).not.toBeNull();
    expect(degradation(days(800, -0.01, 1, 0.1), { seed: 1 })).toBeNull();
  });

  test('a rate is told only where as many days are said to be stored as are needed, however many of them are known', () => {
    const half = days(812, -0.01, 3, 0.5);
    expect(half.filter(({ normalised }) => normalised !== null).length).toBeLessThan(LEAST_DEGRADATION_DAYS);
    expect(degradation(half, { seed: 1 })).not.toBeNull();
    expect(storedDays(half)).toBeGreaterThanOrEqual(LEAST_DEGRADATION_DAYS);
    expect(degradation(days(729, -0.01), { seed: 1 })).toBeNull();
    expect(storedDays(days(729, -0.01))).toBe(729);
    expect(storedDays([])).toBe(0);
  });

  test('the same seed gives the same interval', () => {
    const some = days(900, -0.01);
    expect(degradation(some, { seed: 7 })).toEqual(degradation(some, { seed: 7 }));
  });

  test('a wrong reading now and then changes nothing', () => {
    const clean = days(1200, -0.006);
    const dirty = clean.map((each, at) => (at % 97 === 0 ? { ...each, normalised: 40 } : each));
    const rate = (list: NormalisedDay[]) => degradation(list, { seed: 1 })?.perYear ?? expect.fail('not known');
    expect(Math.abs(rate(dirty) - rate(clean))).toBeLessThan(0.001);
  });
});
