import type { BatteryPlan, PlanMode } from '@sonnenwarte/energy/plan/battery-plan';
import { chargeAtEdges } from '@sonnenwarte/energy/plan/charge-at-edges';
import { measuredStorage, storageModel } from '@sonnenwarte/energy/plan/measured-storage';
import { planCost, sumWh } from '@sonnenwarte/energy/plan/plan-money';
import {
  openingOf,
  type RecordedBucket,
  type RecordedSpan,
  recordedSpan,
} from '@sonnenwarte/energy/plan/recorded-span';
import { recordedSurplus } from '@sonnenwarte/energy/plan/recorded-surplus';
import { replay } from '@sonnenwarte/energy/plan/replay';
import { laidOnSlots, type SampledPowers } from '@sonnenwarte/energy/plan/sampled-powers';
import { describe, expect, test } from 'vitest';
import { FaultBoard } from './faults.ts';
import type { FleetPlant, PlantSettings, SchedulePeriod, WorkMode } from './fleet.ts';
import { Plant } from './plant/plant.ts';
import { samplePlant } from './testing/sample-plant.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const BUCKET_MS = 5 * MINUTE_MS;
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

const totalOf = ({ storages }: Plant, of: (unit: Plant['storages'][number]) => number): number =>
  storages.reduce((sum, unit) => sum + of(unit), 0);

const socOf = (plant: Plant): number =>
  totalOf(plant, ({ socPercent, device }) => socPercent * device.capacityWh) /
  totalOf(plant, ({ device }) => device.capacityWh);

/** Runs a plant in steps and tells its five-minute energies; `tell` is asked after each step. */
function recordUntil(plant: Plant, endMs: number, stepMs = MINUTE_MS, tell?: () => void): RecordedBucket[] {
  const hours = stepMs / 3_600_000;
  const buckets: RecordedBucket[] = [];
  while (plant.tsMs < endMs) {
    const { tsMs } = plant;
    const wh = { importWh: 0, exportWh: 0, chargeWh: 0, dischargeWh: 0, demandWh: 0 };
    for (let ms = stepMs; ms <= BUCKET_MS; ms += stepMs) {
      plant.advanceTo(tsMs + ms);
      tell?.();
      const { gridW, batteryW, loadW, chargerW } = plant.powers;
      wh.importWh += Math.max(0, gridW) * hours;
      wh.exportWh += Math.max(0, -gridW) * hours;
      wh.chargeWh += Math.max(0, -batteryW) * hours;
      wh.dischargeWh += Math.max(0, batteryW) * hours;
      wh.demandWh += (loadW + chargerW) * hours;
    }
    buckets.push({ tsMs, ...wh, socPercent: socOf(plant) });
  }
  return buckets;
}

const prices = {
  prices: [{ purchasePricePerKwh: '0.3021', feedInPricePerKwh: '0.0803', currency: 'EUR' }],
  ofBucket: new Uint16Array(BUCKETS_OF_DAY),
};

type Flows = Pick<RecordedSpan, 'importWh' | 'exportWh'>;

/** How far what was replayed of a day is from what was: energies in percent of all that went through the plant, and cents. */
function missedBy(told: Flows, was: RecordedSpan) {
  const off = (name: keyof Flows) => Math.abs(sumWh(told[name]) - sumWh(was[name]));
  const throughWh = sumWh(was.demandWh) + sumWh(was.exportWh);
  const [costs, cost] = [told, was].map((flows) => Number(planCost(flows, prices).cost)) as [number, number];
  return {
    energyPercent: (100 * Math.max(off('importWh'), off('exportWh'))) / throughWh,
    cents: 100 * Math.abs(costs - cost),
  };
}

const planOf = (settings: PlantSettings, mode: WorkMode): BatteryPlan => ({
  ...settings,
  mode: modeOf[mode],
  periods: settings.schedule.map((each) => ({ ...each, action: actionOf[each.mode] })),
});

/** What is known of the battery of a plant beside its record. */
const knownOf = (plant: Plant) => ({
  capacityWh: totalOf(plant, ({ device, sohPercent }) => (device.capacityWh * sohPercent) / 100),
  maxChargeW: totalOf(plant, ({ device }) => device.params.maxChargeW),
  maxDischargeW: totalOf(plant, ({ device }) => device.params.maxDischargeW),
  ratedAcW: plant.inverters.reduce((sum, { device }) => sum + device.ratedPowerW, 0),
});

