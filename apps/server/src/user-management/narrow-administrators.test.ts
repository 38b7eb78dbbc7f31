import { deletionEndpoints } from '@sonnenwarte/contract/deletions/deletions';
import { errno } from '@sonnenwarte/contract/errors';
import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import { organisationEndpoints } from '@sonnenwarte/contract/organisations/organisations';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import { userManagementEndpoints as calls } from '@sonnenwarte/contract/user-management/user-management';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codesOfLevel } from '../access/codes.ts';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { narrowAdministrator, newGroup, newMember, platformId } from '../testing/people.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { changedDuring } from '../testing/row-locks.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal?.stop());

const accountCodes = ['member:query', 'member:add', 'member:edit', 'member:delete', 'member:resetPassword'] as const;
const organisationCodes = ['organization:query', 'organization:add', 'organization:delete'] as const;
const keeper: readonly PermissionCode[] = [...accountCodes, ...organisationCodes];

const idOf = async (user: string): Promise<string> =>
  (
    await portal.server.stores.db
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user)
      .executeTakeFirstOrThrow()
  ).id;

let made = 0;
const person = () => {
  made += 1;
  return { user: `narrow${made}`, email: `narrow${made}@example.com`, name: '', phone: '', country: '' };
};
const canOf = async (id: string, token: string) => (await portal.call(calls.detail, { id }, { token })).result.can;
const allowedIn = (can: Record<string, boolean> | undefined) =>
  Object.entries(can ?? { missing: true }).flatMap(([action, may]) => (may ? [action] : []));

const actions = ['setEnabled', 'resetPassword', 'edit', 'remove'] as const;
const tryAction = (call: (typeof actions)[number], id: string, token: string) => {
  const place = { city: '', address: '', postcode: '', note: '' };
  const { user: _, ...fields } = { ...person(), ...place };
  return portal.call(calls[call], { id, enabled: false, ...fields } as never, { token });
};

describe('an administrator with the codes for accounts alone', () => {
  test.each(['distributor', 'agent', 'installer', 'owner'])(
    'can do nothing with %s, who may do more, and the list says so',
    async (user) => {
      const { token } = await narrowAdministrator(portal, keeper);
      const id = await idOf(user);
      for (const action of actions)
        expect([action, (await tryAction(action, id, token)).errno]).toEqual([action, errno.notToThisAccount]);
      expect(await portal.call(calls.deletionPreview, { id }, { token })).toMatchObject({
        errno: errno.notToThisAccount,
      });
      expect(allowedIn(await canOf(id, token))).toEqual([]);
      const { result } = await portal.call(calls.list, { condition: { content: user } }, { token });
      expect(allowedIn(result.accounts.find((row) => row.id === id)?.can)).toEqual([]);
    },
  );

  test('manages an integrator and a member, who may do no more', async () => {
    const { token } = await narrowAdministrator(portal, keeper);
    expect(await canOf(await idOf('integrator'), token)).toMatchObject({
      edit: true,
      setEnabled: true,
      resetPassword: true,
      delete: true,
      grant: true,
    });
    const { accountID } = await newMember(portal);
    for (const action of actions)
      expect([action, (await tryAction(action, accountID, token)).errno]).toEqual([action, 0]);
  });

  test('manages a member no longer once its groups grant more', async () => {
    const { token } = await narrowAdministrator(portal, keeper);
    const group = await newGroup(portal, ['iv:template']);
    const { accountID } = await newMember(portal, { groupIDs: [group] });
    expect(allowedIn(await canOf(accountID, token))).toEqual([]);
    expect(await tryAction('resetPassword', accountID, token)).toMatchObject({ errno: errno.notToThisAccount });
    const wider = await narrowAdministrator(portal, [...keeper, 'iv:template']);
    expect(await tryAction('resetPassword', accountID, wider.token)).toMatchObject({ errno: 0 });
  });

  test('manages another administrator with fewer codes, and is not managed by it', async () => {
    const one = await narrowAdministrator(portal, keeper);
    const other = await narrowAdministrator(portal, ['member:query', 'member:resetPassword']);
    expect(await tryAction('resetPassword', one.accountID, other.token)).toMatchObject({
      errno: errno.notToThisAccount,
    });
    expect(await tryAction('resetPassword', other.accountID, one.token)).toMatchObject({ errno: 0 });
  });

  test('sees the codes that a member was given while its own call waited', async () => {
    const { token } = await narrowAdministrator(portal, keeper);
    const { accountID } = await newMember(portal);
    const group = await newGroup(portal, ['iv:template']);
    const { db } = portal.server.stores;
    const answer = await changedDuring(
      db,
      async (tx) => {
        await tx.selectFrom('accounts').select('id').where('id', '=', accountID).forUpdate().execute();
        await tx.insertInto('account_groups').values({ account_id: accountID, group_id: group }).execute();
      },
      () => tryAction('setEnabled', accountID, token),
    );
    expect(answer).toMatchObject({ errno: errno.notToThisAccount });
  });
});

