import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { errno } from '@sonnenwarte/contract/errors';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEMO_PASSWORD } from '../demo/tenancy.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { hashPassword, md5Hex } from './passwords.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => portal?.stop());
beforeEach(async () => {
  await portal.server.stores.db.deleteFrom('attempts').execute();
  await portal.server.stores.db.deleteFrom('known_networks').execute();
});

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const signIn = (user: string, password = DEMO_PASSWORD, address = '192.0.2.1') =>
  portal.call(accountEndpoints.login, { user, password: md5Hex(password) }, from(address));

/** Moves the clock on for what was counted. */
const letPass = (minutes: number) =>
  portal.server.stores.db
    .updateTable('attempts')
    .set({
      last_at: sql`last_at - make_interval(mins => ${minutes})`,
      first_at: sql`first_at - make_interval(mins => ${minutes})`,
    })
    .execute();

const set = (user: string, values: Record<string, unknown>) =>
  portal.server.stores.db.updateTable('accounts').set(values).where('username', '=', user).execute();

const entriesOf = (action: string, user: string) =>
  portal.server.stores.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', action)
    .where('record_name', '=', user)
    .orderBy('id')
    .execute();

describe('who may not sign in', () => {
  test('is answered byte for byte like a wrong password: unknown, disabled, deleted, of a disabled organisation, used up', async () => {
    const { db } = portal.server.stores;
    let host = 100;
    const bodyOf = async (user: string, password = DEMO_PASSWORD) => {
      const input = { user, password: md5Hex(password) };
      const response = await portal.fetch(accountEndpoints.login, input, from(`192.0.2.${++host}`));
      return { status: response.status, body: await response.text() };
    };
    const wrong = await bodyOf('owner', 'not-the-password');
    expect(JSON.parse(wrong.body)).toMatchObject({ errno: errno.badUserNameOrPassword, result: null });
    expect(await bodyOf('nobody-of-that-name')).toEqual(wrong);
    expect(await bodyOf('nobody@example.com')).toEqual(wrong);

    await set('owner', { disabled_at: new Date() });
    expect(await bodyOf('owner')).toEqual(wrong);
    await set('owner', { disabled_at: null, deleted_at: new Date() });
    expect(await bodyOf('owner')).toEqual(wrong);
    await set('owner', { deleted_at: null, password_hash: '' });
    expect(await bodyOf('owner')).toEqual(wrong);
    await set('owner', { password_hash: await hashPassword(md5Hex(DEMO_PASSWORD)) });

    const { organisation_id } = await db
      .selectFrom('accounts')
      .select('organisation_id')
      .where('username', '=', 'installer')
      .executeTakeFirstOrThrow();
    const shut = (at: Date | null) =>
      db.updateTable('organisations').set({ disabled_at: at }).where('id', '=', organisation_id).execute();
    await shut(new Date());
    expect(await bodyOf('installer')).toEqual(wrong);
    expect((await signIn('owner', DEMO_PASSWORD, '198.51.100.1')).errno).toBe(0);
    await shut(null);
    expect((await signIn('installer', DEMO_PASSWORD, '198.51.100.2')).errno).toBe(0);
  });

  test('an address that nobody has confirmed signs nobody in', async () => {
    await set('agent', { email_confirmed_at: null });
    expect((await signIn('agent@demo.sonnenwarte.example')).errno).toBe(errno.badUserNameOrPassword);
    await set('agent', { email_confirmed_at: new Date() });
    expect((await signIn('agent@demo.sonnenwarte.example')).errno).toBe(0);
  });
});