/** A month of a plant that was really run in a mode, and what replaying that mode makes of each of its days. */
function replayedMonth(key: string, mode: WorkMode, startMs: number) {
  const sample = samplePlant(key, { workMode: mode });
  const plant = new Plant({ ...sample, settings: { ...sample.settings, schedule } }, startMs, new FaultBoard());
  plant.advanceTo(startMs + 3 * DAY_MS);
  const fromMs = plant.tsMs;
  let before = plant.storages[0]?.socPercent ?? null;
  const buckets = recordUntil(plant, fromMs + DAYS * DAY_MS);
  const plan = planOf(plant.settings, mode);
  const whole = recordedSpan(buckets, { startMs: fromMs, endMs: plant.tsMs }, sample.timeZone);
  const measured = measuredStorage(whole);
  const model = storageModel(knownOf(plant), measured);
  const ran = { ...model, ...plan };
  const days = Array.from({ length: DAYS }, (_, day) => {
    const own = buckets.slice(day * BUCKETS_OF_DAY, (day + 1) * BUCKETS_OF_DAY);
    const bounds = { startMs: fromMs + day * DAY_MS, endMs: fromMs + (day + 1) * DAY_MS };
    const span = recordedSpan(own, bounds, sample.timeZone);
    const opening = openingOf(span, before);
    if (opening === null) throw new Error('nothing is told of the battery');
    before = own.at(-1)?.socPercent ?? null;
    const told = replay({ ...span, surplus: recordedSurplus(span, () => ran) }, plan, model, opening);
    return missedBy(told, span);
  });
  return { days, measured, capacityWh: knownOf(plant).capacityWh };
}

/** What limits make of a mode something that one sees. */
const limitsOf: Partial<Record<WorkMode, Partial<PlantSettings>>> = {
  'feed-in-priority': { exportLimitW: 2_500 },
  'peak-shaving': { peakLimitW: 1_500, gridCharge: true },
};
const modes = ['battery-support', 'self-use', 'feed-in-priority', 'peak-shaving'] as const;

function houseOf(key: string, mode: WorkMode): FleetPlant {
  const plant = samplePlant(key, { workMode: mode });
  return { ...plant, settings: { ...plant.settings, schedule, ...limitsOf[mode] } };
}

/** The battery of a house as ten days before a day tell it. */
function modelBefore(key: string, dayMs: number) {
  const startMs = dayMs - 10 * DAY_MS;
  const house = houseOf(key, 'self-use');
  const plant = new Plant(house, startMs, new FaultBoard(), undefined, BUCKET_MS);
  const buckets = recordUntil(plant, dayMs, BUCKET_MS);
  return storageModel(
    knownOf(plant),
    measuredStorage(recordedSpan(buckets, { startMs, endMs: dayMs }, house.timeZone)),
  );
}

interface Sample {
  readonly tsMs: number;
  readonly gridW: number;
  readonly batteryW: number;
}

/** A day that was run under a mode, in steps, with all powers that it went through. */
function dayOf(key: string, mode: WorkMode, dayMs: number, stepMs: number) {
  const house = houseOf(key, mode);
  const evening = new Plant(house, dayMs - DAY_MS, new FaultBoard(), undefined, BUCKET_MS);
  const before = recordUntil(evening, dayMs, BUCKET_MS).at(-1)?.socPercent ?? null;
  const plant = new Plant(house, dayMs, new FaultBoard(), evening.state);
  const went: Sample[] = [];
  const bounds = { startMs: dayMs, endMs: dayMs + DAY_MS };
  const buckets = recordUntil(plant, bounds.endMs, stepMs, () => {
    const { gridW, batteryW } = plant.powers;
    went.push({ tsMs: plant.tsMs, gridW, batteryW });
  });
  const span = recordedSpan(buckets, bounds, house.timeZone);
  const opening = openingOf(span, before);
  if (opening === null) throw new Error('nothing is told of the battery');
  const laid = (samples: readonly Sample[]): SampledPowers => {
    const times = samples.map(({ tsMs }) => tsMs);
    const of = (name: 'gridW' | 'batteryW') =>
      laidOnSlots(
        times,
        samples.map((sample) => sample[name]),
        bounds,
      );
    return { gridW: of('gridW'), batteryW: of('batteryW') };
  };
  return { span, opening, plan: planOf(house.settings, mode), went, laid };
}

