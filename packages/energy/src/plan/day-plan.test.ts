import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_MS } from '../accounting/bucket-span.ts';
import type { BatteryPlan } from './battery-plan.ts';
import { type DayChoice, type DayGround, dayPlanSteps } from './day-plan.ts';
import type { BucketPrices } from './plan-money.ts';
import type { StorageModel } from './replay.ts';

const ZONE = 'Europe/Berlin';
/** Midnight in Berlin. */
const START_MS = Date.parse('2026-01-14T23:00:00Z');
const QUARTER_MS = 3 * BUCKET_MS;

const model: StorageModel = {
  capacityWh: 10_000,
  chargeEfficiency: 0.95,
  dischargeEfficiency: 0.95,
  maxChargeW: 4_000,
  maxDischargeW: 4_000,
  ratedAcW: 8_000,
};
const plan: BatteryPlan = {
  mode: 'selfUse',
  minSocPercent: 10,
  backupSocPercent: 100,
  gridCharge: false,
  exportLimitW: null,
  peakLimitW: null,
  periods: [],
};

/** Prices per kWh by hour of the day; each hour has a price of its own. */
function pricesOf(quarters: number, purchase: (hour: number) => number | null, feedIn = 0.08): BucketPrices {
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const price = purchase(hour);
    return {
      purchasePricePerKwh: price === null ? null : String(price),
      feedInPricePerKwh: String(feedIn),
      currency: 'EUR',
    };
  });
  const first = 96 - quarters;
  return {
    prices: hours,
    ofBucket: Uint16Array.from({ length: quarters * 3 }, (_, place) => Math.floor((first * 3 + place) / 12)),
  };
}

const dear = (hour: number): number => (hour >= 17 && hour < 21 ? 0.45 : hour >= 1 && hour < 5 ? 0.12 : 0.3);

function ground(
  over: Partial<DayGround> = {},
  { sunW = 0, quarters = 96, price = dear as (hour: number) => number | null } = {},
): DayGround {
  return {
    quarters: Array.from({ length: quarters }, (_, place) => {
      const quarter = 96 - quarters + place;
      const hour = quarter / 4;
      const isDay = hour >= 8 && hour < 16;
      return {
        tsMs: START_MS + quarter * QUARTER_MS,
        generationW: isDay ? sunW * Math.sin(((hour - 8) / 8) * Math.PI) : 0,
        demandW: hour >= 17 && hour < 21 ? 2_000 : 400,
      };
    }),
    timeZone: ZONE,
    tradesWithGrid: true,
    plan,
    model,
    opening: { socPercent: 10, isHeld: false },
    prices: pricesOf(quarters, price),
    ...over,
  };
}

function chosen(of: DayGround): DayChoice | undefined {
  const steps = dayPlanSteps(of);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

describe('the plan of a day to come', () => {
  test('charges in the cheapest hours for a dear evening where no sun comes', () => {
    const found = chosen(ground());
    expect(found?.reason).toBe('cheapCharge');
    const window = found?.plan.periods.find(({ action }) => action === 'gridCharge');
    expect(window?.startMin).toBeGreaterThanOrEqual(60);
    expect(window?.endMin).toBeLessThanOrEqual(300);
    expect(found?.saved).toBeGreaterThan(1);
  });

  test('buys for a dear evening only what the sun will not bring', () => {
    const price = (hour: number) => (hour >= 17 && hour < 21 ? 0.45 : hour >= 1 && hour < 5 ? 0.28 : 0.3);
    const buys = (found: DayChoice | undefined) => found?.plan.periods.some(({ action }) => action === 'gridCharge');
    expect(buys(chosen(ground({}, { price })))).toBe(true);
    expect(buys(chosen(ground({}, { price, sunW: 7_000 })))).toBe(false);
  });

  test('neither buys for the battery nor sells from it where that is not allowed', () => {
    const found = chosen(ground({ tradesWithGrid: false }));
    expect(found?.plan.periods.some(({ action }) => action === 'gridCharge' || action === 'discharge')).toBe(false);
  });

  test('is self-use where all hours cost the same, and where it would save next to nothing', () => {
    for (const price of [() => 0.3, (hour: number) => 0.3 + hour / 100_000]) {
      expect(chosen(ground({}, { price }))).toMatchObject({ reason: 'selfUse', saved: 0, plan: { periods: [] } });
    }
  });

  test('is none as long as a price of the day is missing, or nothing is left of it', () => {
    expect(chosen(ground({}, { price: (hour) => (hour === 20 ? null : 0.3) }))).toBeUndefined();
    expect(chosen(ground({ quarters: [] }))).toBeUndefined();
  });

  test('for the rest of a day puts no window into what is over', () => {
    const found = chosen(ground({}, { quarters: 40 }));
    expect(found?.plan.periods.every(({ endMin, action }) => action === 'hold' || endMin > 14 * 60)).toBe(true);
  });

  test('never costs more than self-use, keeps the minimum of the battery, and has no more windows than a device takes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -10, max: 60 }), { minLength: 24, maxLength: 24 }),
        fc.integer({ min: 0, max: 9_000 }),
        fc.integer({ min: 10, max: 100 }),
        (cents, sunW, socPercent) => {
          const price = (hour: number) => (cents[hour] ?? 0) / 100;
          const found = chosen(ground({ opening: { socPercent, isHeld: false } }, { sunW, price }));
          expect(found?.saved).toBeGreaterThanOrEqual(0);
          expect(found?.plan.minSocPercent).toBe(10);
          expect(found?.plan.periods.length).toBeLessThanOrEqual(8);
          expect(found?.endSocPercent).toBeGreaterThanOrEqual(10 - 1e-6);
        },
      ),
      { numRuns: 25 },
    );
  });
});
