import { deletionEndpoints } from '@sonnenwarte/contract/deletions/deletions';
import { errno } from '@sonnenwarte/contract/errors';
import { type LiveEvent, liveEndpoints } from '@sonnenwarte/contract/live/live';
import { siteDeletionEndpoints } from '@sonnenwarte/contract/site-deletions/site-deletions';
import { add, checkModules } from '@sonnenwarte/contract/site-form/site-form';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plantInput } from '../testing/plant-form.ts';
import { type LiveReader, PlantsFixture } from '../testing/plants-fixture.ts';
import { callInto } from '../testing/row-locks.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 5, 1, 10);

let api: PlantsFixture;
let installer: { id: string; path: string[] };
let token: string;
let admin: string;
let accountId: string;

beforeAll(async () => {
  api = await PlantsFixture.start();
});
afterAll(() => api?.stop());

beforeEach(async () => {
  api.time.nowMs = START_MS;
  const platform = await api.db
    .selectFrom('organisations')
    .select('id')
    .where('kind', '=', 'platform')
    .executeTakeFirst();
  const root = platform ?? (await api.addOrganisation('platform'));
  installer = await api.addOrganisation('installer', [root.id]);
  const account = await api.addAccount(installer.id, 2);
  accountId = account.id;
  token = api.signIn(account);
  admin = api.signIn(await api.addAccount(root.id, 255));
});

const plant = (name = 'Plant') => api.addSite(installer.id, { name });
const plants = async (count: number): Promise<string[]> => {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) made.push((await plant(`Plant ${n}`)).id);
  return made;
};
const none = { devices: 0, dataloggers: 0 };
const remove = (stationIDs: string[], confirmed = false, by = token) =>
  api.call(siteDeletionEndpoints.remove, { stationIDs, expected: none, confirmed }, by);
const listed = async (by = token) => {
  const { plants: rows } = await api.read(siteEndpoints.list, { pageSize: 50 }, by);
  return rows.map(({ stationID }) => stationID);
};
const isDeleted = async (id: string): Promise<boolean> => {
  const row = await api.db.selectFrom('sites').select('deleted_at').where('id', '=', id).executeTakeFirstOrThrow();
  return row.deleted_at !== null;
};

describe('deleting plants', () => {
  test('counts before what goes with them, and refuses where that is not so any more', async () => {
    const { id } = await plant('Haus am Hang');
    const datalogger = await api.addDatalogger(id);
    await api.addDevice(id, datalogger.id);
    const counted = await api.read(siteDeletionEndpoints.preview, { stationIDs: [id] }, token);
    expect(counted).toMatchObject({ sites: [{ stationID: id, name: 'Haus am Hang' }], devices: 1, dataloggers: 1 });
    await api.addDevice(id, datalogger.id);
    const refused = await api.call(
      siteDeletionEndpoints.remove,
      { stationIDs: [id], expected: { devices: 1, dataloggers: 1 } },
      token,
    );
    expect(refused.errno).toBe(errno.consequencesChanged);
    expect(await isDeleted(id)).toBe(false);
    const done = await api.call(
      siteDeletionEndpoints.remove,
      { stationIDs: [id], expected: { devices: 2, dataloggers: 1 } },
      token,
    );
    expect(done).toMatchObject({ errno: 0, result: { sites: 1 } });
    expect(await listed()).toEqual([]);
  });

  test('takes all that were chosen or none: one that is out of scope leaves the others', async () => {
    const [own = ''] = await plants(1);
    const other = await api.addOrganisation('installer');
    const strangers = await api.addSite(other.id);
    expect((await remove([own, strangers.id])).errno).toBe(errno.siteNotFound);
    expect(await isDeleted(own)).toBe(false);
    expect(await isDeleted(strangers.id)).toBe(false);
  });

  test('is kept in the log of each plant, with who did it', async () => {
    const ids = await plants(2);
    await remove(ids);
    const { rows } = await sql<{ record_id: string }>`
      select record_id from audit_log where action = 'sites.delete' and record_id = any(${ids}) and actor_account_id = ${accountId}`.execute(
      api.db,
    );
    expect(rows.map(({ record_id }) => record_id).sort()).toEqual([...ids].sort());
  });
});