/** What a device tells that reads its power once in so long, each time so long after. */
const readOnceIn = (went: readonly Sample[], everyMs: number, afterMs: number): Sample[] =>
  went.filter(({ tsMs }) => tsMs % everyMs === afterMs);

const households = ['lindenblick', 'ulivo', 'pomar', 'karoo', 'red-gum'];

/** Days of a household under each mode, sampled in each way, that are further off than 2 percent or 1 cent. */
function missedDays(
  key: string,
  days: readonly number[],
  stepMs: number,
  ways: Readonly<Record<string, (went: readonly Sample[]) => Sample[]>>,
): string[] {
  return days.flatMap((dayMs) => {
    const model = modelBefore(key, dayMs);
    return modes.flatMap((mode) => {
      const { span, opening, plan, went, laid } = dayOf(key, mode, dayMs, stepMs);
      return Object.entries(ways).flatMap(([way, sampled]) => {
        const surplus = recordedSurplus(span, () => ({ ...model, ...plan }), laid(sampled(went)));
        const { energyPercent, cents } = missedBy(replay({ ...span, surplus }, plan, model, opening), span);
        const day = new Date(dayMs).toISOString().slice(0, 10);
        return energyPercent <= 2 && cents <= 1 ? [] : [`${day} ${mode} ${way}: ${energyPercent} %, ${cents} ct`];
      });
    });
  });
}

describe('days that were run under a plan, replayed under it from samples within five minutes', () => {
  const everySixth = Array.from({ length: 6 }, (_, part) => Date.UTC(2025, 0, 10 + Math.round((part * 365) / 6)));

  test.each(households)(
    '%s: energies of every day within 2 percent and money within 1 cent, from one sample a minute',
    (key) => {
      const ways = {
        'at the full minute': (went: readonly Sample[]) => readOnceIn(went, MINUTE_MS, 0),
        'within the minute': (went: readonly Sample[]) => readOnceIn(went, MINUTE_MS, 40_000),
      };
      expect(missedDays(key, everySixth, 10_000, ways)).toEqual([]);
    },
  );

  test.each(households)('%s: the same from a sample each ten seconds', (key) => {
    const ways = { 'each ten seconds': (went: readonly Sample[]) => readOnceIn(went, 10_000, 5_000) };
    expect(missedDays(key, [Date.UTC(2025, 3, 12), Date.UTC(2025, 9, 3)], 5_000, ways)).toEqual([]);
  });
});

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

const energyNames = ['importWh', 'exportWh', 'chargeWh', 'dischargeWh', 'demandWh'] as const;

/**
 * Days of a plant that bought in the afternoon for the evening, and told charge and counters once in five minutes, so long after each full five: what flowed
 * between two of them is accounted evenly.
 */
