import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../random.ts';
import { believedPv, type CountedEnergy } from './counted-power.ts';
import { credibleInverter, crediblePvW, mostPvW } from './credible-power.ts';

const COUNT = 288;
const BUCKET_HOURS = 1 / 12;
const SIZE_KWP = 10;
const nameplate = { kwp: SIZE_KWP, ratedAcW: 9_000 };
const EFFICIENCY = 0.96;

/** A bell from 6 to 18 o'clock, W. */
const bell = Float64Array.from(
  { length: COUNT },
  (_, at) => Math.max(0, 8_000 * Math.sin((Math.PI * (at - 72)) / 144)) * Number(at > 72 && at < 216),
);
const whOf = (powerW: Float64Array): number =>
  powerW.reduce((sum, watts) => sum + (Number.isNaN(watts) ? 0 : watts * BUCKET_HOURS), 0);
const countedOf = (powerW: Float64Array, change: Partial<CountedEnergy> = {}): CountedEnergy => ({
  energyWh: powerW.map((watts) => (watts * BUCKET_HOURS) / EFFICIENCY),
  isFirm: new Uint8Array(COUNT).fill(1),
  isEstimated: new Uint8Array(COUNT),
  ...change,
});
/** The bell with another value in some buckets. */
const misread = (value: (watts: number, at: number) => number, from = 0, to = COUNT) =>
  bell.map((watts, at) => (at >= from && at < to ? value(watts, at) : watts));
const counted = countedOf(bell);
const isDark = (at: number) => at < 60 || at > 228;

describe('power that is told right', () => {
  test('is believed as it is, and its counters are the energy at the AC bus', () => {
    const found = believedPv({ powerW: bell, nameplate, counted, isDark });
    expect(found.powerW).toEqual(bell);
    expect(found.contradiction).toBeNull();
    expect(found.leftOut.some((each) => each === 1)).toBe(false);
    expect(found.countedWh).toBeCloseTo(whOf(bell), 6);
  });

  test('over the nameplate is believed where the counters say the same: then the nameplate is wrong', () => {
    const found = believedPv({ powerW: bell, nameplate: { kwp: 1, ratedAcW: null }, counted, isDark });
    expect(found.powerW).toEqual(bell);
    expect(found).toMatchObject({ contradiction: null, mostW: Number.POSITIVE_INFINITY });
  });

  test('is not contradicted by counters that go in whole kWh or are told some minutes late', () => {
    const sums = Float64Array.from(counted.energyWh);
    for (let at = 1; at < COUNT; at += 1) sums[at] = (sums[at] as number) + (sums[at - 1] as number);
    const steps = sums.map(
      (wh, at) => Math.floor(wh / 1_000) * 1_000 - Math.floor((sums[at - 1] ?? 0) / 1_000) * 1_000,
    );
    const late = counted.energyWh.map((_, at) => counted.energyWh[at - 3] ?? 0);
    for (const energyWh of [steps, late]) {
      const found = believedPv({ powerW: bell, nameplate, counted: { ...counted, energyWh }, isDark });
      expect(found.powerW).toEqual(bell);
      expect(found.contradiction).toBeNull();
    }
  });
});

