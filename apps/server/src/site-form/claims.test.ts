import { errno } from '@sonnenwarte/contract/errors';
import type { ClaimedModule } from '@sonnenwarte/contract/site-form/claimed-modules';
import { add, checkModules, linkSn } from '@sonnenwarte/contract/site-form/site-form';
import { list } from '@sonnenwarte/contract/sites/sites';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MOST_WRONG_KEYS, newDataloggerKey, noteDataloggers } from '../datalogger-keys/datalogger-keys.store.ts';
import { freshSn } from '../testing/ingestion.ts';
import { plantInput } from '../testing/plant-form.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { callInto, changedDuring } from '../testing/row-locks.ts';

let api: PlantsFixture;
let installerOrganisation: string;
let agent: string;
let installer: string;
let other: string;
let owner: string;
let admin: string;

beforeAll(async () => {
  api = await PlantsFixture.start();
  const platform = await api.addOrganisation('platform');
  const above = await api.addOrganisation('agent', platform.path);
  const below = await api.addOrganisation('installer', above.path);
  const beside = await api.addOrganisation('installer', above.path);
  installerOrganisation = below.id;
  admin = api.signIn(await api.addAccount(platform.id, 255));
  agent = api.signIn(await api.addAccount(above.id, 3));
  installer = api.signIn(await api.addAccount(below.id, 2));
  other = api.signIn(await api.addAccount(beside.id, 2));
  owner = api.signIn(await api.addAccount(below.id, 1));
});
afterAll(() => api?.stop());

/** A datalogger as it leaves the factory: its number, and a key that is printed on it. */
async function printed(organisationID: string | null = null): Promise<{ sn: string; key: string }> {
  const module = { sn: freshSn(), key: newDataloggerKey() };
  await noteDataloggers(api.db, [{ ...module, organisationID }]);
  return module;
}

const check = async (modules: { sn: string; key?: string }[], token = installer) =>
  (await api.read(checkModules, { modules }, token)).modules;
const stateOf = async (module: { sn: string; key?: string }, token = installer) =>
  (await check([module], token))[0]?.state;
const countSites = async () =>
  (await api.db.selectFrom('sites').select(sql<number>`count(*)::int`.as('n')).executeTakeFirstOrThrow()).n;

describe('a serial number', () => {
  test('is claimed with the key printed on it, however it is typed, and by nobody without it', async () => {
    const { sn, key } = await printed();
    expect(await stateOf({ sn, key })).toBe('ready');
    expect(await stateOf({ sn, key: ` ${key.toLowerCase().replaceAll('-', ' ')} ` })).toBe('ready');
    expect(await stateOf({ sn })).toBe('keyNeeded');
    expect(await stateOf({ sn, key: newDataloggerKey() })).toBe('keyWrong');
    expect(await stateOf({ sn: ` ${sn} `, key })).toBe('ready');
  });

  test('of another form than 15 digits is invalid, and one that stands in two rows is told with the row before', async () => {
    const { sn, key } = await printed();
    const answers = await check([{ sn: '12345' }, { sn, key }, { sn: `${sn}0` }, { sn, key: 'x' }, { sn: '' }]);
    expect(answers.map(({ state }) => state)).toEqual(['invalid', 'ready', 'invalid', 'identical', 'invalid']);
    expect(answers.map(({ errno: number }) => number)).toEqual([
      errno.invalidSn,
      0,
      errno.invalidSn,
      errno.identicalSn,
      errno.invalidSn,
    ]);
    expect(answers[3]?.identicalTo).toBe(1);
  });

  test('that the own organisation imported needs no key; that of a stranger does, and an end user always', async () => {
    const { sn } = await printed(installerOrganisation);
    expect(await stateOf({ sn })).toBe('ready');
    expect(await stateOf({ sn }, agent)).toBe('ready');
    expect(await stateOf({ sn }, admin)).toBe('ready');
    expect(await stateOf({ sn }, other)).toBe('keyNeeded');
    expect(await stateOf({ sn }, owner)).toBe('keyNeeded');
  });

  test('that came with a provisioning key of the own organisation needs no key and is let out of quarantine', async () => {
    const sn = freshSn();
    const key_hash = Buffer.from(sn);
    await api.db
      .insertInto('provisioning_keys')
      .values({ key_hash, organisation_id: installerOrganisation, revoked_at: null })
      .execute();
    await api.db
      .insertInto('loggers')
      .values({ sn, organisation_id: installerOrganisation, quarantined: true, provisioned_by: key_hash })
      .execute();
    expect(await stateOf({ sn }, other)).toBe('keyNeeded');
    await api.read(add, { ...plantInput, modules: [{ sn }] }, installer);
    const row = await api.db.selectFrom('loggers').selectAll().where('sn', '=', sn).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ quarantined: false, organisation_id: installerOrganisation });
    expect(row.site_id).not.toBeNull();
    const { rows } = await sql`select kind from changes where kind = 'loggers' and sn = ${sn}`.execute(api.db);
    expect(rows.length).toBeGreaterThan(1);
  });

  test('that is linked cannot be linked again, not even with its key', async () => {
    const module = await printed();
    await api.read(add, { ...plantInput, modules: [module] }, installer);
    expect(await check([module], other)).toMatchObject([
      { state: 'exists', errno: errno.snExists, devices: [], type: '' },
    ]);
    const refused = await api.call(add, { ...plantInput, modules: [module] }, other);
    expect(refused).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'modules.0.sn', reason: 'existed' }] },
    });
  });

  test('that was revoked has no key any more', async () => {
    const { sn, key } = await printed();
    await api.db.insertInto('loggers').values({ sn, revoked_at: new Date() }).execute();
    expect(await stateOf({ sn, key })).toBe('keyWrong');
  });

  test('brings the devices behind it along, which only who may claim it is told', async () => {
    const datalogger = await api.addDatalogger(null);
    const device = await api.addDevice(null, datalogger.id, { model: 'HYB-8K' });
    const key = newDataloggerKey();
    await noteDataloggers(api.db, [{ sn: datalogger.sn, key, organisationID: null }]);
    const [stranger, claimer] = await Promise.all([
      check([{ sn: datalogger.sn }]),
      check([{ sn: datalogger.sn, key }]),
    ]);
    expect(stranger).toMatchObject([{ state: 'keyNeeded', devices: [], type: '' }]);
    expect(claimer).toMatchObject([
      { state: 'ready', type: 'WiFi', devices: [{ sn: device.sn, kind: 'inverter', model: 'HYB-8K' }] },
    ]);
    const { stationID } = await api.read(add, { ...plantInput, modules: [{ sn: datalogger.sn, key }] }, installer);
    const moved = await api.db.selectFrom('devices').select('site_id').where('id', '=', device.id).execute();
    expect(moved).toEqual([{ site_id: stationID }]);
  });
});

