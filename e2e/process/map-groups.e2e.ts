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
  portal = startPortal(dataDir, { DEMO: 'on', MAP_PLACES: '6' });
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
    if (isOfView(request)) answers.push(await answerOf(request));
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

test('a group that is pressed is shown nearer, and a plant tells of itself', async () => {
  const { page, answers } = await openMap('?condition.country=PL');
  await untilSettled(page);
  const before = answers.length;
  const map = page.getByRole('group', { name: text('plant-map.label') });
  const box = await map.boundingBox();
  if (!box) throw new Error('there is no map');
  const isOnSpot = () => map.evaluate((element) => element.style.cursor === 'pointer');
  const find = async () => {
    for (let y = box.y + 12; y < box.y + box.height; y += 12) {
      for (let x = box.x + 12; x < box.x + box.width - 60; x += 12) {
        await page.mouse.move(x, y);
        if (await isOnSpot()) return { x, y };
      }
    }
    throw new Error('there is nothing on the map');
  };
  const chosen = listOf(page).getByRole('status').getByRole('link');
  for (let press = 0; press < 19 && (await chosen.count()) === 0; press++) {
    const { x, y } = await find();
    await page.mouse.click(x, y);
    await untilSettled(page);
    await chosen
      .first()
      .waitFor({ timeout: 1_000 })
      .catch(() => undefined);
  }
  expect(await chosen.count()).toBeGreaterThan(0);
  expect(answers.length).toBeGreaterThanOrEqual(before);
});

test('a part that nobody looks at any more is not waited for: the last one that was asked for is shown', async () => {
  const { page } = await openMap();
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
  const answered = page.waitForResponse((response) => isOfView(response.request()));
  for (let step = 0; step < 3; step++) await zoomIn.click();
  expect(await aborted).toBe(held[0]);
  const { result } = await (await answered).json();
  released.resolve();
  await inView(page, result.inView).waitFor();
  expect(result.inView).toBeLessThan(ALL);
});
