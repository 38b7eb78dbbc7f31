import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { markOf, type Quality } from '@sonnenwarte/energy/accounting/quality';
import { localDay } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const NOW_MS = Date.UTC(2026, 9, 25, 11);
const today = localDay(NOW_MS, 'Europe/Berlin');

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
});

afterAll(() => plants?.stop());

type Latest = NonNullable<Parameters<PlantsFixture['addSite']>[1]>['latest'];

/** Plants with these newest values under an installer of their own, and the token of one who sees them. */
async function fleetOf(...latest: Latest[]) {
  const { id } = await plants.addOrganisation('installer');
  const sites = [];
  for (const each of latest) sites.push(await plants.addSite(id, { latest: { local_day: today, ...each } }));
  const token = plants.signIn(await plants.addAccount(id, 2));
  return { sites, token, summary: () => plants.read(fleetEndpoints.summary, {}, token) };
}

describe('what reports', () => {
  test('is what is not offline: by state, in the row and in the power of the fleet at the same moment', async () => {
    const { summary, token } = await fleetOf(
      { pv_w: 1_000, ts: new Date(NOW_MS - 4 * 60_000) },
      { pv_w: 200, state: 'alarm' },
      { pv_w: 4_000, state: 'offline', ts: new Date(NOW_MS - 7_000) },
      { pv_w: 5_000, ts: new Date(NOW_MS - 6 * 60_000) },
    );
    const found = await summary();
    expect(found.plants).toMatchObject({ total: 4, normal: 1, alarm: 1, offline: 2 });
    expect(found).toMatchObject({ reporting: 2, pvPowerW: 1_200 });
    const { plants: rows } = await plants.read(siteEndpoints.list, { pageSize: 50 }, token);
    const reporting = rows.filter(({ state }) => state !== 'offline');
    expect(reporting.reduce((sum, { pvPowerW }) => sum + (pvPowerW ?? 0), 0)).toBe(found.pvPowerW);
  });
});

describe("today's energy", () => {
  test('says of how many plants and of which power it is: those of which today is known', async () => {
    const yesterday = localDay(NOW_MS - 86_400_000, 'Europe/Berlin');
    const { sites, summary, token } = await fleetOf(
      { today_wh: 6_000 },
      { today_wh: 0 },
      { today_wh: 4_000, state: 'offline' },
      { today_wh: 9_000, local_day: yesterday },
      { today_wh: null },
    );
    expect(sites).toHaveLength(5);
    const { plants: rows } = await plants.read(siteEndpoints.list, { pageSize: 50 }, token);
    const kwpOf = (known: readonly { systemCapacity: number }[]) =>
      known.reduce((sum, { systemCapacity }) => sum + systemCapacity, 0);
    const found = await summary();
    expect(found).toMatchObject({ todayWh: 10_000, todayPlants: 3, installedCapacity: kwpOf(rows) });
    expect(found.todayCapacity).toBeCloseTo(kwpOf(rows.slice(0, 3)));
    expect(found.todayCapacity).toBeLessThan(kwpOf(rows));
  });
});

describe('avoided CO2', () => {
  test('is reckoned by the grid of each country, of plants in any state, and not known where nothing is', async () => {
    const { id } = await plants.addOrganisation('installer');
    const token = plants.signIn(await plants.addAccount(id, 2));
    const summary = () => plants.read(fleetEndpoints.summary, {}, token);
    const add = (country: string, latest: Latest) =>
      plants.addSite(id, { country, latest: { local_day: today, ...latest } });
    await add('DE', {});
    expect(await summary()).toMatchObject({ co2TodayKg: null, co2TotalKg: null });
    await add('DE', { today_wh: 10_000, total_wh: 1_000_000 });
    await add('DE', { today_wh: 20_000, total_wh: 2_000_000, state: 'fault' });
    await add('PL', { today_wh: 5_000, total_wh: 500_000 });
    const found = await summary();
    expect(found).toMatchObject({ co2TodayKg: 13.8, co2TotalKg: 1_380 });
    expect(found.plants).toMatchObject({ total: 4, normal: 3, fault: 1 });
  });
});

