import { preferences } from '@sonnenwarte/contract/user-center/user-center';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { goInside, openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string) => textOf(key, 'en');

/** What the account has chosen, as its browser is told; `null`: nothing yet. */
async function withChoice(page: Page, keysGuarded: boolean | null): Promise<void> {
  await page.route('**/c/v0/user/info', async (route) => {
    const response = await route.fetch();
    const { result, ...rest } = (await response.json()) as { result: object };
    await route.fulfill({ response, json: { ...rest, result: { ...result, keysGuarded } } });
  });
}

/** Opens the installer's workspace; keys are taken only once its account is known. */
async function visitKnown(page: Page, address: string): Promise<void> {
  await visit(page, address);
  await page.locator('header').getByRole('button', { name: 'installer' }).waitFor();
}

/** Notes of every key and of every context menu whether it was taken; the browser's own menu never comes up. */
const note = (page: Page) =>
  page.evaluate(() => {
    const taken: Record<string, boolean> = {};
    Object.assign(globalThis, { taken });
    addEventListener('keydown', (event) => {
      taken[event.key] = event.defaultPrevented;
    });
    addEventListener('contextmenu', (event) => {
      taken.menu = event.defaultPrevented;
      event.preventDefault();
    });
  });
const takenOf = (page: Page) =>
  page.evaluate(() => ({ ...(globalThis as unknown as { taken: Record<string, boolean> }).taken }));

const functionKeys = Array.from({ length: 12 }, (_, index) => `F${index + 1}`);

async function pressAll(page: Page): Promise<Record<string, boolean>> {
  for (const key of functionKeys) {
    // Sent as an event of the page: a real F5 or F11 would act on the browser where it is not taken.
    await page.evaluate(
      (name) =>
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })),
      key,
    );
  }
  await page.waitForFunction(() => 'F12' in (globalThis as unknown as { taken: object }).taken);
  return takenOf(page);
}

afterAll(async () => {
  const { token } = await sessionOf('installer');
  await callApi(portalUrl(), preferences, { keysGuarded: true }, token);
});

test('F1 to F12 and the context menu of the mouse are disabled in the workspace, until the choice is made too', async () => {
  for (const choice of [true, null]) {
    const { page } = await openPage({ user: 'installer', language: 'en' });
    await withChoice(page, choice);
    await visitKnown(page, '/bus/index');
    await note(page);
    const taken = await pressAll(page);
    expect(functionKeys.filter((key) => !taken[key])).toEqual([]);
    await page.locator('h1:visible').click({ button: 'right' });
    expect((await takenOf(page)).menu).toBe(true);
  }
});

test('a real F5 does not load the page anew', async () => {
  const { page } = await openPage({ user: 'installer', language: 'en' });
  await withChoice(page, true);
  await visitKnown(page, '/bus/index');
  const origin = await page.evaluate(() => performance.timeOrigin);
  await page.keyboard.press('F5');
  await page.keyboard.press('F1');
  await expect.poll(() => page.evaluate(() => performance.timeOrigin)).toBe(origin);
});

test('Shift+F10, the context-menu key and function keys with another key are never taken', async () => {
  const { page } = await openPage({ user: 'installer', language: 'en' });
  await withChoice(page, true);
  await visitKnown(page, '/bus/index');
  await note(page);
  for (const key of ['Shift+F10', 'ContextMenu', 'Control+F6', 'Alt+F1']) {
    await page.evaluate((combination) => {
      const [name = '', modifier] = combination.split('+').toReversed();
      const modifiers = {
        shiftKey: modifier === 'Shift',
        ctrlKey: modifier === 'Control',
        altKey: modifier === 'Alt',
      };
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: name, ...modifiers, bubbles: true, cancelable: true }),
      );
    }, key);
  }
  await page.waitForFunction(() => 'F1' in (globalThis as unknown as { taken: object }).taken);
  expect(await takenOf(page)).toEqual({ F10: false, ContextMenu: false, F6: false, F1: false });
});

test('an account that turned it off keeps all keys and the context menu, on tabs too', async () => {
  const { page } = await openPage({ user: 'installer', language: 'en' });
  await withChoice(page, false);
  await visitKnown(page, '/bus/plant/view');
  await note(page);
  const taken = await pressAll(page);
  expect(functionKeys.filter((key) => taken[key])).toEqual([]);
  await page.getByRole('tab', { selected: true }).click({ button: 'right' });
  expect((await takenOf(page)).menu).toBe(false);
  expect(await page.getByRole('menu').count()).toBe(0);
});

test('outside the workspace nothing is taken', async () => {
  const { page } = await openPage({ language: 'en' });
  await visit(page, '/login');
  await note(page);
  const taken = await pressAll(page);
  expect(functionKeys.filter((key) => taken[key])).toEqual([]);
});

test('the choice is offered once, and what is chosen is kept by the account', async () => {
  const { page } = await openPage({ user: 'installer', language: 'en' });
  await withChoice(page, null);
  await visit(page, '/bus/index');
  const offer = page.getByRole('complementary', { name: text('shell.keys.title') });
  expect(await offer.count()).toBe(0);
  for (const path of ['/bus/plant/view', '/bus/dataView']) {
    await goInside(page, path);
    await untilSettled(page);
  }
  await offer.waitFor();
  await offer.getByRole('button', { name: text('common.close') }).waitFor();
  await page.unroute('**/c/v0/user/info');
  const saved = page.waitForResponse('**/c/v0/user/preferences');
  await offer.getByRole('button', { name: text('shell.keys.off') }).click();
  await offer.waitFor({ state: 'detached' });
  expect(((await (await saved).json()) as { errno: number }).errno).toBe(0);
  await note(page);
  expect((await pressAll(page)).F5).toBe(false);

  const { page: later } = await openPage({ user: 'installer', language: 'en' });
  await visit(later, '/bus/index');
  await later.getByRole('button', { name: 'installer' }).waitFor();
  expect(await later.getByRole('complementary', { name: text('shell.keys.title') }).count()).toBe(0);
  await note(later);
  expect((await pressAll(later)).F5).toBe(false);
});
