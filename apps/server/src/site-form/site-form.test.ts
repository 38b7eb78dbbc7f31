import type { Input } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { monthsAfter } from '@sonnenwarte/contract/factory/warranty';
import { add, dropTariff, edit, form, linkSn } from '@sonnenwarte/contract/site-form/site-form';
import { day, detail, list } from '@sonnenwarte/contract/sites/sites';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newDataloggerKey, noteDataloggers } from '../datalogger-keys/datalogger-keys.store.ts';
import { freshSn } from '../testing/ingestion.ts';
import { plantInput } from '../testing/plant-form.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { changedDuring } from '../testing/row-locks.ts';

let api: PlantsFixture;
let platform: { id: string };
let agentOrganisation: { id: string; path: string[] };
let installerOrganisation: { id: string };
let customer: { id: string };
let tokens: Record<'admin' | 'agent' | 'installer' | 'stranger' | 'owner' | 'neighbour', string>;

beforeAll(async () => {
  api = await PlantsFixture.start();
  const top = await api.addOrganisation('platform');
  platform = top;
  agentOrganisation = await api.addOrganisation('agent', top.path);
  const below = await api.addOrganisation('installer', agentOrganisation.path);
  installerOrganisation = below;
  const beside = await api.addOrganisation('installer', agentOrganisation.path);
  const owner = await api.addAccount(below.id, 1);
  customer = owner;
  tokens = {
    admin: api.signIn(await api.addAccount(top.id, 255)),
    agent: api.signIn(await api.addAccount(agentOrganisation.id, 3)),
    installer: api.signIn(await api.addAccount(below.id, 2)),
    stranger: api.signIn(await api.addAccount(beside.id, 2)),
    owner: api.signIn(owner),
    neighbour: api.signIn(await api.addAccount(below.id, 1)),
  };
});
afterAll(() => api?.stop());

const printed = async () => {
  const module = { sn: freshSn(), key: newDataloggerKey() };
  await noteDataloggers(api.db, [{ ...module, organisationID: null }]);
  return module;
};
const siteRow = (id: string) => api.db.selectFrom('sites').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const fieldsOf = (result: unknown) =>
  (result as { fields: { path: string; reason: string }[] }).fields.map(({ path, reason }) => [path, reason]);
const recordOf = async (id: string) =>
  api.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after', sql<string[]>`organisation_path::text[]`.as('path')])
    .where('record_id', '=', id)
    .orderBy('id')
    .execute();

const whole = {
  ...plantInput,
  address: 'Am Hang 1',
  postcode: '83043',
  position: { latitude: 47.863, longitude: 12.01 },
  price: '0.0803',
  purchasePrice: '0.32',
  ratedPowerW: 10_000,
  commissionedOn: '2026-05-04',
  gridConnectedOn: '2026-05-11',
  installerContact: { name: 'Solar Süd', email: 'dienst@example.com', phone: '+49 8061 1234' },
  userContact: { name: 'Familie Huber', email: '', phone: '' },
  arrays: [
    { name: 'Ost', azimuthDeg: 90, inclinationDeg: 35, kwp: 4.1, modules: 10, moduleType: 'M410' },
    { name: 'West', azimuthDeg: 270, inclinationDeg: 35, kwp: 5.33, modules: 13, moduleType: 'M410' },
  ],
} satisfies Partial<Input<typeof add>>;

/** The fields of a form as they are sent back. */
async function opened(stationID: string, token: string): Promise<Input<typeof edit>> {
  const {
    modules: _,
    owner: __,
    organisation: ___,
    pricesSince: ____,
    tariffs: _____,
    ...fields
  } = await api.read(form, { stationID }, token);
  return { ...fields, type: fields.type };
}

