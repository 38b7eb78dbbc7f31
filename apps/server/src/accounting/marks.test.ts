import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import type { Report } from '@sonnenwarte/contract/sites/site';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { localDay } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestEdge, until } from '../testing/edge.ts';
import { makeDatalogger, startTestIngestion, type TestIngestion } from '../testing/ingestion.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Ten in the morning in Berlin, some days ago. */
const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 5 * DAY_MS + 9 * 3_600_000;

let plants: PlantsFixture;
let ingestion: TestIngestion;
let token: string;
let installerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  ingestion = await startTestIngestion(plants.stores);
  const installer = await plants.addOrganisation('installer');
  installerId = installer.id;
  token = plants.signIn(await plants.addAccount(installer.id, 2));
});

afterAll(async () => {
  await ingestion?.stop();
  await plants?.stop();
});

type Values = Record<string, number>;

interface Told {
  device: string;
  kind: string;
  values: (minute: number) => Values | undefined;
}

async function newPlant(): Promise<{ id: string; key: number; sn: string }> {
  const site = await plants.addSite(installerId);
  await ingestion.drain();
  return { ...site, sn: await makeDatalogger(plants.db, site.id) };
}

let lastPlant = 0;

/** Sends what devices tell every five minutes, as history, and waits until it is accounted. */
async function tell(sn: string, devices: readonly Told[], fromMinute: number, toMinute: number, birth: object[] = []) {
  const edge = await TestEdge.connect(ingestion.port, sn);
  await edge.birth();
  for (const { device, kind } of devices) await edge.deviceBirth(device, kind, birth as never);
  for (const { device, values } of devices) {
    const sent: Promise<void>[] = [];
    for (let minute = fromMinute; minute <= toMinute; minute += 5) {
      const told = values(minute);
      if (told === undefined) continue;
      sent.push(edge.data(device, told, { timestampMs: startMs + minute * MINUTE_MS, historical: true }));
    }
    await Promise.all(sent);
  }
  await edge.end();
  await ingestion.drain();
}

const day = localDay(startMs, 'Europe/Berlin');
const [year = 0, month = 0, date = 0] = day.split('-').map(Number);

type Variable = Report[number]['variable'];

async function sumsOf(stationID: string, variables: Variable[], reportType: 'day' | 'month' = 'day') {
  const queryDate = { year, month, ...(reportType === 'day' && { day: date }) };
  const report = await plants.read(siteEndpoints.historyReport, { stationID, reportType, queryDate, variables }, token);
  return Object.fromEntries(
    report.map(({ variable, data }) => [
      variable,
      {
        kwh: data.reduce((sum, { value }) => sum + (value ?? 0), 0),
        qualities: [...new Set(data.filter(({ value }) => value !== null).map(({ quality }) => quality))].sort(),
      },
    ]),
  ) as Record<Variable, { kwh: number; qualities: string[] }>;
}

/** A house of 400 W under a sun that rises and falls; its inverter counts to the watt-hour. */
const pvKwh = (minute: number) => (36 * (1 - Math.cos((Math.PI * minute) / 360))) / Math.PI;
const pvW = (minute: number) => 6_000 * Math.sin((Math.PI * minute) / 360);
const loadKwh = (minute: number) => (0.4 * minute) / 60;
const inverter = (device: string, isHeard: (minute: number) => boolean = () => true): Told => ({
  device,
  kind: 'inverter',
  values: (minute) =>
    isHeard(minute)
      ? {
          'DC/Power': pvW(minute),
          'AC/ActivePower': pvW(minute),
          'Energy/PvTotal': 100 + pvKwh(minute),
          'Energy/AcOutTotal': 100 + pvKwh(minute),
          'Energy/AcInTotal': 0,
        }
      : undefined,
});
const meter = (device: string): Told => ({
  device,
  kind: 'meter',
  values: (minute) => ({
    'Meter/ActivePower': 400 - pvW(minute),
    'Meter/ImportTotal': 50,
    'Meter/ExportTotal': 70 + pvKwh(minute) - loadKwh(minute),
  }),
});
const variables = ['PVEnergyTotal', 'feedin', 'gridConsumption', 'loads', 'pvToGrid', 'pvToLoad'] as const;

