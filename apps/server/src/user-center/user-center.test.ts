import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { errno } from '@sonnenwarte/contract/errors';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { type Profile, userCenterEndpoints } from '@sonnenwarte/contract/user-center/user-center';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPassword } from '../accounts/accounts.store.ts';
import { md5Hex } from '../accounts/passwords.ts';
import { endSessionsOf, openSession } from '../accounts/sessions.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { changedDuring } from '../testing/row-locks.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal?.stop());

const { editInfo, preferences, sessions, endSession, endOtherSessions, signUpCode, renewSignUpCode } =
  userCenterEndpoints;

const profile: Profile = {
  name: 'Olga Brandner',
  email: 'olga.brandner@example.com',
  phone: '+49 (0) 831 / 123-45',
  country: 'AT',
  city: 'Bregenz',
  address: 'Am See 1',
  postcode: '6900',
  introduction: 'Two plants.\nOne battery.',
  note: '',
};

const password = md5Hex('sonnenwarte');

const accountRow = (user: string) =>
  portal.server.stores.db.selectFrom('accounts').selectAll().where('username', '=', user).executeTakeFirstOrThrow();

async function sessionFrom(user: string, address: string, userAgent: string): Promise<string> {
  const { id } = await accountRow(user);
  return (await openSession(portal.server.stores.db, id, { address, userAgent })).token;
}

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

