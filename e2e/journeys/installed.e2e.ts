import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { figures, list } from '@sonnenwarte/contract/sites/sites';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openWire } from '../support/cut.ts';
import { portalUrl } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const cutOff = [
  /ERR_CONNECTION_RESET|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_FAILED/,
];

/** What was shown is kept as soon as the screen stands. */
async function untilKept(page: Page): Promise<void> {
  const isKept = () =>
    page.evaluate(async (path) => {
      // Opening one that is not there yet would make it, without its store.
      if (!(await indexedDB.databases()).some(({ name }) => name === 'sonnenwarte')) return false;
      return new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('sonnenwarte');
        opening.onerror = () => resolve(false);
        opening.onsuccess = () => {
          const { result } = opening;
          if (!result.objectStoreNames.contains('answers')) return resolve(false);
          const reading = result.transaction('answers').objectStore('answers').get('last');
          reading.onsuccess = () =>
            resolve(reading.result?.answers.some(({ key }: { key: string[] }) => key[1] === path) ?? false);
          reading.onerror = () => resolve(false);
        };
      });
    }, list.path);
  await expect.poll(isKept, { timeout: 15_000 }).toBe(true);
}

const ready = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration();
          return registration?.active?.state === 'activated' && (await caches.match('/')) !== undefined;
        }),
      { timeout: 20_000 },
    )
    .toBe(true);

test('a phone opens the portal without a network, with what was last told and its age, and goes on when the network is back', async () => {
  const wire = await openWire(portalUrl());
  const { page } = await openPage({
    size: 'phone',
    user: 'owner',
    language: 'en',
    url: wire.url,
    preloads: true,
    expected: cutOff,
  });
  await visit(page, '/bus/index');
  await ready(page);
  await untilSettled(page);
  const title = await page.locator('main h1').first().innerText();
  const produced = page.locator('main').getByText(textOf('sites.kpi.produced', 'en')).first();
  await produced.waitFor();
  await untilKept(page);

  wire.cut();
  await page.reload();
  await page
    .getByText(/last heard .*ago/)
    .first()
    .waitFor();
  expect(await page.locator('main h1').first().innerText()).toBe(title);
  await produced.waitFor();
  expect(await page.locator('main [data-late]').count()).toBeGreaterThan(0);

  wire.heal();
  await page
    .getByText(/last heard .*ago/)
    .first()
    .waitFor({ state: 'detached', timeout: 45_000 });
  await page.getByText(textOf('shell.live', 'en'), { exact: true }).first().waitFor({ state: 'attached' });
});

test('what was kept is shown to nobody else: signing out takes it away', async () => {
  const { page } = await openPage({ size: 'phone', user: 'owner', language: 'en', preloads: true });
  await visit(page, '/bus/index');
  await untilKept(page);
  await visit(page, '/login');
  await page.locator('input[name=username]').waitFor();
  const left = () =>
    page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const opening = indexedDB.open('sonnenwarte');
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const counting = opening.result.transaction('answers').objectStore('answers').count();
            counting.onsuccess = () => resolve(counting.result);
            counting.onerror = () => reject(counting.error);
          };
        }),
    );
  await expect.poll(left).toBe(0);
});

test('browsers offer to install it', async () => {
  const { page, context } = await openPage({ size: 'phone', user: 'owner', language: 'en', preloads: true });
  await visit(page, '/bus/index');
  await ready(page);
  const cdp = await context.newCDPSession(page);
  const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors');
  // Windows of tests are private ones.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});

test('pulling the page down asks for what it shows again; a short pull does not', async () => {
  const { page, context } = await openPage({ size: 'phone', user: 'owner', language: 'en' });
  await visit(page, '/bus/index');
  await untilSettled(page);
  const cdp = await context.newCDPSession(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const pull = async (px: number) => {
    const at = (y: number) => [{ x: 60, y }];
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(120) });
    for (let down = 0; down <= px; down += 20)
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(120 + down) });
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await pull(60);
  expect(asked).not.toContain(figures.path);
  await pull(240);
  await expect.poll(() => asked).toContain(figures.path);
});

test('the day of a plant can be shared as a picture', async () => {
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await visit(page, '/bus/dataView');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: textOf('sites.share.day', 'en') }).click();
  const picture = await saved;
  expect(picture.suggestedFilename()).toMatch(/ \d{4}-\d{2}-\d{2}\.png$/);
  const file = join(mkdtempSync(join(tmpdir(), 'sonnenwarte-picture-')), 'day.png');
  await picture.saveAs(file);
  const bytes = readFileSync(file);
  rmSync(dirname(file), { recursive: true });
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1080, 1350]);
});