describe('wrong keys', () => {
  const wrong = (sn: string): ClaimedModule => ({ sn, key: newDataloggerKey() });

  test('lock a serial number with the tenth, whoever gave them, for the right key too, and say until when', async () => {
    const { sn, key } = await printed();
    for (let tries = 1; tries < MOST_WRONG_KEYS; tries += 1) {
      expect(await stateOf(wrong(sn), tries % 2 === 0 ? other : installer)).toBe('keyWrong');
    }
    const before = Date.now();
    const [tenth] = await check([wrong(sn)], owner);
    expect(tenth).toMatchObject({ state: 'locked', errno: errno.snLocked });
    const minutes = ((tenth?.lockedUntilMs ?? 0) - before) / 60_000;
    expect(minutes).toBeGreaterThan(59);
    expect(minutes).toBeLessThan(61);
    expect(await check([{ sn, key }], agent)).toMatchObject([{ state: 'locked', lockedUntilMs: tenth?.lockedUntilMs }]);
    expect(await api.call(add, { ...plantInput, modules: [{ sn, key }] }, installer)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'modules.0.sn', reason: 'locked', params: { lockedUntilMs: tenth?.lockedUntilMs } }] },
    });
  });

  test('tell nothing of whether there is such a number: one that nobody knows answers and locks alike', async () => {
    const known = (await printed()).sn;
    const unknown = freshSn();
    const told = async (sn: string) => {
      const states: (string | undefined)[] = [await stateOf({ sn })];
      for (let tries = 0; tries <= MOST_WRONG_KEYS; tries += 1) states.push(await stateOf(wrong(sn)));
      return states;
    };
    const [ofKnown, ofUnknown] = [await told(known), await told(unknown)];
    expect(ofUnknown).toEqual(ofKnown);
    expect(ofUnknown.at(-1)).toBe('locked');
  });

  test('are each counted, however many come at once', async () => {
    const { sn, key } = await printed();
    await Promise.all(Array.from({ length: MOST_WRONG_KEYS }, () => check([wrong(sn)])));
    expect(await stateOf({ sn, key })).toBe('locked');
  });

  test('count no more after the hour, nor once the right one was given', async () => {
    const { sn, key } = await printed();
    for (let tries = 1; tries < MOST_WRONG_KEYS; tries += 1) await check([wrong(sn)]);
    expect(await stateOf({ sn, key })).toBe('ready');
    expect(await stateOf(wrong(sn))).toBe('keyWrong');
    for (let tries = 1; tries < MOST_WRONG_KEYS; tries += 1) await check([wrong(sn)]);
    expect(await stateOf({ sn, key })).toBe('locked');
    await sql`update logger_key_failures set locked_until = now() - interval '1 second' where sn = ${sn}`.execute(
      api.db,
    );
    expect(await stateOf(wrong(sn))).toBe('keyWrong');
    expect(await stateOf({ sn, key })).toBe('ready');
  });

  test('do not keep out who imported the number', async () => {
    const { sn } = await printed(installerOrganisation);
    for (let tries = 0; tries < MOST_WRONG_KEYS; tries += 1) await check([wrong(sn)], other);
    expect(await stateOf(wrong(sn), other)).toBe('locked');
    expect(await stateOf({ sn })).toBe('ready');
  });
});

