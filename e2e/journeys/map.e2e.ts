import { list } from '@sonnenwarte/contract/sites/sites';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { layoutProblems } from '../support/layout.ts';
import { desktop, openPage, phone, showScheme } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const RECKONED_MS = 300_000;

const listOf = (page: Page) => page.getByRole('region', { name: textOf('plant-map.list', 'en') });
const mapOf = (page: Page) => page.getByRole('group', { name: textOf('plant-map.label', 'en') });
const searchOf = (page: Page) => page.getByRole('searchbox', { name: textOf('sites.list.search', 'en') });
const count = async (page: Page) =>
  Number(/\d+$/.exec((await listOf(page).getByRole('heading').last().textContent()) ?? '')?.[0]);

test('list and map are filtered as one: what is chosen on one of them holds on the other', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/plant/view');
  await searchOf(page).fill('livada');
  await page.waitForURL(/condition\.content=livada/);
  await page.getByRole('link', { name: textOf('sites.view.map', 'en'), exact: true }).click();
  await page.waitForURL(/\/bus\/plant\/gaudeMap\?condition\.content=livada/);
  await expect.poll(() => count(page), { timeout: 10_000 }).toBe(1);
  await listOf(page)
    .getByRole('link', { name: /Livada/ })
    .waitFor();
  expect(await searchOf(page).inputValue()).toBe('livada');
  await searchOf(page).fill('');
  await expect.poll(() => count(page), { timeout: 10_000 }).toBeGreaterThan(1);
  await searchOf(page).fill('no such plant');
  await listOf(page).getByText(textOf('plant-map.none', 'en')).waitFor();
});

test('a plant on the map tells its name, state, power and age when it is pressed, and opens its page', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/plant/gaudeMap?condition.content=livada');
  await listOf(page)
    .getByRole('link', { name: /Livada/ })
    .waitFor();
  await untilSettled(page);
  // The only plant stands in the middle.
  await mapOf(page).click();
  const chosen = listOf(page)
    .getByRole('status')
    .getByRole('link', { name: /Livada/ });
  await chosen.waitFor();
  await chosen.click();
  await page.waitForURL(/\/bus\/plant\/detail\?id=/);
});

test('a cluster that is pressed falls apart, and all is shown again by one button', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/plant/gaudeMap');
  await expect.poll(() => count(page), { timeout: 10_000 }).toBeGreaterThan(1);
  await untilSettled(page);
  const all = await count(page);
  const zoomOut = page.getByRole('button', { name: textOf('map.zoomOut', 'en') });
  for (let step = 0; step < 6; step++) await zoomOut.click();
  const map = mapOf(page);
  const box = await map.boundingBox();
  if (!box) throw new Error('there is no map');
  const isOnSpot = () => map.evaluate((element) => element.style.cursor === 'pointer');
  const find = async () => {
    for (let y = box.y + 20; y < box.y + box.height; y += 24) {
      for (let x = box.x + 20; x < box.x + box.width - 80; x += 24) {
        await page.mouse.move(x, y);
        if (await isOnSpot()) return { x, y };
      }
    }
    throw new Error('there is nothing on the map');
  };
  const { x, y } = await find();
  await page.mouse.click(x, y);
  await expect.poll(() => count(page), { timeout: 10_000 }).toBeLessThanOrEqual(all);
  await page.getByRole('button', { name: textOf('map.zoomIn', 'en') }).click();
  await page.getByRole('button', { name: textOf('map.fit', 'en') }).click();
  await expect.poll(() => count(page), { timeout: 10_000 }).toBe(all);
});

describe('losses on the map', () => {
  const WEAK = 'Dom pod Lasem';
  const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
  const byLoss = (page: Page) => page.getByRole('radio', { name: text('plant-map.colour.loss') });
  const evidenceOf = (page: Page) =>
    listOf(page).getByRole('button', { name: text('losses.attention.evidenceOf', { name: WEAK }) });

  /** The days of the demonstration are reckoned a while after they were told. */
  beforeAll(async () => {
    const { token } = await sessionOf('admin');
    await waitUntil(
      'the weak string is known',
      async () => {
        const { plants } = await callApi(portalUrl(), list, { condition: { losing: 'yes' } }, token);
        return plants.some(({ name }) => name === WEAK);
      },
      { timeoutMs: RECKONED_MS, everyMs: 1_000 },
    );
  }, RECKONED_MS);

  test.each(['installer', 'admin'] as const)(
    'are told to %s with their reason and the way to the evidence',
    async (user) => {
      const { page } = await openPage({ user, language: 'en' });
      await visit(page, '/bus/plant/gaudeMap');
      await byLoss(page).check();
      await page.waitForURL(/colour=loss/);
      const legend = page.getByRole('list', { name: text('plant-map.legend') });
      await legend.getByText(text('plant-map.losses.small')).waitFor();
      const row = listOf(page).getByRole('listitem').filter({ hasText: WEAK });
      await row.getByText(/String \d gives/).waitFor();
      await row.getByText(/−[\d.]+\skWh.* in 7 days/).waitFor();
      expect(await axeViolations(page, 'losses on the map')).toEqual([]);
      await evidenceOf(page).click();
      const drawer = page.getByRole('dialog');
      await drawer
        .getByRole('heading', { name: /String \d gives/ })
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
    },
  );

  test('filter it as they filter the list, there and back again', async () => {
    const { page } = await openPage({ user: 'admin', language: 'en' });
    await visit(page, '/bus/plant/gaudeMap?colour=loss');
    const all = await count(page);
    await page.getByLabel(text('sites.losing.label'), { exact: true }).selectOption('yes');
    await page.waitForURL(/condition\.losing=yes/);
    await evidenceOf(page).waitFor();
    await expect.poll(() => count(page), { timeout: 10_000 }).toBeLessThan(all);
    const losing = await count(page);
    await page.getByRole('link', { name: text('sites.view.list'), exact: true }).click();
    await page.waitForURL(/\/bus\/plant\/view\?.*condition\.losing=yes/);
    await page.getByRole('row').filter({ hasText: WEAK }).waitFor();
    expect(await page.locator('main tbody tr').count()).toBe(losing);
    await page.getByRole('link', { name: text('sites.view.map'), exact: true }).click();
    await page.waitForURL(/\/bus\/plant\/gaudeMap\?.*condition\.losing=yes/);
    await evidenceOf(page).waitFor();
    expect(await byLoss(page).isChecked()).toBe(true);
  });

  test.each(['desktop', 'phone'] as const)('are seen on a %s, light and dark', async (size) => {
    const { page } = await openPage({ user: 'admin', language: 'en', size });
    await visit(page, '/bus/plant/gaudeMap?colour=loss');
    await evidenceOf(page).waitFor();
    for (const scheme of ['light', 'dark'] as const) {
      await showScheme(page, scheme);
      expect(await layoutProblems(page)).toEqual([]);
      expect(await axeViolations(page, scheme, ['color-contrast'])).toEqual([]);
      await takeScreenshot(page, `map-losses-${size}-${scheme}`);
    }
  });
});