describe('a new plant', () => {
  test('keeps all that was entered, and its form begins with that', async () => {
    const module = await printed();
    const username = `user-${customer.id}`;
    const { stationID, modules } = await api.read(
      add,
      { ...whole, owner: username.toUpperCase(), modules: [module] },
      tokens.installer,
    );
    expect(modules).toEqual([{ sn: module.sn, linked: true }]);
    expect(await api.read(form, { stationID }, tokens.owner)).toEqual({
      ...whole,
      feedInPeriods: null,
      purchasePeriods: null,
      purchaseMarket: null,
      arrays: [...whole.arrays],
      summerTime: true,
      systemCapacity: 9.43,
      stationID,
      version: expect.any(String),
      owner: username,
      organisation: expect.stringContaining('installer'),
      modules: [{ sn: module.sn, type: '', state: 'offline', devices: 0 }],
      pricesSince: null,
      tariffs: [
        {
          ...{ price: '0.0803', purchasePrice: '0.32', feedInPeriods: null, purchasePeriods: null, currency: 'EUR' },
          ...{ purchaseMarket: null, fromMs: null, validFrom: null, when: 'now' },
        },
      ],
    });
    const shown = await api.read(detail, { stationID }, tokens.owner);
    expect(shown).toMatchObject({
      postcode: '83043',
      installerContact: whole.installerContact,
      user: whole.userContact,
      can: { edit: true, share: true, delete: false, migrate: false, workMode: true },
    });
    const [record] = await recordOf(stationID);
    expect(record).toMatchObject({
      action: 'sites.add',
      before: null,
      after: { name: whole.name, owner: username, dataloggers: [module.sn], arrays: whole.arrays },
    });
    const logger = await api.db
      .selectFrom('loggers')
      .select('id')
      .where('sn', '=', module.sn)
      .executeTakeFirstOrThrow();
    expect(await recordOf(logger.id)).toMatchObject([{ action: 'dataloggers.link', after: { plant: whole.name } }]);
  });

  test('belongs to the owner’s installer, else to who adds it; an owner outside the own tree is none', async () => {
    const email = `${customer.id}@example.org`;
    const made = async (token: string, owner = '') =>
      siteRow((await api.read(add, { ...plantInput, owner, modules: [await printed()] }, token)).stationID);
    expect(await made(tokens.agent, email)).toMatchObject({
      organisation_id: installerOrganisation.id,
      owner_account_id: customer.id,
    });
    expect(await made(tokens.agent)).toMatchObject({ organisation_id: agentOrganisation.id, owner_account_id: null });
    const refused = await api.call(add, { ...plantInput, owner: email, modules: [await printed()] }, tokens.stranger);
    expect(fieldsOf(refused.result)).toEqual([['owner', 'unknown']]);
  });

  test('is an organisation’s that the administrator names, or its owner’s, or the platform’s', async () => {
    const linked = async (more: Partial<Input<typeof linkSn>>) =>
      api.call(linkSn, { ...plantInput, ...more, modules: [await printed()] }, tokens.admin);
    const rowOf = async ({ result }: { result: { stationID: string } }) => siteRow(result.stationID);
    expect(await rowOf(await linked({ organisationID: agentOrganisation.id }))).toMatchObject({
      organisation_id: agentOrganisation.id,
    });
    expect(await rowOf(await linked({ owner: `user-${customer.id}` }))).toMatchObject({
      organisation_id: installerOrganisation.id,
      owner_account_id: customer.id,
    });
    expect(await rowOf(await linked({}))).toMatchObject({ organisation_id: platform.id });
    expect((await linked({ organisationID: customer.id })).errno).toBe(errno.organisationNotFound);
  });

  test('needs a country, a zone, a price and angles that there are, and names of 1 to 32 characters', async () => {
    const { arrays } = whole;
    const wrong: Partial<Input<typeof add>> = {
      name: '',
      price: '0,08',
      arrays: [{ ...arrays[0], azimuthDeg: 361, inclinationDeg: 91, kwp: 0, name: 'x'.repeat(17) }],
    };
    const modules = [await printed()];
    const refused = await api.call(add, { ...plantInput, ...wrong, modules }, tokens.installer);
    expect(fieldsOf(refused.result).map(([path]) => path)).toEqual([
      'name',
      'price',
      'arrays.0.name',
      'arrays.0.azimuthDeg',
      'arrays.0.inclinationDeg',
      'arrays.0.kwp',
    ]);
    const zone = await api.call(add, { ...plantInput, ianaTimezone: 'Europe/Nowhere', modules }, tokens.installer);
    expect(fieldsOf(zone.result)).toEqual([['ianaTimezone', 'unknown']]);
    const clock = { ianaTimezone: 'America/St_Johns', summerTime: false };
    const noClock = await api.call(add, { ...plantInput, ...clock, modules }, tokens.installer);
    expect(fieldsOf(noClock.result)).toEqual([['summerTime', 'unknown']]);
  });
});