describe('the profile', () => {
  test('is what was saved, with the name of the country, and the user name stays', async () => {
    const token = await portal.sessionOf('owner');
    const sent = { ...profile, password, user: 'somebody', level: 255, organisation: 'x', access: 255 };
    expect((await portal.call(editInfo, sent, { token })).errno).toBe(0);
    const { result } = await portal.call(accountEndpoints.info, {}, { token });
    expect(result).toMatchObject({ ...profile, user: 'owner', countryName: 'Austria', access: 1 });
  });

  test('keeps what was there before and after in the audit log, the changed fields only', async () => {
    const token = await portal.sessionOf('owner');
    await portal.call(editInfo, { ...profile, city: 'Lochau' }, { token });
    await portal.call(editInfo, { ...profile, city: 'Lochau' }, { token });
    const entries = await portal.server.stores.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'user-center.edit')
      .orderBy('id', 'desc')
      .execute();
    expect(entries[0]).toEqual({ before: { city: 'Bregenz' }, after: { city: 'Lochau' } });
    expect(entries.filter(({ after }) => JSON.stringify(after) === '{"city":"Lochau"}')).toHaveLength(1);
  });

  test.each([
    ['email', 'no-address'],
    ['email', `${'x'.repeat(250)}@example.com`],
    ['phone', 'call me'],
    ['phone', '<b>1</b>'],
    ['country', 'ZQ'],
    ['country', 'Austria'],
    ['name', 'x'.repeat(33)],
    ['name', 'a\u0007b'],
    ['city', 'a\nb'],
    ['postcode', '1'.repeat(17)],
    ['introduction', 'x'.repeat(501)],
  ])('refuses %s %j by the name of the field', async (path, value) => {
    const refused = await portal.call(
      editInfo,
      { ...profile, [path]: value },
      { token: await portal.sessionOf('owner') },
    );
    expect(refused).toMatchObject({ errno: errno.refusedInput, result: { fields: [{ path }] } });
  });

  test('answers the same for the address of another account as for a free one, and that account keeps it', async () => {
    const { email: theirs } = await accountRow('installer');
    const token = await portal.sessionOf('agent');
    const change = (email: string) => portal.call(editInfo, { ...profile, email, password }, { token });
    const free = await change('nobody.has.this@example.com');
    expect(free.errno).toBe(0);
    expect(await change(theirs.toUpperCase())).toEqual(free);
    expect((await accountRow('agent')).email_confirmed_at).toBeNull();
    const signIn = await portal.call(accountEndpoints.login, { user: theirs, password: md5Hex('sonnenwarte') });
    expect(signIn).toMatchObject({ errno: 0, result: { user: 'installer' } });
  });

  test('with a new e-mail address is told to the confirmed one before it, and to no other', async () => {
    const { db } = portal.server.stores;
    const token = await portal.sessionOf('owner');
    const change = async (email: string): Promise<string[]> => {
      expect((await portal.call(editInfo, { ...profile, email, password }, { token })).errno).toBe(0);
      const told = db.selectFrom('mails').select('recipient').where('subject', '=', 'E-Mail-Adresse geändert');
      return (await told.orderBy('created_at').execute()).map(({ recipient }) => recipient);
    };
    await db.deleteFrom('mails').execute();
    await db
      .updateTable('accounts')
      .set({ email: 'mine@example.com', email_confirmed_at: new Date() })
      .where('username', '=', 'owner')
      .execute();
    expect(await change('new.address@example.com')).toEqual(['mine@example.com']);
    expect(await change('newer.address@example.com')).toEqual(['mine@example.com']);
  });

  test('takes ten new e-mail addresses a day, each of which gets a mail', async () => {
    const token = await portal.sessionOf('agent');
    const answers: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const email = `round-${n}@example.com`;
      answers.push((await portal.call(editInfo, { ...profile, email, password }, { token })).errno);
    }
    expect(answers.filter((number) => number === 0).length).toBeLessThanOrEqual(10);
    expect(answers.at(-1)).toBe(errno.tryLater);
  });

  describe('with a new e-mail address', () => {
    const email = 'taken.over@example.com';
    const change = async (user: string, more: { password?: string }) =>
      portal.call(editInfo, { ...profile, email, ...more }, { token: await portal.sessionOf(user) });

    test('needs the password: a stolen session leads no link for a new one to an address of its choice', async () => {
      const { email: before } = await accountRow('installer');
      for (const [more, reason] of [
        [{}, 'required'],
        [{ password: md5Hex('guessed') }, 'wrong'],
      ] as const) {
        expect(await change('installer', more)).toMatchObject({
          errno: errno.refusedInput,
          result: { fields: [{ path: 'password', reason }] },
        });
      }
      expect(await accountRow('installer')).toMatchObject({ email: before, email_confirmed_at: expect.any(Date) });
      expect((await change('installer', { password })).errno).toBe(0);
      expect((await accountRow('installer')).email).toBe(email);
      const entries = await portal.server.stores.db.selectFrom('audit_log').selectAll().execute();
      expect(JSON.stringify(entries)).not.toContain(password);
    });

    test('delays whoever guesses the password with a session of the account', async () => {
      for (let n = 0; n < 5; n += 1) await change('distributor', { password: md5Hex(`guess-${n}`) });
      expect((await change('distributor', { password })).errno).toBe(errno.tryLater);
    });

    test('is answered 41810, and stays as it is, where an administrator has reset the password meanwhile', async () => {
      const { db } = portal.server.stores;
      const { id, email: before, password_hash } = await accountRow('admin');
      const answer = await changedDuring(
        db,
        async (tx) => {
          await setPassword(tx, id, 'a temporary one', { temporary: true });
          await endSessionsOf(tx, [id], 'passwordReset');
        },
        () => change('admin', { password }),
      );
      expect(answer.errno).toBe(errno.sessionEnded);
      expect((await accountRow('admin')).email).toBe(before);
      await setPassword(db, id, password_hash);
    });
  });
});

describe('the preferences', () => {
  test('are changed one by one and stay', async () => {
    const token = await portal.sessionOf('installer');
    const steps = [
      { language: 'it' },
      { theme: 'dark' },
      { timeZone: 'America/Santiago' },
      { units: 'imperial' },
      { keysGuarded: false },
    ] as const;
    for (const step of steps) expect((await portal.call(preferences, step, { token })).errno).toBe(0);
    const { result } = await portal.call(accountEndpoints.info, {}, { token: await portal.sessionOf('installer') });
    expect(result).toMatchObject(Object.assign({}, ...steps));
    await portal.call(preferences, { timeZone: null }, { token });
    const after = await portal.call(accountEndpoints.info, {}, { token });
    expect(after.result).toMatchObject({ timeZone: null, units: 'imperial' });
  });

  test.each(['Mars/Olympus', '+01:00', "Europe/Berlin'; --", ''])('refuse the time zone %j', async (timeZone) => {
    const refused = await portal.call(preferences, { timeZone }, { token: await portal.sessionOf('owner') });
    expect(refused).toMatchObject({ errno: errno.refusedInput, result: { fields: [{ path: 'timeZone' }] } });
  });
});