describe('an administrator makes no account that may do more', () => {
  test.each([
    [4, 'platform'],
    [3, 'distributor'],
    [2, 'agent'],
    [1, 'installer'],
  ] as const)('of level %i, and is told which permissions are lacking', async (level, parent) => {
    const { token } = await narrowAdministrator(portal, keeper);
    const organisationID = parent === 'platform' ? await platformId(portal) : demoOrganisationId(parent);
    const input = { level, organisationID, organisation: 'Neu', ...person() };
    const answer = await portal.call(calls.add, input, { token });
    expect(answer).toMatchObject({ errno: errno.permissionNotHeld });
    expect(new Set((answer.result as unknown as { codes: string[] }).codes)).toEqual(codesOfLevel(level));
    expect((await portal.call(calls.list, {}, { token })).result.can.add).toEqual([10]);
  });

  test('but of every level whose permissions it holds', async () => {
    const { token } = await narrowAdministrator(portal, [...keeper, ...codesOfLevel(3)]);
    expect((await portal.call(calls.list, {}, { token })).result.can.add).toEqual([1, 2, 3, 10]);
    const input = { level: 3 as const, organisationID: demoOrganisationId('distributor'), organisation: 'Neu' };
    expect(await portal.call(calls.add, { ...input, ...person() }, { token })).toMatchObject({ errno: 0 });
  });

  test.each(['distributor', 'agent', 'installer'] as const)('nor with a new %s', async (kind) => {
    const narrow = await narrowAdministrator(portal, keeper);
    const { user, email } = person();
    const platform = await platformId(portal);
    const place = { parentID: platform, name: 'Neu', country: '', email: '', phone: '', note: '' };
    const input = { kind, ...place, user, accountEmail: email, accountName: '' };
    const add = (token: string) => portal.call(organisationEndpoints.add, input, { token });
    expect(await add(narrow.token)).toMatchObject({ errno: errno.permissionNotHeld });
    const rowOf = async (token: string) =>
      (await portal.call(organisationEndpoints.detail, { id: platform }, { token })).result;
    expect((await rowOf(narrow.token)).can.add).toBe(false);
    const level = ({ distributor: 4, agent: 3, installer: 2 } as const)[kind];
    const wide = await narrowAdministrator(portal, [...keeper, ...codesOfLevel(level)]);
    expect((await rowOf(wide.token)).can.add).toBe(true);
    expect(await add(wide.token)).toMatchObject({ errno: 0 });
  });
});

test('the list of members says of each the same as that of accounts', async () => {
  const group = await newGroup(portal, ['iv:template']);
  const members = [await newMember(portal), await newMember(portal, { groupIDs: [group] })];
  const { token } = await narrowAdministrator(portal, keeper);
  for (const { accountID } of members) {
    const { can } = (await portal.call(memberEndpoints.detail, { accountID }, { token })).result;
    expect((await canOf(accountID, token)).resetPassword).toBe(can.resetPassword);
  }
});

test('what was deleted is told by what the administrator may look at', async () => {
  const admin = { token: await portal.sessionOf('admin') };
  const { accountID, account } = await newMember(portal);
  await portal.call(memberEndpoints.remove, { accountID }, admin);
  const { user, email } = person();
  const place = { parentID: await platformId(portal), country: '', email: '', phone: '', note: '' };
  const input = {
    kind: 'installer' as const,
    name: 'Nord Solar',
    ...place,
    user,
    accountEmail: email,
    accountName: '',
  };
  const { id } = (await portal.call(organisationEndpoints.add, input, admin)).result;
  await portal.call(organisationEndpoints.remove, { id }, admin);
  const told = async (code: PermissionCode) => {
    const { token } = await narrowAdministrator(portal, [code]);
    const { result } = await portal.call(deletionEndpoints.list, { pageSize: 50 }, { token });
    return result.deletions.map(({ name }) => name).filter((name) => [account, 'Nord Solar'].includes(name));
  };
  expect(await told('member:query')).toEqual([account]);
  expect(await told('organization:query')).toEqual(['Nord Solar']);
});

test('the deletion of an account that took its organisation along is undone only with the code for organisations', async () => {
  const admin = { token: await portal.sessionOf('admin') };
  const organisationID = demoOrganisationId('agent');
  const input = { level: 2 as const, organisationID, organisation: 'Mit allem', ...person() };
  const { id } = (await portal.call(calls.add, input, admin)).result;
  const { deletionID } = (await portal.call(calls.remove, { id }, admin)).result;
  const offered = async (token: string) => {
    const { result } = await portal.call(deletionEndpoints.list, { pageSize: 50 }, { token });
    return result.deletions.find((row) => row.id === deletionID)?.can.undo;
  };
  const undo = (token: string) => portal.call(deletionEndpoints.undo, { id: deletionID }, { token });
  const narrow = await narrowAdministrator(portal, ['member:query', 'member:delete']);
  expect(await offered(narrow.token)).toBe(false);
  expect(await undo(narrow.token)).toMatchObject({ errno: errno.noPermission });
  const wider = await narrowAdministrator(portal, ['member:query', 'member:delete', 'organization:delete']);
  expect(await offered(wider.token)).toBe(true);
  expect(await undo(wider.token)).toMatchObject({ errno: 0 });
});
