import { createHash } from 'node:crypto';
import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { errno } from '@sonnenwarte/contract/errors';
import { errorEndpoints } from '@sonnenwarte/contract/errors/errors';
import { mapEndpoints } from '@sonnenwarte/contract/map/countries';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, demoAccounts, demoOrganisationId } from '../demo/tenancy.ts';
import { addJob } from '../jobs/jobs.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal?.stop());

const signIn = (user: string, password = DEMO_PASSWORD) =>
  portal.call(accountEndpoints.login, { user, password: md5(password) });

describe('signing in', () => {
  test.each(demoAccounts.map(({ user, level }) => [user, level] as const))(
    '%s signs in at level %i',
    async (user, level) => {
      const { errno: number, result } = await signIn(user);
      expect(number).toBe(0);
      expect(result.access).toBe(level);
      const info = await portal.call(accountEndpoints.info, {}, { token: result.token });
      expect(info.result).toMatchObject({ user, access: level, demo: true });
    },
  );

  test('takes the user name in any case, and the e-mail address', async () => {
    expect((await signIn('OWNER')).errno).toBe(0);
    expect((await signIn('owner@demo.sonnenwarte.example')).errno).toBe(0);
  });

  test('answers an unknown account and a wrong password alike', async () => {
    const unknown = await signIn('nobody-here');
    const wrong = await signIn('agent', 'not-the-password');
    expect(unknown).toEqual(wrong);
    expect(unknown.errno).toBe(errno.badUserNameOrPassword);
  });

  test('after five failures makes that account wait, with the time to wait, even with the right password', async () => {
    for (let i = 0; i < 5; i++) await signIn('distributor', 'not-the-password');
    const refused = await signIn('distributor');
    expect(refused.errno).toBe(errno.tryLater);
    expect(refused.result).toMatchObject({ retryAfterMs: expect.any(Number) });
  });

  test('a signed-out token is refused as ended', async () => {
    const token = await portal.sessionOf('owner');
    expect((await portal.call(accountEndpoints.logout, {}, { token })).errno).toBe(0);
    expect((await portal.call(accountEndpoints.info, {}, { token })).errno).toBe(errno.sessionEnded);
  });

  test('sessions that ended or expired more than 90 days ago are removed by a daily job, no others', async () => {
    const { db } = portal.server.stores;
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    const made = async (name: string, change: { ended_at?: Date; expires_at?: Date; created_at?: Date }) => {
      const token = await portal.sessionOf('owner');
      const token_hash = createHash('sha256').update(token).digest();
      await db
        .updateTable('sessions')
        .set({ ...change, user_agent: name })
        .where('token_hash', '=', token_hash)
        .execute();
    };
    await made('forget: ended', { ended_at: ago(91) });
    await made('forget: expired', { expires_at: ago(91) });
    await made('keep: ended', { ended_at: ago(89) });
    await made('keep: expired', { expires_at: ago(89), created_at: ago(200) });
    await made('keep: alive', { created_at: ago(200) });
    await addJob(db, 'accounts.forgetSessions');
    const left = async () => {
      const rows = await db.selectFrom('sessions').select('user_agent').where('user_agent', 'like', '%: %').execute();
      return rows.map(({ user_agent }) => user_agent).sort();
    };
    await expect.poll(left, { timeout: 10_000 }).toEqual(['keep: alive', 'keep: ended', 'keep: expired']);
  });

  test('a changed language is in the audit log with the one before, the same one again is not', async () => {
    const token = await portal.sessionOf('agent');
    await portal.call(accountEndpoints.language, { language: 'fr' }, { token });
    for (const _ of ['once', 'again']) await portal.call(accountEndpoints.language, { language: 'cs' }, { token });
    const entries = await portal.server.stores.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'accounts.setLanguage')
      .where('record_name', '=', 'agent')
      .orderBy('id')
      .execute();
    expect(entries.at(-1)).toEqual({ before: { language: 'fr' }, after: { language: 'cs' } });
    expect(entries).toHaveLength(2);
  });

  test('a disabled account loses its running sessions', async () => {
    const token = await portal.sessionOf('installer');
    const { db } = portal.server.stores;
    await db.updateTable('accounts').set({ disabled_at: new Date() }).where('username', '=', 'installer').execute();
    expect((await portal.call(accountEndpoints.info, {}, { token })).errno).toBe(errno.sessionEnded);
    await db.updateTable('accounts').set({ disabled_at: null }).where('username', '=', 'installer').execute();
  });

  test('an account of a deleted organisation loses its running sessions, an owner of plants keeps them', async () => {
    const { db } = portal.server.stores;
    const [member, owner] = [await portal.sessionOf('installer'), await portal.sessionOf('owner')];
    const setDeleted = (at: Date | null) =>
      db
        .updateTable('organisations')
        .set({ deleted_at: at })
        .where('id', '=', demoOrganisationId('installer'))
        .execute();
    await setDeleted(new Date());
    const answers = [];
    for (const token of [member, owner]) answers.push((await portal.call(accountEndpoints.info, {}, { token })).errno);
    expect(answers).toEqual([errno.sessionEnded, 0]);
    await setDeleted(null);
  });

  test('no table holds the token or the password', async () => {
    const token = await portal.sessionOf('owner');
    const { db } = portal.server.stores;
    const rows = [
      await db.selectFrom('sessions').selectAll().execute(),
      await db.selectFrom('accounts').selectAll().execute(),
    ];
    const text = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    expect(text).not.toContain(token);
    expect(text).not.toContain(md5(DEMO_PASSWORD));
    expect(text).not.toContain(`"${DEMO_PASSWORD}"`);
  });

  test('the first account cannot be set up where accounts are', async () => {
    const input = { code: 'x', user: 'intruder', email: 'intruder@example.com', password: 'let-me-in' };
    expect((await portal.call(accountEndpoints.setUp, input)).errno).toBe(errno.setUpLinkInvalid);
  });
});

