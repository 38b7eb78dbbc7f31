import { errno } from '@sonnenwarte/contract/errors';
import { workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemScope } from '../access/scope.ts';
import { addJob } from '../jobs/jobs.ts';
import { keepPrices, noteSources } from '../market-prices/market-prices.store.ts';
import { changePrices } from '../sites/prices.service.ts';
import { until } from '../testing/edge.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const { followed, follow, unfollow, write } = workModeEndpoints;
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

let portal: TestPortal;
let stationID: string;
let inverter: string;
let owner: { token: string };

/** A zone in which it is between three and four in the morning: most of the day is still to come. */
const offsetH = ((3 - new Date().getUTCHours() + 36) % 24) - 12;
const zone = offsetH === 0 ? 'Etc/GMT' : `Etc/GMT${offsetH > 0 ? '-' : '+'}${Math.abs(offsetH)}`;
const hourAt = (tsMs: number): number => new Date(tsMs + offsetH * 3_600_000).getUTCHours();

const settings = { 'Setting/WorkMode': 1, 'Setting/MinSoc': 10, 'Setting/GridCharge': false, 'Setting/Schedule': [] };

async function hasTold(values: Record<string, unknown>): Promise<void> {
  const { db } = portal.server.stores;
  for (const [name, value] of Object.entries(values)) {
    const reported = JSON.stringify(value);
    await db
      .insertInto('device_settings')
      .values({ subject_id: inverter, name, reported, reported_at: new Date(), reported_by: 'birth' })
      .onConflict((conflict) => conflict.columns(['subject_id', 'name']).doUpdateSet({ reported }))
      .execute();
  }
}

/** A month in which the house took most in the evening, with next to no sun and a battery that did nothing. */
async function record(): Promise<void> {
  const { db, telemetry } = portal.server.stores;
  const { key } = await db.selectFrom('sites').select('key').where('id', '=', stationID).executeTakeFirstOrThrow();
  const nowS = Math.floor(Date.now() / 300_000) * 300;
  const values = Array.from({ length: 32 * 288 }, (_, place) => {
    const ts = nowS - (place + 1) * 300;
    const hour = hourAt(ts * 1_000);
    const load_wh = hour >= 17 && hour < 21 ? 150 : 30;
    const pv_wh = hour === 12 ? 10 : 0;
    const surplus = pv_wh - load_wh;
    const flows = { import_wh: Math.max(0, -surplus), export_wh: Math.max(0, surplus), charge_wh: 0, discharge_wh: 0 };
    return { site: key, ts, version: 1, samples: 5, soc_percent: 40, pv_wh, load_wh, ...flows };
  });
  await telemetry.client.insert({ table: 'site_5m', values, format: 'JSONEachRow' });
}

async function prices(hours: (hour: number) => boolean): Promise<void> {
  const { db } = portal.server.stores;
  const micro = new Map<number, number>();
  const firstMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
  for (let atMs = firstMs; atMs < firstMs + 4 * DAY_MS; atMs += QUARTER_MS) {
    if (hours(hourAt(atMs))) micro.set(atMs, hourAt(atMs) >= 4 && hourAt(atMs) < 8 ? 10_000 : 300_000);
  }
  await keepPrices(db, 'FOLLOWED', { currency: 'EUR', micro }, Date.now());
}

