import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { type signUp as signUpEndpoint, signUpEndpoints } from '@sonnenwarte/contract/sign-up/sign-up';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { md5Hex } from '../accounts/passwords.ts';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { mailTo, readOutbox } from '../testing/outbox.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

type Entered = Input<typeof signUpEndpoint>;

let dataDir = '';
let portal: TestPortal;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-sign-up-'));
  portal = await startTestPortal({ TRUSTED_PROXIES: '127.0.0.1', DATA_DIR: dataDir });
});
afterAll(async () => {
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  await portal.server.stores.db.deleteFrom('attempts').execute();
});

const password = 'sun-and-wind';
const entered = (values: Partial<Entered> & { user: string }): Entered => ({
  role: 'endUser',
  password,
  email: `${values.user}@example.com`,
  country: 'DE',
  termsAccepted: true,
  ...values,
});
const signUp = (values: Partial<Entered> & { user: string }, address = '192.0.2.1') =>
  portal.call(signUpEndpoints.signUp, entered(values), { lang: 'de', headers: { 'x-forwarded-for': address } });
const signIn = (user: string) => portal.call(accountEndpoints.login, { user, password: md5Hex(password) });
const codeOf = async (key: 'installer' | 'agent' | 'distributor') =>
  (
    await portal.server.stores.db
      .selectFrom('organisations')
      .select('sign_up_code')
      .where('id', '=', demoOrganisationId(key))
      .executeTakeFirstOrThrow()
  ).sign_up_code;
const accountOf = (user: string) =>
  portal.server.stores.db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'organisation_id')
    .selectAll('accounts')
    .select(['organisations.kind', 'organisations.name as organisation', 'organisations.parent_id'])
    .select(sql<string[]>`organisations.path::text[]`.as('path'))
    .where('username', '=', user)
    .executeTakeFirst();
const refusal = (path: string, reason: string) => ({
  errno: errno.refusedInput,
  result: { fields: [{ path, reason }] },
});

describe('an end user', () => {
  test('signs up without a code, belongs to the platform, and can sign in at once by user name', async () => {
    expect(await signUp({ user: 'helga', city: 'Ulm', phone: '+49 731 123-45' })).toMatchObject({
      errno: 0,
      result: {},
    });
    expect(await accountOf('helga')).toMatchObject({
      level: 1,
      leads: false,
      kind: 'platform',
      language: 'de',
      country: 'DE',
      city: 'Ulm',
      phone: '+49 731 123-45',
      terms_accepted_at: expect.any(Date),
    });
    expect((await signIn('HELGA')).result).toMatchObject({ access: 1, passwordTemporary: false });
  });

  test("with an installer's code, in any case and spacing, belongs to that installer", async () => {
    const code = await codeOf('installer');
    const spoken = `${code.slice(0, 5).toLowerCase()} ${code.slice(5)}`;
    expect((await signUp({ user: 'ingrid', code: spoken })).errno).toBe(0);
    expect(await accountOf('ingrid')).toMatchObject({ organisation_id: demoOrganisationId('installer'), level: 1 });
  });
});

describe('an installer', () => {
  test("with an agent's code leads a new organisation under that agent", async () => {
    const values = { user: 'solar-jo', role: 'installer', company: 'Jo Solar', code: await codeOf('agent') } as const;
    expect((await signUp(values)).errno).toBe(0);
    const account = await accountOf('solar-jo');
    expect(account).toMatchObject({
      level: 2,
      leads: true,
      kind: 'installer',
      organisation: 'Jo Solar',
      parent_id: demoOrganisationId('agent'),
    });
    expect(account?.path.slice(-2)).toEqual([demoOrganisationId('agent'), account?.organisation_id]);
    const entries = await portal.server.stores.db
      .selectFrom('audit_log')
      .select(['action', 'record_kind', 'record_id', 'after'])
      .where('actor', '=', 'solar-jo')
      .orderBy('id')
      .execute();
    expect(entries).toMatchObject([
      {
        action: 'organisations.add',
        record_kind: 'organisation',
        record_id: account?.organisation_id,
        after: { kind: 'installer', name: 'Jo Solar', parent: expect.any(String) },
      },
      { action: 'sign-up.signUp', record_kind: 'account', after: { role: 'installer', organisation: 'Jo Solar' } },
    ]);
  });

  test('without a code leads an organisation under the platform, named like the account', async () => {
    expect((await signUp({ user: 'kurt-pv', role: 'installer' })).errno).toBe(0);
    const account = await accountOf('kurt-pv');
    expect(account).toMatchObject({ level: 2, leads: true, organisation: 'kurt-pv' });
    expect(account?.path).toHaveLength(2);
  });
});

