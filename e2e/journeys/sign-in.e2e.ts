import { languages, localeOf } from '@sonnenwarte/contract/languages';
import { homeOf } from '@sonnenwarte/contract/routes';
import { languageNames } from '@sonnenwarte/phrases/languages';
import { describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, demoUsers } from '../support/demo.ts';
import { openPage, pathOf, signIn } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

describe('the sign-in page', () => {
  test('opens in German in a new browser and speaks all eleven languages', async () => {
    const { page } = await openPage();
    await visit(page, '/');
    expect(pathOf(page)).toBe('/login');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.locator('h1').innerText()).toBe(textOf('login.title', 'de'));
    const select = page.locator('select').first();
    expect((await select.locator('option').allInnerTexts()).toSorted()).toEqual(
      Object.values(languageNames).toSorted(),
    );
    for (const language of languages) {
      await select.selectOption(language);
      await page.locator('button[type=submit]', { hasText: textOf('login.submit', language) }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe(localeOf(language));
      expect(await page.title()).toContain(textOf('login.title', language));
    }
    await page.reload();
    await page.locator('h1', { hasText: textOf('login.title', languages[languages.length - 1] ?? 'de') }).waitFor();
  });

  test('answers a wrong password with its error number in the chosen language and stays', async () => {
    const { page } = await openPage({ language: 'fr' });
    await visit(page, '/login');
    await signIn(page, 'owner', 'not the password');
    await page.getByText(`41807-${textOf('errors.41807', 'fr')}`).waitFor();
    expect(pathOf(page)).toBe('/login');
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });

  test('says which field is missing', async () => {
    const { page } = await openPage({ language: 'en' });
    await visit(page, '/login');
    await page.locator('button[type=submit]').click();
    await page.getByText('Username or Email is invalid').waitFor();
    await page.getByText('Password is invalid').waitFor();
  });

  test('names an invisible sign at its field, in each language, and says nothing over the heading', async () => {
    const { page } = await openPage({ language: 'en', size: 'phone' });
    await visit(page, '/login');
    for (const language of languages) {
      await page.locator('select').first().selectOption(language);
      await page.locator('button[type=submit]', { hasText: textOf('login.submit', language) }).waitFor();
      await signIn(page, 'own\u0007er', 'whatever');
      const name = page.locator('input[name=username][aria-invalid=true]');
      await name.waitFor();
      const reason = page.locator(`[id="${await name.getAttribute('aria-describedby')}"]`);
      await expect.poll(() => reason.innerText()).toBe(textOf('blocks.reason.unprintable', language));
      expect(await page.getByRole('log').locator('> *').count()).toBe(0);
      // Nothing is left of what was said in this language.
      await page.locator('input[name=username]').fill('owner');
      await name.waitFor({ state: 'detached' });
    }
  });

  test('takes an older verdict away when a new attempt begins', async () => {
    const { page } = await openPage({ language: 'en' });
    await visit(page, '/login');
    await signIn(page, 'owner', 'not the password');
    const verdict = page.getByRole('alert').getByText('41807-');
    await verdict.waitFor();
    await page.locator('input[name=username]').fill('');
    await page.locator('button[type=submit]').click();
    await page.getByText('Username or Email is invalid').waitFor();
    expect(await page.getByText('41807-').count()).toBe(0);
  });

  test('leads to the address that somebody came with, also after a reload, and where that is closed to the level, home', async () => {
    const wanted = '/bus/device/inverter?condition.state=alarm';
    const { page } = await openPage({ language: 'en' });
    await visit(page, wanted);
    expect(pathOf(page)).toBe('/login');
    await page.reload();
    await signIn(page, 'installer', DEMO_PASSWORD);
    await page.waitForURL(`**${wanted}`);
    await page.locator('main table').first().waitFor();

    await visit(page, '/login');
    await signIn(page, 'installer', DEMO_PASSWORD);
    await page.waitForURL('**/bus/index');

    const { page: other } = await openPage({ language: 'en' });
    await visit(other, '/bus/logAudit/account');
    await signIn(other, 'owner', DEMO_PASSWORD);
    await other.waitForURL('**/bus/index');
    expect(await other.getByText('No permissions!').count()).toBe(0);
  });

  test('asks once who has signed in, and says the language only where the account has none', async () => {
    const { page } = await openPage({ language: 'en' });
    await visit(page, '/login');
    await signIn(page, 'installer', DEMO_PASSWORD);
    await page.waitForURL('**/bus/index');
    await untilSettled(page);
    await visit(page, '/login');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await signIn(page, 'installer', DEMO_PASSWORD);
    await page.waitForURL('**/bus/index');
    await untilSettled(page);
    expect(asked.filter((path) => path === '/c/v0/user/info')).toHaveLength(1);
    expect(asked.filter((path) => path === '/c/v0/user/language')).toEqual([]);
  });

  test("offers the browser's language in a line of it, and is in that language once it is taken", async () => {
    const { page } = await openPage({ language: 'ko' });
    await visit(page, '/login');
    const offer = page.getByRole('button', { name: 'Diese Seite auf Deutsch anzeigen' });
    expect(await offer.getAttribute('lang')).toBe('de');
    await offer.click();
    await page.locator('h1', { hasText: textOf('login.title', 'de') }).waitFor();
    expect(await offer.count()).toBe(0);
    await page.reload();
    await page.locator('h1', { hasText: textOf('login.title', 'de') }).waitFor();
    expect(await offer.count()).toBe(0);
  });

  test('clears token, access level, login info and session data when it is visited', async () => {
    const { page } = await openPage({ user: 'owner', language: 'en' });
    await visit(page, '/bus/plant/view');
    expect(await page.evaluate(() => sessionStorage.length)).toBeGreaterThan(0);
    await page.goto('/login');
    await page.locator('h1', { hasText: textOf('login.title', 'en') }).waitFor();
    const left = await page.evaluate(() => ({
      session: Object.keys(sessionStorage),
      local: ['token', 'access', 'loginInfo'].filter((key) => localStorage.getItem(key) !== null),
    }));
    expect(left.local).toEqual([]);
    expect(left.session.filter((key) => key !== 'tabs')).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.getItem('tabs') ?? '')).not.toContain('plant-view');
    await page.goto('/bus/index');
    await page.locator('input[name=password]').waitFor();
    expect(pathOf(page)).toBe('/login');
  });
});

test('every demo account lands where its level belongs, and signing out leads back', async () => {
  const { page } = await openPage({ language: 'en' });
  for (const { user, level } of demoUsers) {
    await visit(page, '/login');
    await signIn(page, user, DEMO_PASSWORD);
    await page.waitForURL(`**${homeOf(level)}`);
    await page.locator('main h1').first().waitFor();
    await page.locator('header').first().getByRole('button', { name: user }).click();
    await page.getByRole('button', { name: textOf('shell.signOut', 'en') }).click();
    await page.waitForURL('**/login');
  }
});