describe('every call', () => {
  test('a signature made with real CR LF bytes is refused with 40256', async () => {
    const timestamp = String(Date.now());
    const base = ['/c/v0/user/info', '', 'en', timestamp].join('\r\n');
    const signature = `${md5(base)}.5245784`;
    expect((await portal.call(accountEndpoints.info, {}, { timestamp, signature })).errno).toBe(errno.badSignature);
  });

  test('refused input names the field and never repeats what was sent', async () => {
    const refused = await portal.call(accountEndpoints.login, { user: 'owner', password: '<script>secret</script>' });
    expect(refused.errno).toBe(errno.refusedInput);
    expect(refused.result).toMatchObject({ fields: [{ path: 'password' }] });
    expect(JSON.stringify(refused)).not.toContain('secret');
  });

  test('a body that is no JSON, too large, or of another type is refused in the envelope', async () => {
    const [url, init] = [`${portal.url}/c/v0/user/login`, { method: 'POST' }];
    const headers = { 'content-type': 'application/json' };
    for (const [body, type] of [
      ['{"user":', 'application/json'],
      [JSON.stringify({ user: 'x'.repeat(2 * 1024 * 1024) }), 'application/json'],
      ['<user/>', 'text/xml'],
    ] as const) {
      const response = await fetch(url, { ...init, headers: { ...headers, 'content-type': type }, body });
      expect(response.status).toBe(200);
      expect([errno.refusedInput, errno.badSignature]).toContain(((await response.json()) as { errno: number }).errno);
    }
  });

  test('the message of a refusal is in the language of the caller', async () => {
    const german = await portal.call(accountEndpoints.info, {}, { lang: 'de' });
    expect(german.msg).toBe('Ihre Sitzung ist ungültig. Bitte melden Sie sich erneut an.');
  });

  test('carries a request id and the time of the server', async () => {
    const response = await portal.fetch(errorEndpoints.errorMessages, {});
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(Math.abs(Number(response.headers.get('x-server-time')) - Date.now())).toBeLessThan(60_000);
  });
});

describe('what is no call of ours', () => {
  test('an unknown path is 404, a wrong method 405 that names the right one', async () => {
    expect((await fetch(`${portal.url}/c/v0/nothing`)).status).toBe(404);
    const wrong = await fetch(`${portal.url}/c/v0/user/login`);
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('POST');
  });

  test('health, readiness of each dependency, and metrics are there', async () => {
    expect(await (await fetch(`${portal.url}/healthz`)).json()).toEqual({ status: 'alive' });
    const ready = await fetch(`${portal.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      dependencies: { database: { state: 'up' }, telemetry: { state: 'up' }, broker: { state: 'up' } },
    });
    expect(await (await fetch(`${portal.url}/metrics`)).text()).toContain('sonnenwarte_http_request_seconds');
  });

  test('the API description lists every endpoint', async () => {
    const description = (await (await fetch(`${portal.url}/openapi.json`)).json()) as {
      openapi: string;
      paths: object;
    };
    expect(description.openapi).toBe('3.1.0');
    expect(description.paths).toHaveProperty(['/c/v1/plant/list', 'post']);
  });

  test('it says where generation is measured, wherever a call has it', async () => {
    const said: unknown[] = [];
    const description = await (await fetch(`${portal.url}/openapi.json`)).text();
    JSON.parse(description, (name, schema) => {
      if (name.startsWith('generation') && schema?.type?.includes('number')) said.push(schema.description);
      if (Array.isArray(schema?.enum) && schema.enum.includes('generation')) said.push(schema.description);
      return schema;
    });
    expect(said.length).toBeGreaterThan(10);
    for (const sentence of said) expect(sentence).toMatch(/AC terminals|DC inputs/);
  });
});

describe('texts and countries', () => {
  test('error texts of all eleven languages are there without token and signature', async () => {
    const { messages } = (await portal.call(errorEndpoints.errorMessages, {}, { signature: '' })).result;
    expect(Object.keys(messages)).toHaveLength(11);
    expect(messages.de?.[41809]).toContain('Sitzung');
  });

  test('countries are named in Chinese for Chinese and in English otherwise', async () => {
    const of = async (lang: string) =>
      (await portal.call(mapEndpoints.countries, {}, { lang })).result.countries.find(({ code }) => code === 'DE');
    expect(await of('zh_CN')).toEqual({ code: 'DE', name: '德国', currency: 'EUR' });
    expect(await of('de')).toEqual({ code: 'DE', name: 'Germany', currency: 'EUR' });
  });
});