beforeAll(async () => {
  portal = await startTestPortal();
  owner = { token: await portal.sessionOf('owner') };
  const { db } = portal.server.stores;
  const row = await db
    .selectFrom('devices')
    .innerJoin('sites', 'sites.id', 'devices.site_id')
    .innerJoin('accounts', 'accounts.id', 'sites.owner_account_id')
    .where('accounts.username', '=', 'owner')
    .where('devices.kind', '=', 'inverter')
    .select(['devices.id', 'devices.site_id'])
    .orderBy('devices.key')
    .executeTakeFirstOrThrow();
  stationID = row.site_id ?? '';
  inverter = row.id;
  await db.updateTable('sites').set({ time_zone: zone }).where('id', '=', stationID).execute();
  await hasTold(settings);
  await record();
  await noteSources(db, ['FOLLOWED']);
  await changePrices(
    db,
    {
      ...{ scope: systemScope, source: {}, siteId: stationID, validFrom: 'beginning' },
      ...{ feedInPrice: '0.08', purchasePrice: null, currency: 'EUR' },
      purchaseMarket: { zone: 'FOLLOWED', markup: '0.10', vat: '0' },
    },
    Date.now(),
  );
});
beforeEach(async () => {
  const { db } = portal.server.stores;
  await db.deleteFrom('followed_plans').execute();
  await db.deleteFrom('followed_steps').execute();
  await db.deleteFrom('commands').execute();
  await hasTold(settings);
  await charged(20);
});
afterAll(() => portal?.stop());

const charged = (soc: number | null) =>
  portal.server.stores.db
    .insertInto('site_latest')
    .values({ site_id: stationID, ts: new Date(), soc_percent: soc } as never)
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet({ ts: new Date(), soc_percent: soc } as never))
    .execute();