describe('the sixth plant within ten minutes', () => {
  test('is asked about, whether deleted one by one or several at once; not answering deletes nothing, agreeing does', async () => {
    const ids = await plants(6);
    const [sixth = '', ...five] = ids;
    for (const id of five.slice(0, 2)) expect((await remove([id])).errno).toBe(0);
    expect((await remove(five.slice(2))).errno).toBe(0);
    expect((await remove([sixth])).errno).toBe(errno.siteDeletedTooOften);
    expect(await isDeleted(sixth)).toBe(false);
    expect((await remove([sixth], true)).errno).toBe(0);
    expect(await isDeleted(sixth)).toBe(true);
  });

  test('is asked about where six are chosen at once', async () => {
    const ids = await plants(6);
    expect((await remove(ids)).errno).toBe(errno.siteDeletedTooOften);
    expect(await Promise.all(ids.map(isDeleted))).toEqual(ids.map(() => false));
    expect(await remove(ids, true)).toMatchObject({ errno: 0, result: { sites: 6 } });
  });

  test('is not asked about ten minutes later, nor for what somebody else deleted', async () => {
    const ids = await plants(7);
    expect((await remove(ids.slice(0, 5))).errno).toBe(0);
    const colleague = api.signIn(await api.addAccount(installer.id, 2));
    expect((await remove(ids.slice(5, 6), false, colleague)).errno).toBe(0);
    api.time.nowMs = START_MS + 10 * MINUTE_MS - 1;
    expect((await remove(ids.slice(6))).errno).toBe(errno.siteDeletedTooOften);
    api.time.nowMs = START_MS + 10 * MINUTE_MS;
    expect((await remove(ids.slice(6))).errno).toBe(0);
  });

  test('is asked about where two are deleted at the same moment: one of them is the sixth', async () => {
    const ids = await plants(6);
    expect((await remove(ids.slice(0, 4))).errno).toBe(0);
    const two = await api.db.transaction().execute(async (tx) => {
      await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
      const first = await callInto(api.db, () => remove(ids.slice(4, 5)));
      const second = await callInto(api.db, () => remove(ids.slice(5)));
      return [first, second];
    });
    const answers = await Promise.all(two.map(({ answer }) => answer));
    expect(answers.map((answer) => answer.errno).sort()).toEqual([0, errno.siteDeletedTooOften]);
  });
});