test('the map is drawn without any other server, and its outlines come with the portal', async () => {
  const { page, url } = await openPage({ user: 'owner', language: 'en', size: 'phone', scheme: 'dark' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await visit(page, '/bus/plant/gaudeMap');
  await expect.poll(() => asked.filter((each) => each.includes('countries-')).length).toBeGreaterThan(0);
  await untilSettled(page);
  expect(
    asked.filter((each) => !each.startsWith(url) && !each.startsWith('data:') && !each.startsWith('blob:')),
  ).toEqual([]);
  const colours = () =>
    mapOf(page)
      .locator('canvas')
      .evaluateAll((canvases: HTMLCanvasElement[]) => {
        const seen = new Set<string>();
        for (const canvas of canvases) {
          const { width, height } = canvas;
          const pen = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
          pen?.drawImage(canvas, 0, 0);
          const { data } = pen?.getImageData(0, 0, width, height) ?? { data: [] };
          for (let at = 0; at < data.length; at += 4) seen.add(data.slice(at, at + 4).join());
        }
        return seen.size;
      });
  await expect.poll(colours, { timeout: 10_000 }).toBeGreaterThan(1);
});

test('the home of a fleet shows a week of power, its growth and where it is, and leads to each', async () => {
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, '/bus/index');
  await page.getByRole('heading', { name: textOf('fleet.week.title', 'en') }).waitFor();
  await page.getByText(new RegExp(textOf('fleet.week.peak', 'en', { power: '.+' }))).waitFor();
  await page.getByText(textOf('fleet.co2', 'en'), { exact: true }).waitFor();
  await page.getByRole('link', { name: textOf('install-trend.open', 'en') }).click();
  await page.waitForURL(/\/bus\/installTrend/);
  await page.getByRole('heading', { name: textOf('install-trend.chart', 'en') }).waitFor();
  await page.getByRole('radio', { name: textOf('install-trend.byEach.type', 'en') }).check();
  await page.waitForURL(/condition\.by=type/);
  await untilSettled(page);
  expect(await page.locator('main tbody tr').count()).toBeGreaterThan(0);
  await visit(page, '/bus/index');
  await page.getByRole('link', { name: textOf('fleet.openMap', 'en') }).click();
  await page.waitForURL(/\/bus\/plant\/gaudeMap/);
});

test('the names of days below a week of power do not lie on each other, whatever the hour', async () => {
  const { page } = await openPage({ user: 'agent', language: 'pl' });
  let agoMs = 0;
  await page.route('**/c/v0/fleet/week*', async (route) => {
    const answer = await (await route.fetch()).json();
    answer.result.startMs -= agoMs;
    await route.fulfill({ json: answer });
  });
  const problems = new Set<string>();
  for (let hours = 0; hours < 24; hours += 3) {
    agoMs = hours * 3_600_000;
    await visit(page, '/bus/index');
    await page.getByText(new RegExp(textOf('fleet.week.peak', 'pl', { power: '.+' }))).waitFor();
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size);
      await untilSettled(page);
      for (const problem of await layoutProblems(page)) problems.add(`${size.width} px, ${hours} h: ${problem}`);
    }
  }
  expect([...problems]).toEqual([]);
});

test('units in parallel are reached from their plant, and their powers add up to the sum below them', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/plant/view?condition.content=livada');
  await page
    .getByRole('link', { name: /Livada/ })
    .first()
    .click();
  await page.getByRole('link', { name: textOf('routes.plant-parallel-system', 'en') }).click();
  await page.waitForURL(/\/bus\/plant\/parallelSystem\?id=/);
  const table = page.getByRole('region', { name: textOf('parallel-system.inverters', 'en') });
  await table.getByText(textOf('parallel-system.roles.master', 'en')).waitFor();
  expect(await table.getByText(textOf('parallel-system.roles.slave', 'en')).count()).toBe(2);
  await untilSettled(page);
  const powers = async () => {
    const cells = await table.locator('tbody tr td:nth-of-type(3)').allTextContents();
    const [sum = ''] = await table.locator('tfoot td:nth-of-type(3)').allTextContents();
    const value = (text: string) => Math.round(Number(text.replace('−', '-')) * 100);
    return { parts: cells.map(value).reduce((all, each) => all + each, 0), sum: value(sum) };
  };
  await expect
    .poll(async () => {
      const { parts, sum } = await powers();
      return Number.isFinite(sum) && parts === sum;
    })
    .toBe(true);
});
