import { login } from '@sonnenwarte/contract/accounts/own-account';
import { list } from '@sonnenwarte/contract/sites/sites';
import { expect, onTestFinished, test } from 'vitest';
import { callApi, md5Hex, openSession, request } from '../support/api.ts';
import { DEMO_PASSWORD, demoUsers } from '../support/demo.ts';
import { openPage, pathOf, signIn } from '../support/page.ts';
import { newDataDir, removeDataDir, startPortal } from '../support/portal.ts';
import { treeOf } from '../support/processes.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

test('the first start without the demonstration prints a link that sets up the administrator once', async () => {
  const dataDir = newDataDir();
  const portal = startPortal(dataDir, { DEMO: 'off' });
  onTestFinished(async () => {
    await portal.end();
    removeDataDir(dataDir);
  });
  const { url, setUpLink } = await portal.ready();
  expect(setUpLink).toContain(url);
  expect(portal.output()).not.toMatch(/demo|sonnenwarte\)/i);
  expect(treeOf(portal.pid).filter(({ command }) => command.includes('simulator'))).toEqual([]);
  for (const { user } of demoUsers.slice(0, 2)) {
    const answer = await request(url, login, { user, password: md5Hex(DEMO_PASSWORD) });
    expect(answer.errno).toBe(41807);
  }

  const { page } = await openPage({ url, language: 'en' });
  await page.goto(url);
  await page.waitForURL('**/login');
  await page.getByText(textOf('login.title', 'en')).first().waitFor();
  await visit(page, '/login');
  expect(await page.locator('main').innerText()).not.toContain(textOf('login.demo.title', 'en'));
  await page.getByText(textOf('login.setUpNeeded', 'en')).waitFor();

  await page.goto(setUpLink ?? '');
  await page.getByLabel(textOf('setup.user', 'en'), { exact: false }).first().fill('chief');
  await page.locator('input[type=email]').fill('chief@example.org');
  const passwords = page.locator('input[type=password]');
  await passwords.nth(0).fill('a good secret');
  await passwords.nth(1).fill('another one');
  await page.locator('button[type=submit]').click();
  await page.getByText(textOf('sign-up.passwordsDiffer', 'en')).waitFor();
  await passwords.nth(1).fill('a good secret');
  await page.locator('button[type=submit]').click();
  await page.waitForURL('**/login');
  await signIn(page, 'chief', 'a good secret');
  await page.waitForURL('**/bus/index');
  await page.locator('main h1').first().waitFor();
  const { token, access } = await openSession(url, 'chief', 'a good secret');
  expect(access).toBe(255);
  expect((await callApi(url, list, {}, token)).total).toBe(0);
  await visit(page, '/bus/plant/view');
  await page.getByText(textOf('sites.list.empty', 'en')).waitFor();
  expect(await page.locator('header').first().innerText()).not.toContain(textOf('shell.demo', 'en'));

  await page.goto('/login');
  await page.goto(setUpLink ?? '');
  await page.getByText(textOf('setup.doneTitle', 'en')).waitFor();
  expect(pathOf(page)).toBe('/setup');
});
