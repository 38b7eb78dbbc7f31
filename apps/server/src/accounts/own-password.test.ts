import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { errno } from '@sonnenwarte/contract/errors';
import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import { userCenterEndpoints } from '@sonnenwarte/contract/user-center/user-center';
import { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEMO_PASSWORD } from '../demo/tenancy.ts';
import type { Database } from '../stores/schema.ts';
import { until } from '../testing/edge.ts';
import { mailTo, readOutbox } from '../testing/outbox.ts';
import { newMember } from '../testing/people.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { changedDuring } from '../testing/row-locks.ts';
import { setPassword } from './accounts.store.ts';
import { knowsResetCode } from './links.store.ts';
import { hashPassword, md5Hex } from './passwords.ts';
import { endSessionsOf, hashToken } from './sessions.ts';

const PUBLIC_URL = 'https://solar.example.com';
const emailOf = (user: string) => `${user}@demo.sonnenwarte.example`;

let dataDir = '';
let portal: TestPortal;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-password-'));
  portal = await startTestPortal({ TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL, DATA_DIR: dataDir });
});
afterAll(async () => {
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  const { db } = portal.server.stores;
  await db.deleteFrom('attempts').execute();
  await db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(md5Hex(DEMO_PASSWORD)), password_temporary: false })
    .execute();
});

const signIn = (user: string, password: string) =>
  portal.call(accountEndpoints.login, { user, password: md5Hex(password) });
const ended = async (token: string) => (await portal.call(accountEndpoints.info, {}, { token })).errno;
const forgot = (user: string, address = '192.0.2.1', lang = 'en') =>
  portal.call(accountEndpoints.forgotPassword, { user }, { lang, headers: { 'x-forwarded-for': address } });
const reset = (code: string, newPassword: string) => portal.call(accountEndpoints.resetPassword, { code, newPassword });
const actionsOf = async (user: string) =>
  (
    await portal.server.stores.db
      .selectFrom('audit_log')
      .select('action')
      .where('record_name', '=', user)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

describe('changing the own password', () => {
  test('needs the old one, ends all other sessions and keeps the own', async () => {
    const { token } = (await signIn('owner', DEMO_PASSWORD)).result;
    const other = await portal.sessionOf('owner');
    const change = (input: { oldPassword?: string; newPassword: string }) =>
      portal.call(accountEndpoints.changePassword, input, { token });
    expect(await change({ newPassword: 'wind-and-sun' })).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'oldPassword', reason: 'required' }] },
    });
    expect(await change({ oldPassword: 'guess', newPassword: 'wind-and-sun' })).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'oldPassword', reason: 'wrong' }] },
    });
    expect((await change({ oldPassword: DEMO_PASSWORD, newPassword: 'wind-and-sun' })).errno).toBe(0);
    expect(await ended(other)).toBe(errno.sessionEnded);
    expect(await ended(token)).toBe(0);
    expect((await signIn('owner', DEMO_PASSWORD)).errno).toBe(errno.badUserNameOrPassword);
    expect((await signIn('owner', 'wind-and-sun')).errno).toBe(0);
    expect(await actionsOf('owner')).toContain('accounts.changePassword');
  });

  test.each([
    ['5 characters', '12345', 'too_small'],
    ['21 characters', 'x'.repeat(21), 'too_big'],
  ])('refuses %s', async (_, newPassword, reason) => {
    const token = await portal.sessionOf('owner');
    const input = { oldPassword: DEMO_PASSWORD, newPassword };
    expect(await portal.call(accountEndpoints.changePassword, input, { token })).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'newPassword', reason }] },
    });
  });

  test('delays whoever guesses the old one with a session of the account', async () => {
    const token = await portal.sessionOf('agent');
    const change = (oldPassword: string) =>
      portal.call(accountEndpoints.changePassword, { oldPassword, newPassword: 'wind-and-sun' }, { token });
    for (let n = 0; n < 5; n += 1) await change(`guess-${n}`);
    expect((await change(DEMO_PASSWORD)).errno).toBe(errno.tryLater);
  });

  describe('while an administrator resets it', () => {
    const { changePassword } = accountEndpoints;
    const agent = () =>
      portal.server.stores.db
        .selectFrom('accounts')
        .select(['id', 'password_hash', 'password_temporary'])
        .where('username', '=', 'agent')
        .executeTakeFirstOrThrow();
    const input = { oldPassword: DEMO_PASSWORD, newPassword: 'wind-and-sun' };
    const temporary = { password_hash: 'a temporary one', password_temporary: true };
    const reset = async (tx: Transaction<Database>, id: string) => {
      await setPassword(tx, id, temporary.password_hash, { temporary: true });
      await endSessionsOf(tx, [id], 'passwordReset');
    };

    test('leaves the temporary password, and is answered 41810', async () => {
      const { id } = await agent();
      const token = await portal.sessionOf('agent');
      const change = await changedDuring(
        portal.server.stores.db,
        (tx) => reset(tx, id),
        () => portal.call(changePassword, input, { token }),
      );
      expect(change.errno).toBe(errno.sessionEnded);
      expect(await agent()).toMatchObject(temporary);
    });

    test('takes no password without the old one from a call that was admitted before the reset', async () => {
      const { db } = portal.server.stores;
      const { id } = await agent();
      const token = await portal.sessionOf('agent');
      // A session that was not used for a while is noted as used once the call is admitted, and waits there.
      await db
        .updateTable('sessions')
        .set({ last_seen_at: new Date(Date.now() - 120_000) })
        .where('token_hash', '=', hashToken(token))
        .execute();
      const change = await changedDuring(
        db,
        (tx) => reset(tx, id),
        () => portal.call(changePassword, { newPassword: 'taken-over' }, { token }),
      );
      expect(change.errno).toBe(errno.sessionEnded);
      expect(await agent()).toMatchObject(temporary);
    });
  });
});

