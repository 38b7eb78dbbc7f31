import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { deletionEndpoints } from '@sonnenwarte/contract/deletions/deletions';
import { errno } from '@sonnenwarte/contract/errors';
import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { md5Hex } from '../accounts/passwords.ts';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { newGroup, newMember } from '../testing/people.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const installer = demoOrganisationId('installer');

let portal: TestPortal;
let token: string;
let platform: string;

beforeAll(async () => {
  portal = await startTestPortal();
  token = await portal.sessionOf('admin');
  const row = await portal.server.stores.db
    .selectFrom('organisations')
    .select('id')
    .where('kind', '=', 'platform')
    .executeTakeFirstOrThrow();
  platform = row.id;
});

afterAll(() => portal?.stop());

const signIn = (user: string, password: string) =>
  portal.call(accountEndpoints.login, { user, password: md5Hex(password) });

const detailOf = async (accountID: string) =>
  (await portal.call(memberEndpoints.detail, { accountID }, { token })).result;

/** As if the member had chosen its own password. */
const settle = (account: string) =>
  portal.server.stores.db
    .updateTable('accounts')
    .set({ password_temporary: false })
    .where('username', '=', account)
    .execute();

const add = (input: { account: string; email?: string; level?: 2 | 3 | 4 | 255; organisationID?: string }) =>
  portal.call(
    memberEndpoints.add,
    { organisationID: installer, email: `${crypto.randomUUID()}@example.com`, ...input },
    { token },
  );

describe('a new member', () => {
  test('signs in once with its temporary password, to change it and nothing else', async () => {
    const { account, temporaryPassword } = await newMember(portal);
    expect(temporaryPassword).toMatch(/^[a-hjkmnp-zA-HJ-NP-Z2-9]{12}$/);
    const first = await signIn(account, temporaryPassword);
    expect(first).toMatchObject({ errno: 0, result: { access: 2, passwordTemporary: true } });
    expect(await portal.call(siteEndpoints.list, {}, { token: first.result.token })).toMatchObject({
      errno: errno.passwordMustChange,
    });
    expect(await signIn(account, temporaryPassword)).toMatchObject({ errno: errno.badUserNameOrPassword });
  });

  test('sees the plants of its organisation, as the account that leads it', async () => {
    const { account } = await newMember(portal);
    await settle(account);
    const seen = async (user: string) =>
      (await portal.call(siteEndpoints.list, { pageSize: 50 }, { token: await portal.sessionOf(user) })).result.plants
        .map(({ stationID }) => stationID)
        .toSorted();
    expect(await seen(account)).toEqual(await seen('installer'));
  });

  test.each([4, 128])('may have a name of %i characters, also at the sign-in', async (length) => {
    const account = 'a'.repeat(length);
    const { result } = await add({ account });
    expect(await signIn(account, result.temporaryPassword)).toMatchObject({ errno: 0 });
  });

  test.each(['abc', 'a'.repeat(129), 'two words', 'some@one', 'a\u0000bcd'])('cannot be named %j', async (account) => {
    expect(await add({ account })).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'account' }] },
    });
  });

  test('cannot have the user name of any other account', async () => {
    expect(await add({ account: 'OWNER' })).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'account', reason: 'taken' }] },
    });
  });

  test('may be given any address, which is its own only once it has confirmed it', async () => {
    const { db } = portal.server.stores;
    await db.updateTable('accounts').set({ email: 'owner@example.com' }).where('username', '=', 'owner').execute();
    const stateOf = (id: string) =>
      db.selectFrom('accounts').select(['email', 'email_confirmed_at']).where('id', '=', id).executeTakeFirstOrThrow();
    const { errno: number, result } = await add({ account: 'somebody-new', email: 'Owner@example.com' });
    expect(number).toBe(0);
    expect(await stateOf(result.accountID)).toEqual({ email: 'Owner@example.com', email_confirmed_at: null });
    await db
      .updateTable('accounts')
      .set({ email: 'its.own@example.com', email_confirmed_at: new Date() })
      .where('id', '=', result.accountID)
      .execute();
    const edited = {
      accountID: result.accountID,
      account: 'somebody-new',
      email: 'owner@example.com',
      level: 2 as const,
    };
    expect((await portal.call(memberEndpoints.edit, edited, { token: await portal.sessionOf('admin') })).errno).toBe(0);
    expect(await stateOf(result.accountID)).toEqual({ email: 'owner@example.com', email_confirmed_at: null });
  });

  test.each([
    ['installer', [2]],
    ['agent', [3, 2]],
    ['distributor', [4, 3, 2]],
  ] as const)('of an %s has its level, or one that is set lower', async (key, possible) => {
    const organisationID = demoOrganisationId(key);
    const own = await add({ account: `level-of-${key}`, organisationID });
    expect((await detailOf(own.result.accountID)).level).toBe(possible[0]);
    for (const level of [2, 3, 4, 255] as const) {
      const answer = await add({ account: `level-${level}-of-${key}`, organisationID, level });
      expect([level, answer.errno]).toEqual([level, possible.some((each) => each === level) ? 0 : errno.refusedInput]);
    }
  });

  test('takes nothing that the form does not name', async () => {
    const { result } = await portal.call(
      memberEndpoints.add,
      {
        organisationID: installer,
        account: 'mass-assigned',
        email: 'mass@example.com',
        leads: true,
        level: 2,
      } as never,
      { token },
    );
    const { leads } = await portal.server.stores.db
      .selectFrom('accounts')
      .select('leads')
      .where('id', '=', result.accountID)
      .executeTakeFirstOrThrow();
    expect(leads).toBe(false);
  });
});

