import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../random.ts';
import { dividedLimits, type LimitedUnit } from './grid-limit.ts';

const unit = fc.record({
  ratedW: fc.integer({ min: 1_000, max: 100_000 }),
  used: fc.double({ min: 0, max: 1, noNaN: true }),
  limit: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
});
const unitsOf = (drawn: readonly { ratedW: number; used: number; limit: number | null }[]): LimitedUnit[] =>
  drawn.map(({ ratedW, used, limit }, place) => {
    const limitW = limit === null ? null : limit * ratedW;
    return { id: `${place}`, ratedW, limitW, outputW: used * (limitW ?? ratedW), stepW: ratedW / 100 };
  });
const sum = (values: Iterable<number>) => [...values].reduce((total, each) => total + each, 0);

test('limits never add up to more than the load and what may be sold, whatever the sun does next', () => {
  fc.assert(
    fc.property(
      fc.array(unit, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 200_000 }),
      fc.integer({ min: 0, max: 200_000 }),
      (drawn, loadW, exportLimitW) => {
        const units = unitsOf(drawn);
        const gridW = loadW - sum(units.map((each) => each.outputW));
        const { limits } = dividedLimits({ gridW, exportLimitW }, units);
        const mostW = sum(units.map((each) => limits.get(each.id) ?? each.ratedW));
        const ratedW = sum(units.map((each) => each.ratedW));
        expect(mostW).toBeLessThanOrEqual(Math.max(Math.min(loadW + exportLimitW, ratedW), 0) + 1e-6);
        for (const [id, limitW] of limits) {
          const own = units.find((each) => each.id === id);
          expect(limitW ?? 0).toBeGreaterThanOrEqual(0);
          expect(limitW ?? 0).toBeLessThanOrEqual((own?.ratedW ?? 0) + 1e-9);
        }
      },
    ),
  );
});

test('without a measured grid power no more is given than may be sold', () => {
  const units = unitsOf([
    { ratedW: 10_000, used: 1, limit: null },
    { ratedW: 5_000, used: 1, limit: null },
  ]);
  const { reason, limits } = dividedLimits({ gridW: undefined, exportLimitW: 6_000 }, units);
  expect(reason).toBe('blind');
  expect(sum([...limits.values()].map((w) => w ?? Number.NaN))).toBeLessThanOrEqual(6_000);
  expect(sum([...limits.values()].map((w) => w ?? Number.NaN))).toBeGreaterThan(5_700);
});

test('what one inverter cannot use for want of sun goes to the others', () => {
  const units: LimitedUnit[] = [
    { id: 'shaded', ratedW: 10_000, outputW: 500, limitW: 5_000, stepW: 100 },
    { id: 'sunny', ratedW: 10_000, outputW: 5_000, limitW: 5_000, stepW: 100 },
  ];
  const { reason, limits } = dividedLimits({ gridW: -5_500, exportLimitW: 10_102 }, units);
  expect(reason).toBe('shared');
  expect(limits.get('sunny')).toBeGreaterThan(8_000);
  expect(limits.get('shaded')).toBeGreaterThan(500);
});

test('limits that hold are left alone, and are lifted once nothing needs them', () => {
  const one = (limitW: number | null, outputW: number): LimitedUnit[] => [
    { id: 'a', ratedW: 10_000, outputW, limitW, stepW: 100 },
  ];
  expect(dividedLimits({ gridW: -4_900, exportLimitW: 5_000 }, one(5_900, 5_900)).reason).toBe('held');
  expect(dividedLimits({ gridW: 4_000, exportLimitW: 5_000 }, one(5_900, 2_000))).toMatchObject({ reason: 'free' });
  expect(dividedLimits({ gridW: 4_000, exportLimitW: 5_000 }, one(null, 2_000)).reason).toBe('held');
});

/** A second-by-second plant: clouds over each inverter, steps of the load, inverters that follow with a lag. */
function run(seed: number, secondsOfDecision: number) {
  const stream = new Random(seed);
  const random = () => stream.next();
  const exportLimitW = 20_000;
  const units = [30_000, 20_000, 10_000].map((ratedW, place) => ({
    id: `${place}`,
    ratedW,
    outputW: 0,
    limitW: null as number | null,
    stepW: ratedW / 100,
    sun: 0.8,
  }));
  let loadW = 8_000;
  let sinceLoadS = 0;
  const late: { excessW: number; sinceLoadS: number }[] = [];
  let soldWs = 0;
  let possibleWs = 0;
  for (let second = 0; second < 3_600; second += 1) {
    if (random() < 1 / 120) {
      loadW = 1_000 + random() * 25_000;
      sinceLoadS = 0;
    }
    for (const each of units) {
      if (random() < 1 / 60) each.sun = 0.1 + random() * 0.9;
      const wantedW = Math.min(each.limitW ?? each.ratedW, each.sun * each.ratedW);
      // Half of the way in a second.
      each.outputW += (wantedW - each.outputW) / 2;
    }
    const gridW = loadW - sum(units.map((each) => each.outputW));
    if (second > 30) late.push({ excessW: -gridW - exportLimitW, sinceLoadS });
    soldWs += Math.max(0, -gridW);
    possibleWs += Math.max(0, Math.min(exportLimitW, sum(units.map((each) => each.sun * each.ratedW)) - loadW));
    if (second % secondsOfDecision === 0) {
      const { limits } = dividedLimits({ gridW, exportLimitW }, units);
      for (const each of units) each.limitW = limits.get(each.id) ?? null;
    }
    sinceLoadS += 1;
  }
  const worstW = Math.max(...late.filter((each) => each.sinceLoadS > 10).map((each) => each.excessW));
  return { worstShare: worstW / exportLimitW, soldShare: soldWs / possibleWs };
}

test.each([[1], [2], [3], [4], [5], [6], [7], [8]])(
  'the limit holds within 3 percent ten seconds after any step, through clouds and steps of the load (course $0)',
  (seed) => {
    const { worstShare, soldShare } = run(seed, 2);
    expect(worstShare).toBeLessThan(0.03);
    expect(soldShare).toBeGreaterThan(0.8);
  },
);
