import { errno } from '@sonnenwarte/contract/errors';
import type { Plan } from '@sonnenwarte/contract/work-modes/plan';
import { workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemScope } from '../access/scope.ts';
import { keepPrices, noteSources } from '../market-prices/market-prices.store.ts';
import { changePrices } from '../sites/prices.service.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const { view, write, writeCharge, charge, templates, addTemplate, removeTemplate, whatIf, proposals } =
  workModeEndpoints;

const plan: Plan = {
  mode: 'batterySupport',
  minSoc: 15,
  backupSoc: null,
  gridCharge: null,
  peakLimitW: null,
  periods: [
    { startMin: 120, endMin: 240, days: 127, action: 'gridCharge', powerW: 2_000, minSoc: 15, fdSoc: 60 },
    { startMin: 1_080, endMin: 1_320, days: 31, action: 'discharge', powerW: 1_500, minSoc: 25, fdSoc: 100 },
  ],
  pricePeriods: null,
};

let portal: TestPortal;
let stationID: string;
let inverter: { id: string; sn: string };
const tokens = new Map<string, string>();

const tokenOf = async (user: string): Promise<string> => {
  const known = tokens.get(user) ?? (await portal.sessionOf(user));
  tokens.set(user, known);
  return known;
};
const as = async (user: string) => ({ token: await tokenOf(user) });

/** Eight hours of sun, a steady house, a battery of its own that did nothing. */
async function record(days: number): Promise<void> {
  const { db, telemetry } = portal.server.stores;
  const { key } = await db.selectFrom('sites').select('key').where('id', '=', stationID).executeTakeFirstOrThrow();
  const now = Date.now();
  const rows = Array.from({ length: days * 288 }, (_, place) => {
    const ts = Math.floor(now / 300_000) * 300 - (place + 1) * 300;
    const hour = (ts / 3_600) % 24;
    const surplusWh = (hour > 8 && hour < 16 ? 250 : 0) - 60;
    return {
      site: key,
      ts,
      version: 1,
      samples: 5,
      soc_percent: 40,
      pv_wh: surplusWh + 60,
      load_wh: 60,
      import_wh: Math.max(0, -surplusWh),
      export_wh: Math.max(0, surplusWh),
      charge_wh: 0,
      discharge_wh: 0,
    };
  });
  await telemetry.client.insert({ table: 'site_5m', values: rows, format: 'JSONEachRow' });
}

beforeAll(async () => {
  portal = await startTestPortal();
  const { db } = portal.server.stores;
  const row = await db
    .selectFrom('devices')
    .innerJoin('sites', 'sites.id', 'devices.site_id')
    .innerJoin('accounts', 'accounts.id', 'sites.owner_account_id')
    .where('accounts.username', '=', 'owner')
    .where('devices.kind', '=', 'inverter')
    .select(['devices.id', 'devices.sn', 'devices.site_id'])
    .orderBy('devices.key')
    .executeTakeFirstOrThrow();
  stationID = row.site_id ?? '';
  inverter = row;
  const told = { 'Setting/WorkMode': 1, 'Setting/MinSoc': 10, 'Setting/GridCharge': false, 'Setting/Schedule': [] };
  await db
    .insertInto('device_settings')
    .values(
      Object.entries(told).map(([name, value]) => ({
        subject_id: row.id,
        name,
        reported: JSON.stringify(value),
        reported_at: new Date(),
        reported_by: 'birth' as const,
      })),
    )
    .execute();
  // Recorded days are kept for minutes once they are read.
  await record(32);
});
beforeEach(() => clear());
afterAll(() => portal?.stop());

const clear = () => portal.server.stores.db.deleteFrom('commands').execute();
const ordered = () =>
  portal.server.stores.db.selectFrom('commands').select(['content', 'source', 'kind', 'device_id']).execute();

