import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const kinds = [
  {
    route: 'device-inverter',
    path: '/bus/device/inverter',
    detail: '**/bus/device/inverterDetail?id=*',
    panel: 'devices.panel.powerNow',
  },
  {
    route: 'device-battery',
    path: '/bus/device/battery',
    detail: '**/bus/device/battery?id=*',
    panel: 'devices.panel.battery',
  },
  {
    route: 'device-ems',
    path: '/bus/device/ems',
    detail: '**/bus/device/emsDetail?id=*',
    panel: 'ems.title',
  },
  {
    route: 'device-gateway',
    path: '/bus/device/gateway',
    detail: '**/bus/device/gateway?id=*',
    panel: 'devices.section.live',
  },
  { route: 'meter-list', path: '/bus/meter/list', detail: '**/bus/meter/detail?id=*', panel: 'devices.panel.meter' },
] as const;

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test.each(kinds)(
  '$route: the strip leads to the list, a row to the details, and both are accessible',
  async ({ route, path, detail, panel }) => {
    const { page, problems } = await openPage({ user: 'admin', language: 'en' });
    await visit(page, route === 'device-inverter' ? '/bus/meter/list' : '/bus/device/inverter');
    const strip = page.getByRole('navigation', { name: textOf('devices.kinds', 'en') });
    const link = strip.getByRole('link', { name: new RegExp(`^${textOf(`routes.${route}`, 'en')} ?\\d*$`) });
    await expect.poll(() => link.textContent()).toMatch(/[1-9]\d*$/);
    await link.click();
    await page.waitForURL(`**${path}`);
    await heading(page, textOf(`routes.${route}`, 'en')).waitFor();
    const rows = page.locator('main table tbody tr:visible');
    await rows.first().waitFor();
    await untilSettled(page);
    expect(await axeViolations(page, path)).toEqual([]);
    const serial = (await rows.first().getByRole('link').textContent())?.trim().split(' ')[0] ?? '';
    await rows.first().getByRole('link').click();
    await page.waitForURL(detail);
    await page.getByRole('heading', { level: 1, name: serial, exact: true }).waitFor();
    await heading(page, textOf(panel, 'en')).waitFor();
    await untilSettled(page);
    expect(await axeViolations(page, detail)).toEqual([]);
    expect(problems).toEqual([]);
  },
);

test('where not all columns of a table have room the least of them leave, and no number is cut', async () => {
  const { page } = await openPage({ user: 'admin', language: 'de' });
  await page.setViewportSize({ width: 1024, height: 768 });
  await visit(page, '/bus/meter/list');
  const table = page.getByRole('region', { name: textOf('routes.meter-list', 'de') });
  const header = (name: string) => page.getByRole('columnheader', { name: textOf(`devices.field.${name}`, 'de') });
  await header('importTodayWh').waitFor();
  expect(await header('ctRatio').count()).toBe(0);
  expect(await table.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBeLessThanOrEqual(1);
  await page.setViewportSize({ width: 1920, height: 900 });
  await header('ctRatio').waitFor();
});

test('the tree is walked with the arrow keys: Right opens a datalogger and leads into it, Left closes it, Enter opens a device', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/device/inverter?condition.content=H8T2311A');
  await page.getByRole('radio', { name: textOf('devices.tree.tree', 'en') }).check();
  await page.waitForURL('**view=tree*');
  const grid = page.getByRole('treegrid');
  const logger = grid.locator('tr[aria-level="1"]').first();
  await logger.waitFor();
  await untilSettled(page);
  expect(await axeViolations(page, 'tree')).toEqual([]);
  await logger.focus();
  if ((await logger.getAttribute('aria-expanded')) === 'true') await page.keyboard.press('ArrowLeft');
  await expect.poll(() => logger.getAttribute('aria-expanded')).toBe('false');
  expect(await grid.locator('tr[aria-level="2"]').count()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => logger.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('ArrowRight');
  const focused = grid.locator('tr:focus');
  await expect.poll(() => focused.getAttribute('aria-level')).toBe('2');
  expect(await focused.textContent()).toContain('H8T2311A00117');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused.textContent()).toContain('B10231100117');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => focused.getAttribute('aria-level')).toBe('1');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/bus/device/inverterDetail?id=*');
});

test('on a phone a device is a card named by its plant, and the tree stays readable', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en', size: 'phone' });
  await visit(page, '/bus/device/battery?condition.content=B10231100117');
  const card = page.locator('main li:visible').filter({ hasText: 'Haus Lindenblick' });
  await card.first().waitFor();
  expect(await card.textContent()).toContain('B10231100117');
  await untilSettled(page);
  expect(await axeViolations(page, 'cards')).toEqual([]);
  await page.getByRole('radio', { name: textOf('devices.tree.tree', 'en') }).check();
  await page.getByRole('treegrid').locator('tr[aria-level="1"]').first().waitFor();
  await untilSettled(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await axeViolations(page, 'tree on a phone')).toEqual([]);
});

test('an integrator has the lists and details of what is granted, in its own screens', async () => {
  const { page } = await openPage({ user: 'integrator', language: 'en' });
  await visit(page, '/bus/integrator/inverter');
  await page.locator('main table tbody tr:visible').first().getByRole('link').click();
  await page.waitForURL('**/bus/integrator/inverterDetail?id=*');
  await heading(page, textOf('devices.panel.powerNow', 'en')).waitFor();
});