describe('guessing', () => {
  test('after five failures an account waits, also from elsewhere and with the right password; the wait grows and passes', async () => {
    for (let n = 0; n < 5; n += 1) {
      expect((await signIn('agent', `guess-${n}`, `192.0.2.${n}`)).errno).toBe(errno.badUserNameOrPassword);
    }
    const first = await signIn('agent', DEMO_PASSWORD, '192.0.2.99');
    expect(first).toMatchObject({ errno: errno.tryLater, result: { retryAfterMs: expect.any(Number) } });
    expect((await signIn('distributor', DEMO_PASSWORD, '192.0.2.99')).errno).toBe(0);
    await letPass(1);
    expect((await signIn('agent', 'guess-6', '192.0.2.98')).errno).toBe(errno.badUserNameOrPassword);
    const second = await signIn('agent', DEMO_PASSWORD, '192.0.2.97');
    const waitMs = (answer: { result: unknown }) => (answer.result as { retryAfterMs: number }).retryAfterMs;
    expect(waitMs(second)).toBeGreaterThan(waitMs(first));
    await letPass(5);
    expect((await signIn('agent', DEMO_PASSWORD, '192.0.2.97')).errno).toBe(0);
    expect((await signIn('agent', 'guess-7', '192.0.2.96')).errno).toBe(errno.badUserNameOrPassword);
  });

  test('a name that is no account waits in the same way', async () => {
    for (let n = 0; n < 5; n += 1) await signIn('no-such-account', 'guess', `192.0.2.${n}`);
    expect((await signIn('no-such-account', 'guess', '192.0.2.9')).errno).toBe(errno.tryLater);
  });

  test('after five failures an address waits for every account; a success does not buy it more guesses', async () => {
    for (const user of ['owner', 'agent', 'installer']) await signIn(user, 'guess', '203.0.113.7');
    expect((await signIn('admin', DEMO_PASSWORD, '203.0.113.7')).errno).toBe(0);
    for (const user of ['distributor', 'integrator']) await signIn(user, 'guess', '203.0.113.7');
    expect((await signIn('admin', DEMO_PASSWORD, '203.0.113.7')).errno).toBe(errno.tryLater);
    expect((await signIn('admin', DEMO_PASSWORD, '203.0.113.8')).errno).toBe(0);
  });

  test('from elsewhere does not hold up who has signed in from here before, in whatever number it comes', async () => {
    const { db } = portal.server.stores;
    expect((await signIn('installer', DEMO_PASSWORD, '198.51.100.20')).errno).toBe(0);
    for (let n = 0; n < 5; n += 1) await signIn('installer', `guess-${n}`, `192.0.2.${n}`);
    const strangers = Array.from({ length: 60 }, (_, n) => signIn('installer', `guess-${n}`, `203.0.113.${n}`));
    const known = await signIn('installer', DEMO_PASSWORD, '198.51.100.20');
    const byMail = await signIn('installer@demo.sonnenwarte.example', DEMO_PASSWORD, '198.51.100.20');
    await Promise.all(strangers);
    expect([known.errno, byMail.errno]).toEqual([0, 0]);
    // Its success does not shorten what strangers have to wait; however long the machine took until here does neither.
    await letPass(-60);
    const stranger = await signIn('installer', DEMO_PASSWORD, '203.0.113.99');
    expect(stranger).toMatchObject({ errno: errno.tryLater });
    expect(await db.selectFrom('known_networks').select('account_id').execute()).not.toHaveLength(0);
  });

  test('from a network where an account is known is counted there: after five failures it waits, from elsewhere it does not', async () => {
    expect((await signIn('distributor', DEMO_PASSWORD, '198.51.100.30')).errno).toBe(0);
    expect((await signIn('distributor', DEMO_PASSWORD, '198.51.100.31')).errno).toBe(0);
    for (let n = 0; n < 5; n += 1) {
      expect((await signIn('distributor', `guess-${n}`, '198.51.100.30')).errno).toBe(errno.badUserNameOrPassword);
    }
    expect((await signIn('distributor', DEMO_PASSWORD, '198.51.100.30')).errno).toBe(errno.tryLater);
    expect((await signIn('distributor', DEMO_PASSWORD, '198.51.100.31')).errno).toBe(0);
  });

  test('of networks where an account is known the last twenty are kept, as hashes', async () => {
    const { db } = portal.server.stores;
    for (let n = 0; n < 23; n += 1) {
      expect((await signIn('integrator', DEMO_PASSWORD, `198.18.7.${n}`)).errno).toBe(0);
    }
    const rows = await db
      .selectFrom('known_networks')
      .innerJoin('accounts', 'accounts.id', 'account_id')
      .selectAll('known_networks')
      .where('username', '=', 'integrator')
      .execute();
    expect(rows).toHaveLength(20);
    expect(JSON.stringify(rows.map((row) => row.network.toString('latin1')))).not.toContain('198.18');
    for (let n = 0; n < 5; n += 1) await signIn('integrator', `guess-${n}`, `192.0.2.${n}`);
    expect((await signIn('integrator', DEMO_PASSWORD, '198.18.7.22')).errno).toBe(0);
    expect((await signIn('integrator', DEMO_PASSWORD, '198.18.7.0')).errno).toBe(errno.tryLater);
  });

  test('twenty guesses at once are judged one after the other: five are, the rest have to wait', async () => {
    const guesses = Array.from({ length: 20 }, (_, n) => signIn('admin', `guess-${n}`, `192.0.2.${n}`));
    const numbers = (await Promise.all(guesses)).map((answer) => answer.errno);
    expect(numbers.filter((number) => number === errno.badUserNameOrPassword)).toHaveLength(5);
    expect(numbers.filter((number) => number === errno.tryLater)).toHaveLength(15);
  });

  test('neither the count nor the audit log keeps what was typed where it is no account', async () => {
    await signIn('my-secret-password', 'x');
    const { db } = portal.server.stores;
    const refused = () => entriesOf('accounts.signInRefused', 'my…');
    await vi.waitFor(async () => expect(await refused()).toHaveLength(1), { timeout: 10_000 });
    const text = JSON.stringify([
      await db.selectFrom('attempts').selectAll().execute(),
      await db.selectFrom('audit_log').selectAll().execute(),
    ]);
    expect(text).not.toContain('secret');
  });
});