describe('the plan of a plant', () => {
  test('is told as its device has it', async () => {
    const { result } = await portal.call(view, { stationID }, await as('owner'));
    expect(result.devices.map(({ deviceID }) => deviceID)).toEqual([inverter.id]);
    expect(result.reported).toMatchObject({ mode: 'selfUse', minSoc: 10, gridCharge: false, periods: [] });
    expect(result.prices).toHaveLength(96);
    expect(result.can.write).toBe(true);
  });

  test('is written as one command with what differs and what the device has, and not twice at once', async () => {
    const written = await portal.call(write, { stationID, plan }, await as('owner'));
    expect(written).toMatchObject({ errno: 0, result: { plants: [{ stationID, commands: 1, obstacle: null }] } });
    const [command] = await ordered();
    expect(command).toMatchObject({ kind: 'write', source: 'hand', device_id: inverter.id });
    expect(Object.keys(command?.content.values ?? {}).sort()).toEqual([
      'Setting/MinSoc',
      'Setting/Schedule',
      'Setting/WorkMode',
    ]);
    expect(command?.content.values?.['Setting/Schedule']).toEqual([
      { start: 120, end: 240, days: 127, mode: 1, powerW: 2_000, minSoc: 15, fdSoc: 60 },
      { start: 1_080, end: 1_320, days: 31, mode: 2, powerW: 1_500, minSoc: 25, fdSoc: 100 },
    ]);
    expect((await portal.call(write, { stationID, plan }, await as('owner'))).errno).toBe(errno.planUnderWay);
    const { result } = await portal.call(view, { stationID }, await as('owner'));
    expect(result.commands).toMatchObject([{ deviceID: inverter.id, state: 'queued' }]);
  });

  test('that the device has already is not written again', async () => {
    const same = { ...plan, mode: 'selfUse' as const, minSoc: 10, periods: [] } satisfies Plan;
    expect((await portal.call(write, { stationID, plan: same }, await as('owner'))).errno).toBe(errno.planUnchanged);
    expect(await ordered()).toEqual([]);
  });

  test.each([
    ['shorter than half an hour', { periods: [{ ...plan.periods[0], endMin: 149 }] }],
    ['over each other', { periods: [plan.periods[0], { ...plan.periods[0], startMin: 200 }] }],
    [
      'more than eight',
      {
        periods: Array.from({ length: 9 }, (_, at) => ({
          ...plan.periods[0],
          startMin: at * 60,
          endMin: at * 60 + 30,
        })),
      },
    ],
    ['with more than 6000 W', { periods: [{ ...plan.periods[0], powerW: 6_001 }] }],
    ['with half a watt', { periods: [{ ...plan.periods[0], powerW: 0.5 }] }],
    ['with a target below their minimum', { periods: [{ ...plan.periods[0], minSoc: 70 }] }],
    ['with a target below that of the plan', { minSoc: 80 }],
    ['with a minimum below ten', { minSoc: 9 }],
    ['with a minimum above a hundred', { minSoc: 101 }],
  ])('with periods %s is refused', async (_, change) => {
    const wrong = { ...plan, ...change } as Plan;
    expect((await portal.call(write, { stationID, plan: wrong }, await as('owner'))).errno).toBe(errno.refusedInput);
    expect(await ordered()).toEqual([]);
  });

  test.each([
    ['a short period', { periods: [{ ...plan.periods[0], endMin: 149 }] }, 'plan.periods.0.endMin', 'periodTooShort'],
    [
      'over midnight',
      { periods: [{ ...plan.periods[0], startMin: 1_380, endMin: 60 }] },
      'plan.periods.0.endMin',
      'periodTooShort',
    ],
    [
      'an overlap',
      { periods: [plan.periods[0], { ...plan.periods[0], startMin: 200 }] },
      'plan.periods',
      'periodsOverlap',
    ],
    [
      'a target below its minimum',
      { periods: [{ ...plan.periods[0], minSoc: 70 }] },
      'plan.periods.0.fdSoc',
      'fdSocBelowMin',
    ],
    ['a reserve below the minimum', { minSoc: 20, backupSoc: 15 }, 'plan.backupSoc', 'backupBelowMin'],
  ])('that is refused for %s says so by name', async (_, change, path, reason) => {
    const wrong = { ...plan, ...change } as Plan;
    const { result } = (await portal.call(write, { stationID, plan: wrong }, await as('owner'))) as unknown as {
      result: { fields: unknown[] };
    };
    expect(result.fields).toContainEqual(expect.objectContaining({ path, reason }));
  });

  test('is held to the bounds of its devices, which its view tells: what setting/write would refuse is not ordered', async () => {
    const { db } = portal.server.stores;
    const tellLimit = (values: object) =>
      db
        .insertInto('device_settings')
        .values({
          subject_id: inverter.id,
          name: 'Setting/PeakLimit',
          reported: '1000',
          reported_at: new Date(),
          ...values,
        })
        .onConflict((conflict) => conflict.columns(['subject_id', 'name']).doUpdateSet(values))
        .execute();
    await tellLimit({ told_low: 0, told_high: 40_000 });
    const { result } = await portal.call(view, { stationID }, await as('owner'));
    const { most } = result.bounds.peakLimitW;
    expect(most).toBeLessThanOrEqual(40_000);
    for (const peakLimitW of [5_000_000, most + 1]) {
      expect(await portal.call(write, { stationID, plan: { ...plan, peakLimitW } }, await as('owner'))).toMatchObject({
        errno: errno.refusedInput,
        result: { fields: [{ path: 'plan.peakLimitW', reason: 'too_big', params: { max: most } }] },
      });
    }
    await tellLimit({ told_read_only: true });
    const readOnly = await portal.call(write, { stationID, plan: { ...plan, peakLimitW: 2_000 } }, await as('owner'));
    expect(readOnly.errno).toBe(errno.settingReadOnly);
    expect(await ordered()).toEqual([]);
    await tellLimit({ told_read_only: false });
    const fits = await portal.call(write, { stationID, plan: { ...plan, peakLimitW: most } }, await as('owner'));
    expect(fits.errno).toBe(0);
    await db.deleteFrom('device_settings').where('name', '=', 'Setting/PeakLimit').execute();
  });

  test('is written by who looks after the plant, and to none of several where one is out of scope', async () => {
    const { id: strangers } = await portal.server.stores.db
      .selectFrom('sites')
      .select('id')
      .orderBy('key', 'desc')
      .executeTakeFirstOrThrow();
    const both = { stationID, plan, others: [strangers] };
    expect((await portal.call(write, both, await as('owner'))).errno).toBe(errno.siteNotFound);
    expect(await ordered()).toEqual([]);
    expect((await portal.call(write, { stationID, plan }, await as('installer'))).errno).toBe(0);
  });
});

