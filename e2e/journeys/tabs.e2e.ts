import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { plantsOf } from '../support/demo.ts';
import { goInside, openPage, pathOf } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const tabs = (page: Page) => page.getByRole('tab');
const activeTab = (page: Page) => page.getByRole('tab', { selected: true });
const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id);
/** The active tab has the focus that went with a closed one. */
const activeTabHasFocus = async (page: Page) =>
  expect.poll(() => focusedId(page)).toBe(await activeTab(page).getAttribute('id'));

/** Groups of a long menu are folded until they are opened. */
async function openGroup(page: Page, name: string): Promise<void> {
  const group = page.getByRole('navigation').getByRole('button', { name: text(name), exact: true });
  if ((await group.getAttribute('aria-expanded')) === 'false') await group.click();
}

async function openPlants(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await openGroup(page, 'routes.plant');
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
  await activeTabHasFocus(page);
  await page.keyboard.press('Delete');
  await activeTab(page)
    .filter({ hasText: names[0] ?? '' })
    .waitFor();
  await page.locator('h1:visible', { hasText: names[0] ?? '' }).waitFor();
  await activeTabHasFocus(page);

  await page.getByRole('button', { name: text('shell.tabActions') }).click();
  await page.getByRole('button', { name: text('shell.closeOtherTabs') }).click();
  await expect.poll(() => tabs(page).allInnerTexts()).toEqual([home, names[0]]);
  await page.getByRole('button', { name: text('shell.tabActions') }).click();
  await page.getByRole('button', { name: text('shell.closeAllTabs') }).click();
  await page.waitForURL('**/bus/index');
  await expect.poll(() => tabs(page).count()).toBeLessThanOrEqual(1);
  await expect.poll(() => focusedId(page)).toBe('content');
});

test('a hidden tab keeps what was typed and where it stood', async () => {
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, '/bus/plant/view');
  await page.getByLabel(text('sites.list.search')).fill('o');
  await page.waitForURL(/content=o/);
  await untilSettled(page);
  await page.locator('main tbody').getByRole('link').first().click();
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

test('Home and End walk to the first and the last tab; a tab that is not shown can be closed by key as well', async () => {
  const names = (await plantsOf('agent')).slice(0, 2).map((plant) => plant.name);
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, '/bus/index');
  await openPlants(page, names);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await activeTab(page).focus();
  await page.keyboard.press('Home');
  expect(await focused()).toBe(text('routes.bus-index'));
  await page.keyboard.press('Delete');
  await expect.poll(() => tabs(page).count()).toBe(4);
  await page.keyboard.press('ArrowLeft');
  expect(await focused()).toBe(names[1]);
  await page.keyboard.press('ArrowRight');
  expect(await focused()).toBe(text('routes.bus-index'));
  await page.keyboard.press('End');
  expect(await focused()).toBe(names[1]);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Delete');
  await expect.poll(() => tabs(page).allInnerTexts()).not.toContain(names[0]);
  expect(await activeTab(page).innerText()).toBe(names[1]);
  await activeTabHasFocus(page);
  await page.getByRole('button', { name: text('shell.closeTab', { title: text('routes.plant-view') }) }).click();
  await activeTabHasFocus(page);
});

test('the menu of a tab opens beneath pointer and key, walks by arrows, and closes what it says', async () => {
  const names = (await plantsOf('agent')).slice(0, 3).map((plant) => plant.name);
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, '/bus/index');
  await openPlants(page, names);
  const menuOf = (title = '') => page.getByRole('menu', { name: text('shell.tabMenu', { title }) });

  await tabs(page)
    .filter({ hasText: names[0] ?? '' })
    .click({ button: 'right' });
  await menuOf(names[0]).waitFor();
  expect(
    await menuOf(names[0])
      .getByRole('menuitem', { name: text('shell.refreshTab') })
      .isDisabled(),
  ).toBe(true);
  await page.keyboard.press('Escape');
  await menuOf(names[0]).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(names[0]);

  await page.evaluate(() =>
    document.activeElement?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })),
  );
  await menuOf(names[0]).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe(text('shell.closeThisTab'));
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe(text('shell.closeOtherTabs'));
  await page.keyboard.press('End');
  expect(await focused()).toBe(text('shell.closeAllTabs'));
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect.poll(() => tabs(page).allInnerTexts()).not.toContain(names[0]);
  expect(await activeTab(page).innerText()).toBe(names[2]);
  await activeTabHasFocus(page);

  await tabs(page)
    .filter({ hasText: names[1] ?? '' })
    .click({ button: 'right' });
  await menuOf(names[1])
    .getByRole('menuitem', { name: text('shell.closeOtherTabs') })
    .click();
  await expect.poll(() => tabs(page).allInnerTexts()).toEqual([text('routes.bus-index'), names[1]]);
  await page.locator('h1:visible', { hasText: names[1] ?? '' }).waitFor();

  await page.getByRole('button', { name: text('shell.tabActions') }).click();
  await page.getByRole('button', { name: text('shell.reopenTab') }).click();
  await activeTab(page)
    .filter({ hasText: names[2] ?? '' })
    .waitFor();
  await page.locator('h1:visible', { hasText: names[2] ?? '' }).waitFor();
});