describe('the mark of a quantity', () => {
  test('is that of its own counters: what is counted is measured, also where consumption is derived', async () => {
    const plant = await newPlant();
    const name = `MRK-${++lastPlant}`;
    await tell(plant.sn, [inverter(`${name}-I`), meter(`${name}-M`)], 20, 340);
    const sums = await sumsOf(plant.id, [...variables]);
    for (const counted of ['PVEnergyTotal', 'feedin', 'gridConsumption', 'pvToGrid'] as const) {
      expect(sums[counted].qualities).toEqual(['measured']);
    }
    for (const derived of ['loads', 'pvToLoad'] as const) expect(sums[derived].qualities).toEqual(['estimated']);
    const figures = await plants.read(siteEndpoints.figures, { stationID: plant.id }, token);
    expect(figures.total).toMatchObject({
      quality: 'estimated',
      qualities: { generationWh: 'measured', feedInWh: 'measured', co2Kg: 'measured', consumptionWh: 'estimated' },
    });
    const { plants: rows } = await plants.read(siteEndpoints.list, { pageSize: 50 }, token);
    const row = rows.find(({ stationID }) => stationID === plant.id);
    expect(row).toMatchObject({ totalQuality: 'measured', todayQuality: 'measured' });
  });

  test('tells of a gap in the quantities of the device that was silent, and in no other', async () => {
    const plant = await newPlant();
    const name = `MRK-${++lastPlant}`;
    const isHeard = (minute: number) => minute <= 100 || minute >= 250;
    await tell(plant.sn, [inverter(`${name}-I`, isHeard), meter(`${name}-M`)], 20, 340);
    const sums = await sumsOf(plant.id, [...variables], 'month');
    expect(sums.PVEnergyTotal.qualities).toEqual(['estimated']);
    expect(sums.feedin.qualities).toEqual(['measured']);
    expect(sums.gridConsumption.qualities).toEqual(['measured']);
    const { plants: rows } = await plants.read(siteEndpoints.list, { pageSize: 50 }, token);
    expect(rows.find(({ stationID }) => stationID === plant.id)).toMatchObject({ totalQuality: 'estimated' });
  });

  test('is not spoilt by an inverter that was replaced, nor by one that sleeps', async () => {
    const plant = await newPlant();
    const name = `MRK-${++lastPlant}`;
    // One is replaced after an hour, another falls asleep at once and is not heard again that day.
    const sleepy: Told = {
      device: `${name}-S`,
      kind: 'inverter',
      values: (minute) => (minute <= 40 ? { 'DC/Power': 0, 'Energy/PvTotal': 9, 'Energy/AcOutTotal': 9 } : undefined),
    };
    await tell(plant.sn, [inverter(`${name}-O`, (minute) => minute <= 80), sleepy], 20, 80);
    await tell(plant.sn, [inverter(`${name}-N`, (minute) => minute >= 90)], 85, 340);
    const sums = await sumsOf(plant.id, ['PVEnergyTotal']);
    expect(sums.PVEnergyTotal.qualities).toEqual(['measured']);
  });

  test('says that a second inverter is missing which was at work and is not heard any more', async () => {
    const plant = await newPlant();
    const name = `MRK-${++lastPlant}`;
    await tell(plant.sn, [inverter(`${name}-A`), inverter(`${name}-B`, (minute) => minute <= 120)], 20, 340);
    const sums = await sumsOf(plant.id, ['PVEnergyTotal', 'feedin']);
    expect(sums.PVEnergyTotal.qualities).toEqual(['estimated', 'measured']);
    expect(sums.feedin.qualities).toEqual([]);
  });

  test('of rows from before marks were kept apart is the one mark that they have', async () => {
    const site = await plants.addSite(installerId);
    await plants.insert('site_day', [
      { site: site.key, day, version: 1, quality: 1, pv_wh: 1_000, export_wh: 10 },
      { site: site.key, day: day.replace(/..$/, '01'), version: 1, quality: 2, pv_wh: 500 },
    ]);
    const sums = await sumsOf(site.id, ['PVEnergyTotal', 'feedin'], 'month');
    expect(sums.PVEnergyTotal.qualities).toEqual(['corrected', 'estimated'].slice(date === 1 ? 1 : 0));
    expect(sums.feedin.qualities).toEqual(['estimated']);
  });
});

