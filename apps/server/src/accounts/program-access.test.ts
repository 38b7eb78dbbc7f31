import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { apiKeyEndpoints } from '@sonnenwarte/contract/api-keys/api-keys';
import { errno } from '@sonnenwarte/contract/errors';
import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import { openApiEndpoints } from '@sonnenwarte/contract/open-api/open-api';
import { mqttAccessEndpoints } from '@sonnenwarte/contract/user-center/mqtt-access';
import { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../demo/tenancy.ts';
import { mailTo } from '../testing/outbox.ts';
import { newMember } from '../testing/people.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { changedDuring } from '../testing/row-locks.ts';
import { setPassword } from './accounts.store.ts';
import { hashPassword, md5Hex } from './passwords.ts';
import { endProgramAccess } from './program-access.ts';
import { endSessionsOf } from './sessions.ts';

let dataDir = '';
let portal: TestPortal;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-programs-'));
  portal = await startTestPortal({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const db = () => portal.server.stores.db;
const accountOf = (username: string) =>
  db().selectFrom('accounts').selectAll().where('username', '=', username).executeTakeFirstOrThrow();

beforeEach(async () => {
  await db().deleteFrom('attempts').execute();
  await db()
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(md5Hex(DEMO_PASSWORD)), password_temporary: false })
    .execute();
});

/** A key of the account that works, and the access to the broker switched on. */
async function programsOf(user: string): Promise<string> {
  const token = await portal.sessionOf(user);
  expect((await portal.call(mqttAccessEndpoints.setEnabled, { enabled: true }, { token })).errno).toBe(0);
  const key = await portal.apiKeyOf(user);
  const input = { currentPage: 1, pageSize: 10 };
  expect((await portal.call(openApiEndpoints.deviceList, input, { token: key })).errno).toBe(0);
  return key;
}

const callWith = async (key: string) => (await portal.call(openApiEndpoints.accessCount, {}, { token: key })).errno;

const actionsOf = async (user: string, before: number) =>
  (
    await db()
      .selectFrom('audit_log')
      .select(['action', 'record_name'])
      .where('id', '>', String(before))
      .where('record_name', 'in', [user, 'test'])
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

const lastEntry = async () =>
  Number(
    (
      await db()
        .selectFrom('audit_log')
        .select((eb) => eb.fn.max('id').as('id'))
        .executeTakeFirstOrThrow()
    ).id,
  );

describe('a password that was reset ends API keys and MQTT access', () => {
  /** Signs in with what the reset gave, so that nothing but the reset can be the reason. */
  async function expectEnded(user: string, key: string, before: number, cause: string): Promise<void> {
    await db().updateTable('accounts').set({ password_temporary: false }).where('username', '=', user).execute();
    expect(await callWith(key)).toBe(errno.tokenInvalid);
    expect(await accountOf(user)).toMatchObject({ api_mqtt_enable: false });
    expect((await actionsOf(user, before)).filter((action) => !action.endsWith('requestPasswordReset'))).toEqual([
      cause,
      'api-keys.revoke',
      'user-center.disableMqtt',
    ]);
  }

  test('by an administrator', async () => {
    const key = await programsOf('agent');
    const before = await lastEntry();
    const { id } = await accountOf('agent');
    const token = await portal.sessionOf('admin');
    expect((await portal.call(userManagementEndpoints.resetPassword, { id }, { token })).errno).toBe(0);
    await expectEnded('agent', key, before, 'user-management.resetPassword');
  });

  test('by whoever manages the members', async () => {
    const { account, accountID } = await newMember(portal);
    await db().updateTable('accounts').set({ password_temporary: false }).where('id', '=', accountID).execute();
    const key = await programsOf(account);
    const before = await lastEntry();
    const token = await portal.sessionOf('admin');
    expect((await portal.call(memberEndpoints.resetPassword, { accountID }, { token })).errno).toBe(0);
    await expectEnded(account, key, before, 'members.resetPassword');
  });

  test('by the mailed link', async () => {
    const key = await programsOf('installer');
    const before = await lastEntry();
    await portal.call(accountEndpoints.forgotPassword, { user: 'installer' });
    const { code } = await mailTo(dataDir, 'installer@demo.sonnenwarte.example');
    const reset = await portal.call(accountEndpoints.resetPassword, { code, newPassword: 'wind-and-sun' });
    expect(reset.errno).toBe(0);
    await expectEnded('installer', key, before, 'accounts.resetPassword');
  });

  test.each([
    ['makes no key', (token: string) => portal.call(apiKeyEndpoints.create, { name: 'mine' }, { token })],
    [
      'switches no MQTT access on',
      (token: string) => portal.call(mqttAccessEndpoints.setEnabled, { enabled: true }, { token }),
    ],
    ['takes no new client id', (token: string) => portal.call(mqttAccessEndpoints.renew, {}, { token })],
  ])('and a session that it ends %s meanwhile', async (_, call) => {
    const token = await portal.sessionOf('distributor');
    const { id, username, client_id } = await accountOf('distributor');
    const answer = await changedDuring<{ errno: number }>(
      db(),
      async (tx) => {
        await setPassword(tx, id, 'a temporary one', { temporary: true });
        await endSessionsOf(tx, [id], 'passwordReset');
        await endProgramAccess(tx, { id, username, organisationPath: [] });
      },
      () => call(token),
    );
    expect(answer.errno).toBe(errno.sessionEnded);
    expect(await accountOf('distributor')).toMatchObject({ api_mqtt_enable: false, client_id });
    const living = db()
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', id)
      .where('revoked_at', 'is', null);
    expect(await living.execute()).toEqual([]);
  });
});

describe('a password that its owner changes', () => {
  const change = async (endPrograms?: boolean) => {
    const token = await portal.sessionOf('owner');
    const input = { oldPassword: DEMO_PASSWORD, newPassword: 'wind-and-sun', endPrograms };
    expect((await portal.call(accountEndpoints.changePassword, input, { token })).errno).toBe(0);
  };

  test.each([[undefined], [false]])('leaves programs alone unless that is asked for (%s)', async (endPrograms) => {
    const key = await programsOf('owner');
    const before = await lastEntry();
    await change(endPrograms);
    expect(await callWith(key)).toBe(0);
    expect(await accountOf('owner')).toMatchObject({ api_mqtt_enable: true });
    expect(await actionsOf('owner', before)).toEqual(['accounts.changePassword']);
  });

  test('ends API keys and MQTT access where that is asked for', async () => {
    const key = await programsOf('owner');
    const before = await lastEntry();
    await change(true);
    expect(await callWith(key)).toBe(errno.tokenInvalid);
    expect(await accountOf('owner')).toMatchObject({ api_mqtt_enable: false });
    expect(await actionsOf('owner', before)).toContain('user-center.disableMqtt');
    expect(await actionsOf('owner', before)).toContain('api-keys.revoke');
  });
});
