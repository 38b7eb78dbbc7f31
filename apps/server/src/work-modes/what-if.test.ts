import type { Plan } from '@sonnenwarte/contract/work-modes/plan';
import { workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const MINUTE_MS = 60_000;
const BUCKET_MS = 5 * MINUTE_MS;
/** Midnight in Berlin. */
const DAY_MS = Date.UTC(2026, 5, 8, 22);
const NOON_MS = DAY_MS + 12 * 60 * MINUTE_MS;
const HOUR_BUCKETS = 12;

const selfUse: Plan = {
  mode: 'selfUse',
  minSoc: 10,
  backupSoc: null,
  gridCharge: null,
  peakLimitW: null,
  periods: [],
  pricePeriods: null,
};

/** From noon to one the house takes 6 kW in two of each five minutes, else 200 W; the battery is full of energy and did nothing. */
const houseW = (minute: number): number => (minute % 5 < 2 ? 6_000 : 200);
const BUCKET_WH = (2 * 6_000 + 3 * 200) / 60;
/** What the battery, which gives 3 kW, leaves of it. */
const BOUGHT_WH = (2 * 3_000) / 60;

let plants: PlantsFixture;
let token: string;
let installerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOON_MS + 24 * 60 * MINUTE_MS;
  ({ token, installerId } = await plants.addInstaller());
});
afterAll(() => plants?.stop());

const text = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

interface Telling {
  /** Who tells of grid and battery: a meter and a battery, or the EMS of the plant. */
  readonly by?: 'devices' | 'ems';
  /** Minutes after noon at which it is told. */
  readonly at: readonly number[];
  /** The same of another battery, where there is one. */
  readonly otherAt?: readonly number[];
}

const columns = {
  'Meter/ActivePower': 'meter_active_power_n',
  'Bat/Power': 'bat_power_n',
  'Ems/PlantGrid': 'ems_plant_grid_n',
  'Ems/PlantBattery': 'ems_plant_battery_n',
} as const;

async function tell(
  kind: 'meter' | 'battery' | 'ems',
  { key }: { key: number },
  minutes: readonly number[],
  powersOf: (minute: number) => Partial<Record<keyof typeof columns, number>>,
): Promise<void> {
  if (minutes.length === 0) return;
  const rows = minutes.map((minute) => {
    const at = text(NOON_MS + (minute + 0.5) * MINUTE_MS);
    const told = Object.entries(powersOf(minute)).map(([point, watt]) => [
      columns[point as keyof typeof columns],
      watt * (pointByName(kind, point)?.steps ?? 1),
    ]);
    return { device: key, ts: at, received: at, ...Object.fromEntries(told) };
  });
  await plants.insert(`raw_${kind}`, rows);
}

/** A plant with a house as above, and its accounted energies. A meter at a part of the house tells too, and says nothing of the grid. */
async function addPlant({ by = 'devices', at, otherAt }: Telling): Promise<string> {
  const site = await plants.addSite(installerId);
  const datalogger = await plants.addDatalogger(site.id);
  const add = (kind: 'inverter' | 'battery' | 'meter' | 'ems', role = '') =>
    plants.addDevice(site.id, datalogger.id, { kind, role, rated_power_w: kind === 'inverter' ? 10_000 : null });
  const [inverter, battery, part] = [await add('inverter'), await add('battery'), await add('meter', 'load')];
  await plants.db.updateTable('devices').set({ capacity_wh: 10_000 }).where('id', '=', battery.id).execute();
  await tell('meter', part, at, () => ({ 'Meter/ActivePower': 777 }));
  let taker = inverter;
  if (by === 'ems') {
    taker = await add('ems');
    await tell('ems', taker, at, (minute) => ({ 'Ems/PlantGrid': houseW(minute), 'Ems/PlantBattery': 0 }));
  } else {
    await tell('meter', await add('meter', 'grid'), at, (minute) => ({ 'Meter/ActivePower': houseW(minute) }));
    await tell('battery', battery, at, () => ({ 'Bat/Power': 0 }));
  }
  if (otherAt !== undefined) {
    const other = await add('battery');
    await plants.db.updateTable('devices').set({ capacity_wh: 5_000 }).where('id', '=', other.id).execute();
    await tell('battery', other, otherAt, () => ({ 'Bat/Power': 0 }));
  }
  const settings = { 'Setting/WorkMode': 1, 'Setting/MinSoc': 10, 'Setting/DischargePower': 3_000 };
  await plants.db
    .insertInto('device_settings')
    .values(
      Object.entries(settings).map(([name, value]) => ({
        subject_id: taker.id,
        name,
        reported: JSON.stringify(value),
        reported_at: new Date(DAY_MS),
        reported_by: 'birth' as const,
      })),
    )
    .execute();
  await plants.insert(
    'site_5m',
    Array.from({ length: 288 }, (_, place) => {
      const tsMs = DAY_MS + place * BUCKET_MS;
      const wh = tsMs >= NOON_MS && tsMs < NOON_MS + HOUR_BUCKETS * BUCKET_MS ? BUCKET_WH : 0;
      const idle = { export_wh: 0, charge_wh: 0, discharge_wh: 0, soc_percent: 80, pv_wh: 0 };
      return { site: site.key, ts: tsMs / 1_000, version: 1, samples: 5, import_wh: wh, load_wh: wh, ...idle };
    }),
  );
  return site.id;
}

const boughtWh = async (stationID: string): Promise<number | undefined> => {
  const { own, recordedPercent } = await plants.read(
    workModeEndpoints.whatIf,
    { stationID, span: 'yesterday', plan: selfUse },
    token,
  );
  expect(recordedPercent).toBe(100);
  return own?.importWh;
};

const minutes = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const wholeHour = minutes(-1, 61);

test.each(['devices', 'ems'] as const)(
  'a day is replayed by the powers that its %s told within five minutes',
  async (by) => {
    expect(await boughtWh(await addPlant({ by, at: wholeHour }))).toBeCloseTo(HOUR_BUCKETS * BOUGHT_WH, 3);
  },
);

test('a day of which nothing was told within five minutes is replayed by its energies', async () => {
  expect(await boughtWh(await addPlant({ at: [] }))).toBeCloseTo(0, 3);
});

test('five minutes of which too little was told are replayed by their energies, those beside them by what was told', async () => {
  const half = [...minutes(-1, 31), 36, 41, 46, 51, 56, 61];
  expect(await boughtWh(await addPlant({ at: half }))).toBeCloseTo((HOUR_BUCKETS / 2) * BOUGHT_WH, 3);
});

test('powers of several batteries tell of five minutes in which all of them were told', async () => {
  const some = await addPlant({ at: wholeHour, otherAt: minutes(-1, 21) });
  expect(await boughtWh(some)).toBeCloseTo((HOUR_BUCKETS / 3) * BOUGHT_WH, 3);
});
