import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { plantsOf } from '../support/demo.ts';
import { goInside, openPage, pathOf } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const menu = (page: Page) => page.getByRole('navigation', { name: text('shell.mainMenu') });
const tablet = { width: 1024, height: 768 } as const;

test('the menu stands in three parts, and of its groups that of the current screen is open', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/index');
  await menu(page)
    .getByRole('link', { name: text('routes.plant-view') })
    .waitFor();
  expect(await menu(page).getByRole('heading').allInnerTexts()).toEqual([
    text('shell.parts.plants'),
    text('shell.parts.administration'),
  ]);
  const opened = () => menu(page).locator('[aria-expanded=true]').allInnerTexts();
  expect(await opened()).toEqual([]);
  await goInside(page, '/bus/powerInfo/member');
  await expect.poll(opened).toEqual([text('routes.power-info')]);
  await goInside(page, '/bus/index');
  await expect.poll(opened).toEqual([]);

  await menu(page)
    .getByRole('button', { name: text('routes.log-audit') })
    .click();
  await goInside(page, '/bus/powerInfo/member');
  await expect.poll(opened).toEqual([text('routes.power-info'), text('routes.log-audit')]);
  await menu(page)
    .getByRole('button', { name: text('routes.power-info') })
    .click();
  await expect.poll(opened).toEqual([text('routes.log-audit')]);
  await page.reload();
  await untilSettled(page);
  await expect.poll(opened).toContain(text('routes.log-audit'));
});

test('at 900 px of height all of the menu is seen at once', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/index');
  const last = menu(page).getByRole('link', { name: text('routes.account-migration') });
  await last.waitFor();
  const box = await last.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
});

test('below 1200 px it is a rail of icons: what has none flies out by keyboard and pointer', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await page.setViewportSize(tablet);
  await visit(page, '/bus/index');
  const rail = menu(page);
  await rail.getByRole('link', { name: text('routes.data-view') }).waitFor();
  expect((await rail.boundingBox())?.width).toBe(64);
  const rest = rail.getByRole('button', { name: text('shell.parts.administration') });
  await rest.focus();
  await page.keyboard.press('Enter');
  const member = rail.getByRole('link', { name: text('routes.member') });
  await member.waitFor();
  expect(await axeViolations(page, 'rail')).toEqual([]);
  await page.keyboard.press('Escape');
  await member.waitFor({ state: 'detached' });
  expect(await rest.evaluate((element) => element === document.activeElement)).toBe(true);
  await rest.click();
  await member.click();
  await page.waitForURL('**/bus/powerInfo/member');
  expect(await member.count()).toBe(0);

  await page.getByRole('button', { name: text('shell.mainMenu') }).click();
  await expect.poll(async () => (await rail.boundingBox())?.width).toBe(256);
  await page.reload();
  await untilSettled(page);
  expect((await rail.boundingBox())?.width).toBe(64);
});

test('on a tablet no list is cut without a hint: the first column stays, and an edge shows that there is more', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await page.setViewportSize({ ...tablet, width: 800 });
  await visit(page, '/bus/plant/view');
  const scroller = page.locator('main [data-scrolls]').first();
  await scroller.waitFor();
  expect(await scroller.getAttribute('data-scrolls')).toBe('right');
  const edge = scroller.locator('tbody td').last();
  expect(await edge.evaluate((element) => getComputedStyle(element).borderInlineStartWidth)).toBe('1px');
  expect(await edge.evaluate((element) => getComputedStyle(element, '::before').backgroundImage)).toContain('gradient');
  const row = page.locator('main tbody tr').first();
  const left = (await row.locator('td').first().boundingBox())?.x;
  await scroller.evaluate((element) => element.scrollTo({ left: 120 }));
  await expect.poll(() => scroller.getAttribute('data-scrolls')).toMatch(/left/);
  expect((await row.locator('td:has(a)').first().boundingBox())?.x).toBe(left);
});

test('tabs are at least 110 px wide and then scroll; the list of all finds one, shows it and closes others', async () => {
  const plants = await plantsOf('admin');
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await page.setViewportSize(tablet);
  await visit(page, '/bus/index');
  for (const plant of plants.slice(0, 11)) {
    await goInside(page, `/bus/plant/detail?id=${plant.stationID}`);
    await page.getByRole('tab', { selected: true }).filter({ hasText: plant.name }).waitFor();
  }
  const widths = await page
    .getByRole('tab')
    .evaluateAll((all) => all.slice(1).map((tab) => tab.parentElement?.offsetWidth ?? 0));
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(110);
  expect(Math.max(...widths)).toBeLessThanOrEqual(214);
  const [first] = plants;
  await page.getByRole('button', { name: text('shell.allTabs') }).click();
  await page.getByRole('searchbox', { name: text('shell.findTab') }).fill(first?.name.slice(0, 6) ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/bus/plant/detail?id=${first?.stationID}`);
  const tabs = await page.getByRole('tab').count();
  await page.getByRole('button', { name: text('shell.allTabs') }).click();
  const closing = text('shell.closeTab', { title: plants[1]?.name ?? '' });
  await page.locator('[data-opened]').getByRole('button', { name: closing }).click();
  await expect.poll(() => page.getByRole('tab').count()).toBe(tabs - 1);
  expect(pathOf(page)).toBe('/bus/plant/detail');
});

test('titles of tabs that begin alike are told apart where they are cut', async () => {
  const { page } = await openPage({ user: 'admin', language: 'de' });
  await visit(page, '/bus/user/management');
  for (const path of ['/user/center', '/bus/plant/view', '/bus/device/inverter', '/bus/powerInfo/member']) {
    await goInside(page, path);
    await untilSettled(page);
  }
  const end = (title: string) =>
    page
      .getByRole('tab', { name: title })
      .locator('[data-tail]')
      .evaluate((element) => element.hasAttribute('data-cut') && getComputedStyle(element, '::after').content);
  expect(await end(textOf('routes.user-center', 'de'))).toBe(false);
  await page.setViewportSize({ width: 800, height: 900 });
  const ends = () =>
    Promise.all([end(textOf('routes.user-management', 'de')), end(textOf('routes.user-center', 'de'))]);
  await expect.poll(ends).toEqual(['"ltung"', '"trale"']);
});

test('the title of a phone grows smaller before a word of it is broken', async () => {
  const { page } = await openPage({ user: 'admin', language: 'de', size: 'phone' });
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await visit(page, '/bus/user/management');
    const lines = await page
      .locator('header [title]')
      .first()
      .evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
    expect([width, lines]).toEqual([width, 1]);
  }
});

test('the address of a menu without a screen leads to its first screen', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await page.goto('/bus/plant');
  await page.waitForURL('**/bus/plant/view');
});