describe('the estimated part of an energy', () => {
  const partsOf = (stationID: string) => plants.read(siteEndpoints.estimates, { stationID }, token);
  const rowsOf = async (table: string, siteKey: number) => {
    const answer = await plants.stores.telemetry.client.query({
      query: `SELECT sum(pv_wh) AS pv, sum(estimated_pv_wh) AS estimated, sum(estimated_load_wh) AS load, sum(estimated_export_wh) AS sold
        FROM ${table} FINAL WHERE site = ${siteKey}`,
      format: 'JSONEachRow',
    });
    const [row] = await answer.json<{ pv: number; estimated: number; load: number; sold: number }>();
    return row;
  };

  test('is what a silent device grew by, what the balance told is as a whole, and both add up from five minutes to the total', async () => {
    const plant = await newPlant();
    const name = `EST-${++lastPlant}`;
    const isHeard = (minute: number) => minute <= 100 || minute >= 250;
    await tell(plant.sn, [inverter(`${name}-A`), inverter(`${name}-B`, isHeard), meter(`${name}-M`)], 20, 340);
    const { total, month: ofMonth } = await partsOf(plant.id);
    const goneWh = 1_000 * (pvKwh(250) - pvKwh(100));
    expect(total.generationWh.estimatedWh).toBeCloseTo(goneWh, 0);
    expect(total.feedInWh).toMatchObject({ estimatedWh: 0 });
    expect(total.purchaseWh).toMatchObject({ estimatedWh: 0 });
    expect(total.consumptionWh.estimatedWh).toBe(total.consumptionWh.energyWh);
    expect(total.chargeWh).toEqual({ energyWh: null, estimatedWh: null });
    if (day.slice(0, 7) === localDay(Date.now(), 'Europe/Berlin').slice(0, 7))
      expect(ofMonth.generationWh.estimatedWh).toBe(total.generationWh.estimatedWh);
    const sums = await Promise.all(['site_5m', 'site_hour', 'site_day'].map((table) => rowsOf(table, plant.key)));
    for (const row of sums) {
      expect(row?.estimated).toBeCloseTo(goneWh, 0);
      expect(row?.sold).toBe(0);
      expect(row?.load).toBeCloseTo(sums[0]?.load ?? Number.NaN, 6);
    }
  });

  test('of rows from before it was kept is known only where the energy has no such mark', async () => {
    const site = await plants.addSite(installerId);
    const today = localDay(Date.now(), 'Europe/Berlin');
    await plants.insert('site_day', [
      { site: site.key, day, version: 1, qualities: 1, pv_wh: 1_000, export_wh: 10 },
      { site: site.key, day: today, version: 1, qualities: 1, pv_wh: 500, estimated_pv_wh: 50 },
    ]);
    const { today: ofToday, total } = await partsOf(site.id);
    expect(ofToday.generationWh).toEqual({ energyWh: 500, estimatedWh: 50 });
    expect(total.generationWh).toEqual({ energyWh: 1_500, estimatedWh: null });
    expect(total.feedInWh).toEqual({ energyWh: 10, estimatedWh: 0 });
  });

  test('of the time before recording is what no counter told, or not known', async () => {
    const site = await plants.addSite(installerId);
    const other = await plants.addSite(installerId);
    const opening = { pv_wh: 9_000, load_wh: 4_000 };
    await plants.db
      .insertInto('site_openings')
      .values([
        { site_id: site.id, ...opening, marks: 1 << 4 },
        { site_id: other.id, ...opening },
      ] as never)
      .execute();
    expect((await partsOf(site.id)).total).toMatchObject({
      generationWh: { energyWh: 9_000, estimatedWh: 0 },
      consumptionWh: { energyWh: 4_000, estimatedWh: 4_000 },
    });
    expect((await partsOf(other.id)).total).toMatchObject({ generationWh: { energyWh: 9_000, estimatedWh: null } });
  });
});

