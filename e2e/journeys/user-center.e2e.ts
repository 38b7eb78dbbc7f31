import { createHash } from 'node:crypto';
import { info } from '@sonnenwarte/contract/accounts/own-account';
import { deviceList } from '@sonnenwarte/contract/open-api/open-api';
import { signUp } from '@sonnenwarte/contract/sign-up/sign-up';
import { openSignatureBase } from '@sonnenwarte/contract/signature';
import { expect, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { DEMO_PASSWORD, portalUrl } from '../support/demo.ts';
import { openPage, pathOf, signIn } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const section = (name: string) => text(`user-center.section.${name}`);

/** A call of the open API as a program makes it. */
async function callWithKey(key: string): Promise<{ errno: number; remaining: string | null }> {
  const timestamp = String(Date.now());
  const { path, method } = deviceList;
  const signature = createHash('md5')
    .update(openSignatureBase({ path, token: key, timestamp }))
    .digest('hex');
  const response = await fetch(portalUrl() + path, {
    method,
    headers: { token: key, timestamp, signature, 'content-type': 'application/json' },
    body: JSON.stringify({ currentPage: 1, pageSize: 10 }),
  });
  const { errno } = (await response.json()) as { errno: number };
  return { errno, remaining: response.headers.get('x-quota-remaining') };
}

test('a session that is ended elsewhere leaves its screen for the sign-in within a live check', async () => {
  const there = await openPage({ language: 'en', expected: [/41810/] });
  await visit(there.page, '/login');
  await signIn(there.page, 'agent', DEMO_PASSWORD);
  await there.page.waitForURL('**/bus/index');
  await untilSettled(there.page);
  const here = await openPage({ user: 'agent', language: 'en' });
  await visit(here.page, '/user/center');
  const sessions = here.page.getByRole('region', { name: section('sessions') });
  await sessions.getByText(text('user-center.sessions.this')).waitFor();
  await sessions.getByRole('button', { name: text('user-center.sessions.action.endOthers') }).click();
  await here.page
    .getByRole('dialog')
    .getByRole('button', { name: text('user-center.sessions.action.endOthers') })
    .click();
  await sessions.getByText(text('user-center.sessions.onlyThis')).waitFor();
  await there.page.waitForURL('**/login', { timeout: 30_000 });
});

test('a key is shown once, its calls are counted on screen, and revoked it is refused', async () => {
  const { page } = await openPage({ user: 'distributor', language: 'en' });
  await visit(page, '/user/center');
  const keys = page.getByRole('region', { name: section('apiKeys') });
  await keys.getByRole('button', { name: text('api-keys.action.create') }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel(text('api-keys.field.name')).fill('Home Assistant');
  await drawer.getByRole('button', { name: text('api-keys.action.create') }).click();
  const shown = page.getByRole('dialog', { name: text('api-keys.shown') });
  const key = await shown.getByRole('textbox').inputValue();
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  await shown.getByRole('button', { name: text('api-keys.close') }).click();
  expect(await page.content()).not.toContain(key);

  const called = await callWithKey(key);
  expect(called.errno).toBe(0);
  await page.reload();
  await untilSettled(page);
  const row = keys.getByRole('listitem').filter({ hasText: 'Home Assistant' });
  const left = Number(called.remaining).toLocaleString('en-GB');
  await row.getByText(text('api-keys.remaining', { remaining: left })).waitFor();
  await row.getByText(text('api-keys.today'), { exact: true }).click();
  await row.getByText(deviceList.path).waitFor();

  await row.getByRole('button', { name: text('api-keys.action.revoke') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('api-keys.action.revoke') })
    .click();
  await keys.getByText(text('api-keys.none')).waitFor();
  expect((await callWithKey(key)).errno).toBe(41809);
});

test('function keys come back by the switch of the account, on the next device as well', async () => {
  const { page } = await openPage({ user: 'installer', language: 'en' });
  await visit(page, '/user/center');
  const guarded = () =>
    page.evaluate(() => !dispatchEvent(new KeyboardEvent('keydown', { key: 'F2', bubbles: true, cancelable: true })));
  expect(await guarded()).toBe(true);
  const choice = page.getByRole('switch', { name: text('user-center.preferences.keysGuarded') });
  await choice.click();
  await waitUntil('the keys to be free', async () => !(await guarded()));
  const { token } = await openSession(portalUrl(), 'installer', DEMO_PASSWORD);
  await waitUntil(
    'the account to remember it',
    async () => (await callApi(portalUrl(), info, {}, token)).keysGuarded === false,
  );
  await choice.click();
  await waitUntil('the keys to be guarded', guarded);
});

test('an account is cancelled with its name and password, and cannot sign in any more', async () => {
  const user = 'leaving';
  const password = 'sonne-satt';
  await callApi(portalUrl(), signUp, {
    role: 'endUser',
    user,
    password,
    email: 'leaving@example.com',
    country: 'DE',
    termsAccepted: true,
  });
  const { page } = await openPage({ language: 'en', expected: [/41807/] });
  await visit(page, '/login');
  await signIn(page, user, password);
  await page.waitForURL('**/bus/index');
  await visit(page, '/user/center');
  const ending = page.getByRole('region', { name: section('cancel') });
  await ending.getByText(text('user-center.cancel.noSites')).waitFor();
  await ending.getByRole('button', { name: text('user-center.cancel.button') }).click();
  const drawer = page.getByRole('dialog');
  const submit = drawer.getByRole('button', { name: text('user-center.cancel.button') });
  await submit.click();
  await drawer.getByText(text('user-center.cancel.differs')).waitFor();
  await drawer.getByLabel(text('user-center.cancel.typed', { user })).fill(user);
  await drawer.getByLabel(text('user-center.cancel.password'), { exact: true }).fill('not it');
  await submit.click();
  await drawer.getByText(text('user-center.cancel.wrongPassword')).waitFor();
  await drawer.getByLabel(text('user-center.cancel.password'), { exact: true }).fill(password);
  await submit.click();
  await page.waitForURL('**/login');
  await page.getByText(text('user-center.cancel.done')).waitFor();
  expect(pathOf(page)).toBe('/login');
  await untilSettled(page);
  expect(await page.getByRole('log').locator('[data-color=red]').allInnerTexts()).toEqual([]);
  await signIn(page, user, password);
  await page.getByText(`41807-${text('errors.41807')}`).waitFor();
});

test('the drawer of the password marks each field that is missing, names an invisible sign, and says what else ends', async () => {
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await visit(page, '/user/center');
  await page.getByRole('button', { name: text('user-center.password.change') }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText(text('password.change.intro')).waitFor();
  const save = drawer.getByRole('button', { name: text('password.submit') });
  await save.click();
  const missing = drawer.getByText(text('blocks.reason.required'), { exact: true });
  await missing.nth(2).waitFor();
  expect(await missing.count()).toBe(3);
  expect(await drawer.locator('input[aria-invalid=true]').count()).toBe(3);
  for (const label of ['password.new', 'password.confirm'] as const) {
    await drawer.getByLabel(text(label), { exact: true }).fill('secret\u0007');
  }
  await drawer.getByText(text('blocks.reason.unprintable')).waitFor();
});