test('Ctrl and a click, or the middle button, on an entry of the menu opens its tab behind the shown one', async () => {
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, '/bus/index');
  const home = text('routes.bus-index');
  const entry = (name: string) =>
    page
      .getByRole('navigation')
      .getByRole('link', { name: text(name) })
      .first();
  await openGroup(page, 'routes.plant');
  await openGroup(page, 'routes.device');
  await entry('routes.plant-view').click({ modifiers: ['Control'] });
  await entry('routes.device-inverter').click({ button: 'middle' });
  await expect
    .poll(() => tabs(page).allInnerTexts())
    .toEqual([home, text('routes.plant-view'), text('routes.device-inverter')]);
  expect(await activeTab(page).innerText()).toBe(home);
  expect(page.context().pages()).toHaveLength(1);
});

test('the eleventh screen takes the place of the one used longest ago, which comes back with what was typed', async () => {
  const plants = await plantsOf('admin');
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/plant/view');
  await page.getByLabel(text('sites.list.search')).fill('lind');
  await page.waitForURL(/content=lind/);
  await untilSettled(page);
  const list = page.locator('[id="panel-of-plant-view"]');
  const panels = page.locator('[role=tabpanel]');
  for (const [index, plant] of plants.slice(0, 10).entries()) {
    expect(await list.count()).toBe(1);
    await goInside(page, `/bus/plant/detail?id=${plant.stationID}`);
    await activeTab(page).filter({ hasText: plant.name }).waitFor();
    expect(await panels.count()).toBe(Math.min(10, index + 2));
  }
  expect(await list.count()).toBe(0);
  expect(await tabs(page).count()).toBe(12);
  await tabs(page)
    .filter({ hasText: text('routes.plant-view') })
    .click();
  await untilSettled(page);
  expect(await page.getByLabel(text('sites.list.search')).inputValue()).toBe('lind');
  expect(await panels.count()).toBe(10);
  expect(await page.locator(`[id="panel-of-plant-detail:${plants[0]?.stationID}"]`).count()).toBe(0);
});

test('the active tab is in sight, however many are open', async () => {
  const plants = await plantsOf('admin');
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await page.setViewportSize({ width: 1024, height: 800 });
  await visit(page, '/bus/plant/view');
  const isInSight = (name: string) =>
    activeTab(page)
      .filter({ hasText: name })
      .evaluate((tab) => {
        const strip = tab.parentElement?.parentElement?.getBoundingClientRect();
        const { left, right } = tab.getBoundingClientRect();
        return strip !== undefined && left >= strip.left - 1 && right <= strip.right + 1;
      });
  for (const plant of plants) await goInside(page, `/bus/plant/detail?id=${plant.stationID}`);
  expect(await tabs(page).count()).toBe(plants.length + 2);
  expect(await isInSight(plants.at(-1)?.name ?? '')).toBe(true);
  await tabs(page)
    .filter({ hasText: text('routes.plant-view') })
    .dispatchEvent('click');
  expect(await isInSight(text('routes.plant-view'))).toBe(true);
});

test('a refresh reads anew, and is skipped while the tab is loading', async () => {
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, '/bus/plant/view');
  let asked = 0;
  let held: (() => void) | undefined;
  await page.route('**/c/v1/plant/list', async (route) => {
    asked += 1;
    await new Promise<void>((release) => {
      held = release;
    });
    await route.continue();
  });
  const refresh = page.getByRole('button', { name: text('shell.refreshTab') });
  // The frame asks for counts of its own once it is idle: a click meanwhile is one while the tab is loading.
  await expect
    .poll(async () => {
      const ready = page.locator('button[aria-disabled=false]').and(refresh);
      if (asked === 0) await ready.click({ timeout: 1_000 }).catch(() => undefined);
      return asked;
    })
    .toBe(1);
  await page.locator('button[aria-disabled=true]').and(refresh).click({ force: true });
  await page.getByRole('button', { name: text('shell.tabActions') }).click();
  expect(
    await page
      .locator('li')
      .getByRole('button', { name: text('shell.refreshTab') })
      .isDisabled(),
  ).toBe(true);
  held?.();
  await page.locator('button[aria-disabled=false]').and(refresh).waitFor();
  expect(asked).toBe(1);
});

test('the header is 86 px high, 116 with tabs, and a table at least 415', async () => {
  const { page } = await openPage({ user: 'agent', language: 'en' });
  const heightOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.getBoundingClientRect().height);
  await visit(page, '/bus/index');
  expect(await heightOf('header')).toBe(86);
  await goInside(page, '/bus/plant/view');
  await untilSettled(page);
  await tabs(page).nth(1).waitFor();
  expect(await heightOf('header')).toBe(116);
  await page.getByLabel(text('sites.list.search')).fill('lind');
  await page.waitForURL(/content=lind/);
  await untilSettled(page);
  const table = await page
    .locator('[role=tabpanel]:visible table')
    .evaluate((element) => element.parentElement?.getBoundingClientRect().height);
  expect(table).toBe(415);
});

test('each tab stands where it was left', async () => {
  const [first] = await plantsOf('agent');
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, `/bus/plant/detail?id=${first?.stationID}`);
  await page.waitForFunction(() => document.documentElement.scrollHeight > innerHeight + 300);
  // Nobody is so fast as to leave before the page has told that it was scrolled.
  await page.evaluate(
    () =>
      new Promise<void>((told) => {
        addEventListener('scroll', () => told(), { once: true });
        scrollTo(0, 300);
      }),
  );
  expect(await page.evaluate(() => scrollY)).toBe(300);
  await goInside(page, '/bus/plant/view');
  await untilSettled(page);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await tabs(page)
    .filter({ hasText: first?.name ?? '' })
    .click();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300);
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
  await page.locator('header button[aria-haspopup=dialog]').click();
  await sheet.getByRole('button', { name: text('shell.closeAllTabs') }).click();
  await page.waitForURL('**/bus/index');
});