describe('a gap of the inverter alone', () => {
  const isHeard = (minute: number) => minute <= 100 || minute >= 250;

  test('leaves the day balanced, whether it comes in order, late or in parts', async () => {
    const found: number[] = [];
    for (const order of ['whole', 'in order', 'meter last'] as const) {
      const plant = await newPlant();
      const name = `GAP-${++lastPlant}`;
      const devices = [inverter(`${name}-I`, isHeard), meter(`${name}-M`)];
      if (order === 'meter last') for (const device of devices) await tell(plant.sn, [device], 20, 340);
      else if (order === 'in order')
        for (const [from, to] of [
          [20, 180],
          [185, 340],
        ] as const)
          await tell(plant.sn, devices, from, to);
      else await tell(plant.sn, devices, 20, 340);
      const { loads, PVEnergyTotal, feedin, pvToGrid } = await sumsOf(plant.id, [...variables]);
      found.push(loads.kwh);
      const sold = pvKwh(340) - loadKwh(340) - pvKwh(20) + loadKwh(20);
      expect(PVEnergyTotal.kwh).toBeCloseTo(pvKwh(340) - pvKwh(20), 3);
      expect(feedin.kwh).toBeCloseTo(sold, 3);
      expect(loads.kwh).toBeCloseTo(loadKwh(340) - loadKwh(20), 3);
      expect(pvToGrid.kwh).toBeCloseTo(sold, 2);
    }
    expect(Math.max(...found) - Math.min(...found)).toBeLessThan(1e-4);
  });
});

describe('a history that still comes', () => {
  test('is told once for the plant, with what of it is in the sums, and no more when all is', async () => {
    const plant = await newPlant();
    const name = `HIS-${++lastPlant}`;
    const edge = await TestEdge.connect(ingestion.port, plant.sn);
    await edge.birth([{ name: 'Buffer/Pending', datatype: 3, value: 100 }]);
    await edge.deviceBirth(name, 'inverter');
    const told = inverter(name);
    const percentNow = async () =>
      (await plants.read(siteEndpoints.live, { stationID: plant.id }, token)).historyPercent;
    expect(await percentNow()).toBeNull();
    const minutes = Array.from({ length: 65 }, (_, step) => 20 + 5 * step);
    await Promise.all(
      minutes.map((minute) =>
        edge.data(name, told.values(minute) ?? {}, { timestampMs: startMs + minute * MINUTE_MS, historical: true }),
      ),
    );
    await until(async () => (await percentNow()) !== null, 'the beginning of the history');
    expect(await percentNow()).toBeLessThan(99);
    const { plants: rows } = await plants.read(siteEndpoints.list, { pageSize: 50 }, token);
    expect(rows.find(({ stationID }) => stationID === plant.id)?.historyPercent).not.toBeNull();
    await edge.end();
    await ingestion.drain();
    await until(async () => (await percentNow()) === null, 'the end of the history');
    const { PVEnergyTotal } = await sumsOf(plant.id, ['PVEnergyTotal']);
    expect(PVEnergyTotal.kwh).toBeCloseTo(pvKwh(340) - pvKwh(20), 3);
  });
});

