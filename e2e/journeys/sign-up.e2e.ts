import { errno } from '@sonnenwarte/contract/errors';
import { signUpCode } from '@sonnenwarte/contract/user-center/user-center';
import { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { mailTo } from '../../apps/server/src/testing/outbox.ts';
import { callApi } from '../support/api.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { openPage, pathOf, signIn } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const PASSWORD = 'sun-and-wind';

/** A user name of its own for every try of a test. */
const newUser = (): string => `e2e-${Date.now().toString(36)}`;
const emailOf = (user: string): string => `${user}@example.com`;
const submit = (page: Page) => page.locator('button[type=submit]').click();
const field = (page: Page, name: string) => page.locator(`[name=${name}]`);

async function fillIn(page: Page, user: string): Promise<void> {
  await field(page, 'user').fill(user);
  await field(page, 'password').fill(PASSWORD);
  await field(page, 'confirm').fill(PASSWORD);
  await field(page, 'email').fill(emailOf(user));
  await field(page, 'country').selectOption('DE');
  await field(page, 'termsAccepted').check();
}

async function signUp(page: Page, user: string, code = ''): Promise<void> {
  await visit(page, '/login');
  await page.getByRole('link', { name: textOf('login.signUp', 'en') }).click();
  await untilSettled(page);
  await fillIn(page, user);
  await field(page, 'code').fill(code);
  await submit(page);
}

const accountsLike = async (user: string) => {
  const { token } = await sessionOf('distributor');
  const condition = { content: user };
  return (await callApi(portalUrl(), userManagementEndpoints.list, { condition }, token)).accounts;
};

describe('signing up', () => {
  test("as an end user with an installer's code leads home, and the installer's people see the account", async () => {
    const { token } = await sessionOf('installer');
    const { code } = await callApi(portalUrl(), signUpCode, {}, token);
    const { page } = await openPage({ language: 'en' });
    const user = newUser();
    await signUp(page, user, code);
    await page.waitForURL('**/bus/index');
    await page.getByText(textOf('welcome.title', 'en', { name: user })).waitFor();
    expect(await accountsLike(user)).toMatchObject([{ user, level: 1, organisation: 'Sonnenwarte Demo Solartechnik' }]);

    const { code: link } = await mailTo(inject('dataDir'), emailOf(user));
    await visit(page, `/confirmEmail#code=${link}`);
    await submit(page);
    await page.getByText(textOf('password.confirmEmail.done', 'en')).waitFor();
    await visit(page, '/login');
    await signIn(page, emailOf(user), PASSWORD);
    await page.waitForURL('**/bus/index');
  });

  test('by the link that an installer copies leads to that installer, which is named before anything is typed', async () => {
    const installer = await openPage({ language: 'en', user: 'installer' });
    await visit(installer.page, '/user/center');
    const link = await installer.page.getByLabel(textOf('user-center.signUpCode.link', 'en')).inputValue();
    const { page } = await openPage({ language: 'en' });
    // What was typed without the link does not come in its place.
    await visit(page, '/signUp');
    await field(page, 'code').fill('OLDDRAFT');
    await visit(page, link.slice(new URL(link).origin.length));
    await page
      .getByText(textOf('sign-up.invitation.by', 'en', { organisation: 'Sonnenwarte Demo Solartechnik' }))
      .waitFor();
    expect(await field(page, 'code').count()).toBe(0);
    const user = newUser();
    await fillIn(page, user);
    await submit(page);
    await page.waitForURL('**/bus/index');
    expect(await accountsLike(user)).toMatchObject([{ user, level: 1, organisation: 'Sonnenwarte Demo Solartechnik' }]);
  });

  test('by a link says that it is no longer valid, and goes on without it', async () => {
    const { page } = await openPage({ language: 'de' });
    await visit(page, '/signUp?code=ABCDEFGHJK');
    await page.getByText(textOf('sign-up.invitation.ended', 'de')).waitFor();
    expect(await field(page, 'code').inputValue()).toBe('');
    const { token } = await sessionOf('agent');
    const { code } = await callApi(portalUrl(), signUpCode, {}, token);
    await visit(page, `/signUp?code=${code}`);
    await field(page, 'company').waitFor();
    await page.getByRole('link', { name: textOf('sign-up.invitation.without', 'de') }).click();
    await page.getByRole('radio', { name: textOf('levels.1', 'de') }).waitFor();
    expect(await field(page, 'code').inputValue()).toBe('');
    expect(new URL(page.url()).search).toBe('');
  });

  test('says at each field what is wrong with it, in the words of the specification', async () => {
    const { page } = await openPage({ language: 'en' });
    await visit(page, '/signUp');
    await field(page, 'user').fill('abc');
    await field(page, 'password').fill('12345');
    await field(page, 'confirm').fill('123456');
    await field(page, 'email').fill('no address');
    await field(page, 'phone').fill('call me');
    await submit(page);
    for (const text of [
      'User name is invalid',
      'Password is invalid',
      'Inconsistant Password',
      'Email format is invalid',
      'Mobile number is invalid',
      textOf('sign-up.termsMissing', 'en'),
    ]) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    expect(await field(page, 'user').evaluate((input) => input === document.activeElement)).toBe(true);
  });

  test('keeps all but the passwords where a code is wrong or a name is taken, and says so at the field', async () => {
    const { page } = await openPage({ language: 'de' });
    await visit(page, '/signUp');
    await field(page, 'user').fill('owner');
    await field(page, 'password').fill(PASSWORD);
    await field(page, 'confirm').fill(PASSWORD);
    await field(page, 'email').fill('someone@example.com');
    await field(page, 'country').selectOption('AT');
    await field(page, 'code').fill('FALSCH');
    await field(page, 'termsAccepted').check();
    await submit(page);
    await page.getByText(textOf('sign-up.codeWrong', 'de')).waitFor();
    await field(page, 'code').fill('');
    await submit(page);
    await page.getByText(textOf('sign-up.userTaken', 'de')).waitFor();
    expect(await field(page, 'email').inputValue()).toBe('someone@example.com');
    expect(pathOf(page)).toBe('/signUp');
  });

  test('the terms and the privacy notice open beside the form and name who operates the portal', async () => {
    const { page, context } = await openPage({ language: 'en' });
    await visit(page, '/signUp');
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: textOf('sign-up.readTerms', 'en') }).click();
    const terms = await opened;
    await terms.getByRole('heading', { name: textOf('legal.terms.title', 'en') }).waitFor();
    await terms.getByRole('link', { name: textOf('legal.privacy.title', 'en') }).click();
    await terms.getByRole('heading', { name: textOf('legal.privacy.title', 'en') }).waitFor();
    await terms.getByText(textOf('legal.operator.unnamed', 'en')).waitFor();
    await terms.locator('select').first().selectOption('de');
    await terms.getByRole('heading', { name: textOf('legal.privacy.title', 'de') }).waitFor();
  });
});

