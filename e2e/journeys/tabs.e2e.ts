import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { plantsOf } from '../support/demo.ts';
import { openPage, pathOf } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const tabs = (page: Page) => page.getByRole('tab');
const activeTab = (page: Page) => page.getByRole('tab', { selected: true });

async function openPlants(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await page
      .getByRole('link', { name: text('routes.plant-view') })
      .first()
      .click();
    await page.locator('main').getByRole('link', { name, exact: true }).click();
    await activeTab(page).filter({ hasText: name }).waitFor();
  }
}

test('each plant opens in a tab of its own; keys walk and close; the next follows, else the previous', async () => {
  const names = (await plantsOf('agent')).slice(0, 3).map((plant) => plant.name);
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, '/bus/index');
  await openPlants(page, names);
  const home = text('routes.bus-index');
  const list = text('routes.plant-view');
  expect(await tabs(page).allInnerTexts()).toEqual([home, list, ...names]);

  await page.reload();
  await untilSettled(page);
  expect(await tabs(page).allInnerTexts()).toEqual([home, list, ...names]);
  expect(await activeTab(page).innerText()).toBe(names[2]);

  await activeTab(page).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.locator('h1:visible', { hasText: names[1] ?? '' }).waitFor();
  await page.keyboard.press('Delete');
  await activeTab(page)
    .filter({ hasText: names[2] ?? '' })
    .waitFor();
  expect(await tabs(page).allInnerTexts()).toEqual([home, list, names[0], names[2]]);
  await page.keyboard.press('Delete');
  await activeTab(page)
    .filter({ hasText: names[0] ?? '' })
    .waitFor();
  await page.locator('h1:visible', { hasText: names[0] ?? '' }).waitFor();

  await page.getByRole('button', { name: text('shell.tabActions') }).click();
  await page.getByRole('button', { name: text('shell.closeOtherTabs') }).click();
  await expect.poll(() => tabs(page).allInnerTexts()).toEqual([home, names[0]]);
  await page.getByRole('button', { name: text('shell.tabActions') }).click();
  await page.getByRole('button', { name: text('shell.closeAllTabs') }).click();
  await page.waitForURL('**/bus/index');
  await expect.poll(() => tabs(page).count()).toBeLessThanOrEqual(1);
});

test('a hidden tab keeps what was typed and where it stood', async () => {
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, '/bus/plant/view');
  await page.getByLabel(text('sites.list.search')).fill('o');
  await page.waitForURL(/content=o/);
  await untilSettled(page);
  await page.locator('main').getByRole('link').first().click();
  await page.waitForURL('**/bus/plant/detail?*');
  await tabs(page)
    .filter({ hasText: text('routes.plant-view') })
    .click();
  await page.waitForURL('**/bus/plant/view?*');
  expect(await page.getByLabel(text('sites.list.search')).inputValue()).toBe('o');
  expect(page.url()).toMatch(/content=o/);
});

test('back and forward walk through the tabs, and a plant opened twice has one tab', async () => {
  const [first, second] = (await plantsOf('agent')).map((plant) => plant.name);
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, '/bus/plant/view');
  await openPlants(page, [first ?? '', second ?? '', first ?? '']);
  expect(
    await tabs(page)
      .filter({ hasText: first ?? '' })
      .count(),
  ).toBe(1);
  await page.goBack();
  await page.goBack();
  await activeTab(page)
    .filter({ hasText: second ?? '' })
    .waitFor();
  expect(pathOf(page)).toBe('/bus/plant/detail');
});

test('on a phone the tabs are a sheet', async () => {
  const [first] = (await plantsOf('agent')).map((plant) => plant.name);
  const { page } = await openPage({ user: 'agent', language: 'en', size: 'phone' });
  await visit(page, '/bus/plant/view');
  await page
    .locator('main')
    .getByRole('link', { name: first ?? '', exact: true })
    .click();
  await page.locator('h1:visible', { hasText: first ?? '' }).waitFor();
  await page.locator('header button[aria-haspopup=dialog]').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: text('shell.closeTab', { title: first ?? '' }) }).click();
  await sheet
    .getByRole('button', { name: text('routes.plant-view') })
    .first()
    .click();
  await page.waitForURL('**/bus/plant/view');
});
