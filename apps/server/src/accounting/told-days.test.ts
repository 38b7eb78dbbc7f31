import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { localDay } from '@sonnenwarte/energy/calendar';
import { describe, expect, test } from 'vitest';
import { TestEdge, until } from '../testing/edge.ts';
import { day, inverter, MINUTE_MS, ownToldPlants, pvKwh, startMs, type Told } from '../testing/told-plants.ts';

const own = ownToldPlants();
const { newPlant, tell, sumsOf } = own;

let lastPlant = 0;

describe('a history that still comes', () => {
  test('is told once for the plant, with what of it is in the sums, and no more when all is', async () => {
    const plant = await newPlant();
    const name = `HIS-${++lastPlant}`;
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth([{ name: 'Buffer/Pending', datatype: 3, value: 100 }]);
    await edge.deviceBirth(name, 'inverter');
    const told = inverter(name);
    const percentNow = async () =>
      (await own.plants.read(siteEndpoints.live, { stationID: plant.id }, own.token)).historyPercent;
    expect(await percentNow()).toBeNull();
    const minutes = Array.from({ length: 65 }, (_, step) => 20 + 5 * step);
    await Promise.all(
      minutes.map((minute) =>
        edge.data(name, told.values(minute) ?? {}, { timestampMs: startMs + minute * MINUTE_MS, historical: true }),
      ),
    );
    await until(async () => (await percentNow()) !== null, 'the beginning of the history');
    expect(await percentNow()).toBeLessThan(99);
    const { plants: rows } = await own.plants.read(siteEndpoints.list, { pageSize: 50 }, own.token);
    expect(rows.find(({ stationID }) => stationID === plant.id)?.historyPercent).not.toBeNull();
    await edge.end();
    await own.ingestion.drain();
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
    const figures = await own.plants.read(siteEndpoints.figures, { stationID: plant.id }, own.token);
    expect(figures.total.generationWh).toBeCloseTo(1_000 * (100 + pvKwh(340)), 0);
    const percentNow = async () =>
      (await own.plants.read(siteEndpoints.live, { stationID: plant.id }, own.token)).historyPercent;
    await until(async () => (await percentNow()) === null, 'the end of the history');
  });
});