describe('a code', () => {
  test('that is unknown, of the wrong kind, or of a disabled or deleted organisation is refused alike and makes no account', async () => {
    const { db } = portal.server.stores;
    const [installer, agent, distributor] = [
      await codeOf('installer'),
      await codeOf('agent'),
      await codeOf('distributor'),
    ];
    const answers = [
      await signUp({ user: 'karl1', code: 'ABCDEFGHJK' }),
      await signUp({ user: 'karl1', code: agent }),
      await signUp({ user: 'karl1', code: distributor }),
      await signUp({ user: 'karl1', role: 'installer', code: installer }),
    ];
    for (const column of ['disabled_at', 'deleted_at'] as const) {
      const set = (at: Date | null) =>
        db
          .updateTable('organisations')
          .set({ [column]: at })
          .where('id', '=', demoOrganisationId('installer'))
          .execute();
      await set(new Date());
      answers.push(await signUp({ user: 'karl1', code: installer }));
      await set(null);
    }
    for (const answer of answers) {
      expect(answer).toMatchObject(refusal('code', 'wrong'));
      expect(answer).toEqual(answers[0]);
    }
    expect(await accountOf('karl1')).toBeUndefined();
  });
});

describe("a link's code", () => {
  const invitation = async (code: string, address = '192.0.2.9') =>
    portal.call(signUpEndpoints.signUpInvitation, { code }, { headers: { 'x-forwarded-for': address } });

  test('says whose it is and as what one signs up by it, however it is spelt', async () => {
    const [installer, agent] = [await codeOf('installer'), await codeOf('agent')];
    expect((await invitation(installer.toLowerCase())).result).toEqual({
      invitation: { organisation: 'Sonnenwarte Demo Solartechnik', role: 'endUser', plant: null },
      used: false,
    });
    expect((await invitation(agent)).result).toMatchObject({ invitation: { role: 'installer' } });
  });

  test('says nothing where it is nobody’s, or of who can take in nobody', async () => {
    const { db } = portal.server.stores;
    const installer = await codeOf('installer');
    for (const code of ['', ' - ', 'ABCDEFGHJK', await codeOf('distributor')]) {
      expect((await invitation(code)).result, code).toEqual({ invitation: null, used: false });
    }
    for (const column of ['disabled_at', 'deleted_at'] as const) {
      const set = (at: Date | null) =>
        db
          .updateTable('organisations')
          .set({ [column]: at })
          .where('id', '=', demoOrganisationId('installer'))
          .execute();
      await set(new Date());
      expect((await invitation(installer)).result, column).toEqual({ invitation: null, used: false });
      await set(null);
    }
  });

  test('cannot be guessed: after sixty an hour a network is told to wait, and learns nothing', async () => {
    const installer = await codeOf('installer');
    const guesses = await Promise.all(Array.from({ length: 60 }, (_, at) => invitation(`GUESS${at}`, '192.0.2.77')));
    expect(guesses.map(({ errno: number }) => number)).toEqual(guesses.map(() => 0));
    expect((await invitation(installer, '192.0.2.77')).errno).toBe(errno.tryLater);
    expect((await invitation(installer, '192.0.2.78')).errno).toBe(0);
  });
});

