import { errno } from '@sonnenwarte/contract/errors';
import { permissionGroupEndpoints } from '@sonnenwarte/contract/permission-groups/permission-groups';
import { ownPermissions } from '@sonnenwarte/contract/permissions/permissions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { newGroup, newMember } from '../testing/people.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const installer = demoOrganisationId('installer');

let portal: TestPortal;
let token: string;

beforeAll(async () => {
  portal = await startTestPortal();
  token = await portal.sessionOf('admin');
});

afterAll(() => portal?.stop());

/** A session of a member that has chosen its own password. */
async function sessionOfMember(place: Parameters<typeof newMember>[1]): Promise<string> {
  const { account } = await newMember(portal, place);
  await portal.server.stores.db
    .updateTable('accounts')
    .set({ password_temporary: false })
    .where('username', '=', account)
    .execute();
  return portal.sessionOf(account);
}

const codesOf = async (session: string) =>
  (await portal.call(ownPermissions, {}, { token: session })).result.codes.toSorted();

const platformOf = async (): Promise<string> => {
  const { id } = await portal.server.stores.db
    .selectFrom('organisations')
    .select('id')
    .where('kind', '=', 'platform')
    .executeTakeFirstOrThrow();
  return id;
};

describe('a permission group', () => {
  test('takes effect with the next call of its members, and ends with the group', async () => {
    const group = await newGroup(portal, ['errorRecord:query']);
    const session = await sessionOfMember({ groupIDs: [group] });
    expect(await codesOf(session)).toEqual(['errorRecord:query']);
    await portal.call(
      permissionGroupEndpoints.edit,
      { permissionGroupID: group, name: 'Wider', codes: ['errorRecord:query', 'site:delete'] },
      { token },
    );
    expect(await codesOf(session)).toEqual(['errorRecord:query', 'site:delete']);
    await portal.call(permissionGroupEndpoints.remove, { permissionGroupID: group }, { token });
    expect(await codesOf(session)).toEqual([]);
  });

  test('adds to the others of a member', async () => {
    const groups = [await newGroup(portal, ['errorRecord:query']), await newGroup(portal, ['iv:diagnosis'])];
    expect(await codesOf(await sessionOfMember({ groupIDs: groups }))).toEqual(['errorRecord:query', 'iv:diagnosis']);
  });

  test('says which members it concerns', async () => {
    const group = await newGroup(portal, ['iv:detail']);
    const { account } = await newMember(portal, { groupIDs: [group] });
    const { result } = await portal.call(permissionGroupEndpoints.detail, { permissionGroupID: group }, { token });
    expect(result).toMatchObject({ members: 1, memberAccounts: [account], granted: ['iv:detail'], codes: 1 });
  });

  test('cannot hold what the level of its organisation cannot', async () => {
    const refused = await portal.call(
      permissionGroupEndpoints.add,
      { organisationID: installer, name: 'Too much', type: 'role', codes: ['firmware:release'] },
      { token },
    );
    expect(refused).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'codes', params: { codes: ['firmware:release'] } }] },
    });
  });

  test('of type department needs a department of its organisation, and of type role has none', async () => {
    const add = (type: 'department' | 'role', departmentID: string | null) =>
      portal.call(
        permissionGroupEndpoints.add,
        { organisationID: installer, name: `Typed ${type}`, type, departmentID, codes: [] },
        { token },
      );
    expect(await add('department', null)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'departmentID', reason: 'required' }] },
    });
    expect(await add('department', crypto.randomUUID())).toMatchObject({ errno: errno.departmentNotFound });
    expect(await add('role', crypto.randomUUID())).toMatchObject({ errno: errno.refusedInput });
  });

  test('is never given more than its author holds, while what it has may stay', async () => {
    const platform = await platformOf();
    const narrow = await newGroup(portal, ['role:query', 'role:add', 'role:edit'], { organisationID: platform });
    const author = await sessionOfMember({ organisationID: platform, groupIDs: [narrow] });
    const wide = await newGroup(portal, ['firmware:view'], { organisationID: platform });
    const add = (codes: ('role:query' | 'member:add')[]) =>
      portal.call(
        permissionGroupEndpoints.add,
        { organisationID: platform, name: 'Passed on', type: 'role', codes },
        { token: author },
      );
    const edit = (codes: ('firmware:view' | 'member:add' | 'role:query')[]) =>
      portal.call(permissionGroupEndpoints.edit, { permissionGroupID: wide, name: 'Wide', codes }, { token: author });
    expect(await add(['role:query', 'member:add'])).toMatchObject({
      errno: errno.permissionNotHeld,
      result: { codes: ['member:add'] },
    });
    expect(await edit(['firmware:view', 'member:add'])).toMatchObject({ errno: errno.permissionNotHeld });
    expect(await edit(['firmware:view', 'role:query'])).toMatchObject({ errno: 0 });
    expect(await add(['role:query'])).toMatchObject({ errno: 0 });
  });

  test('has a name that no other group of its organisation has, in any case', async () => {
    const add = (name: string) =>
      portal.call(
        permissionGroupEndpoints.add,
        { organisationID: installer, name, type: 'role', codes: [] },
        { token },
      );
    expect(await add('Night shift')).toMatchObject({ errno: 0 });
    expect(await add('NIGHT SHIFT')).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'name', reason: 'taken' }] },
    });
  });
});

describe('the list of permission groups', () => {
  test('filters, sorts and pages', async () => {
    const { result } = await portal.call(
      permissionGroupEndpoints.list,
      { condition: { organisationID: installer, type: 'role' }, sort: { field: 'codes', order: 'desc' } },
      { token },
    );
    expect(result.total).toBe(result.groups.length);
    expect(result.groups.length).toBeGreaterThan(1);
    expect(result.groups.every((group) => group.organisationID === installer && group.type === 'role')).toBe(true);
    const counts = result.groups.map((group) => group.codes);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });

  test('is exported with the same rows', async () => {
    const response = await portal.fetch(
      permissionGroupEndpoints.exportList,
      { condition: { content: 'night shift' }, columns: ['name', 'type', 'codes'], format: 'csv' },
      { token },
    );
    expect((await response.text()).replace('\ufeff', '').split('\r\n')).toEqual([
      'Name,Type,Permissions',
      'Night shift,Role,0',
      '',
    ]);
  });
});
