import type { Plan } from '@sonnenwarte/contract/work-modes/plan';
import { workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const { whatIf, proposals, view } = workModeEndpoints;

const BUCKET_MS = 300_000;
const BUCKETS = 288;
/** Midnight in Berlin; it is noon of the next day. */
const DAY_MS = Date.UTC(2026, 5, 8, 22);
const NOW_MS = DAY_MS + 36 * 3_600_000;
const CAPACITY_WH = 10_000;
const EFFICIENCY = 0.95;

const selfUse: Plan = {
  mode: 'selfUse',
  minSoc: 10,
  backupSoc: null,
  gridCharge: null,
  peakLimitW: null,
  periods: [],
  pricePeriods: null,
};
const held: Plan = {
  ...selfUse,
  mode: 'batterySupport',
  periods: [{ startMin: 0, endMin: 1_440, days: 127, action: 'hold', powerW: 0, minSoc: 10, fdSoc: 100 }],
};

let plants: PlantsFixture;
let token: string;
let installerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  ({ token, installerId } = await plants.addInstaller());
});
afterAll(() => plants?.stop());

interface Flows {
  readonly importWh?: number;
  readonly exportWh?: number;
  readonly chargeWh?: number;
  readonly dischargeWh?: number;
  readonly socPercent?: number;
}

const settingsNow = { 'Setting/WorkMode': 1, 'Setting/MinSoc': 10, 'Setting/ChargePower': 3_000 };

async function addPlant(settings: Readonly<Record<string, number>> = settingsNow, historyPercent?: number) {
  const site = await plants.addSite(installerId, {
    purchase_price: '0.30',
    feed_in_price: '0.08',
    ...(historyPercent !== undefined && { latest: { history_percent: historyPercent } }),
  });
  const datalogger = await plants.addDatalogger(site.id);
  const inverter = await plants.addDevice(site.id, datalogger.id, { kind: 'inverter', rated_power_w: 10_000 });
  const battery = await plants.addDevice(site.id, datalogger.id, { kind: 'battery' });
  await plants.db.updateTable('devices').set({ capacity_wh: CAPACITY_WH }).where('id', '=', battery.id).execute();
  const rows = Object.entries(settings).map(([name, value]) => ({
    subject_id: inverter.id,
    name,
    reported: JSON.stringify(value),
    reported_at: new Date(NOW_MS),
    reported_by: 'birth' as const,
  }));
  await plants.db.insertInto('device_settings').values(rows).execute();
  return { site, inverter, battery };
}
type Added = Awaited<ReturnType<typeof addPlant>>;

/** Accounted buckets of yesterday, from one to another. */
const account = ({ site }: Added, from: number, to: number, flowsOf: (place: number) => Flows) =>
  plants.insert(
    'site_5m',
    Array.from({ length: to - from }, (_, at) => {
      const { importWh = 0, exportWh = 0, chargeWh = 0, dischargeWh = 0, socPercent = 40 } = flowsOf(from + at);
      return {
        ...{ site: site.key, ts: DAY_MS / 1_000 + (from + at) * 300, version: 1, samples: 1, pv_wh: 0, load_wh: 60 },
        ...{ import_wh: importWh, export_wh: exportWh, charge_wh: chargeWh, discharge_wh: dischargeWh },
        soc_percent: socPercent,
      };
    }),
  );

/** What the battery told at a full five minutes each. */
async function tellCharges({ battery }: Added, from: number, to: number, socOf: (place: number) => number) {
  const steps = pointByName('battery', 'Bat/Soc')?.steps;
  await plants.insert(
    'raw_battery',
    Array.from({ length: to - from }, (_, at) => {
      const ts = new Date(DAY_MS + (from + at) * BUCKET_MS).toISOString().slice(0, 23).replace('T', ' ');
      const soc = socOf(from + at);
      return {
        ...{ device: battery.key, ts, received: ts },
        ...(steps === undefined ? { bat_soc: soc } : { bat_soc_n: Math.round(soc * steps) }),
      };
    }),
  );
}

const asked = ({ site }: Added, plan: Plan = selfUse) =>
  plants.read(whatIf, { stationID: site.id, span: 'yesterday', plan }, token);

/** Full at three in the afternoon, emptied in the evening. */
const socOf = (place: number): number => {
  const [risen, fallen] = [Math.min(84, Math.max(0, place - 96)), Math.min(72, Math.max(0, place - 204))];
  return 20 + (70 * risen) / 84 - (70 * fallen) / 72;
};
const flowsOf = (place: number): Flows => {
  const movedWh = ((socOf(place + 1) - socOf(place)) / 100) * CAPACITY_WH;
  const flows = { chargeWh: Math.max(0, movedWh / EFFICIENCY), dischargeWh: Math.max(0, -movedWh * EFFICIENCY) };
  // Of a device that reports every five minutes a bucket keeps the charge that it began with.
  return { ...flows, importWh: 60, socPercent: socOf(place) };
};

