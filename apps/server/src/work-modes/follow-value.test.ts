import type { BatteryPlan } from '@sonnenwarte/energy/plan/battery-plan';
import { type DayGround, dayPlanSteps } from '@sonnenwarte/energy/plan/day-plan';
import { selfUseOf } from '@sonnenwarte/energy/plan/proposals';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inSteps } from '../in-slices.ts';
import { planValue } from './follow-value.ts';

const QUARTER_MS = 900_000;
const plan: BatteryPlan = {
  mode: 'selfUse',
  minSocPercent: 10,
  backupSocPercent: 100,
  gridCharge: false,
  exportLimitW: null,
  peakLimitW: null,
  periods: [],
};

/** A day of 24 prices and a house and sun of its own, from some quarter of an hour on. */
const grounds = fc
  .record({
    prices: fc.array(fc.integer({ min: 5, max: 60 }), { minLength: 24, maxLength: 24 }),
    sunW: fc.integer({ min: 0, max: 6_000 }),
    houseW: fc.integer({ min: 100, max: 2_000 }),
    socPercent: fc.integer({ min: 10, max: 100 }),
    tradesWithGrid: fc.boolean(),
  })
  .map(
    ({ prices, sunW, houseW, socPercent, tradesWithGrid }): DayGround => ({
      quarters: Array.from({ length: 96 }, (_, quarter) => ({
        tsMs: quarter * QUARTER_MS,
        generationW: sunW * Math.max(0, Math.sin(((quarter / 4 - 6) / 12) * Math.PI)),
        demandW: quarter >= 68 && quarter < 84 ? 3 * houseW : houseW,
      })),
      timeZone: 'UTC',
      tradesWithGrid,
      plan,
      model: {
        ...{ capacityWh: 10_000, chargeEfficiency: 0.95, dischargeEfficiency: 0.95 },
        ...{ maxChargeW: 4_000, maxDischargeW: 4_000, ratedAcW: 8_000 },
      },
      opening: { socPercent, isHeld: false },
      prices: {
        prices: prices.map((cents) => ({
          purchasePricePerKwh: String(cents / 100),
          feedInPricePerKwh: '0.08',
          currency: 'EUR',
        })),
        ofBucket: Uint16Array.from({ length: 288 }, (_, place) => Math.floor(place / 12)),
      },
    }),
  );

describe('what a plan costs', () => {
  test('is reckoned as the plan of a day is chosen: what is saved against self-use is the difference', async () => {
    await fc.assert(
      fc.asyncProperty(grounds, async (ground) => {
        const choice = await inSteps(dayPlanSteps(ground));
        if (choice === undefined) throw new Error('nothing is chosen');
        const saved = planValue(ground, selfUseOf(plan)).cost - planValue(ground, choice.plan).cost;
        expect(saved).toBeCloseTo(choice.saved, 6);
        expect(planValue(ground, choice.plan).socPercent.at(-1)).toBeCloseTo(choice.endSocPercent, 6);
      }),
      { numRuns: 15 },
    );
  });
});