describe('a plant of many dataloggers', () => {
  test('is made as a whole or not at all, and each row that is wrong is named', async () => {
    const [good, taken, imported] = await Promise.all([printed(), printed(), printed(installerOrganisation)]);
    await api.read(add, { ...plantInput, modules: [taken] }, other);
    const before = await countSites();
    const modules = [
      good,
      { sn: '99' },
      taken,
      good,
      { sn: freshSn() },
      { sn: imported.sn },
      { ...(await printed()), key: 'WRONG-KEY' },
    ];
    const refused = await api.call(add, { ...plantInput, country: 'QQ', modules }, installer);
    expect(refused.errno).toBe(errno.refusedInput);
    const { fields } = refused.result as unknown as { fields: { path: string; reason: string }[] };
    expect(fields.map(({ path, reason }) => [path, reason])).toEqual([
      ['country', 'unknown'],
      ['modules.1.sn', 'invalid'],
      ['modules.2.sn', 'existed'],
      ['modules.3.sn', 'identical'],
      ['modules.4.sn', 'keyNeeded'],
      ['modules.6.sn', 'keyWrong'],
    ]);
    expect(await countSites()).toBe(before);
    expect(await stateOf(good)).toBe('ready');
  });

  test('needs one at least', async () => {
    for (const [endpoint, token] of [
      [add, installer],
      [linkSn, owner],
    ] as const) {
      expect(await api.call(endpoint, { ...plantInput, modules: [] }, token)).toMatchObject({
        errno: errno.refusedInput,
        result: { fields: [{ path: 'modules', reason: 'too_small' }] },
      });
    }
  });

  test('goes to one of two who claim the same datalogger at once; the other is told and has made nothing', async () => {
    const shared = await printed();
    const before = await countSites();
    const [mine, theirs] = [await printed(), await printed()];
    const answers = await Promise.all([
      api.call(add, { ...plantInput, modules: [mine, shared] }, installer),
      api.call(add, { ...plantInput, modules: [shared, theirs] }, other),
    ]);
    expect(answers.map(({ errno: number }) => number).toSorted()).toEqual([0, errno.refusedInput]);
    expect(await countSites()).toBe(before + 1);
    const linked = await api.db.selectFrom('loggers').select('sn').where('sn', 'in', [mine.sn, theirs.sn]).execute();
    expect(linked).toHaveLength(1);
  });

  test.each([
    ['that stood already', false],
    ['that is made in the same breath', true],
  ])(
    'is refused where the datalogger is linked between the check and the end of the call to a plant %s',
    async (_, isNew) => {
      const module = await printed();
      const plant = await api.addSite(installerOrganisation);
      const refused = await changedDuring(
        api.db,
        async (tx) => {
          const { rows } = await sql<{
            id: string;
          }>`insert into sites (organisation_id, name, country, time_zone, arrays)
          select organisation_id, name, country, time_zone, arrays from sites where id = ${plant.id}::uuid
          returning id`.execute(tx);
          const taken = isNew ? rows[0]?.id : plant.id;
          await tx.insertInto('loggers').values({ sn: module.sn, site_id: taken }).execute();
        },
        () => api.call(add, { ...plantInput, modules: [module] }, other),
      );
      expect(refused).toMatchObject({
        errno: errno.refusedInput,
        result: { fields: [{ path: 'modules.0.sn', reason: 'existed' }] },
      });
    },
  );

  test('waits for nobody who claims other dataloggers', async () => {
    const [one, another] = [await printed(), await printed()];
    await api.db.transaction().execute(async (tx) => {
      await tx.insertInto('loggers').values({ sn: one.sn }).execute();
      const { answer } = await callInto(api.db, () => api.call(checkModules, { modules: [another] }, other));
      expect((await answer).errno).toBe(0);
    });
  });
});

test('an end user links its own plant, in its organisation, and sees it at once', async () => {
  const module = await printed();
  const { stationID } = await api.read(linkSn, { ...plantInput, modules: [module], owner: 'somebody' }, owner);
  const { plants } = await api.read(list, {}, owner);
  expect(plants.map((plant) => plant.stationID)).toContain(stationID);
  const site = await api.db.selectFrom('sites').selectAll().where('id', '=', stationID).executeTakeFirstOrThrow();
  expect(site.organisation_id).toBe(installerOrganisation);
});