describe('a history that comes the newest day first', () => {
  test('has the energy of each day, and of the time between two of them', async () => {
    const plant = await newPlant();
    const told = inverter(`NEW-${++lastPlant}`);
    await tell(plant.sn, [told], 240, 340);
    const later = await sumsOf(plant.id, ['PVEnergyTotal']);
    expect(later.PVEnergyTotal.kwh).toBeCloseTo(pvKwh(340) - pvKwh(240), 3);
    await tell(plant.sn, [told], 20, 180);
    const { PVEnergyTotal } = await sumsOf(plant.id, ['PVEnergyTotal']);
    expect(PVEnergyTotal.kwh).toBeCloseTo(pvKwh(340) - pvKwh(20), 3);
    const figures = await plants.read(siteEndpoints.figures, { stationID: plant.id }, token);
    expect(figures.total.generationWh).toBeCloseTo(1_000 * (100 + pvKwh(340)), 0);
    const percentNow = async () =>
      (await plants.read(siteEndpoints.live, { stationID: plant.id }, token)).historyPercent;
    await until(async () => (await percentNow()) === null, 'the end of the history');
  });
});

describe('days that a history has not come to yet', () => {
  test('have no figure, and none is derived of them, anywhere; the total is what has come', async () => {
    const plant = await newPlant();
    const name = `DAY-${++lastPlant}`;
    const edge = await TestEdge.connect(ingestion.port, plant.sn);
    await edge.birth([{ name: 'Buffer/Pending', datatype: 3, value: 100 }]);
    await edge.deviceBirth(name, 'inverter');
    const told = inverter(name);
    const tell = (minute: number, timestampMs: number, historical: boolean) =>
      edge.data(name, told.values(minute) ?? {}, { timestampMs, historical });
    // What comes while one looks.
    await tell(1_000, Date.now() - MINUTE_MS, false);
    await tell(1_001, Date.now() - 1_000, false);
    await ingestion.drain();
    // What says that a history is coming is read first: whatever is read after it has to know that too.
    const read = async () => ({
      live: await plants.read(siteEndpoints.live, { stationID: plant.id }, token),
      figures: await plants.read(siteEndpoints.figures, { stationID: plant.id }, token),
      row: (await plants.read(siteEndpoints.list, { pageSize: 50 }, token)).plants.find(
        ({ stationID }) => stationID === plant.id,
      ),
      device: (await plants.read(siteEndpoints.devices, { stationID: plant.id }, token)).devices[0],
      fleet: await plants.read(fleetEndpoints.summary, {}, token),
    });
    const before = await until(async () => {
      const found = await read();
      return found.fleet.preliminary === 0 ? found : undefined;
    }, 'the end of the histories of other plants');
    expect(before.figures.today.generationWh).not.toBeNull();
    for (let minute = 20; minute < 345; minute += 5) await tell(minute, startMs + minute * MINUTE_MS, true);
    await ingestion.drain();
    const during = await until(async () => {
      const found = await read();
      const isComing = found.live.historyPercent !== null && found.figures.year.generationWh !== null;
      return isComing ? found : undefined;
    }, 'the beginning of the history');
    const { quality: _, qualities: __, ...today } = during.figures.today;
    expect(new Set(Object.values(today))).toEqual(new Set([null]));
    expect(during.figures.yesterday.generationWh).toBeNull();
    expect(during.figures.total.generationWh).not.toBeNull();
    for (const period of ['month', 'year', 'total'] as const) {
      expect(during.figures[period]).toMatchObject({ selfConsumptionPercent: null, selfSufficiencyPercent: null });
    }
    expect([during.live.todayWh, during.row?.todayWh, during.device?.todayWh]).toEqual([null, null, null]);
    expect(during.row?.specificYieldToday).toBeNull();
    expect(during.fleet.preliminary).toBe(1);
    const now = localDay(Date.now(), 'Europe/Berlin').split('-').map(Number);
    const ofToday = await plants.read(
      siteEndpoints.historyReport,
      {
        stationID: plant.id,
        reportType: 'month',
        queryDate: { year: now[0] ?? 0, month: now[1] ?? 0 },
        variables: ['PVEnergyTotal'],
      },
      token,
    );
    expect(ofToday[0]?.data.find(({ index }) => index === now[2])?.value).toBeNull();
    // Five hours of five days: no device's share makes up for what another lacks.
    expect(during.live.historyPercent).toBeLessThan(10);

    await edge.end();
    await ingestion.drain();
    const after = await until(async () => {
      const found = await read();
      return found.live.historyPercent === null ? found : undefined;
    }, 'the end of the history');
    expect(after.figures.today.generationWh).not.toBeNull();
    expect(after.live.todayWh).toBe(after.figures.today.generationWh);
    expect(after.row?.todayWh).toBe(after.figures.today.generationWh);
    expect(after.fleet.preliminary).toBe(0);
  });

  test('are those alone: a hole of the past that is filled leaves today as it is', async () => {
    const plant = await newPlant();
    const name = `HOLE-${++lastPlant}`;
    const told = inverter(name);
    const minutes = [...Array.from({ length: 10 }, (_, step) => 5 * step), 300, 305];
    const edge = await TestEdge.connect(ingestion.port, plant.sn);
    await edge.birth([{ name: 'Buffer/Pending', datatype: 3, value: 100 }]);
    await edge.deviceBirth(name, 'inverter');
    const tell = (minute: number, timestampMs: number, historical: boolean) =>
      edge.data(name, told.values(minute) ?? {}, { timestampMs, historical });
    for (const minute of minutes) await tell(minute, startMs + minute * MINUTE_MS, false);
    await tell(1_000, Date.now() - MINUTE_MS, false);
    await tell(1_001, Date.now() - 1_000, false);
    await ingestion.drain();
    const live = () => plants.read(siteEndpoints.live, { stationID: plant.id }, token);
    expect(await live()).toMatchObject({ historyPercent: null, todayWh: expect.any(Number) });
    for (let minute = 100; minute < 300; minute += 5) await tell(minute, startMs + minute * MINUTE_MS, true);
    await ingestion.drain();
    const during = await until(async () => {
      const found = await live();
      return found.historyPercent !== null ? found : undefined;
    }, 'the history of the hole');
    expect(during.todayWh).not.toBeNull();
    await edge.end();
  });
});