describe('sessions', () => {
  test('are listed with the device in words and the address, this one first', async () => {
    await portal.server.stores.db.updateTable('sessions').set({ ended_at: new Date() }).execute();
    const token = await sessionFrom('owner', '192.0.2.7', chrome);
    await sessionFrom('owner', '198.51.100.9', safari);
    await sessionFrom('installer', '198.51.100.10', safari);
    const { result } = await portal.call(sessions, {}, { token });
    expect(result.sessions).toMatchObject([
      { browser: 'Chrome', system: 'Windows', address: '192.0.2.7', current: true },
      { browser: 'Safari', system: 'iPhone', address: '198.51.100.9', current: false },
    ]);
  });

  test('one that is ended elsewhere is answered 41810 at its next call, and no other', async () => {
    const here = await sessionFrom('agent', '', chrome);
    const there = await sessionFrom('agent', '', safari);
    const third = await sessionFrom('agent', '', '');
    const { result } = await portal.call(sessions, {}, { token: here });
    const id = result.sessions.find(({ browser }) => browser === 'Safari')?.id ?? '';
    expect((await portal.call(endSession, { id }, { token: here })).errno).toBe(0);
    expect((await portal.call(siteEndpoints.list, {}, { token: there })).errno).toBe(errno.sessionEnded);
    for (const token of [here, third]) expect((await portal.call(siteEndpoints.list, {}, { token })).errno).toBe(0);
    expect((await portal.call(endSession, { id }, { token: here })).errno).toBe(errno.sessionNotFound);
  });

  test('all others end at once, this one stays', async () => {
    const here = await sessionFrom('distributor', '', chrome);
    const others = await Promise.all([1, 2, 3].map(() => sessionFrom('distributor', '', safari)));
    expect((await portal.call(endOtherSessions, {}, { token: here })).result).toEqual({ ended: 3 });
    for (const token of others) {
      expect((await portal.call(siteEndpoints.list, {}, { token })).errno).toBe(errno.sessionEnded);
    }
    expect((await portal.call(endOtherSessions, {}, { token: here })).result).toEqual({ ended: 0 });
  });

  test('of another account cannot be ended', async () => {
    const strangers = await sessionFrom('admin', '', chrome);
    const { result } = await portal.call(sessions, {}, { token: strangers });
    const refused = await portal.call(
      endSession,
      { id: result.sessions[0]?.id ?? '' },
      { token: await portal.sessionOf('owner') },
    );
    expect(refused.errno).toBe(errno.sessionNotFound);
    expect((await portal.call(sessions, {}, { token: strangers })).errno).toBe(0);
  });
});

describe('the sign-up code', () => {
  test('is replaced by another of ten letters without look-alikes', async () => {
    const token = await portal.sessionOf('installer');
    const before = await portal.call(signUpCode, {}, { token });
    expect(before.result.canRenew).toBe(true);
    const renewed = await portal.call(renewSignUpCode, {}, { token });
    expect(renewed.result.code).toMatch(/^[2-9A-HJ-NP-Z]{10}$/);
    expect(renewed.result.code).not.toBe(before.result.code);
    expect((await portal.call(signUpCode, {}, { token })).result).toEqual(renewed.result);
    const entry = await portal.server.stores.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'organisations.renewSignUpCode')
      .executeTakeFirstOrThrow();
    expect(entry).toEqual({
      before: { signUpCode: `…${before.result.code.slice(-3)}` },
      after: { signUpCode: `…${renewed.result.code.slice(-3)}` },
    });
  });

  test('is shown to a member but not replaced by it', async () => {
    const { db } = portal.server.stores;
    const agent = await accountRow('agent');
    await db
      .insertInto('accounts')
      .values({
        organisation_id: agent.organisation_id,
        username: 'agent-member',
        email: 'agent-member@example.com',
        password_hash: '!',
        level: 3,
        leads: false,
      })
      .execute();
    const token = await portal.sessionOf('agent-member');
    const shown = await portal.call(signUpCode, {}, { token });
    expect(shown).toMatchObject({ errno: 0, result: { canRenew: false } });
    expect((await portal.call(renewSignUpCode, {}, { token })).errno).toBe(errno.noPermission);
    expect((await portal.call(signUpCode, {}, { token })).result.code).toBe(shown.result.code);
  });
});
