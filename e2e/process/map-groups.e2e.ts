import { type MapView, mapView } from '@sonnenwarte/contract/sites/site-places';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { DEMO_PASSWORD, demoUsers } from '../support/demo.ts';
import { openPage, signIn } from '../support/page.ts';
import { newDataDir, type PortalRun, removeDataDir, startPortal } from '../support/portal.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const ALL = demoUsers.find(({ user }) => user === 'admin')?.plants ?? 0;

const dataDir = newDataDir();
let portal: PortalRun;
let url: string;

/** A portal that tells a map no more than two plants one by one. */
beforeAll(async () => {
  portal = startPortal(dataDir, { DEMO: 'on', DEMO_MONTHS: '0', MAP_PLACES: '6' });
  ({ url } = await portal.ready());
});

afterAll(async () => {
  await portal?.end();
  removeDataDir(dataDir);
});

const listOf = (page: Page) => page.getByRole('region', { name: text('plant-map.list') });
const inView = (page: Page, number: number) =>
  listOf(page).getByRole('heading', { name: text('plant-map.inView', { number }), exact: true });
const isOfView = (request: Request) => new URL(request.url()).pathname === mapView.path;

async function openMap(query = '') {
  const { page } = await openPage({ url, language: 'en' });
  await page.goto('/login');
  await signIn(page, 'admin', DEMO_PASSWORD);
  await page.waitForURL('**/bus/index');
  const answers: (MapView | undefined)[] = [];
  page.on('requestfinished', async (request) => {
    if (!isOfView(request)) return;
    try {
      answers.push(await answerOf(request));
    } catch (error) {
      // What came when the test was over can no longer be read.
      if (!page.isClosed()) throw error;
    }
  });
  await visit(page, `/bus/plant/gaudeMap${query}`);
  await listOf(page).getByRole('link').first().waitFor();
  return { page, answers };
}

async function answerOf(request: Request): Promise<MapView | undefined> {
  const response = await request.response();
  const { result } = response === null ? {} : await response.json();
  return result;
}

test('where plants are too many to be sent, the part that is seen is told in groups, which fall apart as one comes nearer', async () => {
  const { page, answers } = await openMap();
  await inView(page, ALL).waitFor();
  expect(answers.at(-1)).toMatchObject({ inView: ALL, places: null });
  await takeScreenshot(page, 'map-groups');
  expect(await axeViolations(page, 'groups')).toEqual([]);
  const [first] = await listOf(page).getByRole('link').allTextContents();
  expect(first).not.toBe('');
  const map = page.getByRole('group', { name: text('plant-map.label') });
  await map.focus();
  for (let step = 0; step < 5; step++) await page.keyboard.press('+');
  await expect.poll(() => answers.at(-1)?.groups.length, { timeout: 15_000 }).toBe(0);
  expect(answers.at(-1)?.inView).toBeLessThan(ALL);
  await inView(page, answers.at(-1)?.inView ?? -1).waitFor();
  await page.getByRole('button', { name: text('map.fit') }).click();
  await inView(page, ALL).waitFor();
});

/** Presses the first mark that is drawn on the map. */
async function pressMark(page: Page): Promise<void> {
  const drawn = await page.locator('canvas[data-spots]').evaluate((canvas: HTMLCanvasElement) => {
    const { left, top, width: shownWidth } = canvas.getBoundingClientRect();
    const { width, height } = canvas;
    const step = Math.round((8 * width) / shownWidth);
    const pen = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    pen?.drawImage(canvas, 0, 0);
    const { data } = pen?.getImageData(0, 0, width, height) ?? { data: [] };
    const places: { x: number; y: number }[] = [];
    for (let y = step; y < height; y += step)
      for (let x = step; x < width - 10 * step; x += step)
        if (data[4 * (y * width + x) + 3] === 255)
          places.push({ x: left + (x * shownWidth) / width, y: top + (y * shownWidth) / width });
    return places;
  });
  const map = page.getByRole('group', { name: text('plant-map.label') });
  for (const { x, y } of drawn) {
    await page.mouse.move(x, y);
    if (!(await map.evaluate((element) => element.style.cursor === 'pointer'))) continue;
    await page.mouse.click(x, y);
    return;
  }
  throw new Error('there is nothing on the map');
}

test('a group that is pressed is shown nearer, until it is a plant that tells of itself', async () => {
  const { page, answers } = await openMap();
  await inView(page, ALL).waitFor();
  await expect.poll(() => answers.at(-1)?.groups.some(({ count }) => count > 1)).toBe(true);
  const chosen = listOf(page).getByRole('status').getByRole('link');
  const least: number[] = [];
  for (let press = 0; press < 19 && (await chosen.count()) === 0; press++) {
    const before = answers.length;
    await pressMark(page);
    await expect
      .poll(async () => answers.length > before || (await chosen.count()) > 0, { timeout: 15_000 })
      .toBe(true);
    least.push(answers.at(-1)?.inView ?? ALL);
    await untilSettled(page);
  }
  expect(await chosen.count()).toBe(1);
  expect(Math.min(...least)).toBeLessThan(ALL);
});

test('a part that nobody looks at any more is not waited for: the last one that was asked for is shown', async () => {
  const { page, answers } = await openMap();
  await inView(page, ALL).waitFor();
  const held: Request[] = [];
  const released = Promise.withResolvers<void>();
  await page.route(`**${mapView.path}`, async (route) => {
    held.push(route.request());
    if (held.length === 1) await released.promise;
    await route.continue().catch(() => undefined);
  });
  const zoomIn = page.getByRole('button', { name: text('map.zoomIn') });
  await zoomIn.click();
  await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1);
  // What was shown stays until the new part is there.
  await inView(page, ALL).waitFor();
  const aborted = page.waitForEvent('requestfailed', isOfView);
  const before = answers.length;
  for (let step = 0; step < 3; step++) await zoomIn.click();
  expect(await aborted).toBe(held[0]);
  await expect.poll(() => answers.length, { timeout: 15_000 }).toBeGreaterThan(before);
  released.resolve();
  await expect
    .poll(async () => (await inView(page, answers.at(-1)?.inView ?? -1).count()) === 1, { timeout: 15_000 })
    .toBe(true);
  expect(answers.at(-1)?.inView).toBeLessThan(ALL);
});
