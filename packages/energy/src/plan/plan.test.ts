import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_MS } from '../accounting/bucket-span.ts';
import { type Tariff, tariffSpans } from '../accounting/money.ts';
import { type BatteryPlan, PLAN_ACTIONS, PLAN_MODES, type PlanPeriod } from './battery-plan.ts';
import { bucketPrices, planCost, sumWh } from './plan-money.ts';
import { planNow } from './plan-reason.ts';
import {
  candidatePlans,
  chosenOf,
  type Outcome,
  outcomeOf,
  type ProposalGround,
  proposalSteps,
  selfUseOf,
} from './proposals.ts';
import { openingOf, type RecordedBucket, recordedSpan } from './recorded-span.ts';
import { recordedSurplus } from './recorded-surplus.ts';
import { replay, type StorageModel } from './replay.ts';

const ZONE = 'Europe/Berlin';
const START_MS = Date.parse('2026-06-14T22:00:00Z');
const BUCKETS_OF_DAY = 288;

const model: StorageModel = {
  capacityWh: 10_000,
  chargeEfficiency: 0.955,
  dischargeEfficiency: 0.955,
  maxChargeW: 5_000,
  maxDischargeW: 5_000,
  ratedAcW: 8_000,
};

const period: fc.Arbitrary<PlanPeriod> = fc
  .record({
    startMin: fc.integer({ min: 0, max: 1_410 }),
    lengthMin: fc.integer({ min: 30, max: 600 }),
    days: fc.integer({ min: 1, max: 127 }),
    action: fc.constantFrom(...PLAN_ACTIONS),
    powerW: fc.integer({ min: 0, max: 6_000 }),
    minSocPercent: fc.integer({ min: 10, max: 100 }),
    fdSocPercent: fc.integer({ min: 10, max: 100 }),
  })
  .map(({ lengthMin, ...rest }) => ({ ...rest, endMin: Math.min(1_440, rest.startMin + lengthMin) }));

const anyPlan: fc.Arbitrary<BatteryPlan> = fc.record({
  mode: fc.constantFrom(...PLAN_MODES),
  minSocPercent: fc.integer({ min: 10, max: 100 }),
  backupSocPercent: fc.integer({ min: 10, max: 100 }),
  gridCharge: fc.boolean(),
  exportLimitW: fc.option(fc.integer({ min: 0, max: 9_000 })),
  peakLimitW: fc.option(fc.integer({ min: 0, max: 9_000 })),
  periods: fc.array(period, { maxLength: 8 }),
});

const energy = fc.double({ min: 0, max: 600, noNaN: true });
const anyBucket = fc.record({
  importWh: energy,
  exportWh: energy,
  chargeWh: energy,
  dischargeWh: energy,
  demandWh: energy,
  socPercent: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
});

function spanOf(buckets: readonly (Omit<RecordedBucket, 'tsMs'> | null)[]) {
  const told = buckets.flatMap((bucket, place) => (bucket ? [{ ...bucket, tsMs: START_MS + place * BUCKET_MS }] : []));
  return recordedSpan(told, { startMs: START_MS, endMs: START_MS + buckets.length * BUCKET_MS }, ZONE);
}

const ranAs = { ...model, mode: 'selfUse', exportLimitW: null, minSocPercent: 10 } as const;

/** Days with the sun from 6 to 20, a house that takes most in the evening, and no battery. */
function sunnyDays(days: number, peakW = 5_500) {
  const buckets = Array.from({ length: days * BUCKETS_OF_DAY }, (_, place) => {
    const hour = ((place % BUCKETS_OF_DAY) * 5) / 60;
    const sunWh = peakW * Math.max(0, Math.sin(((hour - 6) / 14) * Math.PI)) * (hour < 20 ? 1 : 0) * (1 / 12);
    const demandWh = (400 + 1_400 * Math.exp(-((hour - 19) ** 2) / 4)) / 12;
    const surplus = sunWh - demandWh;
    return {
      importWh: Math.max(0, -surplus),
      exportWh: Math.max(0, surplus),
      chargeWh: 0,
      dischargeWh: 0,
      demandWh,
      socPercent: 40,
    };
  });
  const span = spanOf(buckets);
  return { ...span, surplus: recordedSurplus(span, () => ranAs) };
}

