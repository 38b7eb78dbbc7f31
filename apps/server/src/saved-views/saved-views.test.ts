import { errno } from '@sonnenwarte/contract/errors';
import { MOST_VIEWS, MOST_VIEWS_OF_A_LIST, savedViewEndpoints } from '@sonnenwarte/contract/saved-views/saved-views';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const LIST = '/c/v1/plant/list';

let api: PlantsFixture;
let one: string;
let other: string;

beforeAll(async () => {
  api = await PlantsFixture.start();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  const { id } = await api.addOrganisation('installer');
  [one, other] = [api.signIn(await api.addAccount(id, 2)), api.signIn(await api.addAccount(id, 2))];
});

const query = { 'condition.states': 'fault', 'sort.field': 'name', columns: 'name,state' };
const save = (name: string, by = one, list = LIST) => api.call(savedViewEndpoints.save, { list, name, query }, by);
const views = async (by = one, list = LIST) => (await api.read(savedViewEndpoints.list, { list }, by)).views;

test('a view is there for its account and its list alone, by name', async () => {
  await save('Zulu');
  await save('alpha');
  await save('of alarms', one, '/c/v0/alarm/list');
  expect(await views()).toMatchObject([{ name: 'alpha', query }, { name: 'Zulu' }]);
  expect(await views(other)).toEqual([]);
});

test('saving under a name that is there replaces that view', async () => {
  const first = await save('Faults');
  const again = await api.call(
    savedViewEndpoints.save,
    { list: LIST, name: 'faults', query: { columns: 'name' } },
    one,
  );
  expect(again.result).toEqual(first.result);
  expect(await views()).toEqual([
    { viewID: first.result.viewID, name: 'faults', query: { columns: 'name' }, isShared: false, isOwn: true },
  ]);
});

test('a view that is shared is seen by colleagues of the same organisation, changed by none of them, and gone with who keeps it', async () => {
  const { id } = await api.addOrganisation('installer');
  const [account, colleague, customer] = [
    await api.addAccount(id, 2),
    await api.addAccount(id, 2),
    await api.addAccount(id, 1),
  ];
  const [keeper, reader, owner] = [account, colleague, customer].map((each) => api.signIn(each));
  if (keeper === undefined || reader === undefined || owner === undefined) throw new Error('nobody is there');
  const share = (name: string, by: string) =>
    api.read(savedViewEndpoints.save, { list: LIST, name, query, isShared: true }, by);
  const { viewID } = await share('Team', keeper);
  await share('Of a customer', owner);
  await save('Own', keeper);
  expect(await views(reader)).toEqual([{ viewID, name: 'Team', query, isShared: true, isOwn: false }]);
  expect(await views(keeper)).toMatchObject([
    { name: 'Own', isShared: false, isOwn: true },
    { name: 'Team', isShared: true, isOwn: true },
  ]);
  expect(await views(owner)).toMatchObject([{ name: 'Of a customer', isShared: false, isOwn: true }]);
  expect(await views(one)).toEqual([]);
  for (const call of [savedViewEndpoints.rename, savedViewEndpoints.remove])
    expect((await api.call(call, { viewID, name: 'Mine' }, reader)).errno).toBe(errno.viewNotFound);
  await api.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', account.id).execute();
  expect(await views(reader)).toEqual([]);
});

test('a view is renamed and removed by its account; a name is given once', async () => {
  const { viewID } = (await save('Faults')).result;
  await save('Offline');
  const rename = (name: string, by = one) => api.call(savedViewEndpoints.rename, { viewID, name }, by);
  expect(await rename('offline')).toMatchObject({
    errno: errno.refusedInput,
    result: { fields: [{ path: 'name', reason: 'taken' }] },
  });
  expect((await rename('Broken', other)).errno).toBe(errno.viewNotFound);
  expect((await rename('Broken')).errno).toBe(0);
  expect((await api.call(savedViewEndpoints.remove, { viewID }, other)).errno).toBe(errno.viewNotFound);
  expect((await api.call(savedViewEndpoints.remove, { viewID }, one)).errno).toBe(0);
  expect(await views()).toMatchObject([{ name: 'Offline' }]);
});

test('a list has so many views and no more, also where the last two come at once', async () => {
  for (let n = 1; n < MOST_VIEWS_OF_A_LIST; n += 1) expect((await save(`View ${n}`)).errno).toBe(0);
  const last = await Promise.all([save('Last'), save('Also last')]);
  expect(last.map((answer) => answer.errno).sort()).toEqual([0, errno.tooManyViews]);
  expect((await save('View 1')).errno).toBe(0);
});

test('an account has so many views in all its lists, and an old one may still be changed', async () => {
  const { id } = await api.addOrganisation('installer');
  const account = await api.addAccount(id, 2);
  const token = api.signIn(account);
  await sql`insert into saved_views (account_id, list, name, query)
    select ${account.id}::uuid, '/list/' || n / 20, 'View ' || n, '{}' from generate_series(1, ${MOST_VIEWS}::int) n`.execute(
    api.db,
  );
  expect((await save('One more', token)).errno).toBe(errno.tooManyViews);
  expect((await save('View 1', token, '/list/0')).errno).toBe(0);
});
