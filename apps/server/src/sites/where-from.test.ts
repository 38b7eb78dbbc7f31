import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { allocateFlows, type PortEnergies } from '@sonnenwarte/energy/accounting/flows';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const NOW_MS = Date.UTC(2026, 9, 31, 12, 0);
const TODAY = '2026-10-31';
const BUCKET_MS = 300_000;
let plants: PlantsFixture;
let token: string;
let installerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  ({ installerId, token } = await plants.addInstaller());
});

afterAll(() => plants.stop());

const nothing: PortEnergies = {
  pvWh: 0,
  externalWh: 0,
  dischargeWh: 0,
  importWh: 0,
  loadWh: 0,
  chargerWh: 0,
  chargeWh: 0,
  exportWh: 0,
};

/** Buckets of a day from given ones on, and the day's sum, as accounting writes them. */
async function addDay(
  site: { key: number },
  day: string,
  energies: readonly (Partial<PortEnergies> & { atMs: number })[],
  marks = 0,
) {
  const rows = energies.map(({ atMs, ...ports }) => {
    const all = { ...nothing, ...ports };
    const flows = allocateFlows(all);
    return {
      ts: atMs / 1_000,
      pv_wh: all.pvWh,
      load_wh: all.loadWh,
      charger_wh: all.chargerWh,
      grid_to_battery_wh: flows.gridToBatteryWh,
      import_wh: all.importWh,
      external_wh: all.externalWh,
      discharge_wh: all.dischargeWh,
      pv_to_load_wh: flows.pvToLoadWh,
      pv_to_charger_wh: flows.pvToChargerWh,
      external_to_load_wh: flows.externalToLoadWh,
      external_to_charger_wh: flows.externalToChargerWh,
      battery_to_load_wh: flows.batteryToLoadWh,
      battery_to_charger_wh: flows.batteryToChargerWh,
      grid_to_load_wh: flows.gridToLoadWh,
      grid_to_charger_wh: flows.gridToChargerWh,
    };
  });
  const common = { site: site.key, version: 1, quality: 0, qualities: marks };
  await plants.insert(
    'site_5m',
    rows.map((row) => ({ ...common, ...row })),
  );
  const sum = Object.fromEntries(
    Object.keys(rows[0] ?? {})
      .filter((name) => name !== 'ts')
      .map((name) => [name, rows.reduce((wh, row) => wh + row[name as 'pv_wh'], 0)]),
  );
  await plants.insert('site_day', [{ ...common, day, ...sum }]);
}

const price = (site: { id: string }, fromMs: number, purchase: string, currency = 'EUR') =>
  plants.db
    .insertInto('site_prices')
    .values({
      site_id: site.id,
      valid_from: new Date(fromMs),
      feed_in_price: '0.08',
      purchase_price: purchase,
      currency,
    })
    .execute();

const whereFrom = (site: { id: string }, date = TODAY) =>
  plants.read(siteEndpoints.whereFrom, { stationID: site.id, date }, token);

const partsOf = (part: {
  pvWh: number;
  externalWh: number;
  batteryWh: number;
  gridWh: number;
  undividedWh: number;
}): number => part.pvWh + part.externalWh + part.batteryWh + part.gridWh + part.undividedWh;

const atHour = (hour: number): number => dayBounds(TODAY, 'Europe/Berlin').startMs + hour * 3_600_000;
const hourOf = (hour: number, ports: Partial<PortEnergies>, length = 12) =>
  Array.from({ length }, (_, place) => ({ atMs: atHour(hour) + place * BUCKET_MS, ...ports }));