describe('days that a history has not come to yet', () => {
  test('have no figure, and none is derived of them, anywhere; the total is what has come', async () => {
    const plant = await newPlant();
    const name = `DAY-${++lastPlant}`;
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth([{ name: 'Buffer/Pending', datatype: 3, value: 100 }]);
    await edge.deviceBirth(name, 'inverter');
    const told = inverter(name);
    const tell = (minute: number, timestampMs: number, historical: boolean) =>
      edge.data(name, told.values(minute) ?? {}, { timestampMs, historical });
    // What comes while one looks.
    await tell(1_000, Date.now() - MINUTE_MS, false);
    await tell(1_001, Date.now() - 1_000, false);
    await own.ingestion.drain();
    // What says that a history is coming is read first: whatever is read after it has to know that too.
    const read = async () => ({
      live: await own.plants.read(siteEndpoints.live, { stationID: plant.id }, own.token),
      figures: await own.plants.read(siteEndpoints.figures, { stationID: plant.id }, own.token),
      row: (await own.plants.read(siteEndpoints.list, { pageSize: 50 }, own.token)).plants.find(
        ({ stationID }) => stationID === plant.id,
      ),
      device: (await own.plants.read(siteEndpoints.devices, { stationID: plant.id }, own.token)).devices[0],
      fleet: await own.plants.read(fleetEndpoints.summary, {}, own.token),
    });
    const before = await until(async () => {
      const found = await read();
      return found.fleet.preliminary === 0 ? found : undefined;
    }, 'the end of the histories of other plants');
    expect(before.figures.today.generationWh).not.toBeNull();
    for (let minute = 20; minute < 345; minute += 5) await tell(minute, startMs + minute * MINUTE_MS, true);
    await own.ingestion.drain();
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
    const ofToday = await own.plants.read(
      siteEndpoints.historyReport,
      {
        stationID: plant.id,
        reportType: 'month',
        queryDate: { year: now[0] ?? 0, month: now[1] ?? 0 },
        variables: ['PVEnergyTotal'],
      },
      own.token,
    );
    expect(ofToday[0]?.data.find(({ index }) => index === now[2])?.value).toBeNull();
    // Five hours of five days: no device's share makes up for what another lacks.
    expect(during.live.historyPercent).toBeLessThan(10);

    await edge.end();
    await own.ingestion.drain();
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
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth([{ name: 'Buffer/Pending', datatype: 3, value: 100 }]);
    await edge.deviceBirth(name, 'inverter');
    const tell = (minute: number, timestampMs: number, historical: boolean) =>
      edge.data(name, told.values(minute) ?? {}, { timestampMs, historical });
    for (const minute of minutes) await tell(minute, startMs + minute * MINUTE_MS, false);
    await tell(1_000, Date.now() - MINUTE_MS, false);
    await tell(1_001, Date.now() - 1_000, false);
    await own.ingestion.drain();
    const live = () => own.plants.read(siteEndpoints.live, { stationID: plant.id }, own.token);
    expect(await live()).toMatchObject({ historyPercent: null, todayWh: expect.any(Number) });
    for (let minute = 100; minute < 300; minute += 5) await tell(minute, startMs + minute * MINUTE_MS, true);
    await own.ingestion.drain();
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
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  await edge.deviceBirth(name, 'inverter');
  await edge.data(name, { 'AC/ActivePower': 500, 'Energy/PvTotal': 100 }, { timestampMs: Date.now() - 1_000 });
  await own.ingestion.drain();
  await edge.end();
  const device = await until(async () => {
    const [found] = (await own.plants.read(siteEndpoints.devices, { stationID: plant.id }, own.token)).devices;
    return found?.powerW === 500 ? found : undefined;
  }, 'the power of the device');
  const live = await own.plants.read(siteEndpoints.live, { stationID: plant.id }, own.token);
  expect([device.todayWh, live.todayWh]).toEqual([null, null]);
});

describe('what flows one way only', () => {
  test('is never negative: live, over the day, in lists and in sums, and the balance adds up', async () => {
    const plant = await newPlant();
    const name = `NEG-${++lastPlant}`;
    const values = { 'DC/Power': -14, 'DC/Mppt1/Power': -14, 'AC/ActivePower': -20, 'Load/Power': 300 };
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth();
    await edge.deviceBirth(`${name}-I`, 'inverter');
    await edge.deviceBirth(`${name}-M`, 'meter');
    const nowMs = bucketStart(Date.now());
    for (const timestampMs of [nowMs - 60_000, nowMs - 1_000]) {
      await edge.data(`${name}-I`, values, { timestampMs });
      await edge.data(`${name}-M`, { 'Meter/ActivePower': 320 }, { timestampMs });
    }
    await own.ingestion.drain();
    const live = await until(async () => {
      const found = await own.plants.read(siteEndpoints.live, { stationID: plant.id }, own.token);
      return found.grid?.powerW === null || found.grid === null ? undefined : found;
    });
    expect(live.pv?.powerW).toBe(0);
    expect((live.pv?.powerW ?? 0) + (live.grid?.powerW ?? 0)).toBeCloseTo(live.load?.powerW ?? Number.NaN, 3);
    const date = localDay(nowMs - 60_000, 'Europe/Berlin');
    const curve = await own.plants.read(siteEndpoints.day, { stationID: plant.id, date }, own.token);
    for (const series of [curve.pvW, curve.loadW]) {
      const known = series.filter((value) => value !== null);
      expect(known.length).toBeGreaterThan(0);
      expect(Math.min(...known)).toBeGreaterThanOrEqual(0);
    }
    const { plants: rows } = await own.plants.read(siteEndpoints.list, { pageSize: 50 }, own.token);
    expect(rows.find(({ stationID }) => stationID === plant.id)?.pvPowerW).toBe(0);
    const stored = await own.plants.db
      .selectFrom('devices')
      .select('id')
      .where('sn', '=', `${name}-I`)
      .executeTakeFirstOrThrow();
    const real = await own.plants.read(deviceEndpoints.real, { deviceID: stored.id }, own.token);
    const shown = Object.fromEntries(real.values.map(({ variable, value }) => [variable, value]));
    expect(shown).toMatchObject({ 'DC/Power': 0, 'DC/Mppt1/Power': 0, 'AC/ActivePower': -20 });
    await edge.end();
  });

  test('rows from before readings were cut are shown as nought', async () => {
    const site = await own.plants.addSite(own.installerId);
    await own.plants.insert('site_5m', [
      { site: site.key, ts: startMs / 1_000, version: 1, quality: 0, pv_w: -12, grid_w: -9 },
    ]);
    const curve = await own.plants.read(siteEndpoints.day, { stationID: site.id, date: day }, own.token);
    expect(curve.pvW.filter((value) => value !== null)).toEqual([0]);
    expect(curve.gridW.filter((value) => value !== null)).toEqual([-9]);
  });
});

describe('a generator that burns fuel', () => {
  test('counts neither as own generation nor as avoided, a PV meter beside the same house does', async () => {
    const found: Record<string, Awaited<ReturnType<typeof figuresOf>>> = {};
    const figuresOf = (id: string) => own.plants.read(siteEndpoints.figures, { stationID: id }, own.token);
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
        const live = await own.plants.read(siteEndpoints.live, { stationID: plant.id }, own.token);
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