describe('what is noted', () => {
  test('a sign-in: its time, and an entry with the address it came from', async () => {
    const before = await entriesOf('accounts.signIn', 'distributor');
    await signIn('distributor', DEMO_PASSWORD, '198.51.100.77');
    const account = await portal.server.stores.db
      .selectFrom('accounts')
      .select(['last_sign_in_at'])
      .where('username', '=', 'distributor')
      .executeTakeFirstOrThrow();
    expect(Math.abs((account.last_sign_in_at?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    const entries = await entriesOf('accounts.signIn', 'distributor');
    expect(entries).toHaveLength(before.length + 1);
    expect(entries.at(-1)).toMatchObject({ log: 'account', actor: 'distributor', address: '198.51.100.77' });
  });

  test('a refused sign-in and a sign-out', async () => {
    await signIn('integrator', 'guess', '198.51.100.78');
    const refused = () => entriesOf('accounts.signInRefused', 'integrator');
    await vi.waitFor(async () => expect((await refused()).at(-1)?.address).toBe('198.51.100.78'), { timeout: 10_000 });
    const token = await portal.sessionOf('integrator');
    await portal.call(accountEndpoints.logout, {}, { token });
    expect((await entriesOf('accounts.signOut', 'integrator')).at(-1)).toMatchObject({ actor_level: 10 });
  });

  test('the address of the proxy, where it is not trusted with that of the caller', async () => {
    const plain = await startTestPortal();
    try {
      const input = { user: 'owner', password: md5Hex(DEMO_PASSWORD) };
      await plain.call(accountEndpoints.login, input, from('198.51.100.5'));
      const { address } = await plain.server.stores.db
        .selectFrom('sessions')
        .select('address')
        .executeTakeFirstOrThrow();
      expect(address).toBe('127.0.0.1');
    } finally {
      await plain.stop();
    }
  });
});

describe('a temporary password', () => {
  const temporary = 'Tmp-4711-abcd';
  beforeEach(async () => {
    await set('integrator', { password_hash: await hashPassword(md5Hex(temporary)), password_temporary: true });
  });

  test('signs in once, opens nothing but its change, and is answered like a wrong one afterwards', async () => {
    const { result } = await signIn('integrator', temporary);
    expect(result).toMatchObject({ access: 10, passwordTemporary: true });
    const { token } = result;
    expect((await signIn('integrator', temporary)).errno).toBe(errno.badUserNameOrPassword);
    const elsewhere = await portal.call(siteEndpoints.list, {}, { token });
    expect(elsewhere.errno).toBe(errno.passwordMustChange);
    const english = await portal.call(siteEndpoints.list, {}, { token, lang: 'en' });
    expect(english.msg).toBe('Please change your password!');
    expect((await portal.call(accountEndpoints.info, {}, { token })).result.passwordTemporary).toBe(true);

    const changed = await portal.call(accountEndpoints.changePassword, { newPassword: 'sun-and-wind' }, { token });
    expect(changed.errno).toBe(0);
    expect((await portal.call(accountEndpoints.info, {}, { token })).result.passwordTemporary).toBe(false);
    expect((await signIn('integrator', 'sun-and-wind')).result.passwordTemporary).toBe(false);
    expect((await entriesOf('accounts.changeTemporaryPassword', 'integrator')).length).toBeGreaterThan(0);
  });

  test('opens one session only, also where two use it at the same moment', async () => {
    const both = await Promise.all([
      signIn('integrator', temporary, '192.0.2.50'),
      signIn('integrator', temporary, '192.0.2.51'),
    ]);
    expect(both.map((answer) => answer.errno).sort()).toEqual([0, errno.badUserNameOrPassword]);
  });
});

describe('a token', () => {
  test('is of no use after signing out, nor one of the right form that was never given', async () => {
    const { token } = (await signIn('owner')).result;
    expect((await portal.call(accountEndpoints.info, {}, { token })).errno).toBe(0);
    await portal.call(accountEndpoints.logout, {}, { token });
    expect((await portal.call(accountEndpoints.info, {}, { token })).errno).toBe(errno.sessionEnded);
    expect((await portal.call(accountEndpoints.info, {}, { token: 'A'.repeat(43) })).errno).toBe(errno.tokenInvalid);
  });
});
