import type { ParallelUnit } from '@sonnenwarte/contract/parallel-system/parallel-system';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unitGroupOf } from './unit-group.ts';

type Told = Omit<ParallelUnit, 'deviationPercent' | 'isMarked'>;

const unit = (powerW: number | null, rest: Partial<Told> = {}): Told => ({
  deviceID: 'id',
  deviceSN: 'sn',
  deviceType: '',
  role: null,
  state: 'normal',
  powerW,
  ratedPowerW: 10_000,
  socPercent: null,
  updatedAtMs: null,
  intervalS: 60,
  ...rest,
});

const told = fc
  .record({
    powerW: fc.option(fc.integer({ min: -10_000, max: 10_000 })),
    ratedPowerW: fc.option(fc.integer({ min: 1_000, max: 20_000 })),
    state: fc.constantFrom('normal', 'alarm', 'offline' as const),
  })
  .map(({ powerW, ...rest }) => unit(powerW, rest as Partial<Told>));

describe('units in parallel', () => {
  test('add up to the sum of those that are not offline', () => {
    fc.assert(
      fc.property(fc.array(told), (units) => {
        const reporting = units.filter(({ state, powerW }) => state !== 'offline' && powerW !== null);
        const { sumW, reporting: count } = unitGroupOf(units);
        expect(count).toBe(reporting.length);
        if (reporting.length === 0) expect(sumW).toBeNull();
        else expect(sumW).toBe(reporting.reduce((sum, { powerW }) => sum + (powerW ?? 0), 0));
      }),
    );
  });

  test('deviate by nothing where each gives what its rating lets expect, whatever they give', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1_000, max: 9_000 }), { minLength: 2 }),
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        (ratings, share) => {
          const { units } = unitGroupOf(ratings.map((ratedPowerW) => unit(ratedPowerW * share, { ratedPowerW })));
          for (const { deviationPercent, isMarked } of units) {
            expect(deviationPercent).toBeCloseTo(0, 3);
            expect(isMarked).toBe(false);
          }
        },
      ),
    );
  });

  test('are marked beyond 15 % of their share, and not at it', () => {
    const marks = (...powers: number[]) =>
      unitGroupOf(powers.map((powerW) => unit(powerW))).units.map(({ isMarked }) => isMarked);
    expect(marks(1_150, 850)).toEqual([false, false]);
    expect(marks(1_160, 840)).toEqual([true, true]);
    expect(marks(3_000, 3_000, 2_000)).toEqual([false, false, true]);
  });

  test('are not compared where there is next to no power, or one of them alone', () => {
    const deviations = (units: Told[]) => unitGroupOf(units).units.map(({ deviationPercent }) => deviationPercent);
    expect(deviations([unit(40), unit(90)])).toEqual([null, null]);
    expect(deviations([unit(4_000), unit(4_000, { state: 'offline' }), unit(null)])).toEqual([null, null, null]);
  });
});
