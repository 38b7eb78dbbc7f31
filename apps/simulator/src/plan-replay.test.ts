import type { BatteryPlan, PlanMode } from '@sonnenwarte/energy/plan/battery-plan';
import { measuredStorage, storageModel } from '@sonnenwarte/energy/plan/measured-storage';
import { planCost, sumWh } from '@sonnenwarte/energy/plan/plan-money';
import { openingOf, type RecordedBucket, recordedSpan, surplusLevels } from '@sonnenwarte/energy/plan/recorded-span';
import { replay } from '@sonnenwarte/energy/plan/replay';
import { describe, expect, test } from 'vitest';
import { FaultBoard } from './faults.ts';
import type { SchedulePeriod, WorkMode } from './fleet.ts';
import { Plant } from './plant/plant.ts';
import { samplePlant } from './testing/sample-plant.ts';

const DAY_MS = 86_400_000;
const FIVE_MINUTES = 5;
const DAYS = 30;
const BUCKETS_OF_DAY = 288;

const modeOf: Record<WorkMode, PlanMode> = {
  'self-use': 'selfUse',
  'feed-in-priority': 'feedInPriority',
  backup: 'backup',
  'battery-support': 'batterySupport',
  'peak-shaving': 'peakShaving',
};
const actionOf = { charge: 'gridCharge', discharge: 'discharge', hold: 'hold', sun: 'sunCharge' } as const;

const period = (mode: SchedulePeriod['mode'], startMin: number, endMin: number, powerW: number): SchedulePeriod => ({
  startMin,
  endMin,
  days: 127,
  mode,
  powerW,
  minSocPercent: 25,
  fdSocPercent: 70,
});
const schedule = [
  period('charge', 120, 300, 2500),
  period('hold', 360, 480, 0),
  period('sun', 660, 900, 2000),
  period('discharge', 1080, 1320, 1500),
];

function recordUntil(plant: Plant, endMs: number): RecordedBucket[] {
  const capacityWh = plant.storages.reduce((sum, unit) => sum + unit.device.capacityWh, 0);
  const buckets: RecordedBucket[] = [];
  while (plant.tsMs < endMs) {
    const { tsMs } = plant;
    const wh = { importWh: 0, exportWh: 0, chargeWh: 0, dischargeWh: 0, demandWh: 0 };
    for (let minute = 1; minute <= FIVE_MINUTES; minute += 1) {
      plant.advanceTo(tsMs + minute * 60_000);
      const { gridW, batteryW, loadW, chargerW } = plant.powers;
      wh.importWh += Math.max(0, gridW) / 60;
      wh.exportWh += Math.max(0, -gridW) / 60;
      wh.chargeWh += Math.max(0, -batteryW) / 60;
      wh.dischargeWh += Math.max(0, batteryW) / 60;
      wh.demandWh += (loadW + chargerW) / 60;
    }
    const socPercent = plant.storages.reduce((sum, unit) => sum + unit.socPercent * unit.device.capacityWh, 0);
    buckets.push({ tsMs, ...wh, socPercent: socPercent / capacityWh });
  }
  return buckets;
}

const prices = {
  prices: [{ purchasePricePerKwh: '0.3021', feedInPricePerKwh: '0.0803', currency: 'EUR' }],
  ofBucket: new Uint16Array(DAYS * BUCKETS_OF_DAY),
};

/** A month of a plant that was really run in a mode, and what replaying that mode makes of each of its days. */
function replayedMonth(key: string, mode: WorkMode, startMs: number) {
  const sample = samplePlant(key, { workMode: mode });
  const plant = new Plant({ ...sample, settings: { ...sample.settings, schedule } }, startMs, new FaultBoard());
  plant.advanceTo(startMs + 3 * DAY_MS);
  const { settings } = plant;
  const fromMs = plant.tsMs;
  let before = plant.storages[0]?.socPercent ?? null;
  const buckets = recordUntil(plant, fromMs + DAYS * DAY_MS);
  const plan: BatteryPlan = {
    ...settings,
    mode: modeOf[mode],
    periods: schedule.map((each) => ({ ...each, action: actionOf[each.mode] })),
  };
  const whole = recordedSpan(buckets, { startMs: fromMs, endMs: plant.tsMs }, sample.timeZone);
  const total = (of: (unit: Plant['storages'][number]) => number) =>
    plant.storages.reduce((sum, unit) => sum + of(unit), 0);
  const known = {
    capacityWh: total((unit) => unit.device.capacityWh),
    maxChargeW: total((unit) => unit.device.params.maxChargeW),
    maxDischargeW: total((unit) => unit.device.params.maxDischargeW),
    ratedAcW: plant.inverters.reduce((sum, unit) => sum + unit.device.ratedPowerW, 0),
  };
  const measured = measuredStorage(whole);
  const model = storageModel(known, measured);
  const ran = { ...model, ...plan };
  const days = Array.from({ length: DAYS }, (_, day) => {
    const own = buckets.slice(day * BUCKETS_OF_DAY, (day + 1) * BUCKETS_OF_DAY);
    const bounds = { startMs: fromMs + day * DAY_MS, endMs: fromMs + (day + 1) * DAY_MS };
    const span = recordedSpan(own, bounds, sample.timeZone);
    const opening = openingOf(span, before);
    if (opening === null) throw new Error('nothing is told of the battery');
    before = own.at(-1)?.socPercent ?? null;
    const told = replay({ ...span, ...surplusLevels(span, ran) }, plan, model, opening);
    const costs = [told, span].map((flows) =>
      Number(planCost(flows, { ...prices, ofBucket: prices.ofBucket.subarray(0, BUCKETS_OF_DAY) }).cost),
    );
    const off = (name: 'importWh' | 'exportWh') => Math.abs(sumWh(told[name]) - sumWh(span[name]));
    const throughWh = sumWh(span.demandWh) + sumWh(span.exportWh);
    return {
      energyPercent: (100 * Math.max(off('importWh'), off('exportWh'))) / throughWh,
      cents: 100 * Math.abs((costs[0] as number) - (costs[1] as number)),
    };
  });
  return { days, measured, capacityWh: total((unit) => (100 * unit.storedWh) / unit.socPercent) };
}

const households = ['lindenblick', 'ulivo', 'pomar', 'karoo', 'red-gum'];

describe('days that were run under a plan, replayed under it from five-minute energies', () => {
  test.each(households)('%s: energies of every day within 2 percent, money of the middle day within 1 cent', (key) => {
    for (const mode of ['battery-support', 'self-use'] as const) {
      const { days } = replayedMonth(key, mode, Date.UTC(2025, 3, 1));
      const cents = days.map((day) => day.cents);
      expect(Math.max(...days.map((day) => day.energyPercent)), mode).toBeLessThanOrEqual(2);
      expect(cents.filter((each) => each <= 1).length, `${mode}: ${cents}`).toBeGreaterThanOrEqual((2 * DAYS) / 3);
      expect(cents.reduce((sum, each) => sum + each, 0) / DAYS, mode).toBeLessThanOrEqual(1);
    }
  });

  test('the battery is measured by its own record: capacity within 1 %, efficiency within half a percent', () => {
    const { measured, capacityWh } = replayedMonth('lindenblick', 'self-use', Date.UTC(2025, 5, 1));
    expect(Math.abs((measured.capacityWh ?? 0) / capacityWh - 1)).toBeLessThan(0.01);
    expect(Math.abs((measured.efficiency ?? 0) - 0.955)).toBeLessThan(0.005);
  });
});