describe('what is entered', () => {
  test.each([
    ['user', 'abc', 'too_small'],
    ['user', 'x'.repeat(21), 'too_big'],
    ['user', 'a b c d', 'invalid_format'],
    ['user', '<script>', 'invalid_format'],
    ['password', '12345', 'too_small'],
    ['password', 'x'.repeat(21), 'too_big'],
    ['email', 'no-address', 'invalid_format'],
    ['email', 'two@example.com, more@example.com', 'invalid_format'],
    ['phone', 'call me', 'invalid_format'],
    ['country', 'Germany', 'invalid_format'],
    ['country', 'XX', 'unknown'],
    ['city', 'x'.repeat(33), 'too_big'],
    ['city', 'Ulm\u0000', 'invalid_format'],
    ['role', 'admin', 'invalid_value'],
    ['termsAccepted', false, 'invalid_value'],
  ])('%s %j is refused as %s', async (field, value, reason) => {
    const values = { ...entered({ user: 'willi' }), [field]: value } as Entered;
    expect(await signUp(values)).toMatchObject(refusal(field, reason));
    expect(await accountOf('willi')).toBeUndefined();
  });

  test('a user name that is taken, in any case, is refused at its field', async () => {
    expect(await signUp({ user: 'OWNER' })).toMatchObject(refusal('user', 'taken'));
  });

  test('names no level, organisation, right or confirmation: what is sent beyond the fields is left out', async () => {
    const more = {
      level: 255,
      access: 255,
      leads: true,
      organisation_id: demoOrganisationId('distributor'),
      organisationID: demoOrganisationId('distributor'),
      email_confirmed_at: new Date().toISOString(),
      demo: true,
      api_mqtt_enable: true,
      __proto__: { level: 255 },
    };
    expect((await signUp({ ...entered({ user: 'mallory' }), ...more })).errno).toBe(0);
    expect(await accountOf('mallory')).toMatchObject({
      level: 1,
      leads: false,
      kind: 'platform',
      email_confirmed_at: null,
      demo: false,
      api_mqtt_enable: false,
    });
  });

  test('script in texts comes back as the same text', async () => {
    const city = '<img src=x onerror=alert(1)>';
    const company = '<script>alert(1)</script>';
    expect((await signUp({ user: 'xavier', role: 'installer', city, company })).errno).toBe(0);
    const { token } = (await signIn('xavier')).result;
    const info = await portal.call(accountEndpoints.info, {}, { token });
    expect(info.result).toMatchObject({ city, organisation: company });
  });
});

