import { deletionEndpoints } from '@sonnenwarte/contract/deletions/deletions';
import { departmentEndpoints } from '@sonnenwarte/contract/departments/departments';
import { errno } from '@sonnenwarte/contract/errors';
import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import { ownPermissions } from '@sonnenwarte/contract/permissions/permissions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { newGroup, newMember } from '../testing/people.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const installer = demoOrganisationId('installer');
const agent = demoOrganisationId('agent');

let portal: TestPortal;
let token: string;

beforeAll(async () => {
  portal = await startTestPortal();
  token = await portal.sessionOf('admin');
});

afterAll(() => portal?.stop());

let made = 0;

async function newDepartment(parentID: string | null = null, organisationID = installer): Promise<string> {
  const { result } = await portal.call(
    departmentEndpoints.add,
    { organisationID, parentID, name: `Department ${++made}` },
    { token },
  );
  return result.departmentID;
}

const treeOf = async (organisationID = installer) =>
  (await portal.call(departmentEndpoints.tree, { organisationID }, { token })).result;

const departmentOf = async (id: string) => (await treeOf()).departments.find(({ departmentID }) => departmentID === id);

describe('departments', () => {
  test('stand in the tree of their organisation alone, with the number of their members', async () => {
    const top = await newDepartment();
    const below = await newDepartment(top);
    await newMember(portal, { departmentID: below });
    expect(await departmentOf(below)).toMatchObject({ parentID: top, members: 1, groups: 0 });
    expect(await departmentOf(top)).toMatchObject({ parentID: null, members: 0 });
    const others = (await treeOf(agent)).departments.map(({ departmentID }) => departmentID);
    expect(others).not.toContain(top);
  });

  test('have names that are taken only beside each other', async () => {
    const top = await newDepartment();
    const named = (parentID: string | null) =>
      portal.call(departmentEndpoints.add, { organisationID: installer, parentID, name: 'Twice' }, { token });
    expect(await named(null)).toMatchObject({ errno: 0 });
    expect(await named(top)).toMatchObject({ errno: 0 });
    expect(await named(null)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'name', reason: 'taken' }] },
    });
  });

  test.each(['', ' ', 'x'.repeat(33), 'two\nlines'])('refuse the name %j', async (name) => {
    const refused = await portal.call(departmentEndpoints.add, { organisationID: installer, name }, { token });
    expect(refused).toMatchObject({ errno: errno.refusedInput, result: { fields: [{ path: 'name' }] } });
  });

  test('never hang below themselves or below another organisation’s', async () => {
    const top = await newDepartment();
    const below = await newDepartment(await newDepartment(top));
    const stranger = await newDepartment(null, agent);
    const move = (departmentID: string, parentID: string | null) =>
      portal.call(departmentEndpoints.move, { departmentID, parentID }, { token });
    expect(await move(top, below)).toMatchObject({ errno: errno.departmentWithinItself });
    expect(await move(top, top)).toMatchObject({ errno: errno.departmentWithinItself });
    expect(await move(top, stranger)).toMatchObject({ errno: errno.refusedInput });
    expect(await move(below, null)).toMatchObject({ errno: 0 });
    expect(await departmentOf(below)).toMatchObject({ parentID: null });
  });

  test('are a tree still after moves at the same time that would make a circle', async () => {
    const one = await newDepartment();
    const two = await newDepartment();
    const answers = await Promise.all([
      portal.call(departmentEndpoints.move, { departmentID: one, parentID: two }, { token }),
      portal.call(departmentEndpoints.move, { departmentID: two, parentID: one }, { token }),
    ]);
    expect(answers.map((answer) => answer.errno).toSorted()).toEqual([0, errno.departmentWithinItself]);
  });

  test('are deleted when empty, else only with a place for what is in them', async () => {
    const doomed = await newDepartment();
    const child = await newDepartment(doomed);
    const heir = await newDepartment();
    const { accountID } = await newMember(portal, { departmentID: doomed });
    const remove = (moveTo?: string | null) =>
      portal.call(
        departmentEndpoints.remove,
        { departmentID: doomed, ...(moveTo !== undefined && { moveTo }) },
        { token },
      );
    expect(await remove()).toMatchObject({ errno: errno.departmentNotEmpty, result: { members: 1, below: 1 } });
    expect(await remove(child)).toMatchObject({ errno: errno.departmentWithinItself });
    expect(await remove(heir)).toMatchObject({ errno: 0 });
    expect(await departmentOf(doomed)).toBeUndefined();
    expect(await departmentOf(child)).toMatchObject({ parentID: heir });
    const { result } = await portal.call(departmentEndpoints.members, { departmentID: heir }, { token });
    expect(result.members.map((member) => member.accountID)).toEqual([accountID]);
  });

  test('that are deleted take no deleted member elsewhere, and each returns without one', async () => {
    const [gone, other] = [await newDepartment(), await newDepartment()];
    const deleted = await newMember(portal, { departmentID: gone });
    const living = await newMember(portal, { departmentID: gone });
    await portal.call(memberEndpoints.remove, { accountID: deleted.accountID }, { token });
    expect(
      await portal.call(departmentEndpoints.remove, { departmentID: gone, moveTo: other }, { token }),
    ).toMatchObject({ errno: 0 });
    const { result } = await portal.call(deletionEndpoints.list, {}, { token });
    const deletion = result.deletions.find(({ name }) => name === deleted.account)?.id ?? '';
    expect(await portal.call(deletionEndpoints.undo, { id: deletion }, { token })).toMatchObject({ errno: 0 });
    const departmentOfMember = async (accountID: string) =>
      (await portal.call(memberEndpoints.detail, { accountID }, { token })).result.departmentID;
    expect(await departmentOfMember(deleted.accountID)).toBeNull();
    expect(await departmentOfMember(living.accountID)).toBe(other);
  });

  test('take their permission groups with them, and so what these granted', async () => {
    const doomed = await newDepartment();
    await newGroup(portal, ['errorRecord:query'], { departmentID: doomed });
    const { account } = await newMember(portal, { departmentID: doomed });
    const { db } = portal.server.stores;
    await db.updateTable('accounts').set({ password_temporary: false }).where('username', '=', account).execute();
    const session = await portal.sessionOf(account);
    const held = async () => (await portal.call(ownPermissions, {}, { token: session })).result.codes;
    expect(await held()).toEqual(['errorRecord:query']);
    await portal.call(departmentEndpoints.remove, { departmentID: doomed, moveTo: null }, { token });
    expect(await held()).toEqual([]);
  });
});