test('a plant is commissioned and on the grid at most twelve months ahead; a day that stood there before does not hold up other changes', async () => {
  const ahead = (months: number) => monthsAfter(new Date().toISOString().slice(0, 10), months);
  const modules = [await printed()];
  const far = { commissionedOn: ahead(13), gridConnectedOn: ahead(13) };
  const refused = await api.call(add, { ...plantInput, ...far, modules }, tokens.installer);
  expect(fieldsOf(refused.result)).toEqual([
    ['commissionedOn', 'tooFarAhead'],
    ['gridConnectedOn', 'tooFarAhead'],
  ]);
  const near = { commissionedOn: ahead(12), gridConnectedOn: null };
  const { stationID } = await api.read(add, { ...plantInput, ...near, modules }, tokens.installer);
  await api.db.updateTable('sites').set({ commissioned_on: '2090-01-01' }).where('id', '=', stationID).execute();
  const fields = await opened(stationID, tokens.installer);
  await api.read(edit, { ...fields, name: 'Renamed' }, tokens.installer);
  const moved = { ...(await opened(stationID, tokens.installer)), commissionedOn: '2090-01-02' };
  expect(fieldsOf((await api.call(edit, moved, tokens.installer)).result)).toEqual([['commissionedOn', 'tooFarAhead']]);
});