describe('a member', () => {
  test('is changed, and its organisation’s own groups and departments alone can be given to it', async () => {
    const { account, accountID } = await newMember(portal);
    const group = await newGroup(portal, ['iv:diagnosis']);
    const strangers = await newGroup(portal, ['iv:diagnosis'], { organisationID: demoOrganisationId('agent') });
    const edit = (groupIDs: string[], phone = '+49 30 123') =>
      portal.call(
        memberEndpoints.edit,
        { accountID, account, email: `${account}@new.example.com`, phone, name: 'New', level: 2, groupIDs },
        { token },
      );
    expect(await edit([strangers])).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'groupIDs', reason: 'unknown' }] },
    });
    expect(await edit([group], 'call me')).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'phone' }] },
    });
    expect(await edit([group])).toMatchObject({ errno: 0 });
    expect(await detailOf(accountID)).toMatchObject({
      email: `${account}@new.example.com`,
      phone: '+49 30 123',
      name: 'New',
      groups: [{ permissionGroupID: group }],
      codes: ['iv:diagnosis'],
    });
  });

  test('that is disabled loses its sessions with 41810 and cannot sign in until it is enabled', async () => {
    const { account, accountID, temporaryPassword } = await newMember(portal);
    await settle(account);
    const session = await portal.sessionOf(account);
    await portal.call(memberEndpoints.setState, { accountID, state: 'disabled' }, { token });
    expect(await portal.call(accountEndpoints.info, {}, { token: session })).toMatchObject({
      errno: errno.sessionEnded,
    });
    expect(await signIn(account, temporaryPassword)).toMatchObject({ errno: errno.badUserNameOrPassword });
    await portal.call(memberEndpoints.setState, { accountID, state: 'enabled' }, { token });
    expect(await signIn(account, temporaryPassword)).toMatchObject({ errno: 0 });
  });

  test('whose password is reset loses its sessions and its old password', async () => {
    const { account, accountID, temporaryPassword } = await newMember(portal);
    const session = await portal.sessionOf(account);
    const { result } = await portal.call(memberEndpoints.resetPassword, { accountID }, { token });
    expect(await portal.call(accountEndpoints.info, {}, { token: session })).toMatchObject({
      errno: errno.sessionEnded,
    });
    expect(await signIn(account, temporaryPassword)).toMatchObject({ errno: errno.badUserNameOrPassword });
    expect(await signIn(account, result.temporaryPassword)).toMatchObject({ errno: 0 });
  });

  test('that is deleted is gone from the list, and is back with its groups when that is undone', async () => {
    const group = await newGroup(portal, ['iv:detail']);
    const { account, accountID } = await newMember(portal, { groupIDs: [group] });
    await portal.call(memberEndpoints.remove, { accountID }, { token });
    expect(await portal.call(memberEndpoints.detail, { accountID }, { token })).toMatchObject({
      errno: errno.memberNotFound,
    });
    const { result } = await portal.call(deletionEndpoints.list, {}, { token });
    const deletion = result.deletions.find(({ name }) => name === account);
    expect(deletion).toMatchObject({ kind: 'member' });
    await portal.call(deletionEndpoints.undo, { id: deletion?.id ?? '' }, { token });
    expect(await detailOf(accountID)).toMatchObject({ account, groups: [{ permissionGroupID: group }] });
  });

  test('is not the account that leads an organisation, nor an end user', async () => {
    for (const user of ['installer', 'owner', 'integrator', 'admin']) {
      const { id } = await portal.server.stores.db
        .selectFrom('accounts')
        .select('id')
        .where('username', '=', user)
        .executeTakeFirstOrThrow();
      expect(await portal.call(memberEndpoints.remove, { accountID: id }, { token })).toMatchObject({
        errno: errno.memberNotFound,
      });
    }
  });
});