describe('power that cannot be', () => {
  test('is left out by the nameplate alone, and what it would have come to is told', () => {
    const told = misread(() => 3e6, 130, 133);
    const found = believedPv({ powerW: told, nameplate, counted: null, isDark });
    expect([...found.leftOut.entries()].filter(([, each]) => each === 1).map(([at]) => at)).toEqual([130, 131, 132]);
    expect(found.countedWh).toBeNull();
    expect(found.contradiction?.toldWh).toBeCloseTo(whOf(told), 3);
    expect(found.contradiction?.countedWh).toBeCloseTo(whOf(found.powerW), 3);
  });

  test.each<[string, Float64Array, number]>([
    ['stands at what it was at noon, in the hours in which the counters say otherwise', misread(() => 8_000, 150), 150],
    ['is nothing while the counters go on', misread(() => 0, 108, 180), 108],
  ])('within the nameplate that %s is left out there', (_, told, from) => {
    const found = believedPv({ powerW: told, nameplate, counted });
    expect(found.contradiction).not.toBeNull();
    expect(found.leftOut.slice(0, from).some((each) => each === 1)).toBe(false);
    expect(found.leftOut.some((each) => each === 1)).toBe(true);
    expect(found.countedWh).toBeGreaterThan(0.9 * whOf(bell));
    expect(found.countedWh).toBeLessThan(1.1 * whOf(bell));
    expect(whOf(found.powerW)).toBeLessThan(1.2 * whOf(bell));
  });

  test('by a wrong scale, which no hour stands out of, is left out as a whole', () => {
    const found = believedPv({ powerW: misread((watts) => 1.25 * watts), nameplate, counted, isDark });
    expect(found.powerW.every(Number.isNaN)).toBe(true);
    expect(found.countedWh).toBeCloseTo(whOf(bell), -3);
  });

  test('by night is left out, and what a sleeping inverter takes is nothing', () => {
    const told = misread((_, at) => (at < 30 ? 4_000 : -12), 0, 60);
    const found = believedPv({ powerW: told, nameplate, counted: null, isDark });
    expect(found.powerW.slice(0, 30).every(Number.isNaN)).toBe(true);
    expect(found.powerW.slice(30, 60).every((watts) => watts === 0)).toBe(true);
  });

  test('is never believed to be more than the nameplate and the counters, whatever is told', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed);
        const wild = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e38, -9e6, 3e6, 12_000, 0];
        const share = random.next();
        const told = bell.map((watts) =>
          random.next() < share ? (wild[Math.floor(random.next() * wild.length)] as number) : watts,
        );
        for (const counters of [counted, null]) {
          const { powerW, countedWh, contradiction, leftOut } = believedPv({
            powerW: told,
            nameplate,
            counted: counters,
            isDark,
          });
          const mostW = mostPvW(nameplate);
          for (const [at, watts] of powerW.entries()) {
            if (Number.isNaN(watts)) continue;
            expect(watts).toBeGreaterThanOrEqual(0);
            expect(watts).toBeLessThanOrEqual(mostW);
            expect(leftOut[at]).toBe(0);
          }
          if (counters === null) continue;
          // Accounted energy is of the arrays, what is told here behind the inverters.
          expect(countedWh).toBeGreaterThanOrEqual(0.8 * whOf(counted.energyWh) * 12 - 1e-6);
          expect(countedWh).toBeLessThanOrEqual(whOf(counted.energyWh) * 12 + 1e-6);
          expect(whOf(powerW)).toBeLessThanOrEqual(1.15 * whOf(counted.energyWh) * 12 + 1_000 + 0.1 * mostW);
          if (contradiction !== null) expect(Number.isFinite(contradiction.toldWh)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('counters', () => {
  test('that do not tell all of the day, or tell what was integrated from the power, are none', () => {
    const half = Uint8Array.from({ length: COUNT }, (_, at) => Number(at > 144));
    const estimated = countedOf(bell, { isEstimated: half, isFirm: half.map((each) => 1 - each) });
    expect(believedPv({ powerW: bell, nameplate, counted: estimated }).countedWh).toBeNull();
    const silent = countedOf(bell.map((watts, at) => (at > 140 ? Number.NaN : watts)));
    expect(believedPv({ powerW: bell, nameplate, counted: silent }).countedWh).toBeNull();
  });

  test('that were set by hand are the energy, and say nothing against the power', () => {
    const byHand = countedOf(bell, { isFirm: new Uint8Array(COUNT) });
    byHand.energyWh.fill(900, 100, 190);
    const found = believedPv({ powerW: bell, nameplate, counted: byHand });
    expect(found.powerW).toEqual(bell);
    expect(found.contradiction).toBeNull();
    expect(found.countedWh).toBeCloseTo(EFFICIENCY * byHand.energyWh.reduce((sum, wh) => sum + wh, 0), 6);
  });
});

describe('the most that can be', () => {
  test('is by the size with the edge of a cloud, else by the rating, and unbounded where nothing is known', () => {
    expect(mostPvW({ kwp: 10, ratedAcW: 5_000 })).toBeCloseTo(13_000);
    expect(mostPvW({ kwp: null, ratedAcW: 10_000 })).toBeCloseTo(18_000);
    for (const kwp of [null, 0, Number.NaN, -3])
      expect(mostPvW({ kwp, ratedAcW: null })).toBe(Number.POSITIVE_INFINITY);
    // A rating of 10 is one in kW by mistake.
    expect(mostPvW({ kwp: null, ratedAcW: 10 })).toBe(Number.POSITIVE_INFINITY);
    expect(crediblePvW(Float64Array.of(1e9, Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY)).toEqual(
      Float64Array.of(1e9, Number.NaN),
    );
  });

  test('holds for an inverter and each of its strings, by its own rating', () => {
    const { acW, dcW, strings } = credibleInverter(
      {
        key: 'A',
        ratedAcW: 5_000,
        kwp: null,
        heard: Uint8Array.of(1, 1),
        acW: Float64Array.of(5_500, 3e6),
        dcW: Float64Array.of(7_000, 9e6),
        strings: [{ key: 'String1', kwp: null, array: null, powerW: Float64Array.of(2_000, 1e5) }],
      },
      50_000,
    );
    expect([acW, dcW, strings[0]?.powerW]).toEqual([
      Float64Array.of(5_500, Number.NaN),
      Float64Array.of(7_000, Number.NaN),
      Float64Array.of(2_000, Number.NaN),
    ]);
  });
});