describe('a share', () => {
  test('lets the work mode be set only where it says so', async () => {
    const { db } = portal.server.stores;
    const { id: accountId } = await db
      .insertInto('accounts')
      .columns(['organisation_id', 'username', 'email', 'password_hash', 'level', 'name', 'country'])
      .expression((eb) =>
        eb
          .selectFrom('accounts')
          .where('username', '=', 'owner')
          .select(({ val }) => [
            'organisation_id',
            val('guest').as('username'),
            val('guest@example.com').as('email'),
            val('').as('password_hash'),
            'level',
            val('Guest').as('name'),
            'country',
          ]),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('site_shares')
      .values({
        site_id: stationID,
        account_id: accountId,
        named_as: 'guest',
        given_by: null,
        ended_at: null,
        ended_by_change: null,
      })
      .execute();
    const guest = await as('guest');
    expect((await portal.call(view, { stationID }, guest)).result.can.write).toBe(false);
    expect((await portal.call(write, { stationID, plan }, guest)).errno).toBe(errno.noPermission);
    await db.updateTable('site_shares').set({ sets_work_mode: true }).where('account_id', '=', accountId).execute();
    expect((await portal.call(view, { stationID }, guest)).result.can.write).toBe(true);
    expect((await portal.call(write, { stationID, plan }, guest)).errno).toBe(0);
  });
});

describe('charge periods', () => {
  const night = {
    startMin: 60,
    endMin: 180,
    days: 127,
    action: 'gridCharge',
    powerW: 3_000,
    minSoc: 10,
    fdSoc: 80,
  } as const;

  test('take the place of those before; other periods stay, and they do not lie over them', async () => {
    const { db } = portal.server.stores;
    const discharge = { start: 1_080, end: 1_320, days: 127, mode: 2, powerW: 1_500, minSoc: 25, fdSoc: 100 };
    const before = { start: 0, end: 30, days: 127, mode: 1, powerW: 500, minSoc: 10, fdSoc: 50 };
    const keep = (rows: unknown) =>
      db
        .updateTable('device_settings')
        .set({ reported: JSON.stringify(rows) })
        .where('subject_id', '=', inverter.id)
        .where('name', '=', 'Setting/Schedule')
        .execute();
    await keep([before, discharge]);
    const { result } = await portal.call(charge, { stationID }, await as('owner'));
    expect(result.devices[0]?.plan?.periods).toHaveLength(2);
    const inTheWay = { ...night, startMin: 1_200, endMin: 1_260 };
    const call = async (periods: readonly (typeof night)[]) =>
      portal.call(writeCharge, { deviceID: inverter.id, periods: [...periods] }, await as('owner'));
    expect((await call([inTheWay as never])).errno).toBe(errno.chargePeriodsInTheWay);
    expect((await call([night, { ...night, startMin: 90 } as never])).errno).toBe(errno.refusedInput);
    const readOnly = (told_read_only: boolean) =>
      db.updateTable('device_settings').set({ told_read_only }).where('name', '=', 'Setting/Schedule').execute();
    await readOnly(true);
    expect((await call([night])).errno).toBe(errno.settingReadOnly);
    expect(await ordered()).toEqual([]);
    await readOnly(false);
    expect((await call([night])).errno).toBe(0);
    const [command] = await ordered();
    expect(command?.content.values).toEqual({
      'Setting/WorkMode': 4,
      'Setting/Schedule': [
        { start: 60, end: 180, days: 127, mode: 1, powerW: 3_000, minSoc: 10, fdSoc: 80 },
        discharge,
      ],
    });
    await keep([]);
  });
});

describe('templates', () => {
  const content = { mode: plan.mode, minSoc: plan.minSoc, periods: plan.periods, pricePeriods: null };

  test('of an organisation are seen by it and those below, and removed by it alone', async () => {
    const added = await portal.call(addTemplate, { name: 'Night', content }, await as('agent'));
    const { templateID } = added.result;
    const ofInstaller = (await portal.call(templates, {}, await as('installer'))).result.templates;
    expect(ofInstaller).toMatchObject([{ templateID, name: 'Night', content, can: { remove: false } }]);
    expect((await portal.call(removeTemplate, { templateID }, await as('installer'))).errno).toBe(errno.noPermission);
    expect((await portal.call(templates, {}, await as('owner'))).result.templates).toEqual([]);
    expect((await portal.call(removeTemplate, { templateID }, await as('owner'))).errno).toBe(
      errno.workModeTemplateNotFound,
    );
    expect((await portal.call(removeTemplate, { templateID }, await as('agent'))).errno).toBe(0);
  });

  test('of the same name become what is sent', async () => {
    const first = await portal.call(addTemplate, { name: 'Own', content }, await as('owner'));
    const second = await portal.call(
      addTemplate,
      { name: 'own', content: { ...content, minSoc: 20 } },
      await as('owner'),
    );
    expect(second.result.templateID).toBe(first.result.templateID);
    const { result } = await portal.call(templates, {}, await as('owner'));
    expect(result.templates).toMatchObject([{ content: { minSoc: 20 }, can: { remove: true } }]);
  });
});

describe('what if', () => {
  test('self-use of recorded days costs what they cost less what the battery saves, and proposals are held against it', async () => {
    const selfUse: Plan = { ...plan, mode: 'selfUse', periods: [] };
    const { result } = await portal.call(whatIf, { stationID, span: 'month', plan: selfUse }, await as('owner'));
    expect(result.recordedPercent).toBeCloseTo(100, 0);
    expect(result.own).toMatchObject({ saved: '0.00', cost: result.baseline?.cost });
    expect(result.own?.cycles).toBeGreaterThan(10);
    expect(result.own?.importWh).toBeLessThan(30 * 16 * 12 * 60);
    const idle: Plan = {
      ...plan,
      periods: [{ startMin: 0, endMin: 1_440, days: 127, action: 'hold', powerW: 0, minSoc: 15, fdSoc: 100 }],
    };
    const held = await portal.call(whatIf, { stationID, span: 'month', plan: idle }, await as('owner'));
    expect(Number(held.result.own?.saved)).toBeLessThan(0);
    expect(held.result.own?.cycles).toBe(0);
    const best = await portal.call(proposals, { stationID, span: 'month', plan: selfUse }, await as('owner'));
    expect(best.result.proposals.map(({ kind }) => kind)).toEqual(['price', 'balanced', 'gentle']);
    for (const { outcome } of best.result.proposals) expect(outcome.cost).not.toBeNull();
  });

  test('of a plant that follows a market reckons with its prices, which stand at the band; where one is missing no cost is told', async () => {
    const { db } = portal.server.stores;
    const now = Date.now();
    const quarterMs = 900_000;
    await noteSources(db, ['WHATIF']);
    await changePrices(
      db,
      {
        ...{ scope: systemScope, source: {}, siteId: stationID, validFrom: 'beginning' },
        ...{ feedInPrice: '0.08', purchasePrice: null, currency: 'EUR' },
        purchaseMarket: { zone: 'WHATIF', markup: '0.15', vat: '20' },
      },
      now,
    );
    const selfUse: Plan = { ...plan, mode: 'selfUse', periods: [] };
    const asked = async () => {
      const [seen, own, best] = await Promise.all([
        portal.call(view, { stationID }, await as('owner')),
        portal.call(whatIf, { stationID, span: 'month', plan: selfUse }, await as('owner')),
        portal.call(proposals, { stationID, span: 'month', plan: selfUse }, await as('owner')),
      ]);
      return {
        prices: seen.result.prices,
        tomorrow: seen.result.tomorrow,
        cost: own.result.own?.cost,
        proposals: best.result.proposals,
      };
    };
    const unknown = await asked();
    expect(unknown.prices.every(({ purchase }) => purchase === null)).toBe(true);
    expect(unknown.tomorrow).toBeNull();
    expect(unknown).toMatchObject({ cost: null, proposals: [] });

    const micro = new Map<number, number>();
    const firstMs = Math.floor(now / 86_400_000) * 86_400_000 - 40 * 86_400_000;
    for (let atMs = firstMs; atMs < firstMs + 43 * 86_400_000; atMs += quarterMs) {
      micro.set(atMs, new Date(atMs).getUTCHours() < 6 ? -50_000 : 250_000);
    }
    await keepPrices(db, 'WHATIF', { currency: 'EUR', micro }, now);
    const known = await asked();
    expect(new Set(known.prices.map(({ purchase }) => purchase))).toEqual(new Set(['0.12', '0.48']));
    for (const { tsMs, purchase } of known.prices) {
      expect(purchase).toBe(new Date(tsMs).getUTCHours() < 6 ? '0.12' : '0.48');
    }
    expect(known.tomorrow).toMatchObject({ cheapest: { price: '0.12' }, dearest: { price: '0.48' } });
    expect(Number(known.cost)).toBeGreaterThan(0);
    expect(known.proposals.map(({ kind }) => kind)).toContain('price');
  });
});