describe('an administrator with a narrow group', () => {
  const manager = async () => {
    const group = await newGroup(
      portal,
      ['member:query', 'member:add', 'member:edit', 'member:delete', 'member:resetPassword'],
      { organisationID: platform },
    );
    const member = await newMember(portal, { organisationID: platform, groupIDs: [group] });
    await settle(member.account);
    return { ...member, group, session: await portal.sessionOf(member.account) };
  };

  test('manages nobody who may do more, and gives nobody more than it has', async () => {
    const { session } = await manager();
    const wide = await newGroup(portal, ['firmware:release'], { organisationID: platform });
    const powerful = await newMember(portal, { organisationID: platform, groupIDs: [wide] });
    const { accountID } = powerful;
    const options = { token: session };
    const answers = [
      await portal.call(memberEndpoints.resetPassword, { accountID }, options),
      await portal.call(memberEndpoints.setState, { accountID, state: 'disabled' }, options),
      await portal.call(memberEndpoints.remove, { accountID }, options),
      await portal.call(
        memberEndpoints.edit,
        { accountID, account: powerful.account, email: 'taken-over@example.com', level: 255 },
        options,
      ),
      await portal.call(
        memberEndpoints.add,
        {
          organisationID: platform,
          account: 'stronger-than-i',
          email: 'stronger@example.com',
          groupIDs: [wide],
        },
        options,
      ),
    ];
    expect(answers.map((answer) => answer.errno)).toEqual(answers.map(() => errno.permissionNotHeld));
    const { result } = await portal.call(memberEndpoints.list, { condition: { content: powerful.account } }, options);
    expect(result.members[0]?.can).toEqual({ edit: false, disable: false, delete: false, resetPassword: false });
  });

  test('neither disables, deletes nor resets itself, nor changes its own level or address', async () => {
    const { account, accountID, group, session } = await manager();
    const options = { token: session };
    const answers = [
      await portal.call(memberEndpoints.setState, { accountID, state: 'disabled' }, options),
      await portal.call(memberEndpoints.remove, { accountID }, options),
      await portal.call(memberEndpoints.resetPassword, { accountID }, options),
      await portal.call(
        memberEndpoints.edit,
        { accountID, account, email: `${account}@example.com`, level: 4, groupIDs: [group] },
        options,
      ),
      await portal.call(
        memberEndpoints.edit,
        { accountID, account, email: 'taken-over@example.com', level: 255, groupIDs: [group] },
        options,
      ),
    ];
    expect(answers.map((answer) => answer.errno)).toEqual(answers.map(() => errno.notOneself));
  });
});

describe('the list of members', () => {
  test('filters by organisation, department, group, level, state and text', async () => {
    const group = await newGroup(portal, []);
    const { account } = await newMember(portal, { groupIDs: [group] });
    const accounts = async (condition: Record<string, unknown>) =>
      (
        await portal.call(memberEndpoints.list, { pageSize: 50, condition: condition as never }, { token })
      ).result.members.map((member) => member.account);
    expect(await accounts({ permissionGroupID: group })).toEqual([account]);
    expect(await accounts({ content: account.toUpperCase() })).toEqual([account]);
    expect(await accounts({ permissionGroupID: group, state: 'disabled' })).toEqual([]);
    expect(await accounts({ permissionGroupID: group, level: 3 })).toEqual([]);
    expect(await accounts({ permissionGroupID: group, organisationID: demoOrganisationId('agent') })).toEqual([]);
  });
});

describe('the log', () => {
  test('holds every change of a member, and never a password', async () => {
    const { account, accountID, temporaryPassword } = await newMember(portal);
    const { result } = await portal.call(memberEndpoints.resetPassword, { accountID }, { token });
    await portal.call(memberEndpoints.setState, { accountID, state: 'disabled' }, { token });
    await portal.call(memberEndpoints.remove, { accountID }, { token });
    const entries = await portal.server.stores.db
      .selectFrom('audit_log')
      .selectAll()
      .where('record_id', '=', accountID)
      .orderBy('id')
      .execute();
    expect(entries.map(({ action, record_name, actor }) => [action, record_name, actor])).toEqual(
      ['members.add', 'members.resetPassword', 'members.disable', 'members.delete'].map((action) => [
        action,
        account,
        'admin',
      ]),
    );
    const text = JSON.stringify(entries);
    expect(text).not.toContain(temporaryPassword);
    expect(text).not.toContain(result.temporaryPassword);
  });
});