function reportedDays(key: string, afterMs: number, startMs: number, count: number) {
  const bought: SchedulePeriod[] = [
    { ...period('charge', 780, 900, 2_500), minSocPercent: 10, fdSocPercent: 90 },
    { ...period('discharge', 1_140, 1_320, 2_000), minSocPercent: 10, fdSocPercent: 100 },
  ];
  const sample = samplePlant(key, { workMode: 'battery-support' });
  const plant = new Plant({ ...sample, settings: { ...sample.settings, schedule: bought } }, startMs, new FaultBoard());
  plant.advanceTo(startMs + DAY_MS - BUCKET_MS);
  const bounds = { startMs: startMs + DAY_MS, endMs: startMs + (1 + count) * DAY_MS };
  const timesMs: number[] = [];
  const counted = { importWh: 0, exportWh: 0, chargeWh: 0, dischargeWh: 0, demandWh: 0, soc: 0 };
  const told = { importWh: [], exportWh: [], chargeWh: [], dischargeWh: [], demandWh: [], soc: [] } as Record<
    keyof typeof counted,
    number[]
  >;
  while (plant.tsMs < bounds.endMs + BUCKET_MS) {
    plant.advanceTo(plant.tsMs + MINUTE_MS);
    const { gridW, batteryW, loadW, chargerW } = plant.powers;
    counted.importWh += Math.max(0, gridW) / 60;
    counted.exportWh += Math.max(0, -gridW) / 60;
    counted.chargeWh += Math.max(0, -batteryW) / 60;
    counted.dischargeWh += Math.max(0, batteryW) / 60;
    counted.demandWh += (loadW + chargerW) / 60;
    counted.soc = socOf(plant);
    if (plant.tsMs % BUCKET_MS !== afterMs) continue;
    timesMs.push(plant.tsMs);
    for (const [name, values] of Object.entries(told)) values.push(counted[name as keyof typeof counted]);
  }
  const socs = chargeAtEdges({ timesMs, percent: told.soc }, bounds);
  const edges = Object.fromEntries(
    energyNames.map((name) => [name, chargeAtEdges({ timesMs, percent: told[name] }, bounds)]),
  );
  const buckets = Array.from({ length: count * BUCKETS_OF_DAY }, (_, place) => {
    const of = (name: (typeof energyNames)[number]) => (edges[name]?.[place + 1] ?? 0) - (edges[name]?.[place] ?? 0);
    return {
      ...{ tsMs: bounds.startMs + place * BUCKET_MS, importWh: of('importWh'), exportWh: of('exportWh') },
      ...{ chargeWh: of('chargeWh'), dischargeWh: of('dischargeWh'), demandWh: of('demandWh') },
      socPercent: socs[place + 1] ?? null,
    };
  });
  const measured = measuredStorage(recordedSpan(buckets, bounds, sample.timeZone));
  const plan = planOf(plant.settings, 'battery-support');
  const model = storageModel(knownOf(plant), measured);
  const missed = Array.from({ length: count }, (_, day) => {
    const from = day * BUCKETS_OF_DAY;
    const own = buckets.slice(from, from + BUCKETS_OF_DAY);
    const ofDay = { startMs: bounds.startMs + day * DAY_MS, endMs: bounds.startMs + (day + 1) * DAY_MS };
    const span = recordedSpan(own, ofDay, sample.timeZone);
    const opening = openingOf(span, socs[from] ?? null);
    if (opening === null) throw new Error('nothing is told of the battery');
    const surplus = recordedSurplus(span, () => ({ ...model, ...plan }));
    return missedBy(replay({ ...span, surplus }, plan, model, opening), span);
  });
  return { missed, measured, capacityWh: knownOf(plant).capacityWh };
}

describe('days of a plant that tells all every five minutes, replayed under the plan that it ran', () => {
  const startMs = Date.UTC(2025, 10, 18);

  test.each(['ulivo', 'lindenblick'])(
    '%s: capacity within half a percent, energies within 2 percent, money of the middle day within 1 cent',
    (key) => {
      const { missed, measured, capacityWh } = reportedDays(key, 0, startMs, 9);
      expect(Math.abs((measured.capacityWh ?? 0) / capacityWh - 1)).toBeLessThan(0.005);
      expect(Math.max(...missed.map(({ energyPercent }) => energyPercent))).toBeLessThanOrEqual(2);
      const cents = missed.map((day) => day.cents).sort((one, other) => one - other);
      expect(cents[4]).toBeLessThanOrEqual(1);
      expect(cents.reduce((sum, each) => sum + each, 0) / cents.length).toBeLessThanOrEqual(1);
    },
  );

  test.each([
    ['ulivo', 2],
    ['lindenblick', 3],
  ])(
    '%s, told %i minutes after each full five: capacity within half a percent, energies within 2 percent',
    (key, after) => {
      const { missed, measured, capacityWh } = reportedDays(key, after * MINUTE_MS, startMs, 9);
      expect(Math.abs((measured.capacityWh ?? 0) / capacityWh - 1)).toBeLessThan(0.005);
      expect(Math.max(...missed.map(({ energyPercent }) => energyPercent))).toBeLessThanOrEqual(2);
    },
  );
});
