import { createHash } from 'node:crypto';
import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { errno } from '@sonnenwarte/contract/errors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ DEMO: 'off' });
});
afterAll(() => portal?.stop());

test('with DEMO=off there is no account, plant, datalogger or device', async () => {
  const { db } = portal.server.stores;
  for (const table of ['accounts', 'sites', 'loggers', 'devices'] as const) {
    expect(await db.selectFrom(table).select('id').execute()).toEqual([]);
  }
});

test('the one-time link makes the first administrator, once', async () => {
  const code = portal.server.setUpCode ?? '';
  const input = { code, user: 'sonja', email: 'sonja@example.com', password: 'sonne-satt' };
  expect((await portal.call(accountEndpoints.setUpState, {})).result).toEqual({ needed: true, demo: false });
  expect((await portal.call(accountEndpoints.setUp, { ...input, code: 'guessed' })).errno).toBe(errno.setUpLinkInvalid);
  expect((await portal.call(accountEndpoints.setUp, { ...input, password: 'short' })).errno).toBe(errno.refusedInput);
  expect((await portal.call(accountEndpoints.setUp, input)).errno).toBe(0);
  expect((await portal.call(accountEndpoints.setUp, { ...input, user: 'second', email: 'b@example.com' })).errno).toBe(
    errno.setUpLinkInvalid,
  );
  const entries = await portal.server.stores.db
    .selectFrom('audit_log')
    .select(['actor', 'record_name', 'before', 'after'])
    .where('action', '=', 'accounts.setUp')
    .execute();
  expect(entries).toEqual([
    { actor: 'sonja', record_name: 'sonja', before: null, after: { level: 255, user: 'sonja', email: input.email } },
  ]);
  const password = createHash('md5').update(input.password).digest('hex');
  expect((await portal.call(accountEndpoints.login, { user: 'sonja', password })).result).toMatchObject({
    access: 255,
  });
});