test('energy of which a device has told nothing yet is not known, of the device and of its plant alike', async () => {
  const plant = await newPlant();
  const name = `ONE-${++lastPlant}`;
  const edge = await TestEdge.connect(ingestion.port, plant.sn);
  await edge.birth();
  await edge.deviceBirth(name, 'inverter');
  await edge.data(name, { 'AC/ActivePower': 500, 'Energy/PvTotal': 100 }, { timestampMs: Date.now() - 1_000 });
  await ingestion.drain();
  await edge.end();
  const device = await until(async () => {
    const [found] = (await plants.read(siteEndpoints.devices, { stationID: plant.id }, token)).devices;
    return found?.powerW === 500 ? found : undefined;
  }, 'the power of the device');
  const live = await plants.read(siteEndpoints.live, { stationID: plant.id }, token);
  expect([device.todayWh, live.todayWh]).toEqual([null, null]);
});

describe('what flows one way only', () => {
  test('is never negative: live, over the day, in lists and in sums, and the balance adds up', async () => {
    const plant = await newPlant();
    const name = `NEG-${++lastPlant}`;
    const values = { 'DC/Power': -14, 'DC/Mppt1/Power': -14, 'AC/ActivePower': -20, 'Load/Power': 300 };
    const edge = await TestEdge.connect(ingestion.port, plant.sn);
    await edge.birth();
    await edge.deviceBirth(`${name}-I`, 'inverter');
    await edge.deviceBirth(`${name}-M`, 'meter');
    const nowMs = bucketStart(Date.now());
    for (const timestampMs of [nowMs - 60_000, nowMs - 1_000]) {
      await edge.data(`${name}-I`, values, { timestampMs });
      await edge.data(`${name}-M`, { 'Meter/ActivePower': 320 }, { timestampMs });
    }
    await ingestion.drain();
    const live = await until(async () => {
      const found = await plants.read(siteEndpoints.live, { stationID: plant.id }, token);
      return found.grid?.powerW === null || found.grid === null ? undefined : found;
    });
    expect(live.pv?.powerW).toBe(0);
    expect((live.pv?.powerW ?? 0) + (live.grid?.powerW ?? 0)).toBeCloseTo(live.load?.powerW ?? Number.NaN, 3);
    const date = localDay(nowMs - 60_000, 'Europe/Berlin');
    const curve = await plants.read(siteEndpoints.day, { stationID: plant.id, date }, token);
    for (const series of [curve.pvW, curve.loadW]) {
      const known = series.filter((value) => value !== null);
      expect(known.length).toBeGreaterThan(0);
      expect(Math.min(...known)).toBeGreaterThanOrEqual(0);
    }
    const { plants: rows } = await plants.read(siteEndpoints.list, { pageSize: 50 }, token);
    expect(rows.find(({ stationID }) => stationID === plant.id)?.pvPowerW).toBe(0);
    const stored = await plants.db
      .selectFrom('devices')
      .select('id')
      .where('sn', '=', `${name}-I`)
      .executeTakeFirstOrThrow();
    const real = await plants.read(deviceEndpoints.real, { deviceID: stored.id }, token);
    const shown = Object.fromEntries(real.values.map(({ variable, value }) => [variable, value]));
    expect(shown).toMatchObject({ 'DC/Power': 0, 'DC/Mppt1/Power': 0, 'AC/ActivePower': -20 });
    await edge.end();
  });

  test('rows from before readings were cut are shown as nought', async () => {
    const site = await plants.addSite(installerId);
    await plants.insert('site_5m', [
      { site: site.key, ts: startMs / 1_000, version: 1, quality: 0, pv_w: -12, grid_w: -9 },
    ]);
    const curve = await plants.read(siteEndpoints.day, { stationID: site.id, date: day }, token);
    expect(curve.pvW.filter((value) => value !== null)).toEqual([0]);
    expect(curve.gridW.filter((value) => value !== null)).toEqual([-9]);
  });
});

