import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { errno } from '@sonnenwarte/contract/errors';
import { LEVEL, type Level } from '@sonnenwarte/contract/levels';
import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import { messageEndpoints } from '@sonnenwarte/contract/messages/messages';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import { ownPermissions } from '@sonnenwarte/contract/permissions/permissions';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { userCenterEndpoints } from '@sonnenwarte/contract/user-center/user-center';
import { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import { viewAsEndpoints } from '@sonnenwarte/contract/view-as/view-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codesOfLevel } from '../access/codes.ts';
import { hashToken } from '../accounts/sessions.ts';
import { demoAccounts, demoOrganisationId } from '../demo/tenancy.ts';
import { tellMessages } from '../messages/tell-messages.ts';
import { narrowAdministrator, newGroup, newMember, platformId } from '../testing/people.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

let portal: TestPortal;
let token: string;

beforeAll(async () => {
  portal = await startTestPortal();
  token = await portal.sessionOf('admin');
});

afterAll(() => portal?.stop());

type Seen = { organisationID: string } | { accountID: string } | { permissionGroupID: string };

const start = (level: Level, seen: Seen, options = { token }) =>
  portal.call(viewAsEndpoints.start, { level, ...seen }, options);

const accountIdOf = async (user: string): Promise<string> =>
  (
    await portal.server.stores.db
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user)
      .executeTakeFirstOrThrow()
  ).id;

const permissionsOf = async (session: string) => (await portal.call(ownPermissions, {}, { token: session })).result;

const plantsOf = async (session: string) => {
  const answer = await portal.call(siteEndpoints.list, { pageSize: 50 }, { token: session });
  return answer.errno === 0 ? answer.result.plants.map(({ stationID }) => stationID).toSorted() : answer.errno;
};

