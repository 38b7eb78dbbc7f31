import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { errno } from '@sonnenwarte/contract/errors';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { userCenterEndpoints } from '@sonnenwarte/contract/user-center/user-center';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPassword } from '../accounts/accounts.store.ts';
import { md5Hex } from '../accounts/passwords.ts';
import { endSessionsOf } from '../accounts/sessions.ts';
import { restore } from '../tenancy/moves.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { changedDuring } from '../testing/row-locks.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal?.stop());

const { cancellation, cancelAccount } = userCenterEndpoints;
const password = md5Hex('sonnenwarte');

const db = () => portal.server.stores.db;
const accountOf = (user: string) =>
  db().selectFrom('accounts').selectAll().where('username', '=', user).executeTakeFirstOrThrow();
const allSites = () =>
  db().selectFrom('sites').select(['id', 'organisation_id', 'owner_account_id', 'deleted_at']).orderBy('id').execute();
const pathOf = async (id: string) =>
  (await db().selectFrom('organisations').select('path').where('id', '=', id).executeTakeFirstOrThrow()).path;

const deletionOf = async (user: string): Promise<string> => {
  const { id } = await db()
    .selectFrom('deletions')
    .select('id')
    .where('record_name', '=', user)
    .executeTakeFirstOrThrow();
  return id;
};

test('is refused without the own user name and the right password, and nothing changes', async () => {
  const token = await portal.sessionOf('owner');
  const before = await allSites();
  for (const [input, path] of [
    [{ user: 'owner', password: md5Hex('wrong-one') }, 'password'],
    [{ user: 'Owner', password }, 'user'],
    [{ user: '', password }, 'user'],
  ] as const) {
    const refused = await portal.call(cancelAccount, input, { token });
    expect(refused).toMatchObject({ errno: errno.refusedInput, result: { fields: [{ path }] } });
  }
  expect(await allSites()).toEqual(before);
});

test('guessing the password is slowed down after five tries', async () => {
  const token = await portal.sessionOf('integrator');
  expect((await portal.call(cancelAccount, { user: 'integrator', password }, { token })).errno).toBe(
    errno.noPermission,
  );
  const agent = await portal.sessionOf('agent');
  const tries: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    tries.push(
      (await portal.call(cancelAccount, { user: 'agent', password: md5Hex(`guess ${count}`) }, { token: agent })).errno,
    );
  }
  expect(tries.slice(0, 5)).toEqual(Array(5).fill(errno.refusedInput));
  expect(tries[5]).toBe(errno.tryLater);
});

test('is answered 41810, and cancels nothing, where an administrator has reset the password meanwhile', async () => {
  const { id, password_hash } = await accountOf('owner');
  const token = await portal.sessionOf('owner');
  const cancelled = await changedDuring(
    db(),
    async (tx) => {
      await setPassword(tx, id, 'a temporary one', { temporary: true });
      await endSessionsOf(tx, [id], 'passwordReset');
    },
    () => portal.call(cancelAccount, { user: 'owner', password }, { token }),
  );
  expect(cancelled.errno).toBe(errno.sessionEnded);
  expect((await accountOf('owner')).deleted_at).toBeNull();
  await setPassword(db(), id, password_hash);
});

test.each([
  ['distributor', 'organisationsBelow', errno.cancelOrganisationsBelow],
  ['admin', 'lastAdministrator', errno.cancelLastAdministrator],
])('of %s is refused with its reason: %s', async (user, hindrance, number) => {
  const token = await portal.sessionOf(user);
  expect((await portal.call(cancellation, {}, { token })).result).toMatchObject({ hindrance });
  expect((await portal.call(cancelAccount, { user, password }, { token })).errno).toBe(number);
  expect((await accountOf(user)).deleted_at).toBeNull();
});