const told = async () => (await portal.call(followed, { stationID }, owner)).result;
const reasons = async () => (await told()).steps.map(({ reason }) => reason);
const commands = () =>
  portal.server.stores.db
    .selectFrom('commands')
    .select(['id', 'content', 'source', 'state', 'ordered_by'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
const start = (tradesWithGrid = true) => portal.call(follow, { stationID, tradesWithGrid }, owner);

/** As the device had done what it was told. */
async function confirmed(): Promise<void> {
  for (const { content } of await commands()) await hasTold(content.values ?? {});
  await portal.server.stores.db.updateTable('commands').set({ state: 'confirmed', done_at: new Date() }).execute();
}

/** A new day has begun. */
async function nextDay(): Promise<void> {
  const { db } = portal.server.stores;
  await db
    .updateTable('followed_plans')
    .set({ planned_day: sql<string>`planned_day - 1`, look_at: new Date(0) })
    .execute();
  await addJob(db, 'work-modes.follow');
}

describe('a battery that the portal plans by prices and sun', () => {
  test('is planned so by nobody as long as nobody switches it on', async () => {
    expect(await told()).toMatchObject({ since: null, obstacle: null, steps: [], can: { write: true } });
    await addJob(portal.server.stores.db, 'work-modes.follow');
    expect(await commands()).toEqual([]);
  });

  test('is charged at once for the dear evening in the cheapest hours to come, and the step says by what', async () => {
    await prices(() => true);
    expect((await start()).errno).toBe(0);
    const { since, steps } = await told();
    expect(since).toMatchObject({ by: 'Owner', tradesWithGrid: true });
    expect(steps.map(({ reason }) => reason)).toEqual(['cheapCharge', 'started']);
    const [step] = steps;
    expect(step).toMatchObject({
      cheapest: { price: '0.11' },
      dearest: { price: '0.4' },
      currency: 'EUR',
      state: 'queued',
    });
    expect(Number(step?.saved)).toBeGreaterThan(0.1);
    expect(step?.demandWh).toBeGreaterThan(10_000);
    const window = step?.plan?.periods.find(({ action }) => action === 'gridCharge');
    expect(window?.startMin).toBeGreaterThanOrEqual(180);
    expect(window?.endMin).toBeLessThanOrEqual(600);
    const [command] = await commands();
    expect(command).toMatchObject({ source: 'plan', ordered_by: null });
    expect(command?.content.values).toMatchObject({ 'Setting/WorkMode': 4, 'Setting/Schedule': [{ mode: 1 }] });
  });

  test('that may not trade with the grid buys nothing for it', async () => {
    await prices(() => true);
    await start(false);
    const [step] = (await told()).steps;
    expect(step?.plan?.periods.some(({ action }) => action === 'gridCharge' || action === 'discharge')).toBe(false);
  });

  test('is planned anew each day, and has its own plan back in one click', async () => {
    await prices(() => true);
    await start();
    await confirmed();
    await nextDay();
    await until(async () => (await reasons()).length === 3, 'the next day planned');
    expect(await reasons()).toEqual(['cheapCharge', 'cheapCharge', 'started']);
    expect((await portal.call(unfollow, { stationID }, owner)).errno).toBe(0);
    expect(await told()).toMatchObject({
      since: null,
      steps: [{ reason: 'stopped', by: 'Owner', plan: { mode: 'selfUse' } }, {}, {}, {}],
    });
    expect((await commands()).at(-1)).toMatchObject({
      source: 'plan',
      content: { values: { 'Setting/WorkMode': 1, 'Setting/Schedule': [] } },
    });
    expect((await portal.call(unfollow, { stationID }, owner)).errno).toBe(0);
    expect((await reasons()).length).toBe(4);
  });

  test('is left to who has set its device to another plan', async () => {
    await prices(() => true);
    await start();
    await confirmed();
    await hasTold({ 'Setting/WorkMode': 3 });
    await nextDay();
    await until(async () => (await told()).since === null, 'the end');
    expect((await reasons())[0]).toBe('changedElsewhere');
    expect((await commands()).every(({ state }) => state === 'confirmed')).toBe(true);
  });

  test('uses itself what the sun gives as long as a price of the day or the charge of the battery is not known, and says so once', async () => {
    await portal.server.stores.db.deleteFrom('market_prices').where('zone', '=', 'FOLLOWED').execute();
    await noteSources(portal.server.stores.db, ['FOLLOWED', 'OTHER']);
    await changePrices(
      portal.server.stores.db,
      {
        ...{ scope: systemScope, source: {}, siteId: stationID, validFrom: 'beginning' },
        ...{ feedInPrice: '0.08', purchasePrice: null, currency: 'EUR' },
        purchaseMarket: { zone: 'OTHER', markup: '0.10', vat: '0' },
      },
      Date.now(),
    );
    await start();
    expect(await reasons()).toEqual(['noPrices', 'started']);
    expect(await commands()).toEqual([]);
    await nextDay();
    await charged(null);
    await nextDay();
    await until(async () => (await reasons())[0] === 'noForecast', 'that nothing can be expected');
    expect(await reasons()).toEqual(['noForecast', 'noPrices', 'started']);
  });

  test('is left to who writes a plan by hand', async () => {
    await start();
    const plan = {
      mode: 'backup' as const,
      minSoc: 20,
      backupSoc: null,
      gridCharge: null,
      peakLimitW: null,
      periods: [],
      pricePeriods: null,
    };
    await confirmed();
    expect((await portal.call(write, { stationID, plan }, owner)).errno).toBe(0);
    expect((await told()).since).toBeNull();
    expect((await reasons())[0]).toBe('byHand');
  });

  test('is refused where nothing can be planned, and to those who may not write its plan', async () => {
    await portal.server.stores.db.deleteFrom('device_settings').where('subject_id', '=', inverter).execute();
    expect((await told()).obstacle).toBe('planUntold');
    expect((await start()).errno).toBe(errno.planCannotFollow);
    const stranger = { token: await portal.sessionOf('distributor').catch(() => portal.sessionOf('agent')) };
    const answers = await Promise.all([
      portal.call(followed, { stationID: '00000000-0000-4000-8000-00000000dead' }, owner),
      portal.call(follow, { stationID: '00000000-0000-4000-8000-00000000dead', tradesWithGrid: true }, owner),
      portal.call(unfollow, { stationID: '00000000-0000-4000-8000-00000000dead' }, stranger),
    ]);
    expect(answers.map((answer) => answer.errno)).toEqual(answers.map(() => errno.siteNotFound));
  });
});