describe('a forgotten password', () => {
  test('is answered alike, byte for byte, for a user name, an address, and what is no account', async () => {
    const bodies = await Promise.all(
      ['owner', emailOf('owner'), 'nobody-here', 'nobody@example.com'].map(async (user) =>
        (await portal.fetch(accountEndpoints.forgotPassword, { user })).text(),
      ),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0] ?? '')).toEqual({ errno: 0, msg: 'success', result: {} });
    await mailTo(dataDir, emailOf('owner'), 2);
    expect(readOutbox(dataDir).map(({ to }) => to)).not.toContain('nobody@example.com');
  });

  test('is reset by the mailed link, once; all sessions end and the delay of failed sign-ins is over', async () => {
    const token = await portal.sessionOf('installer');
    for (let n = 0; n < 5; n += 1) await signIn('installer', 'guess');
    await forgot('Installer', '192.0.2.1', 'de');
    const { text, code } = await mailTo(dataDir, emailOf('installer'));
    expect(text).toContain('Guten Tag installer');
    expect(text).toContain(`${PUBLIC_URL}/resetPassword#code=${code}`);
    expect(await reset(code, 'wind-and-sun')).toMatchObject({ errno: 0, result: { user: 'installer' } });
    expect(await ended(token)).toBe(errno.sessionEnded);
    await portal.server.stores.db.deleteFrom('attempts').execute();
    expect((await signIn('installer', 'wind-and-sun')).errno).toBe(0);
    expect((await signIn('installer', DEMO_PASSWORD)).errno).toBe(errno.badUserNameOrPassword);
    expect((await reset(code, 'once-again')).errno).toBe(errno.resetLinkInvalid);
    expect(await actionsOf('installer')).toEqual(
      expect.arrayContaining(['accounts.requestPasswordReset', 'accounts.resetPassword']),
    );
  });

  test('an unknown and an expired code, and one of an account that was disabled since, have one answer', async () => {
    const { db } = portal.server.stores;
    await forgot('distributor');
    const { code } = await mailTo(dataDir, emailOf('distributor'));
    const unknown = await reset('A'.repeat(43), 'wind-and-sun');
    expect(unknown.errno).toBe(errno.resetLinkInvalid);
    const disable = (at: Date | null) =>
      db.updateTable('accounts').set({ disabled_at: at }).where('username', '=', 'distributor').execute();
    await disable(new Date());
    expect(await reset(code, 'wind-and-sun')).toEqual(unknown);
    await disable(null);
    await db.updateTable('password_resets').set({ expires_at: sql`now() - interval '1 second'` }).execute();
    expect(await reset(code, 'wind-and-sun')).toEqual(unknown);
  });

  test('a code holds for 30 minutes, and no table holds it once its mail is sent', async () => {
    await forgot('agent');
    const { code } = await mailTo(dataDir, emailOf('agent'));
    const { db } = portal.server.stores;
    const { minutes } = await db
      .selectFrom('password_resets')
      .innerJoin('accounts', 'accounts.id', 'account_id')
      .select(sql<number>`extract(epoch from expires_at - password_resets.created_at)::float8 / 60`.as('minutes'))
      .where('username', '=', 'agent')
      .executeTakeFirstOrThrow();
    expect(Math.abs(minutes - 30)).toBeLessThan(0.5);
    await expect
      .poll(() => db.selectFrom('mails').select('id').where('sent_at', 'is', null).execute(), { timeout: 10_000 })
      .toEqual([]);
    const rows = [
      await db.selectFrom('mails').selectAll().execute(),
      await db.selectFrom('password_resets').selectAll().execute(),
      await db.selectFrom('audit_log').selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  test('changing the password voids its links', async () => {
    await forgot('admin');
    const { code } = await mailTo(dataDir, emailOf('admin'));
    const token = await portal.sessionOf('admin');
    const input = { oldPassword: DEMO_PASSWORD, newPassword: 'wind-and-sun' };
    expect((await portal.call(accountEndpoints.changePassword, input, { token })).errno).toBe(0);
    expect((await reset(code, 'once-again')).errno).toBe(errno.resetLinkInvalid);
  });

  /** Code of a mailed link that still holds. */
  const linkTo = (to: string) =>
    vi.waitFor(
      async () => {
        for (const { code } of readOutbox(dataDir).filter((mail) => mail.to === to && mail.code !== '')) {
          if (await knowsResetCode(portal.server.stores.db, code)) return code;
        }
        throw new Error(`no link to ${to}`);
      },
      { timeout: 10_000 },
    );
  const voided = 'a link that was mailed to an address is void once the account has another one';

  test(`${voided}, changed by its owner`, async () => {
    await forgot('owner', '192.0.2.77');
    const code = await linkTo(emailOf('owner'));
    const { result } = await portal.call(accountEndpoints.info, {}, { token: await portal.sessionOf('owner') });
    const { name, phone, country, city, address, postcode, introduction, note } = result;
    const email = 'owner.elsewhere@example.com';
    const edited = await portal.call(
      userCenterEndpoints.editInfo,
      {
        ...{ name, phone, country, city, address, postcode, introduction, note },
        email,
        password: md5Hex(DEMO_PASSWORD),
      },
      { token: await portal.sessionOf('owner') },
    );
    expect(edited.errno).toBe(0);
    expect((await reset(code, 'wind-and-sun')).errno).toBe(errno.resetLinkInvalid);
  });

  test(`${voided}, changed in user management`, async () => {
    const { id } = await portal.server.stores.db
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', 'integrator')
      .executeTakeFirstOrThrow();
    await forgot('integrator', '192.0.2.78');
    const code = await linkTo(emailOf('integrator'));
    const fields = { name: '', phone: '', country: '', city: '', address: '', postcode: '', note: '' };
    const edited = await portal.call(
      userManagementEndpoints.edit,
      { id, ...fields, email: 'integrator.elsewhere@example.com' },
      { token: await portal.sessionOf('admin') },
    );
    expect(edited.errno).toBe(0);
    expect((await reset(code, 'wind-and-sun')).errno).toBe(errno.resetLinkInvalid);
  });

  test(`${voided}, changed among the members`, async () => {
    const { account, accountID } = await newMember(portal);
    await forgot(account, '192.0.2.79');
    const code = await linkTo(`${account}@example.com`);
    const edited = await portal.call(
      memberEndpoints.edit,
      { accountID, account, email: `${account}@elsewhere.example.com`, level: 2, groupIDs: [] },
      { token: await portal.sessionOf('admin') },
    );
    expect(edited.errno).toBe(0);
    expect((await reset(code, 'wind-and-sun')).errno).toBe(errno.resetLinkInvalid);
  });

  test('is not made for an address that the account gives up while the link is made', async () => {
    const { db } = portal.server.stores;
    const { account, accountID } = await newMember(portal);
    const isMailing = async () => {
      const { rows } = await sql`
        select from graphile_worker.jobs where task_identifier = 'accounts.sendResetLinks'`.execute(db);
      return rows.length > 0;
    };
    await changedDuring(
      db,
      (tx) => tx.updateTable('accounts').set({ email: 'elsewhere@example.com' }).where('id', '=', accountID).execute(),
      async () => {
        await forgot(account, '192.0.2.80');
        await until(async () => !(await isMailing()), 'the end of the job');
      },
    );
    const links = db.selectFrom('password_resets').select('account_id').where('account_id', '=', accountID);
    expect(await links.execute()).toEqual([]);
  });

  test('is limited by name and by address, whether there is such an account or not', async () => {
    for (const user of ['integrator', 'nobody-at-all']) {
      for (let n = 0; n < 5; n += 1) expect((await forgot(user, `198.51.100.${n}`)).errno).toBe(0);
      expect(await forgot(user, '198.51.100.9')).toMatchObject({
        errno: errno.tryLater,
        result: { retryAfterMs: expect.any(Number) },
      });
    }
    for (let n = 0; n < 20; n += 1) expect((await forgot(`stranger-${n}`, '203.0.113.1')).errno).toBe(0);
    expect((await forgot('one-more', '203.0.113.1')).errno).toBe(errno.tryLater);
    expect((await forgot('one-more', '203.0.113.2')).errno).toBe(0);
  });
});