describe('a view', () => {
  test.each(demoAccounts)('as the account $user sees what it sees and may do what it may', async ({ user, level }) => {
    const view = await start(level, { accountID: await accountIdOf(user) });
    expect(view).toMatchObject({ errno: 0, result: { access: level } });
    const own = await portal.sessionOf(user);
    expect(await plantsOf(view.result.token)).toEqual(await plantsOf(own));
    const [seen, theirs] = [await permissionsOf(view.result.token), await permissionsOf(own)];
    expect(seen).toEqual({
      ...theirs,
      viewAs: { level, organisationName: expect.any(String), accountName: user, groupName: null, byUsername: 'admin' },
    });
  });

  test('as a level of an organisation has all codes of the level and its tree of plants', async () => {
    const { result } = await start(3, { organisationID: demoOrganisationId('agent') });
    expect(await plantsOf(result.token)).toEqual(await plantsOf(await portal.sessionOf('agent')));
    expect((await permissionsOf(result.token)).codes.toSorted()).toEqual([...codesOfLevel(3)].toSorted());
  });

  test('as a group has the codes of the group, and those that it is given while it is looked at', async () => {
    const group = await newGroup(portal, ['errorRecord:query', 'iv:detail']);
    const { result } = await start(2, { permissionGroupID: group });
    expect(await permissionsOf(result.token)).toMatchObject({
      codes: ['errorRecord:query', 'iv:detail'],
      viewAs: { level: 2, organisationName: 'Sonnenwarte Demo Solartechnik', groupName: expect.any(String) },
    });
  });

  test('has the messages of the account that is seen, and none of the administrator as a group', async () => {
    const { db } = portal.server.stores;
    const tell = async (user: string) =>
      tellMessages(db, [
        { accountId: await accountIdOf(user), kind: 'report', event: 'completed', at: new Date(), subject: user },
      ]);
    await tell('admin');
    await tell('installer');
    const subjects = async (session: string) =>
      (
        await portal.call(messageEndpoints.list, { condition: { kinds: ['report'] } }, { token: session })
      ).result?.messages.map(({ subject }) => subject);
    const group = await start(2, { permissionGroupID: await newGroup(portal, ['iv:detail']) });
    const account = await start(2, { accountID: await accountIdOf('installer') });
    expect(await subjects(token)).toEqual(['admin']);
    expect(await subjects(group.result.token)).toEqual([]);
    expect(await subjects(account.result.token)).toEqual(['installer']);
  });

  test('as a member has what its groups grant, and no more', async () => {
    const group = await newGroup(portal, ['iv:template']);
    const { accountID } = await newMember(portal, { groupIDs: [group] });
    const { result } = await start(2, { accountID });
    expect((await permissionsOf(result.token)).codes).toEqual(['iv:template']);
  });

  test('changes nothing, not even as somebody who may', async () => {
    const { accountID } = await newMember(portal);
    const group = await newGroup(portal, ['member:query', 'member:delete'], {
      organisationID: (
        await portal.server.stores.db
          .selectFrom('organisations')
          .select('id')
          .where('kind', '=', 'platform')
          .executeTakeFirstOrThrow()
      ).id,
    });
    const { result } = await start(LEVEL.admin, { permissionGroupID: group });
    const options = { token: result.token };
    expect(await portal.call(memberEndpoints.remove, { accountID }, options)).toMatchObject({
      errno: errno.readOnlyView,
    });
    expect(await portal.call(memberEndpoints.detail, { accountID }, options)).toMatchObject({ errno: 0 });
  });

  test('cannot be begun from within a view', async () => {
    const { result } = await start(LEVEL.admin, { accountID: await accountIdOf('admin') });
    const again = await start(2, { organisationID: demoOrganisationId('installer') }, { token: result.token });
    expect(again).toMatchObject({ errno: errno.readOnlyView });
  });

  test('is not given to others than administrators, nor to those with less than what would be seen', async () => {
    const agent = await portal.sessionOf('agent');
    const installer = { organisationID: demoOrganisationId('installer') };
    expect(await start(2, installer, { token: agent })).toMatchObject({ errno: errno.noPermission });
    const { id: organisationID } = await portal.server.stores.db
      .selectFrom('organisations')
      .select('id')
      .where('kind', '=', 'platform')
      .executeTakeFirstOrThrow();
    const group = await newGroup(portal, ['role:query'], { organisationID });
    const { account } = await newMember(portal, { organisationID, groupIDs: [group] });
    await portal.server.stores.db
      .updateTable('accounts')
      .set({ password_temporary: false })
      .where('username', '=', account)
      .execute();
    const narrow = await portal.sessionOf(account);
    expect(await start(2, installer, { token: narrow })).toMatchObject({ errno: errno.permissionNotHeld });
  });

  test('as a level that a code does not bind shows no more than the administrator may see itself', async () => {
    const distributor = { organisationID: demoOrganisationId('distributor') };
    const seenBy = async (codes: readonly PermissionCode[]) => {
      const narrow = await narrowAdministrator(portal, ['role:query', ...codesOfLevel(4), ...codes]);
      const { result } = await start(4, distributor, { token: narrow.token });
      const { menu } = await permissionsOf(result.token);
      const list = await portal.call(userManagementEndpoints.list, {}, { token: result.token });
      return [list.errno, menu.includes('user-management')];
    };
    expect(await seenBy([])).toEqual([errno.noPermission, false]);
    expect(await seenBy(['member:query'])).toEqual([0, true]);
  });

  test.each([
    ['an organisation at a level that its members cannot have', 4, 'installer'],
    ['an organisation as an end user', 1, 'installer'],
  ] as const)('does not show %s', async (_, level, key) => {
    expect(await start(level, { organisationID: demoOrganisationId(key) })).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'level' }] },
    });
  });

  test('shows an account only at its own level', async () => {
    expect(await start(3, { accountID: await accountIdOf('installer') })).toMatchObject({
      errno: errno.refusedInput,
    });
  });

  test('ends for itself: the own session goes on, and both ends are in the account log', async () => {
    const { result } = await start(2, { accountID: await accountIdOf('installer') });
    await portal.call(viewAsEndpoints.end, {}, { token: result.token });
    expect(await portal.call(accountEndpoints.info, {}, { token: result.token })).toMatchObject({
      errno: errno.sessionEnded,
    });
    expect(await portal.call(accountEndpoints.info, {}, { token })).toMatchObject({ errno: 0 });
    const entries = await portal.server.stores.db
      .selectFrom('audit_log')
      .select(['log', 'action', 'actor', 'actor_level', 'record_name'])
      .where('action', 'like', 'view-as.%')
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(entries).toEqual(
      ['view-as.end', 'view-as.begin'].map((action) => ({
        log: 'account',
        action,
        actor: 'admin',
        actor_level: 255,
        record_name: 'installer',
      })),
    );
  });

  test('asked to end, leaves a session that is no view alone', async () => {
    const own = await portal.sessionOf('installer');
    await portal.call(viewAsEndpoints.end, {}, { token: own });
    expect(await portal.call(accountEndpoints.info, {}, { token: own })).toMatchObject({ errno: 0 });
  });

  test('has what its administrator still holds, from the next call on', async () => {
    const organisationID = await platformId(portal);
    const group = await newGroup(portal, [...codesOfLevel(2), 'role:query'], { organisationID });
    const { account } = await newMember(portal, { organisationID, groupIDs: [group] });
    const { db } = portal.server.stores;
    await db.updateTable('accounts').set({ password_temporary: false }).where('username', '=', account).execute();
    const own = await portal.sessionOf(account);
    const { result } = await start(2, { organisationID: demoOrganisationId('installer') }, { token: own });
    expect((await permissionsOf(result.token)).codes.toSorted()).toEqual([...codesOfLevel(2)].toSorted());
    const codes = ['role:query', 'site:edit'];
    await db.updateTable('permission_groups').set({ codes }).where('id', '=', group).execute();
    expect((await permissionsOf(result.token)).codes).toEqual(['site:edit']);
  });

  describe('is over when its administrator’s own session is', () => {
    const lastSession = async (session: string) =>
      (await portal.call(userCenterEndpoints.sessions, {}, { token: session })).result.sessions;

    test.each([
      ['signed out', (own: string) => portal.call(accountEndpoints.logout, {}, { token: own })],
      [
        'ended elsewhere',
        async (own: string) => {
          const { id } = (await lastSession(own)).find(({ current }) => current) ?? { id: '' };
          return portal.call(userCenterEndpoints.endSession, { id }, { token });
        },
      ],
      ['ended with all others', () => portal.call(userCenterEndpoints.endOtherSessions, {}, { token })],
    ])('%s', async (_, end) => {
      const own = await portal.sessionOf('admin');
      const { result } = await start(2, { organisationID: demoOrganisationId('installer') }, { token: own });
      expect(await portal.call(accountEndpoints.info, {}, { token: result.token })).toMatchObject({ errno: 0 });
      const before = (await lastSession(token)).length;
      expect(await end(own)).toMatchObject({ errno: 0 });
      expect(await portal.call(accountEndpoints.info, {}, { token: result.token })).toMatchObject({
        errno: errno.sessionEnded,
      });
      expect((await lastSession(token)).length).toBeLessThanOrEqual(before - 2);
    });

    test('expired; and whoever uses the view keeps it alive', async () => {
      const own = await portal.sessionOf('admin');
      const { result } = await start(2, { organisationID: demoOrganisationId('installer') }, { token: own });
      const { db } = portal.server.stores;
      const setParent = (expires_at: Date) =>
        db.updateTable('sessions').set({ expires_at }).where('token_hash', '=', hashToken(own)).execute();
      await setParent(new Date(Date.now() + 60_000));
      await db
        .updateTable('sessions')
        .set({ last_seen_at: new Date(Date.now() - 3_600_000) })
        .where('token_hash', '=', hashToken(result.token))
        .execute();
      expect(await portal.call(accountEndpoints.info, {}, { token: result.token })).toMatchObject({ errno: 0 });
      const { expires_at } = await db
        .selectFrom('sessions')
        .select('expires_at')
        .where('token_hash', '=', hashToken(own))
        .executeTakeFirstOrThrow();
      expect(expires_at.getTime()).toBeGreaterThan(Date.now() + 3_600_000);
      await setParent(new Date(0));
      expect(await portal.call(accountEndpoints.info, {}, { token: result.token })).toMatchObject({
        errno: errno.tokenExpired,
      });
    });

    test('ended because it was disabled, or its password was changed', async () => {
      for (const end of ['setEnabled', 'resetPassword'] as const) {
        const all = Object.keys(permissions) as PermissionCode[];
        const wide = await narrowAdministrator(portal, all);
        const seen = { organisationID: demoOrganisationId('installer') };
        const { result } = await start(2, seen, { token: wide.token });
        const input = { id: wide.accountID, enabled: false };
        expect(await portal.call(userManagementEndpoints[end], input as never, { token })).toMatchObject({ errno: 0 });
        expect(await portal.call(accountEndpoints.info, {}, { token: result.token })).toMatchObject({
          errno: errno.sessionEnded,
        });
      }
    });
  });

  test('is over when the account that is seen is deleted', async () => {
    const { accountID } = await newMember(portal);
    const { result } = await start(2, { accountID });
    await portal.call(memberEndpoints.remove, { accountID }, { token });
    expect(await portal.call(accountEndpoints.info, {}, { token: result.token })).toMatchObject({
      errno: errno.sessionEnded,
    });
  });
});

describe('the choice of a view', () => {
  test.each([
    ['organisation', 2, 'Sonnenwarte Demo Solartechnik'],
    ['account', 1, 'owner'],
    ['account', 10, 'integrator'],
  ] as const)('of kind %s at level %i finds %s', async (kind, level, name) => {
    const { result } = await portal.call(viewAsEndpoints.choices, { kind, level, search: name.slice(2) }, { token });
    expect(result.choices.map((choice) => choice.name)).toContain(name);
  });

  test.each([
    ['organisation', 2],
    ['account', 1],
  ] as const)('of kind %s names those whose ids are given, whatever is searched for', async (kind, level) => {
    const ask = async (input: { search?: string; ids?: string[] }) =>
      (await portal.call(viewAsEndpoints.choices, { kind, level, ...input }, { token })).result.choices;
    const [first] = await ask({});
    expect(await ask({ search: 'nothing of this name', ids: [first?.id ?? '', crypto.randomUUID()] })).toEqual([first]);
  });

  test('names no organisation for a level that none has', async () => {
    const { result } = await portal.call(viewAsEndpoints.choices, { kind: 'organisation', level: 10 }, { token });
    expect(result.choices).toEqual([]);
  });
});
