import type { Input } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { monthsAfter } from '@sonnenwarte/contract/factory/warranty';
import { add, edit, form, linkSn } from '@sonnenwarte/contract/site-form/site-form';
import { day, detail, list } from '@sonnenwarte/contract/sites/sites';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { plantInput } from '../testing/plant-form.ts';
import { changedDuring } from '../testing/row-locks.ts';
import { fieldsOf, ownSiteForms, whole } from '../testing/site-form-fixture.ts';

const own = ownSiteForms();
const { printed, siteRow, recordOf, opened } = own;

describe('a new plant', () => {
  test('keeps all that was entered, and its form begins with that', async () => {
    const module = await printed();
    const username = `user-${own.customer.id}`;
    const { stationID, modules } = await own.api.read(
      add,
      { ...whole, owner: username.toUpperCase(), modules: [module] },
      own.tokens.installer,
    );
    expect(modules).toEqual([{ sn: module.sn, linked: true }]);
    expect(await own.api.read(form, { stationID }, own.tokens.owner)).toEqual({
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
    const shown = await own.api.read(detail, { stationID }, own.tokens.owner);
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
    const logger = await own.api.db
      .selectFrom('loggers')
      .select('id')
      .where('sn', '=', module.sn)
      .executeTakeFirstOrThrow();
    expect(await recordOf(logger.id)).toMatchObject([{ action: 'dataloggers.link', after: { plant: whole.name } }]);
  });

  test('belongs to the owner’s installer, else to who adds it; an owner outside the own tree is none', async () => {
    const email = `${own.customer.id}@example.org`;
    const made = async (token: string, owner = '') =>
      siteRow((await own.api.read(add, { ...plantInput, owner, modules: [await printed()] }, token)).stationID);
    expect(await made(own.tokens.agent, email)).toMatchObject({
      organisation_id: own.installerOrganisation.id,
      owner_account_id: own.customer.id,
    });
    expect(await made(own.tokens.agent)).toMatchObject({
      organisation_id: own.agentOrganisation.id,
      owner_account_id: null,
    });
    const refused = await own.api.call(
      add,
      { ...plantInput, owner: email, modules: [await printed()] },
      own.tokens.stranger,
    );
    expect(fieldsOf(refused.result)).toEqual([['owner', 'unknown']]);
  });

  test('is an organisation’s that the administrator names, or its owner’s, or the platform’s', async () => {
    const linked = async (more: Partial<Input<typeof linkSn>>) =>
      own.api.call(linkSn, { ...plantInput, ...more, modules: [await printed()] }, own.tokens.admin);
    const rowOf = async ({ result }: { result: { stationID: string } }) => siteRow(result.stationID);
    expect(await rowOf(await linked({ organisationID: own.agentOrganisation.id }))).toMatchObject({
      organisation_id: own.agentOrganisation.id,
    });
    expect(await rowOf(await linked({ owner: `user-${own.customer.id}` }))).toMatchObject({
      organisation_id: own.installerOrganisation.id,
      owner_account_id: own.customer.id,
    });
    expect(await rowOf(await linked({}))).toMatchObject({ organisation_id: own.platform.id });
    expect((await linked({ organisationID: own.customer.id })).errno).toBe(errno.organisationNotFound);
  });

  test('needs a country, a zone, a price and angles that there are, and names of 1 to 32 characters', async () => {
    const { arrays } = whole;
    const wrong: Partial<Input<typeof add>> = {
      name: '',
      price: '0,08',
      arrays: [{ ...arrays[0], azimuthDeg: 361, inclinationDeg: 91, kwp: 0, name: 'x'.repeat(17) }],
    };
    const modules = [await printed()];
    const refused = await own.api.call(add, { ...plantInput, ...wrong, modules }, own.tokens.installer);
    expect(fieldsOf(refused.result).map(([path]) => path)).toEqual([
      'name',
      'price',
      'arrays.0.name',
      'arrays.0.azimuthDeg',
      'arrays.0.inclinationDeg',
      'arrays.0.kwp',
    ]);
    const zone = await own.api.call(
      add,
      { ...plantInput, ianaTimezone: 'Europe/Nowhere', modules },
      own.tokens.installer,
    );
    expect(fieldsOf(zone.result)).toEqual([['ianaTimezone', 'unknown']]);
    const clock = { ianaTimezone: 'America/St_Johns', summerTime: false };
    const noClock = await own.api.call(add, { ...plantInput, ...clock, modules }, own.tokens.installer);
    expect(fieldsOf(noClock.result)).toEqual([['summerTime', 'unknown']]);
  });
});

test('a plant is commissioned and on the grid at most twelve months ahead; a day that stood there before does not hold up other changes', async () => {
  const ahead = (months: number) => monthsAfter(new Date().toISOString().slice(0, 10), months);
  const modules = [await printed()];
  const far = { commissionedOn: ahead(13), gridConnectedOn: ahead(13) };
  const refused = await own.api.call(add, { ...plantInput, ...far, modules }, own.tokens.installer);
  expect(fieldsOf(refused.result)).toEqual([
    ['commissionedOn', 'tooFarAhead'],
    ['gridConnectedOn', 'tooFarAhead'],
  ]);
  const near = { commissionedOn: ahead(12), gridConnectedOn: null };
  const { stationID } = await own.api.read(add, { ...plantInput, ...near, modules }, own.tokens.installer);
  await own.api.db.updateTable('sites').set({ commissioned_on: '2090-01-01' }).where('id', '=', stationID).execute();
  const fields = await opened(stationID, own.tokens.installer);
  await own.api.read(edit, { ...fields, name: 'Renamed' }, own.tokens.installer);
  const moved = { ...(await opened(stationID, own.tokens.installer)), commissionedOn: '2090-01-02' };
  expect(fieldsOf((await own.api.call(edit, moved, own.tokens.installer)).result)).toEqual([
    ['commissionedOn', 'tooFarAhead'],
  ]);
});

describe('an edit', () => {
  let stationID: string;

  beforeEach(async () => {
    const input = { ...whole, owner: `user-${own.customer.id}`, modules: [await printed()] };
    ({ stationID } = await own.api.read(add, input, own.tokens.installer));
  });

  test('changes what is other and records that, before and after', async () => {
    const fields = await opened(stationID, own.tokens.owner);
    await own.api.read(
      edit,
      { ...fields, name: 'Haus am Bach', city: 'Rosenheim', arrays: [], systemCapacity: 12 },
      own.tokens.owner,
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
    expect(record?.path).toContain(own.installerOrganisation.id);
  });

  test('of nothing changes and records nothing', async () => {
    const before = await siteRow(stationID);
    await own.api.read(edit, await opened(stationID, own.tokens.agent), own.tokens.agent);
    expect(await siteRow(stationID)).toEqual(before);
    expect(await recordOf(stationID)).toHaveLength(1);
  });

  test('of what somebody else has changed since it was read is refused', async () => {
    const [mine, theirs] = [await opened(stationID, own.tokens.owner), await opened(stationID, own.tokens.installer)];
    await own.api.read(edit, { ...theirs, name: 'Erster' }, own.tokens.installer);
    const refused = await own.api.call(edit, { ...mine, name: 'Zweiter' }, own.tokens.owner);
    expect(refused.errno).toBe(errno.siteChangedSince);
    expect(await siteRow(stationID)).toMatchObject({ name: 'Erster' });
    await own.api.read(edit, { ...(await opened(stationID, own.tokens.owner)), name: 'Zweiter' }, own.tokens.owner);
  });

  test('that waits for another one is judged by what that left', async () => {
    const fields = await opened(stationID, own.tokens.owner);
    const refused = await changedDuring(
      own.api.db,
      (tx) => tx.updateTable('sites').set({ city: 'Rosenheim' }).where('id', '=', stationID).execute(),
      () => own.api.call(edit, { ...fields, name: 'Zweiter' }, own.tokens.owner),
    );
    expect(refused.errno).toBe(errno.siteChangedSince);
  });

  test('links further dataloggers, and none of it where one row is wrong', async () => {
    const module = await printed();
    const fields = { ...(await opened(stationID, own.tokens.owner)), name: 'Mit zweitem' };
    const refused = await own.api.call(edit, { ...fields, modules: [module, { sn: '1' }] }, own.tokens.owner);
    expect(fieldsOf(refused.result)).toEqual([['modules.1.sn', 'invalid']]);
    expect(await siteRow(stationID)).toMatchObject({ name: whole.name });
    await own.api.read(edit, { ...fields, modules: [module] }, own.tokens.owner);
    const { modules } = await own.api.read(form, { stationID }, own.tokens.owner);
    expect(modules.map(({ sn }) => sn)).toContain(module.sn);
    expect(modules).toHaveLength(2);
  });

  test('belongs to the owner and to those who look after it; what is shared is only read', async () => {
    const neighbour = { stationID };
    expect((await own.api.call(form, neighbour, own.tokens.neighbour)).errno).toBe(errno.siteNotFound);
    expect((await own.api.call(form, neighbour, own.tokens.stranger)).errno).toBe(errno.siteNotFound);
    await sql`insert into site_shares (site_id, account_id)
      select ${stationID}::uuid, id from accounts where level = 1 and id <> ${own.customer.id}`.execute(own.api.db);
    expect((await own.api.call(form, neighbour, own.tokens.neighbour)).errno).toBe(errno.noPermission);
    const fields = await opened(stationID, own.tokens.owner);
    expect((await own.api.call(edit, fields, own.tokens.neighbour)).errno).toBe(errno.noPermission);
    const { plants } = await own.api.read(list, {}, own.tokens.neighbour);
    expect(plants.find((plant) => plant.stationID === stationID)?.can).toEqual({
      edit: false,
      share: false,
      delete: false,
      migrate: false,
      workMode: false,
    });
    for (const token of [own.tokens.owner, own.tokens.installer, own.tokens.agent, own.tokens.admin]) {
      expect((await own.api.call(edit, await opened(stationID, token), token)).errno).toBe(0);
    }
  });

  test('of the zone, or of its summer time, shows days by the other clock', async () => {
    const zoneNow = async () =>
      (await own.api.read(day, { stationID, date: '2026-07-01' }, own.tokens.owner)).ianaTimezone;
    await sql`delete from recalculations`.execute(own.api.db);
    await own.api.read(edit, { ...(await opened(stationID, own.tokens.owner)), summerTime: false }, own.tokens.owner);
    expect(await zoneNow()).toBe('Etc/GMT-1');
    const fields = await opened(stationID, own.tokens.owner);
    expect(fields).toMatchObject({ ianaTimezone: 'Europe/Berlin', summerTime: false });
    await own.api.read(edit, { ...fields, summerTime: true, ianaTimezone: 'Europe/Lisbon' }, own.tokens.owner);
    expect(await zoneNow()).toBe('Europe/Lisbon');
    const asked = await own.api.db
      .selectFrom('recalculations')
      .select('depth')
      .where('site_id', '=', stationID)
      .execute();
    expect(asked).toEqual([{ depth: 'calendar' }, { depth: 'calendar' }]);
  });

  test('of the arrays turns the curve of a clear day', async () => {
    const noonOf = async () => {
      const { tsMs, clearSkyW } = await own.api.read(day, { stationID, date: '2026-06-21' }, own.tokens.owner);
      const powers = (clearSkyW ?? []).map((power) => power ?? 0);
      return tsMs[powers.indexOf(Math.max(...powers))] ?? 0;
    };
    const turned = async (azimuthDeg: number) => {
      const fields = await opened(stationID, own.tokens.owner);
      await own.api.read(edit, { ...fields, arrays: [{ azimuthDeg, inclinationDeg: 40, kwp: 9 }] }, own.tokens.owner);
      return noonOf();
    };
    const [east, west] = [await turned(90), await turned(270)];
    expect(west - east).toBeGreaterThan(3 * 3_600_000);
  });
});