const plan: BatteryPlan = {
  mode: 'selfUse',
  minSocPercent: 10,
  backupSocPercent: 50,
  gridCharge: true,
  exportLimitW: null,
  peakLimitW: null,
  periods: [],
};

const byTime: Tariff = {
  fromMs: 0,
  feedInPricePerKwh: '0.08',
  purchasePricePerKwh: null,
  currency: 'EUR',
  purchasePeriods: {
    weekday: [
      { from: '00:00', price: '0.12' },
      { from: '06:00', price: '0.30' },
      { from: '17:00', price: '0.52' },
      { from: '21:00', price: '0.30' },
    ],
    weekend: null,
  },
};

const groundOf = (days: number, tariff: Tariff, own = plan, peakW = 5_500): ProposalGround => {
  const record = sunnyDays(days, peakW);
  const prices = bucketPrices(tariffSpans([tariff], record, ZONE), record);
  return { record, model, opening: { socPercent: 40, isHeld: false }, prices, plan: own };
};

describe('replay', () => {
  test('the balance is exact in every bucket, whatever was recorded and whatever the plan', () => {
    fc.assert(
      fc.property(fc.array(fc.option(anyBucket), { minLength: 1, maxLength: 40 }), anyPlan, (buckets, each) => {
        const span = spanOf(buckets);
        const told = replay({ ...span, surplus: recordedSurplus(span, () => ranAs) }, each, model, {
          socPercent: 50,
          isHeld: false,
        });
        let wastedWh = 0;
        buckets.forEach((bucket, place) => {
          const at = (of: Float64Array) => of[place] as number;
          const outWh = at(told.chargeWh) + at(told.exportWh) - at(told.dischargeWh) - at(told.importWh);
          const surplusWh = bucket ? bucket.exportWh + bucket.chargeWh - bucket.importWh - bucket.dischargeWh : 0;
          expect(surplusWh - outWh).toBeGreaterThan(-1e-6);
          wastedWh += surplusWh - outWh;
        });
        expect(wastedWh).toBeCloseTo(told.curtailedWh, 5);
        expect(told.unknown).toBe(buckets.filter((bucket) => bucket === null).length);
      }),
    );
  });

  test('the state of charge stays between minimum and full, and follows from what flowed', () => {
    fc.assert(
      fc.property(
        fc.array(anyBucket, { minLength: 1, maxLength: 60 }),
        anyPlan,
        fc.integer({ min: 0, max: 100 }),
        (buckets, each, socPercent) => {
          const span = spanOf(buckets);
          const told = replay({ ...span, surplus: recordedSurplus(span, () => ranAs) }, each, model, {
            socPercent,
            isHeld: false,
          });
          const least = Math.min(socPercent, each.minSocPercent) - 1e-6;
          expect(told.socPercent.every((soc) => soc >= least && soc <= 100)).toBe(true);
          const storedWh = sumWh(told.chargeWh) * 0.955 - sumWh(told.dischargeWh) / 0.955;
          expect((told.socPercent.at(-1) ?? 0) - socPercent).toBeCloseTo((100 * storedWh) / model.capacityWh, 6);
        },
      ),
    );
  });

  test('with a steady surplus no bucket both charges and discharges, or buys and feeds in', () => {
    fc.assert(
      fc.property(anyPlan, (each) => {
        const told = replay(sunnyDays(2), each, model, { socPercent: 40, isHeld: false });
        const turns = told.chargeWh.filter((wh, place) => wh > 1e-6 && (told.dischargeWh[place] as number) > 1e-6);
        // A period may begin or end within five minutes.
        expect(turns.length).toBeLessThanOrEqual(2 * 2 * each.periods.length);
      }),
    );
  });

  test('a period runs in minutes of the plant, on its weekdays alone', () => {
    const monday: PlanPeriod = {
      startMin: 120,
      endMin: 240,
      days: 1,
      action: 'gridCharge',
      powerW: 2_000,
      minSocPercent: 10,
      fdSocPercent: 100,
    };
    const told = replay(sunnyDays(2), { ...plan, mode: 'batterySupport', periods: [monday] }, model, {
      socPercent: 10,
      isHeld: false,
    });
    expect(told.chargeWh.subarray(24, 48).every((wh) => Math.abs(wh - 2_000 / 12) < 1e-6)).toBe(true);
    expect(sumWh(told.chargeWh.subarray(0, 24))).toBe(0);
    expect(sumWh(told.chargeWh.subarray(BUCKETS_OF_DAY + 24, BUCKETS_OF_DAY + 48))).toBe(0);
  });
});