describe('a generator that burns fuel', () => {
  test('counts neither as own generation nor as avoided, a PV meter beside the same house does', async () => {
    const found: Record<string, Awaited<ReturnType<typeof figuresOf>>> = {};
    const figuresOf = (id: string) => plants.read(siteEndpoints.figures, { stationID: id }, token);
    for (const role of ['generator', 'pv'] as const) {
      const plant = await newPlant();
      const name = `GEN-${++lastPlant}`;
      const grid: Told = {
        device: `${name}-M`,
        kind: 'meter',
        values: (minute) => ({ 'Meter/ImportTotal': 10 + minute / 600, 'Meter/ExportTotal': 5 }),
      };
      const other: Told = {
        device: `${name}-G`,
        kind: 'meter',
        values: (minute) => ({ 'Meter/ImportTotal': 0, 'Meter/ExportTotal': 20 + minute / 60 }),
      };
      await tell(plant.sn, [grid], 0, 60);
      await tell(plant.sn, [other], 0, 60, [{ name: 'Properties/Role', datatype: 12, value: role }]);
      // Rates are told once the history has ended.
      await until(async () => {
        const live = await plants.read(siteEndpoints.live, { stationID: plant.id }, token);
        return live.historyPercent === null;
      }, 'the end of the history');
      found[role] = await figuresOf(plant.id);
    }
    const [fuel, sun] = [found.generator?.month, found.pv?.month];
    expect(fuel?.externalWh).toBeCloseTo(sun?.externalWh ?? Number.NaN, 3);
    expect(fuel?.externalWh).toBeCloseTo(1_000, 0);
    expect(fuel?.consumptionWh).toBeCloseTo(1_100, 0);
    expect(sun).toMatchObject({ selfUseWh: expect.closeTo(1_000, 0), co2Kg: expect.closeTo(0.38, 2) });
    expect(sun?.selfSufficiencyPercent).toBeCloseTo(91, 0);
    expect(fuel).toMatchObject({ selfUseWh: 0, co2Kg: 0, selfConsumptionPercent: null, selfSufficiencyPercent: 0 });
  });
});