describe('undoing', () => {
  test('gives all back to who deleted, with devices, dataloggers and shares', async () => {
    const [id = '', second = ''] = await plants(2);
    const datalogger = await api.addDatalogger(id);
    const device = await api.addDevice(id, datalogger.id);
    const friend = await api.addAccount(installer.id, 1);
    await api.db
      .insertInto('site_shares')
      .values({ site_id: id, account_id: friend.id, given_by: null, ended_at: null, ended_by_change: null })
      .execute();
    const friends = api.signIn(friend);
    const { result } = await api.call(
      siteDeletionEndpoints.remove,
      { stationIDs: [id, second], expected: { devices: 1, dataloggers: 1 } },
      token,
    );
    expect(await listed(friends)).toEqual([]);
    const undone = await api.call(siteDeletionEndpoints.undo, { deletionID: result.deletionID }, token);
    expect(undone).toMatchObject({ errno: 0, result: { sites: 2, takenDataloggers: [] } });
    expect((await listed()).sort()).toEqual([id, second].sort());
    expect(await listed(friends)).toEqual([id]);
    const { devices } = await api.read(siteEndpoints.devices, { stationID: id }, token);
    expect(devices.map(({ deviceID }) => deviceID)).toEqual([device.id]);
    const again = await api.call(siteDeletionEndpoints.undo, { deletionID: result.deletionID }, token);
    expect(again.errno).toBe(errno.deletionNotFound);
  });

  test('is for who deleted and for administrators, until thirty days are over', async () => {
    const [id = '', second = ''] = await plants(2);
    const { result } = await remove([id]);
    const colleague = api.signIn(await api.addAccount(installer.id, 2));
    const undo = (by: string) => api.call(siteDeletionEndpoints.undo, { deletionID: result.deletionID }, by);
    expect((await undo(colleague)).errno).toBe(errno.deletionNotFound);
    expect((await undo(admin)).errno).toBe(errno.deletionNotFound);
    expect(await api.call(deletionEndpoints.undo, { id: result.deletionID }, admin)).toMatchObject({ errno: 0 });
    expect(await isDeleted(id)).toBe(false);
    const { result: later } = await remove([second]);
    api.time.nowMs = START_MS + 30 * 86_400_000;
    const late = await api.call(siteDeletionEndpoints.undo, { deletionID: later.deletionID }, token);
    expect(late.errno).toBe(errno.deletionNotFound);
  });

  test('names the dataloggers that were linked elsewhere meanwhile; they stay there', async () => {
    const [id = ''] = await plants(1);
    const { sn } = await api.addDatalogger(id);
    const kept = await api.addDatalogger(id);
    await api.db.insertInto('logger_keys').values({ sn, key_hash: null, organisation_id: installer.id }).execute();
    const judged = async () => (await api.read(checkModules, { modules: [{ sn }] }, token)).modules[0]?.state;
    expect(await judged()).toBe('exists');
    const { result } = await api.call(
      siteDeletionEndpoints.remove,
      { stationIDs: [id], expected: { devices: 0, dataloggers: 2 } },
      token,
    );
    expect(await judged()).toBe('ready');
    const made = await api.call(add, { ...plantInput, modules: [{ sn }] }, token);
    expect(made.errno).toBe(0);
    const undone = await api.call(siteDeletionEndpoints.undo, { deletionID: result.deletionID }, token);
    expect(undone).toMatchObject({ errno: 0, result: { sites: 1, takenDataloggers: [sn] } });
    const modulesOf = async (stationID: string) =>
      (await api.read(siteEndpoints.devices, { stationID }, token)).modules.map(({ moduleSN }) => moduleSN);
    expect(await modulesOf(id)).toEqual([kept.sn]);
    expect(await modulesOf(made.result.stationID)).toEqual([sn]);
  });

  test('keeps a datalogger from who links it at the same moment', async () => {
    const [id = ''] = await plants(1);
    const { sn } = await api.addDatalogger(id);
    await api.db.insertInto('logger_keys').values({ sn, key_hash: null, organisation_id: installer.id }).execute();
    const { result } = await api.call(
      siteDeletionEndpoints.remove,
      { stationIDs: [id], expected: { devices: 0, dataloggers: 1 } },
      token,
    );
    const { linking } = await api.db.transaction().execute(async (tx) => {
      await tx.updateTable('sites').set({ deleted_at: null }).where('id', '=', id).execute();
      return { linking: await callInto(api.db, () => api.call(add, { ...plantInput, modules: [{ sn }] }, token)) };
    });
    expect((await linking.answer).errno).toBe(errno.refusedInput);
    const row = await api.db.selectFrom('loggers').select('site_id').where('sn', '=', sn).executeTakeFirstOrThrow();
    expect(row.site_id).toBe(id);
    expect(result.sites).toBe(1);
  });
});

async function said(reader: LiveReader, isIt: (event: LiveEvent) => boolean): Promise<LiveEvent> {
  for (;;) {
    const event = await reader.next();
    if (event === undefined) throw new Error('the stream has ended');
    if (isIt(event)) return event;
  }
}

test('an open live stream lets go of a plant when it is deleted', async () => {
  const [id = ''] = await plants(1);
  const reader = await api.open(liveEndpoints.stream, [`site:${id}`], token);
  await said(reader, ({ type }) => type === 'site');
  await remove([id]);
  expect(await said(reader, ({ type }) => type === 'gone')).toEqual({ type: 'gone', subject: `site:${id}` });
  reader.leave();
});

test('a thousand plants are deleted and given back as a whole', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into sites (organisation_id, name, type, country, city, time_zone, system_size_kwp)
    select ${installer.id}, 'Many ' || n, 1, 'DE', 'Ulm', 'Europe/Berlin', 5 from generate_series(1, 1000) n returning id`.execute(
    api.db,
  );
  const ids = rows.map(({ id }) => id);
  const { result } = await remove(ids, true);
  expect(result.sites).toBe(1_000);
  expect(await api.read(siteEndpoints.statusAll, {}, token)).toMatchObject({ total: 0 });
  await api.read(siteDeletionEndpoints.undo, { deletionID: result.deletionID }, token);
  expect(await api.read(siteEndpoints.statusAll, {}, token)).toMatchObject({ total: 1_000 });
});