describe('replay at the bounds of a plan', () => {
  const alwaysOn = (own: Partial<PlanPeriod>): BatteryPlan => ({
    ...plan,
    mode: 'batterySupport',
    periods: [
      {
        ...{ startMin: 0, endMin: 1_440, days: 127, action: 'gridCharge', powerW: 3_000, minSocPercent: 10 },
        ...{ fdSocPercent: 100, ...own },
      },
    ],
  });

  test('charging and discharging end where the plan says, not with the minute', () => {
    const socAfter = (own: BatteryPlan, socPercent: number) =>
      replay(sunnyDays(1, 0), own, model, { socPercent, isHeld: false }).socPercent.at(-1);
    expect(socAfter(alwaysOn({ fdSocPercent: 63 }), 40)).toBeCloseTo(63, 9);
    expect(socAfter(alwaysOn({ action: 'discharge', minSocPercent: 22 }), 40)).toBeCloseTo(22, 9);
    expect(socAfter({ ...plan, mode: 'backup', backupSocPercent: 71 }, 40)).toBeCloseTo(71, 9);
  });

  test('a battery is held from the beginning where what was wanted first was bought, however long that came after', () => {
    const quiet = { importWh: 0, exportWh: 50, chargeWh: 0, dischargeWh: 0, demandWh: 20, socPercent: 12 };
    const evening = { ...quiet, importWh: 60, exportWh: 0 };
    expect(openingOf(spanOf([quiet, quiet, evening]), 12)).toEqual({ socPercent: 12, isHeld: true });
    expect(openingOf(spanOf([quiet, { ...evening, dischargeWh: 40 }, evening]), null)).toEqual({
      socPercent: 12,
      isHeld: false,
    });
    expect(openingOf(spanOf([quiet, null]), 12)).toEqual({ socPercent: 12, isHeld: false });
  });
});

describe('cost', () => {
  test('is exact: each energy at the price of its time', () => {
    const { record, prices } = groundOf(1, byTime);
    const importWh = new Float64Array(record.length);
    const exportWh = new Float64Array(record.length);
    importWh[0] = 1_000;
    importWh[17 * 12] = 500;
    exportWh[12 * 12] = 3_000;
    expect(planCost({ importWh, exportWh }, prices)).toEqual({ bought: '0.38', fedIn: '0.24', cost: '0.14' });
  });

  test('is not known where a price of what was bought is missing', () => {
    const { record, prices } = groundOf(1, { ...byTime, purchasePeriods: null });
    const importWh = new Float64Array(record.length).fill(1);
    expect(planCost({ importWh, exportWh: importWh }, prices).cost).toBeNull();
  });
});

