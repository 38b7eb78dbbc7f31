import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { plantNamed } from '../support/demo.ts';
import { openPage, pathOf } from '../support/page.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const field = (page: Page) => page.getByRole('combobox', { name: text('search.title') });
const options = (page: Page) => page.getByRole('option');
const plantOption = (page: Page, name: string) =>
  options(page).filter({ has: page.locator('strong', { hasText: new RegExp(`^${name}$`) }) });
const current = (page: Page) => page.getByRole('option', { selected: true });
const groups = (page: Page) => page.getByRole('listbox').getByRole('group');

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await field(page).waitFor();
}

/** Letter by letter, faster than any pause: what a busy machine makes of key presses is no hand's typing. */
async function typeAtOnce(page: Page, letters: string): Promise<void> {
  await field(page).evaluate((input: HTMLInputElement, typed) => {
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    for (const letter of typed) {
      write?.call(input, input.value + letter);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }, letters);
}

test('Ctrl+K finds a plant by a part of its name, marks it, says why it matters, and Enter opens it', async () => {
  const plant = await plantNamed('Haus Lindenblick');
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/index');
  await openPalette(page);
  await page.keyboard.type('denbl');
  const row = plantOption(page, plant.name);
  await row.waitFor();
  expect(await row.locator('mark').innerText()).toBe('denbl');
  expect(await row.innerText()).toContain('kWp');
  expect(
    await groups(page)
      .filter({ hasText: text('search.devicesOf', { plant: plant.name }) })
      .count(),
  ).toBe(1);
  expect(await current(page).innerText()).toContain(plant.name);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/bus/plant/detail?id=${plant.stationID}`);
  expect(await field(page).count()).toBe(0);
});

test('arrows walk, Ctrl+Enter opens a tab behind and the palette stays, Escape closes it and gives the focus back', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/index');
  await page.getByRole('button', { name: text('search.title') }).focus();
  await page.keyboard.press('Enter');
  await field(page).waitFor();
  await page.keyboard.type('/member');
  await expect.poll(() => current(page).innerText()).toContain(text('routes.member'));
  await page.keyboard.press('Control+Enter');
  await page.getByRole('tab', { name: text('routes.member') }).waitFor();
  expect(pathOf(page)).toBe('/bus/index');
  await field(page).fill('/');
  const names = await options(page).count();
  expect(names).toBeGreaterThan(5);
  await page.keyboard.press('ArrowDown');
  expect(await current(page).getAttribute('id')).toBe(await options(page).nth(1).getAttribute('id'));
  expect(await field(page).getAttribute('aria-activedescendant')).toBe(await current(page).getAttribute('id'));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await current(page).getAttribute('id')).toBe(await options(page).last().getAttribute('id'));
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(text('search.open'));
});

test('signs and Tab choose the kind: numbers, people, actions', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/index');
  await openPalette(page);
  await page.keyboard.type('#0117');
  await options(page).filter({ hasText: 'H8T2311A00117' }).waitFor();
  expect(await groups(page).count()).toBe(1);
  await field(page).fill('@install');
  await options(page).filter({ hasText: 'installer' }).first().waitFor();
  await field(page).fill('install');
  await page.keyboard.press('Tab');
  const pressed = () => page.locator('dialog [aria-pressed=true]').innerText();
  expect(await pressed()).toBe(text('search.kind.plants'));
  await page.keyboard.press('Shift+Tab');
  expect(await pressed()).toBe(text('search.kind.all'));
  await field(page).fill(`>${text('shell.themes.dark')}`);
  await page.keyboard.press('Enter');
  await page.locator('html[data-scheme=dark]').waitFor();
});

test('typing asks once per pause, and what was found stays until there is something new', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/index');
  const asked: string[] = [];
  await openPalette(page);
  let hold: Promise<void> | undefined;
  await page.route('**/c/v0/search/find?*', async (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('content') ?? '');
    await hold;
    await route.continue();
  });
  await typeAtOnce(page, 'haus');
  await plantOption(page, 'Haus Lindenblick').waitFor();
  expect(asked).toEqual(['haus']);
  let release = () => {};
  hold = new Promise((resolve) => (release = resolve));
  await typeAtOnce(page, ' lin');
  await expect.poll(() => asked).toEqual(['haus', 'haus lin']);
  expect(await plantOption(page, 'Haus Lindenblick').count()).toBe(1);
  release();
  await plantOption(page, 'Haus Lindenblick').waitFor();
});

test('an empty field has what was opened last, the newest first', async () => {
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, '/bus/index');
  const plant = await plantNamed('Haus Lindenblick');
  await visit(page, `/bus/plant/detail?id=${plant.stationID}`);
  await visit(page, '/bus/device/inverter');
  await visit(page, '/bus/index');
  await openPalette(page);
  await options(page).first().waitFor();
  const names = await options(page).locator('strong').allInnerTexts();
  expect(names.slice(0, 2)).toEqual([text('routes.device-inverter'), plant.name]);
});

test('an owner finds its plants, and neither strangers nor people', async () => {
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await visit(page, '/bus/index');
  await openPalette(page);
  await page.keyboard.type('@admin');
  await page.getByText(text('search.nothing')).waitFor();
  expect(await page.getByRole('button', { name: text('search.kind.people') }).count()).toBe(0);
  await field(page).fill('Kapas');
  await page.getByText(text('search.nothing')).waitFor();
});

test.each(['desktop', 'phone'] as const)(
  'on a %s it has nothing that axe finds wrong, light and dark',
  async (size) => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, context } = await openPage({ user: 'admin', language: 'de', size, scheme });
      await visit(page, '/bus/index');
      await page.getByRole('button', { name: textOf('search.title', 'de') }).click();
      await page.getByRole('combobox', { name: textOf('search.title', 'de') }).waitFor();
      await page.keyboard.type('haus');
      await options(page).first().waitFor();
      expect(await axeViolations(page, `${size} ${scheme}`)).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await context.close();
    }
  },
);