describe('what is preliminary', () => {
  test('counts the plants in scope whose history comes or whose figures are made anew, each once', async () => {
    const { summary, sites, token } = await fleetOf({ history_percent: 40 }, {}, {}, { history_percent: 0 });
    await fleetOf({ history_percent: 70 });
    expect((await summary()).preliminary).toBe(2);
    const [coming, other] = sites;
    for (const site of [coming, other, other]) {
      await plants.db
        .insertInto('recalculations')
        .values({ site_id: site?.id ?? null, device_id: null, depth: 'devices', from_at: null, to_at: null })
        .execute();
    }
    expect((await summary()).preliminary).toBe(3);
    const { plants: rows } = await plants.read(siteEndpoints.list, { pageSize: 50 }, token);
    expect(rows.filter(({ recalculating }) => recalculating).map(({ stationID }) => stationID)).toEqual(
      expect.arrayContaining([coming?.id, other?.id]),
    );
    expect(rows.filter(({ recalculating }) => recalculating)).toHaveLength(2);
    const live = await plants.read(siteEndpoints.live, { stationID: other?.id ?? '' }, token);
    expect(live.recalculating).toBe(true);
    await plants.db.deleteFrom('recalculations').execute();
    expect((await summary()).preliminary).toBe(2);
  });

  test('counts all plants that are still to be done where all are made anew', async () => {
    const { summary, sites } = await fleetOf({}, {}, {});
    const [first] = sites.map(({ key }) => key).sort((a, b) => a - b);
    await plants.db
      .insertInto('recalculations')
      .values({ site_id: null, device_id: null, depth: 'calendar', from_at: null, to_at: null, done_key: first ?? 0 })
      .execute();
    expect((await summary()).preliminary).toBe(2);
    await plants.db.deleteFrom('recalculations').execute();
  });
});

describe('the marks of a sum', () => {
  const sums = (wh: number, quality: Quality, history_percent: number | null = null): Latest => ({
    today_wh: wh,
    month_wh: wh,
    total_wh: wh,
    pv_marks: markOf(quality, 0) | markOf(quality, 2),
    history_percent,
  });

  test('are there where what is estimated weighs, each for its period, and not otherwise', async () => {
    const light = await fleetOf(sums(97, 'measured'), sums(3, 'estimated'));
    expect(await light.summary()).toMatchObject({ todayQuality: 'measured', totalQuality: 'measured' });
    const heavy = await fleetOf(sums(80, 'measured'), sums(20, 'estimated'));
    expect(await heavy.summary()).toMatchObject({
      todayQuality: 'estimated',
      monthQuality: 'measured',
      totalQuality: 'estimated',
    });
    const joined = await fleetOf(sums(100, 'corrected'));
    expect(await joined.summary()).toMatchObject({ todayQuality: 'measured', totalQuality: 'measured' });
  });

  test('say nothing of a plant whose history comes: that it is preliminary is said', async () => {
    const { summary } = await fleetOf(sums(50, 'measured'), sums(50, 'estimated', 30));
    expect(await summary()).toMatchObject({ todayQuality: 'measured', totalQuality: 'measured', preliminary: 1 });
  });
});

describe('money', () => {
  test('is told of each currency for itself, that of most plants first, of the running day and month alone', async () => {
    const yesterday = localDay(NOW_MS - 86_400_000, 'Europe/Berlin');
    const { summary } = await fleetOf(
      { money_currency: 'CHF', today_money: '100', month_money: '900' },
      { money_currency: 'EUR', today_money: '1.105', month_money: '30' },
      { money_currency: 'EUR', today_money: '0.9', month_money: '20.004', state: 'fault' },
      { money_currency: 'EUR', today_money: '5', month_money: '7', local_day: yesterday },
      { money_currency: 'EUR', today_money: null, month_money: null },
      {},
    );
    expect((await summary()).money).toEqual([
      { currency: 'EUR', plants: 4, today: '2.01', month: '57.00', todayQuality: 'measured', monthQuality: 'measured' },
      {
        currency: 'CHF',
        plants: 1,
        today: '100.00',
        month: '900.00',
        todayQuality: 'measured',
        monthQuality: 'measured',
      },
    ]);
  });

  test('is marked where plants with an estimated sum make up 5 % of it', async () => {
    const { summary } = await fleetOf(
      {
        money_currency: 'EUR',
        today_wh: 1,
        today_money: '5',
        month_wh: 1,
        month_money: '1',
        pv_marks: markOf('estimated', 0) | markOf('estimated', 1),
      },
      { money_currency: 'EUR', today_wh: 1, today_money: '95', month_wh: 1, month_money: '99' },
    );
    expect((await summary()).money).toMatchObject([{ todayQuality: 'estimated', monthQuality: 'measured' }]);
  });
});