test('a forgotten password is set anew by the mailed link, which works once', async () => {
  const { page } = await openPage({ language: 'en' });
  const user = newUser();
  await signUp(page, user);
  await page.waitForURL('**/bus/index');
  await mailTo(inject('dataDir'), emailOf(user));

  await visit(page, '/login');
  await page.getByRole('link', { name: textOf('login.forgotPassword', 'en') }).click();
  await untilSettled(page);
  await field(page, 'user').fill(user);
  await submit(page);
  await page.getByText(textOf('password.forgot.done', 'en')).waitFor();
  const { code } = await mailTo(inject('dataDir'), emailOf(user), 2);

  const setNew = async () => {
    await page.goto('about:blank');
    await visit(page, `/resetPassword#code=${code}`);
    await field(page, 'newPassword').fill('wind-and-sun');
    await field(page, 'confirm').fill('wind-and-sun');
    await submit(page);
  };
  await setNew();
  await page.waitForURL('**/login');
  await page.getByText(textOf('password.reset.done', 'en')).waitFor();
  expect(await field(page, 'username').inputValue()).toBe(user);
  await field(page, 'password').fill('wind-and-sun');
  await submit(page);
  await page.waitForURL('**/bus/index');

  await setNew();
  await page.getByText(`${errno.resetLinkInvalid}-${textOf('errors.42100', 'en')}`).waitFor();
  await page.getByRole('link', { name: textOf('password.reset.askAnew', 'en') }).click();
  await untilSettled(page);
  expect(pathOf(page)).toBe('/forgotPassword');
});

test('a temporary password leads to its change and nowhere else before', async () => {
  const { page } = await openPage({ language: 'en' });
  const user = newUser();
  await signUp(page, user);
  await page.waitForURL('**/bus/index');
  const { token } = await sessionOf('admin');
  const condition = { content: user };
  const { accounts } = await callApi(portalUrl(), userManagementEndpoints.list, { condition }, token);
  const id = accounts[0]?.id ?? '';
  const { password } = await callApi(portalUrl(), userManagementEndpoints.resetPassword, { id }, token);

  await visit(page, '/login');
  await signIn(page, user, password);
  await page.waitForURL('**/changePassword');
  await page.getByText('Please change your password!').first().waitFor();
  await page.goto('/bus/plant/view');
  await page.waitForURL('**/changePassword');
  await untilSettled(page);
  await field(page, 'newPassword').fill('wind-and-sun');
  await field(page, 'confirm').fill('wind-and-sun');
  await submit(page);
  await page.waitForURL('**/bus/index');
  await page.getByText(textOf('welcome.title', 'en', { name: user })).waitFor();
});

test('the sign-in form counts down the time until the next try', async () => {
  const { page } = await openPage({ language: 'en' });
  await page.route('**/c/v0/user/login', (route) =>
    route.fulfill({ json: { errno: errno.tryLater, msg: '', result: { retryAfterMs: 4_500 } } }),
  );
  await visit(page, '/login');
  await signIn(page, 'owner', 'guess');
  const left = page.getByText(/^Next attempt in \d+\s\w+\.?$/);
  await left.waitFor();
  const seconds = async () => Number(/\d+/.exec(await left.innerText())?.[0]);
  const first = await seconds();
  expect(first).toBeLessThanOrEqual(5);
  await expect.poll(seconds, { timeout: 4_000 }).toBeLessThan(first);
  await page.getByText(textOf('login.wait', 'en')).waitFor({ state: 'detached' });
});