describe('proposals', () => {
  const run = (ground: ProposalGround) => {
    const steps = proposalSteps(ground);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  };

  const worthOf = ({ cost, endWorth }: Outcome) => Number(cost.cost) - endWorth;

  test('where prices differ by the hour the cheapest is cheaper than self-use, and no candidate is cheaper still', () => {
    const ground = groundOf(7, byTime, plan, 800);
    const { price, balanced, gentle } = run(ground);
    if (price === null) throw new Error('none is proposed');
    expect(worthOf(price)).toBeLessThan(worthOf(outcomeOf(ground, selfUseOf(plan))));
    expect(worthOf(price)).toBe(Math.min(...candidatePlans(ground).map((each) => worthOf(outcomeOf(ground, each)))));
    expect(gentle?.replayed.cycles).toBeLessThanOrEqual(price.replayed.cycles);
    expect(new Set([price, balanced, gentle]).size).toBe(3);
  });

  test('save nothing that is missing in the battery in the end, bought again at the median price of the day', () => {
    // Half of the day costs 0.30, a quarter 0.12, less than a quarter 0.52.
    const perPercent = (model.capacityWh * model.dischargeEfficiency * 0.3) / 100_000;
    for (const peakW of [0, 800, 2_000, 5_500]) {
      for (const socPercent of [20, 55, 90]) {
        const ground = { ...groundOf(1, byTime, plan, peakW), opening: { socPercent, isHeld: false } };
        const ownUse = outcomeOf(ground, selfUseOf(plan));
        const ends = ({ replayed }: Outcome) => replayed.socPercent.at(-1) ?? 0;
        const { price } = run(ground);
        if (price === null) throw new Error('none is proposed');
        const paidLess = Number(ownUse.cost.cost) - Number(price.cost.cost);
        expect(paidLess - (ends(ownUse) - ends(price)) * perPercent).toBeGreaterThan(-1e-6);
      }
    }
  });

  test('keep the minimum of the plan, have at most eight periods, none shorter than half an hour and none over another', () => {
    for (const each of candidatePlans(groundOf(7, byTime, { ...plan, minSocPercent: 25 }))) {
      expect(each.minSocPercent).toBeGreaterThanOrEqual(25);
      expect(each.periods.length).toBeLessThanOrEqual(8);
      each.periods.forEach(({ startMin, endMin }, place) => {
        expect(endMin - startMin).toBeGreaterThanOrEqual(30);
        expect(startMin).toBeGreaterThanOrEqual(each.periods[place - 1]?.endMin ?? 0);
      });
    }
  });

  test('without any price none is proposed', () => {
    const ground = groundOf(2, { ...byTime, purchasePeriods: null });
    const outcomes = candidatePlans(ground).map((each) => outcomeOf(ground, each));
    expect(chosenOf(outcomes, ground)).toEqual({ price: null, balanced: null, gentle: null });
  });
});

describe('what the battery does and why', () => {
  const limits = { chargeW: 5_000, dischargeW: 5_000, ratedW: 8_000 };
  const sun: PlanPeriod = {
    startMin: 660,
    endMin: 900,
    days: 127,
    action: 'sunCharge',
    powerW: 3_000,
    minSocPercent: 20,
    fdSocPercent: 100,
  };
  const support: BatteryPlan = { ...plan, mode: 'batterySupport', periods: [sun] };
  const noon = { batteryW: -3_000, socPercent: 88, generationW: 6_900, demandW: 800, gridW: -3_100 };

  test('names the period that holds, and when it ends', () => {
    expect(planNow(support, noon, 785, limits)).toEqual({
      does: 'charges',
      why: 'sunCharge',
      period: 0,
      nextInMin: 115,
      nextPeriod: null,
    });
  });

  test('outside periods it is the surplus or the deficit, and what comes next is the period', () => {
    const evening = { batteryW: 900, socPercent: 60, generationW: 0, demandW: 900, gridW: 0 };
    expect(planNow(support, evening, 600, limits)).toEqual({
      does: 'discharges',
      why: 'deficit',
      period: null,
      nextInMin: 60,
      nextPeriod: 0,
    });
  });

  test('says full, empty and otherwise where the battery does not do what is asked', () => {
    const idle = { batteryW: 0, gridW: 0, generationW: 2_000, demandW: 500 };
    expect(planNow(plan, { ...idle, socPercent: 100 }, 0, limits).why).toBe('full');
    expect(planNow(plan, { ...idle, socPercent: 50 }, 0, limits).why).toBe('otherwise');
    expect(planNow(plan, { ...idle, generationW: 0, socPercent: 10 }, 0, limits).why).toBe('empty');
    expect(planNow(plan, { ...idle, batteryW: 700, socPercent: 50 }, 0, limits).why).toBe('otherwise');
  });
});