describe('where the energy of a day came from', () => {
  test.each([
    ['sun and grid', { pvWh: 100, importWh: 50, loadWh: 140 }],
    ['sun, battery and car', { pvWh: 150, dischargeWh: 40, importWh: 30, loadWh: 90, chargerWh: 120 }],
    ['a generator of its own', { pvWh: 50, externalWh: 70, importWh: 20, loadWh: 80, chargerWh: 50 }],
    ['meters that do not agree', { pvWh: 10, loadWh: 90, chargerWh: 5 }],
    ['no sun at all', { importWh: 80, loadWh: 80 }],
  ])('of a plant with %s adds up to what its figures say', async (_, ports) => {
    const site = await plants.addSite(installerId);
    await addDay(site, TODAY, [...hourOf(8, ports), ...hourOf(10, ports, 7)]);
    const [{ house, car }, figures] = await Promise.all([
      whereFrom(site),
      plants.read(siteEndpoints.figures, { stationID: site.id }, token),
    ]);
    const consumptionWh = figures.today.consumptionWh ?? 0;
    expect(consumptionWh).toBeGreaterThan(0);
    expect(Math.abs((house?.wh ?? 0) + (car?.wh ?? 0) - consumptionWh)).toBeLessThan(0.1);
    expect(Math.abs((car?.wh ?? 0) - (figures.today.chargerWh ?? 0))).toBeLessThan(0.1);
    for (const to of [house, car]) {
      if (!to) continue;
      expect(Math.abs(partsOf(to) - to.wh)).toBeLessThan(0.1);
      expect(Math.abs(to.quarters.reduce((sum, quarter) => sum + partsOf(quarter), 0) - to.wh)).toBeLessThan(0.1);
    }
  });

  test('is paid at the price of its time, beside what the grid alone would have cost', async () => {
    const site = await plants.addSite(installerId);
    await price(site, Date.UTC(2026, 0, 1), '0.50');
    await price(site, atHour(9), '0.10');
    await addDay(site, TODAY, [
      ...hourOf(8, { pvWh: 50, importWh: 50, loadWh: 100 }, 2),
      ...hourOf(9, { pvWh: 500, importWh: 1_000, loadWh: 1_500 }, 2),
    ]);
    const { house, purchasePrice, currency } = await whereFrom(site);
    // 0.1 kWh at 0.50 and 2 kWh at 0.10; all of it: 0.2 kWh at 0.50 and 3 kWh at 0.10; sold: 1.1 kWh at 0.08.
    expect(house).toMatchObject({ paid: '0.25', gridOnly: '0.40', forgone: '0.09' });
    expect({ purchasePrice, currency }).toEqual({ purchasePrice: null, currency: 'EUR' });
  });

  test('is paid in house, car, battery and losses together as the day is, to the cent', async () => {
    for (const [importWh, loadWh] of [
      [33.3, 16.7],
      [71.3, 50.9],
      [101.1, 83.3],
    ] as const) {
      const site = await plants.addSite(installerId);
      await price(site, Date.UTC(2026, 0, 1), '0.3107');
      const ports = { importWh, loadWh, chargerWh: 11.1, chargeWh: 3.7 };
      await addDay(site, TODAY, hourOf(8, ports));
      const { house, car, bought } = await whereFrom(site);
      const cents = (amount: string | null | undefined) => Math.round(100 * Number(amount));
      expect(bought?.wh).toBeCloseTo(12 * importWh, 3);
      expect((house?.gridWh ?? 0) + (car?.gridWh ?? 0) + (bought?.batteryWh ?? 0) + (bought?.lostWh ?? 0)).toBeCloseTo(
        12 * importWh,
        2,
      );
      expect(bought?.lostWh).toBeGreaterThan(10);
      expect(cents(bought?.paid)).toBe(Math.round(0.1 * 12 * importWh * 0.3107));
      const parts = [house?.paid, car?.paid, bought?.batteryPaid, bought?.lostPaid].map(cents);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(cents(bought?.paid));
      expect(cents(car?.paid)).toBe((car?.sessions ?? []).reduce((sum, { paid }) => sum + cents(paid), 0));
    }
  });

  test('has no money without prices, nor where the currency changed within the day', async () => {
    const free = await plants.addSite(installerId);
    const moved = await plants.addSite(installerId);
    await price(moved, Date.UTC(2026, 0, 1), '0.50');
    await price(moved, atHour(9), '2', 'PLN');
    for (const site of [free, moved]) {
      await addDay(site, TODAY, hourOf(8, { importWh: 100, loadWh: 100 }));
      expect((await whereFrom(site)).house).toMatchObject({ wh: 1_200, paid: null, gridOnly: null, forgone: null });
    }
  });

  test('tells charging as sessions, which with the standing by of the pile add up; the last one runs', async () => {
    const site = await plants.addSite(installerId);
    await price(site, Date.UTC(2026, 0, 1), '0.30');
    const standby = { importWh: 1, chargerWh: 1 };
    await addDay(site, TODAY, [
      ...hourOf(7, standby),
      ...hourOf(8, { importWh: 900, chargerWh: 900 }, 6),
      // A pause of ten minutes belongs to the session.
      ...[30, 35].map((minute) => ({ atMs: atHour(8) + minute * 60_000, ...standby })),
      ...[40, 45].map((minute) => ({ atMs: atHour(8) + minute * 60_000, pvWh: 300, chargerWh: 300 })),
      { atMs: NOW_MS - BUCKET_MS, pvWh: 100, chargerWh: 100 },
    ]);
    const { car } = await whereFrom(site);
    expect(car?.sessions.map(({ startMs, endMs, wh, runs, paid }) => ({ startMs, endMs, wh, runs, paid }))).toEqual([
      { startMs: atHour(8), endMs: atHour(8) + 50 * 60_000, wh: 6_002, runs: false, paid: '1.62' },
      { startMs: NOW_MS - BUCKET_MS, endMs: NOW_MS, wh: 100, runs: true, paid: '0.00' },
    ]);
    const inSessions = (car?.sessions ?? []).reduce((sum, { wh }) => sum + wh, 0);
    expect((car?.wh ?? 0) - inSessions).toBeCloseTo(12, 3);
    expect(car?.last).toBeNull();
  });

  test('tells two sessions where a pile told two, though the first never told its end and nothing parts them', async () => {
    const site = await plants.addSite(installerId);
    const datalogger = await plants.addDatalogger(site.id);
    const { id: deviceId } = await plants.addDevice(site.id, datalogger.id, { kind: 'pile' });
    const session = (hour: number, endsHour: number | null, transaction: string) => ({
      device_id: deviceId,
      transaction,
      began_at: new Date(atHour(hour)),
      began_wh: null,
      heard_at: new Date(atHour(hour)),
      ended_at: endsHour === null ? null : new Date(atHour(endsHour)),
      energy_wh: 1_000,
    });
    const told = [session(8, 8.5, '1'), session(9, 9.75, '2'), session(9.5, null, '3')];
    await plants.db.insertInto('charging_sessions').values(told).execute();
    await addDay(site, TODAY, hourOf(8, { importWh: 100, chargerWh: 100 }, 24));
    const { car } = await whereFrom(site);
    // The third began while the second went on: what both took cannot be told apart.
    expect(car?.sessions.map(({ startMs, wh }) => [startMs, wh])).toEqual([
      [atHour(8), 1_200],
      [atHour(9), 1_200],
    ]);
  });

  test('names the last day of charging where nothing was charged', async () => {
    const site = await plants.addSite(installerId);
    await plants.insert('site_day', [
      { site: site.key, version: 1, quality: 0, day: '2026-10-27', charger_wh: 7_300 },
      { site: site.key, version: 1, quality: 0, day: '2026-10-28', charger_wh: 20 },
    ]);
    await addDay(site, TODAY, hourOf(8, { pvWh: 100, loadWh: 100 }));
    const { car } = await whereFrom(site);
    expect(car).toMatchObject({ wh: 0, sessions: [], last: { day: '2026-10-27', wh: 7_300 } });
    const none = await plants.addSite(installerId);
    expect(await whereFrom(none)).toMatchObject({ house: null, car: null });
  });

  test('is told of the 25 hours of the day on which summer time ends', async () => {
    const site = await plants.addSite(installerId);
    const { startMs, endMs } = dayBounds('2026-10-25', 'Europe/Berlin');
    const all = Array.from({ length: (endMs - startMs) / BUCKET_MS }, (_, place) => ({
      atMs: startMs + place * BUCKET_MS,
      importWh: 10,
      loadWh: 10,
    }));
    await addDay(site, '2026-10-25', all, 1 << 4);
    const { house } = await whereFrom(site, '2026-10-25');
    expect(house?.quarters).toHaveLength(100);
    expect(house).toMatchObject({ wh: 3_000, gridWh: 3_000, quality: 'estimated' });
  });

  test('is not known while the history of that day is still coming', async () => {
    const site = await plants.addSite(installerId, { latest: { history_percent: 40, local_day: '2026-05-02' } });
    await addDay(site, TODAY, hourOf(8, { pvWh: 100, loadWh: 100 }));
    expect((await whereFrom(site)).house).toBeNull();
  });
});