describe('a battery that tells its charge every five minutes', () => {
  test('is measured by what it held at the edges of the energies: capacity within half a percent', async () => {
    const plant = await addPlant();
    await account(plant, 0, BUCKETS, flowsOf);
    await tellCharges(plant, 0, BUCKETS + 1, socOf);
    const { limits } = await plants.read(view, { stationID: plant.site.id }, token);
    expect(limits.isMeasured).toBe(true);
    expect(Math.abs(limits.capacityWh / CAPACITY_WH - 1)).toBeLessThan(0.005);
    expect(limits.efficiencyPercent).toBeCloseTo(100 * EFFICIENCY ** 2, 1);
  });

  test('begins a day with what it held at midnight, though the last that was told before it is older', async () => {
    const plant = await addPlant();
    await account(plant, -1, BUCKETS, () => ({ importWh: 60, socPercent: 40 }));
    await tellCharges(plant, -1, BUCKETS + 1, (place) => (place < 0 ? 40 : 43));
    expect((await asked(plant, held)).own?.endSoc).toBeCloseTo(43, 3);
  });

  test('is taken as it was accounted where its samples are gone', async () => {
    const plant = await addPlant();
    await account(plant, -1, BUCKETS, (place) => ({ importWh: 60, socPercent: place < 0 ? 41 : 50 }));
    expect((await asked(plant, held)).own?.endSoc).toBeCloseTo(41, 3);
  });
});

describe('a day of which too little is recorded', () => {
  test('is not replayed, and nothing is expected or proposed by it; once more has come it is told at once', async () => {
    const plant = await addPlant();
    await account(plant, 0, 3, () => ({ importWh: 60 }));
    const little = await asked(plant);
    expect(little).toMatchObject({ baseline: null, own: null, outlook: [] });
    expect(little.recordedPercent).toBeCloseTo(100 / 96, 6);
    const body = { stationID: plant.site.id, span: 'month', plan: selfUse } as const;
    expect(await plants.read(whatIf, body, token)).toMatchObject({ baseline: null, own: null });
    expect((await plants.read(proposals, body, token)).proposals).toEqual([]);
    await account(plant, 3, BUCKETS, () => ({ importWh: 60 }));
    const all = await asked(plant);
    expect(all.recordedPercent).toBe(100);
    expect(all.own?.importWh).toBeGreaterThan(0);
    expect((await plants.read(whatIf, body, token)).own).not.toBeNull();
  });

  test('is read anew as long as a history is coming, and kept once none is', async () => {
    const percentOf = async (historyPercent?: number) => {
      const plant = await addPlant(settingsNow, historyPercent);
      await account(plant, 0, 250, () => ({ importWh: 60 }));
      expect((await asked(plant)).own).not.toBeNull();
      await account(plant, 250, BUCKETS, () => ({ importWh: 60 }));
      return (await asked(plant)).recordedPercent;
    };
    expect(await percentOf(60)).toBe(100);
    expect(await percentOf()).toBeCloseTo((100 * 250) / BUCKETS, 6);
  });
});

test('what is saved counts what the battery holds in the end, bought at the median price', async () => {
  const plant = await addPlant();
  await account(plant, 0, BUCKETS, () => ({ importWh: 60, socPercent: 80 }));
  const { baseline, own } = await asked(plant, held);
  expect(own?.endSoc).toBeCloseTo(80, 3);
  expect(Number(own?.endWorth)).toBeCloseTo(0.7 * 10 * 0.955 * 0.3, 2);
  expect(Number(baseline?.endWorth)).toBe(0);
  const less = Number(baseline?.cost) - Number(own?.cost) + Number(own?.endWorth);
  expect(Number(own?.saved)).toBeCloseTo(less, 6);
  // Self-use takes from the battery what the held one still has: nothing is lost, and nothing saved.
  expect(Math.abs(Number(own?.saved))).toBeLessThanOrEqual(0.01);
});

test('recorded days are read by the settings that held then, not by those of now', async () => {
  /** In each five minutes of an hour the battery took all it can for a while, and the rest was fed in. */
  const exportOf = async (mode: number, formerMode?: number) => {
    const plant = await addPlant({ ...settingsNow, 'Setting/WorkMode': mode });
    const isNoon = (place: number) => place >= 144 && place < 156;
    await account(plant, 0, BUCKETS, (place) =>
      isNoon(place) ? { chargeWh: place % 2 ? 100 : 80, exportWh: 50 } : { importWh: 60 },
    );
    if (formerMode !== undefined) {
      const change = { subject_id: plant.inverter.id, name: 'Setting/WorkMode', source: 'device' as const };
      await plants.db
        .insertInto('setting_changes')
        .values({
          ...change,
          from_value: JSON.stringify(formerMode),
          to_value: JSON.stringify(mode),
          at: new Date(NOW_MS - 3_600_000),
        } as never)
        .execute();
    }
    return (await asked(plant)).own?.exportWh ?? Number.NaN;
  };
  const [selfUsed, peaks] = [await exportOf(1), await exportOf(5)];
  expect(selfUsed).toBeGreaterThan(peaks + 100);
  expect(await exportOf(5, 1)).toBeCloseTo(selfUsed, 6);
  expect(await exportOf(1, 5)).toBeCloseTo(peaks, 6);
});
