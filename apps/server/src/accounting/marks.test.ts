import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { localDay } from '@sonnenwarte/energy/calendar';
import { describe, expect, test } from 'vitest';
import {
  date,
  day,
  inverter,
  loadKwh,
  meter,
  ownToldPlants,
  pvKwh,
  type Told,
  variables,
} from '../testing/told-plants.ts';

const own = ownToldPlants();
const { newPlant, tell, sumsOf } = own;

let lastPlant = 0;

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
    const figures = await own.plants.read(siteEndpoints.figures, { stationID: plant.id }, own.token);
    expect(figures.total).toMatchObject({
      quality: 'estimated',
      qualities: { generationWh: 'measured', feedInWh: 'measured', co2Kg: 'measured', consumptionWh: 'estimated' },
    });
    const { plants: rows } = await own.plants.read(siteEndpoints.list, { pageSize: 50 }, own.token);
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
    const { plants: rows } = await own.plants.read(siteEndpoints.list, { pageSize: 50 }, own.token);
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

  test('says so as well where the first one has been accounted before anything of the second one was known', async () => {
    const plant = await newPlant();
    const name = `MRK-${++lastPlant}`;
    await tell(plant.sn, [inverter(`${name}-A`)], 20, 340);
    expect((await sumsOf(plant.id, ['PVEnergyTotal'])).PVEnergyTotal.qualities).toEqual(['measured']);
    await tell(plant.sn, [inverter(`${name}-B`)], 20, 120);
    expect((await sumsOf(plant.id, ['PVEnergyTotal'])).PVEnergyTotal.qualities).toEqual(['estimated', 'measured']);
  });

  test('of rows from before marks were kept apart is the one mark that they have', async () => {
    const site = await own.plants.addSite(own.installerId);
    await own.plants.insert('site_day', [
      { site: site.key, day, version: 1, quality: 1, pv_wh: 1_000, export_wh: 10 },
      { site: site.key, day: day.replace(/..$/, '01'), version: 1, quality: 2, pv_wh: 500 },
    ]);
    const sums = await sumsOf(site.id, ['PVEnergyTotal', 'feedin'], 'month');
    expect(sums.PVEnergyTotal.qualities).toEqual(['corrected', 'estimated'].slice(date === 1 ? 1 : 0));
    expect(sums.feedin.qualities).toEqual(['estimated']);
  });
});

describe('the estimated part of an energy', () => {
  const partsOf = (stationID: string) => own.plants.read(siteEndpoints.estimates, { stationID }, own.token);
  const rowsOf = async (table: string, siteKey: number) => {
    const answer = await own.plants.stores.telemetry.client.query({
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
    const site = await own.plants.addSite(own.installerId);
    const today = localDay(Date.now(), 'Europe/Berlin');
    await own.plants.insert('site_day', [
      { site: site.key, day, version: 1, qualities: 1, pv_wh: 1_000, export_wh: 10 },
      { site: site.key, day: today, version: 1, qualities: 1, pv_wh: 500, estimated_pv_wh: 50 },
    ]);
    const { today: ofToday, total } = await partsOf(site.id);
    expect(ofToday.generationWh).toEqual({ energyWh: 500, estimatedWh: 50 });
    expect(total.generationWh).toEqual({ energyWh: 1_500, estimatedWh: null });
    expect(total.feedInWh).toEqual({ energyWh: 10, estimatedWh: 0 });
  });

  test('of the time before recording is what no counter told, or not known', async () => {
    const site = await own.plants.addSite(own.installerId);
    const other = await own.plants.addSite(own.installerId);
    const opening = { pv_wh: 9_000, load_wh: 4_000 };
    await own.plants.db
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