describe('an address that is taken', () => {
  const input = (user: string, email: string) => entered({ user, email });

  test('shows in nothing but the mail to it: the answer is the same, and both accounts sign in by name alone', async () => {
    const bodyOf = async (values: Entered) => (await portal.fetch(signUpEndpoints.signUp, values)).text();
    const free = await bodyOf(input('frieda', 'frieda@example.com'));
    const taken = await bodyOf(input('theo', 'OWNER@demo.sonnenwarte.example'));
    expect(taken).toBe(free);
    for (const user of ['frieda', 'theo']) expect((await signIn(user)).errno).toBe(0);
    for (const user of ['frieda@example.com', 'owner@demo.sonnenwarte.example']) {
      expect((await signIn(user)).errno).toBe(errno.badUserNameOrPassword);
    }
    const told = await mailTo(dataDir, 'OWNER@demo.sonnenwarte.example');
    expect(told.text).toContain('owner');
    expect(told.text).toContain('/forgotPassword');
    expect(told.code).toBe('');
  });

  test('becomes its owner’s by the mailed link, once, and is then good for signing in', async () => {
    const email = 'gerda@example.com';
    await signUp({ user: 'gerda', email });
    const { code, text } = await mailTo(dataDir, email);
    expect(text).toContain('Guten Tag gerda');
    const confirm = () => portal.call(accountEndpoints.confirmEmail, { code });
    const { token } = (await signIn('gerda')).result;
    const isConfirmed = async () => (await portal.call(accountEndpoints.info, {}, { token })).result.emailConfirmed;
    expect(await isConfirmed()).toBe(false);
    expect((await confirm()).errno).toBe(0);
    expect((await confirm()).errno).toBe(errno.confirmLinkInvalid);
    expect(await isConfirmed()).toBe(true);
    expect((await signIn(email)).result).toMatchObject({ user: 'gerda' });
    const entries = await portal.server.stores.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'accounts.confirmEmail')
      .where('record_name', '=', 'gerda')
      .execute();
    expect(entries).toEqual([{ before: { email, emailConfirmed: false }, after: { email, emailConfirmed: true } }]);
  });

  test('of two accounts that claim it, the first to confirm it has it; the other’s link says no', async () => {
    const email = 'both@example.com';
    await signUp({ user: 'first', email });
    const one = await mailTo(dataDir, email);
    await signUp({ user: 'second', email });
    const other = await mailTo(dataDir, email, 2);
    const confirm = async (code: string) => (await portal.call(accountEndpoints.confirmEmail, { code })).errno;
    expect(await confirm(other.code)).toBe(0);
    expect(await confirm(one.code)).toBe(errno.confirmLinkInvalid);
    expect((await signIn(email)).result).toMatchObject({ user: 'second' });
  });

  test('that was not confirmed in time gets another link when its account asks for it', async () => {
    const email = 'late@example.com';
    await signUp({ user: 'late-one', email });
    const expired = await mailTo(dataDir, email);
    await portal.server.stores.db
      .updateTable('email_confirmations')
      .set({ expires_at: sql`now() - interval '1 second'` })
      .execute();
    const confirm = async (code: string) => (await portal.call(accountEndpoints.confirmEmail, { code })).errno;
    expect(await confirm(expired.code)).toBe(errno.confirmLinkInvalid);
    const { token } = (await signIn('late-one')).result;
    expect((await portal.call(accountEndpoints.askToConfirm, {}, { token })).errno).toBe(0);
    expect(await confirm((await mailTo(dataDir, email, 2)).code)).toBe(0);
  });

  test('gets five such mails a day at most', async () => {
    const email = 'flooded@example.com';
    for (let n = 0; n < 7; n += 1) await signUp({ user: `flood-${n}`, email }, `192.0.2.${n}`);
    await signUp({ user: 'after-flood', email: 'after@example.com' }, '192.0.2.99');
    await mailTo(dataDir, 'after@example.com');
    await expect
      .poll(() => portal.server.stores.db.selectFrom('mails').select('id').where('sent_at', 'is', null).execute(), {
        timeout: 10_000,
      })
      .toEqual([]);
    expect(readOutbox(dataDir).filter(({ to }) => to === email)).toHaveLength(5);
  });
});

test('after twenty sign-ups in an hour an address waits, and others do not', async () => {
  for (let n = 0; n < 20; n += 1) {
    const values = { user: `crowd-${n}`, code: 'WRONG' };
    expect(await signUp(values, '203.0.113.9')).toMatchObject(refusal('code', 'wrong'));
  }
  expect(await signUp({ user: 'crowd-21' }, '203.0.113.9')).toMatchObject({
    errno: errno.tryLater,
    result: { retryAfterMs: expect.any(Number) },
  });
  expect((await signUp({ user: 'crowd-22' }, '203.0.113.10')).errno).toBe(0);
});

test('a sign-up is in the account log, without the password', async () => {
  await signUp({ user: 'logged-one' });
  const entries = await portal.server.stores.db
    .selectFrom('audit_log')
    .selectAll()
    .where('record_name', '=', 'logged-one')
    .execute();
  expect(entries[0]).toMatchObject({ log: 'account', action: 'sign-up.signUp', actor: 'logged-one' });
  expect(JSON.stringify(entries)).not.toContain(password);
});