describe('an edit', () => {
  let stationID: string;

  beforeEach(async () => {
    const input = { ...whole, owner: `user-${customer.id}`, modules: [await printed()] };
    ({ stationID } = await api.read(add, input, tokens.installer));
  });

  test('changes what is other and records that, before and after', async () => {
    const fields = await opened(stationID, tokens.owner);
    await api.read(
      edit,
      { ...fields, name: 'Haus am Bach', city: 'Rosenheim', arrays: [], systemCapacity: 12 },
      tokens.owner,
    );
    expect(await siteRow(stationID)).toMatchObject({
      name: 'Haus am Bach',
      city: 'Rosenheim',
      system_size_kwp: 12,
      arrays: [],
    });
    const [, record] = await recordOf(stationID);
    expect(record).toMatchObject({
      action: 'sites.edit',
      before: { name: whole.name, city: whole.city, systemCapacity: 9.43, arrays: whole.arrays },
      after: { name: 'Haus am Bach', city: 'Rosenheim', systemCapacity: 12, arrays: [] },
    });
    expect(Object.keys(record?.after as object).toSorted()).toEqual(['arrays', 'city', 'name', 'systemCapacity']);
    expect(record?.path).toContain(installerOrganisation.id);
  });

  test('of nothing changes and records nothing', async () => {
    const before = await siteRow(stationID);
    await api.read(edit, await opened(stationID, tokens.agent), tokens.agent);
    expect(await siteRow(stationID)).toEqual(before);
    expect(await recordOf(stationID)).toHaveLength(1);
  });

  test('of what somebody else has changed since it was read is refused', async () => {
    const [mine, theirs] = [await opened(stationID, tokens.owner), await opened(stationID, tokens.installer)];
    await api.read(edit, { ...theirs, name: 'Erster' }, tokens.installer);
    const refused = await api.call(edit, { ...mine, name: 'Zweiter' }, tokens.owner);
    expect(refused.errno).toBe(errno.siteChangedSince);
    expect(await siteRow(stationID)).toMatchObject({ name: 'Erster' });
    await api.read(edit, { ...(await opened(stationID, tokens.owner)), name: 'Zweiter' }, tokens.owner);
  });

  test('that waits for another one is judged by what that left', async () => {
    const fields = await opened(stationID, tokens.owner);
    const refused = await changedDuring(
      api.db,
      (tx) => tx.updateTable('sites').set({ city: 'Rosenheim' }).where('id', '=', stationID).execute(),
      () => api.call(edit, { ...fields, name: 'Zweiter' }, tokens.owner),
    );
    expect(refused.errno).toBe(errno.siteChangedSince);
  });

  test('links further dataloggers, and none of it where one row is wrong', async () => {
    const module = await printed();
    const fields = { ...(await opened(stationID, tokens.owner)), name: 'Mit zweitem' };
    const refused = await api.call(edit, { ...fields, modules: [module, { sn: '1' }] }, tokens.owner);
    expect(fieldsOf(refused.result)).toEqual([['modules.1.sn', 'invalid']]);
    expect(await siteRow(stationID)).toMatchObject({ name: whole.name });
    await api.read(edit, { ...fields, modules: [module] }, tokens.owner);
    const { modules } = await api.read(form, { stationID }, tokens.owner);
    expect(modules.map(({ sn }) => sn)).toContain(module.sn);
    expect(modules).toHaveLength(2);
  });

  test('belongs to the owner and to those who look after it; what is shared is only read', async () => {
    const neighbour = { stationID };
    expect((await api.call(form, neighbour, tokens.neighbour)).errno).toBe(errno.siteNotFound);
    expect((await api.call(form, neighbour, tokens.stranger)).errno).toBe(errno.siteNotFound);
    await sql`insert into site_shares (site_id, account_id)
      select ${stationID}::uuid, id from accounts where level = 1 and id <> ${customer.id}`.execute(api.db);
    expect((await api.call(form, neighbour, tokens.neighbour)).errno).toBe(errno.noPermission);
    const fields = await opened(stationID, tokens.owner);
    expect((await api.call(edit, fields, tokens.neighbour)).errno).toBe(errno.noPermission);
    const { plants } = await api.read(list, {}, tokens.neighbour);
    expect(plants.find((plant) => plant.stationID === stationID)?.can).toEqual({
      edit: false,
      share: false,
      delete: false,
      migrate: false,
      workMode: false,
    });
    for (const token of [tokens.owner, tokens.installer, tokens.agent, tokens.admin]) {
      expect((await api.call(edit, await opened(stationID, token), token)).errno).toBe(0);
    }
  });

  test('of prices leaves the past as it was, and figures are made anew from the day that it names', async () => {
    const today = localDay(Date.now(), 'Europe/Berlin');
    await sql`delete from recalculations`.execute(api.db);
    const fields = await opened(stationID, tokens.owner);
    await api.read(edit, { ...fields, price: '0.12', priceValidFrom: today }, tokens.owner);
    expect(await siteRow(stationID)).toMatchObject({ feed_in_price: '0.080300' });
    expect(await api.read(form, { stationID }, tokens.owner)).toMatchObject({ price: '0.12', pricesSince: today });
    const asked = await api.db
      .selectFrom('recalculations')
      .select(['depth', 'from_at'])
      .where('site_id', '=', stationID)
      .execute();
    expect(asked).toEqual([{ depth: 'calendar', from_at: new Date(dayBounds(today, 'Europe/Berlin').startMs) }]);
    const [, record] = await recordOf(stationID);
    expect(record).toMatchObject({
      before: { price: '0.0803' },
      after: { price: '0.12', validFrom: expect.any(String) },
    });
  });

  test('of prices of a past day leaves all others as they are, and replaces those that began on that day', async () => {
    const day = (number: number) => localDay(Date.now() - number * 86_400_000, 'Europe/Berlin');
    const [first, second] = [day(60), day(20)];
    const enter = async (price: string, priceValidFrom: string) =>
      api.read(edit, { ...(await opened(stationID, tokens.owner)), price, priceValidFrom }, tokens.owner);
    const told = async () =>
      (await api.read(form, { stationID }, tokens.owner)).tariffs.map(({ validFrom, price }) => [validFrom, price]);
    await enter('0.12', second);
    await enter('0.09', first);
    await enter('0.07', 'beginning');
    expect(await told()).toEqual([
      [null, '0.07'],
      [first, '0.09'],
      [second, '0.12'],
    ]);
    await enter('0.11', 'now');
    await enter('0.1', day(0));
    await enter('0.13', second);
    expect(await told()).toEqual([
      [null, '0.07'],
      [first, '0.09'],
      [second, '0.13'],
      [day(0), '0.1'],
    ]);
    const from = dayBounds(second, 'Europe/Berlin').startMs;
    await sql`delete from recalculations`.execute(api.db);
    expect((await api.call(dropTariff, { stationID, fromMs: from }, tokens.owner)).errno).toBe(0);
    expect(await told()).toEqual([
      [null, '0.07'],
      [first, '0.09'],
      [day(0), '0.1'],
    ]);
    const asked = await api.db
      .selectFrom('recalculations')
      .select('from_at')
      .where('site_id', '=', stationID)
      .execute();
    expect(asked).toEqual([{ from_at: new Date(from) }]);
  });

  test('of prices by the time of day is kept exactly, shown as it is valid now, and recorded', async () => {
    const purchasePeriods = {
      weekday: [
        { from: '00:00', price: '0.2399' },
        { from: '06:15', price: '0.32' },
        { from: '17:00', price: '0.410001' },
      ],
      weekend: [{ from: '00:00', price: '0.25' }],
    };
    await sql`delete from recalculations`.execute(api.db);
    const flat = { feedInPeriods: null, price: '0.07' };
    await api.read(
      edit,
      { ...(await opened(stationID, tokens.owner)), ...flat, purchasePrice: null, purchasePeriods },
      tokens.owner,
    );
    const fields = await opened(stationID, tokens.owner);
    expect(fields).toMatchObject({ ...flat, purchasePrice: null, purchasePeriods });
    const shown = await api.read(detail, { stationID }, tokens.owner);
    expect(shown).toMatchObject({ price: '0.070000', purchasePeriods, feedInPeriods: null });
    expect(['0.2399', '0.32', '0.410001', '0.25']).toContain(shown.purchasePrice);
    const records = await recordOf(stationID);
    expect(records.at(-1)).toMatchObject({
      before: { purchasePeriods: null },
      after: { purchasePrice: null, purchasePeriods },
    });
    const asked = await api.db.selectFrom('recalculations').select('depth').where('site_id', '=', stationID).execute();
    expect(asked).toEqual([{ depth: 'calendar' }]);

    await sql`delete from recalculations`.execute(api.db);
    const dearer = { ...purchasePeriods, weekend: null };
    await api.read(edit, { ...fields, purchasePeriods: dearer, priceValidFrom: 'beginning' }, tokens.owner);
    expect((await api.read(form, { stationID }, tokens.owner)).tariffs).toMatchObject([
      { when: 'past', fromMs: null, purchasePeriods: dearer },
      { when: 'now', purchasePeriods },
    ]);
    const again = await api.db.selectFrom('recalculations').select('depth').where('site_id', '=', stationID).execute();
    expect(again.length).toBeGreaterThan(0);
  });

  test.each([
    ['has a hole at its beginning', [{ from: '00:15', price: '0.2' }]],
    ['is empty', []],
    [
      'begins between quarters of an hour',
      [
        { from: '00:00', price: '0.2' },
        { from: '06:10', price: '0.3' },
      ],
    ],
    [
      'has a period twice',
      [
        { from: '00:00', price: '0.2' },
        { from: '06:00', price: '0.3' },
        { from: '06:00', price: '0.4' },
      ],
    ],
    [
      'goes backwards',
      [
        { from: '00:00', price: '0.2' },
        { from: '07:00', price: '0.3' },
        { from: '06:00', price: '0.4' },
      ],
    ],
    ['has a price that is none', [{ from: '00:00', price: '-0.2' }]],
  ])('of prices whose day %s is refused', async (_, weekday) => {
    const fields = { ...(await opened(stationID, tokens.owner)), purchasePrice: null };
    for (const purchasePeriods of [
      { weekday, weekend: null },
      { weekday: [{ from: '00:00', price: '0.2' }], weekend: weekday },
    ]) {
      expect((await api.call(edit, { ...fields, purchasePeriods }, tokens.owner)).errno).toBe(errno.refusedInput);
    }
  });

  test('of one price and prices by the time of day is refused where both are sent', async () => {
    const both = { price: '0.08', feedInPeriods: { weekday: [{ from: '00:00', price: '0.07' }], weekend: null } };
    const answer = await api.call(edit, { ...(await opened(stationID, tokens.owner)), ...both }, tokens.owner);
    expect([answer.errno, fieldsOf(answer.result)]).toEqual([errno.refusedInput, [['price', 'invalid_value']]]);
  });

  test('of prices that are yet to come leaves those of now, and can be taken back', async () => {
    const fields = await opened(stationID, tokens.owner);
    const coming = localDay(Date.now() + 20 * 86_400_000, 'Europe/Berlin');
    const comingMs = dayBounds(coming, 'Europe/Berlin').startMs;
    await api.read(edit, { ...fields, purchasePrice: '0.5', priceValidFrom: coming }, tokens.owner);
    const told = await api.read(form, { stationID }, tokens.owner);
    expect(told).toMatchObject({ purchasePrice: fields.purchasePrice ?? null, version: fields.version });
    expect(told.tariffs).toMatchObject([
      { when: 'now', purchasePrice: fields.purchasePrice },
      { when: 'future', validFrom: coming, fromMs: comingMs, purchasePrice: '0.5' },
    ]);
    const drop = (fromMs: number, token: string) => api.call(dropTariff, { stationID, fromMs }, token);
    expect((await drop(comingMs, tokens.stranger)).errno).toBe(errno.siteNotFound);
    expect((await drop(comingMs + 1, tokens.owner)).errno).toBe(errno.refusedInput);
    expect((await drop(comingMs, tokens.owner)).errno).toBe(0);
    expect((await drop(comingMs, tokens.owner)).errno).toBe(errno.refusedInput);
    expect((await api.read(form, { stationID }, tokens.owner)).tariffs).toHaveLength(1);
    const records = await recordOf(stationID);
    expect(records.at(-1)).toMatchObject({ action: 'sites.edit', before: { purchasePrice: '0.5' } });
  });

  test('of the zone, or of its summer time, shows days by the other clock', async () => {
    const zoneNow = async () => (await api.read(day, { stationID, date: '2026-07-01' }, tokens.owner)).ianaTimezone;
    await sql`delete from recalculations`.execute(api.db);
    await api.read(edit, { ...(await opened(stationID, tokens.owner)), summerTime: false }, tokens.owner);
    expect(await zoneNow()).toBe('Etc/GMT-1');
    const fields = await opened(stationID, tokens.owner);
    expect(fields).toMatchObject({ ianaTimezone: 'Europe/Berlin', summerTime: false });
    await api.read(edit, { ...fields, summerTime: true, ianaTimezone: 'Europe/Lisbon' }, tokens.owner);
    expect(await zoneNow()).toBe('Europe/Lisbon');
    const asked = await api.db.selectFrom('recalculations').select('depth').where('site_id', '=', stationID).execute();
    expect(asked).toEqual([{ depth: 'calendar' }, { depth: 'calendar' }]);
  });

  test('of the arrays turns the curve of a clear day', async () => {
    const noonOf = async () => {
      const { tsMs, clearSkyW } = await api.read(day, { stationID, date: '2026-06-21' }, tokens.owner);
      const powers = (clearSkyW ?? []).map((power) => power ?? 0);
      return tsMs[powers.indexOf(Math.max(...powers))] ?? 0;
    };
    const turned = async (azimuthDeg: number) => {
      const fields = await opened(stationID, tokens.owner);
      await api.read(edit, { ...fields, arrays: [{ azimuthDeg, inclinationDeg: 40, kwp: 9 }] }, tokens.owner);
      return noonOf();
    };
    const [east, west] = [await turned(90), await turned(270)];
    expect(west - east).toBeGreaterThan(3 * 3_600_000);
  });
});