test('of an owner says what it means, then moves the plants to the agent above, ends the sessions and closes the door', async () => {
  const owner = await accountOf('owner');
  const token = await portal.sessionOf('owner');
  const elsewhere = await portal.sessionOf('owner');
  const before = await allSites();
  const own = before.filter((site) => site.owner_account_id === owner.id);
  const { result } = await portal.call(cancellation, {}, { token });
  const agent = await accountOf('agent');
  const { name } = await db()
    .selectFrom('organisations')
    .select('name')
    .where('id', '=', agent.organisation_id)
    .executeTakeFirstOrThrow();
  expect(result).toMatchObject({ hindrance: null, sites: own.length, goesTo: name, undoDays: 30 });
  expect(own.length).toBeGreaterThan(0);

  expect((await portal.call(cancelAccount, { user: 'owner', password }, { token })).errno).toBe(0);

  for (const ended of [token, elsewhere]) {
    expect((await portal.call(siteEndpoints.list, {}, { token: ended })).errno).toBe(errno.sessionEnded);
  }
  const signIn = await portal.call(accountEndpoints.login, { user: 'owner', password });
  expect(signIn.errno).toBe(errno.badUserNameOrPassword);
  const after = await allSites();
  for (const site of after) {
    const was = before.find(({ id }) => id === site.id);
    const isOwn = own.some(({ id }) => id === site.id);
    expect(site).toEqual(isOwn ? { ...was, owner_account_id: null, organisation_id: agent.organisation_id } : was);
  }
  const agents = await portal.call(siteEndpoints.list, { pageSize: 50 }, { token: await portal.sessionOf('agent') });
  expect(agents.result.plants.map(({ stationID }) => stationID)).toEqual(
    expect.arrayContaining(own.map(({ id }) => id)),
  );

  await db()
    .transaction()
    .execute(async (tx) => restore(tx, await deletionOf('owner')));
  expect(await allSites()).toEqual(before);
  expect((await accountOf('owner')).deleted_at).toBeNull();
});

test('of an installer closes its organisation; plants, end users and loggers without a plant go to its agent', async () => {
  const installer = await accountOf('installer');
  const { organisation_id: from } = installer;
  await db().insertInto('loggers').values({ sn: '999000111222333', organisation_id: from }).execute();
  const token = await portal.sessionOf('installer');
  const plants = await db().selectFrom('sites').select('id').where('organisation_id', '=', from).execute();
  const endUsers = await db()
    .selectFrom('accounts')
    .select('id')
    .where('organisation_id', '=', from)
    .where('level', '=', 1)
    .execute();
  const parent = (await pathOf(from)).at(-2);
  const { result } = await portal.call(cancellation, {}, { token });
  expect(result).toMatchObject({ hindrance: null, sites: plants.length, endUsers: endUsers.length });
  const before = await allSites();

  expect((await portal.call(cancelAccount, { user: 'installer', password }, { token })).errno).toBe(0);

  const of = async (table: 'sites' | 'accounts' | 'loggers') =>
    (await db().selectFrom(table).select(['id', 'organisation_id']).execute()).filter(
      (row) => row.organisation_id === from,
    );
  expect((await of('sites')).length).toBe(0);
  expect((await of('loggers')).length).toBe(0);
  expect((await of('accounts')).map(({ id }) => id)).toEqual([installer.id]);
  const moved = (await allSites()).filter(({ id }) => plants.some((plant) => plant.id === id));
  for (const site of moved) {
    expect(site.organisation_id).toBe(parent);
    expect(site.owner_account_id).toBe(before.find(({ id }) => id === site.id)?.owner_account_id);
  }

  await db()
    .transaction()
    .execute(async (tx) => restore(tx, await deletionOf('installer')));
  expect(await allSites()).toEqual(before);
});

test('of a leading account is refused while a member is left, and a member leaves alone', async () => {
  const { searched: _, ...installer } = await accountOf('installer');
  await db()
    .insertInto('accounts')
    .values({
      ...installer,
      id: undefined,
      username: 'helper',
      email: 'helper@example.com',
      client_id: '',
      leads: false,
    })
    .execute();
  const before = await allSites();
  const lead = await portal.sessionOf('installer');
  expect((await portal.call(cancellation, {}, { token: lead })).result).toMatchObject({
    hindrance: 'membersBelow',
    hindering: 1,
  });
  expect((await portal.call(cancelAccount, { user: 'installer', password }, { token: lead })).errno).toBe(
    errno.cancelMembersBelow,
  );
  const member = await portal.sessionOf('helper');
  expect((await portal.call(cancellation, {}, { token: member })).result).toMatchObject({ hindrance: null, sites: 0 });
  expect((await portal.call(cancelAccount, { user: 'helper', password }, { token: member })).errno).toBe(0);
  expect(await allSites()).toEqual(before);
  expect((await portal.call(cancellation, {}, { token: lead })).result.hindrance).toBeNull();
});
