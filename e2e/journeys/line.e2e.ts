import { attention } from '@sonnenwarte/contract/fleet/fleet';
import { expect, test } from 'vitest';
import { openWire } from '../support/cut.ts';
import { portalUrl } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const cutOff = [
  /ERR_CONNECTION_RESET|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED|ERR_INCOMPLETE_CHUNKED_ENCODING/,
];

test('while the line is down every screen tells it alike, in the past tense, and all of a screen is asked for again together', async () => {
  const wire = await openWire(portalUrl());
  const { page } = await openPage({ user: 'distributor', language: 'en', url: wire.url, expected: cutOff });
  await visit(page, '/bus/index');
  await page.getByText(textOf('shell.live', 'en'), { exact: true }).first().waitFor();
  const badge = page.getByText(/last heard .*ago/).first();
  const verdict = page.locator('main [role=status][data-ages]').first();
  const ink = () =>
    page
      .locator('main [data-ages]')
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  const bright = await ink();
  // What comes late is there as well: a screen whose code is cut off is loaded anew.
  await page
    .getByRole('button', { name: new RegExp(`^${textOf('losses.action.pause', 'en')}`) })
    .first()
    .waitFor();

  wire.cut();
  await badge.waitFor();
  expect(await verdict.innerText()).toMatch(/^As of .+: \d+ of \d+ plants not normal\.$/);
  expect(await ink()).not.toBe(bright);
  expect(await page.getByText(/interrupted/).count()).toBe(0);

  const asked: string[] = [];
  page.on('requestfinished', (request) => asked.push(new URL(request.url()).pathname));
  wire.heal();
  await badge.waitFor({ state: 'detached', timeout: 45_000 });
  await expect.poll(() => asked).toEqual(expect.arrayContaining(['/c/v0/fleet/summary', attention.path]));
  expect(await verdict.innerText()).not.toMatch(/As of/);
  expect(await ink()).toBe(bright);
});

test('a list tells the same, and what is filtered meanwhile is neither shown as found nor taken away', async () => {
  const wire = await openWire(portalUrl());
  const { page } = await openPage({ user: 'distributor', language: 'en', url: wire.url, expected: cutOff });
  await visit(page, '/bus/plant/view');
  const rows = page.locator('main tbody tr');
  const all = await rows.count();
  wire.cut();
  await page.getByLabel(textOf('sites.list.search', 'en')).fill('linden');
  await page
    .getByText(/last heard .*ago/)
    .first()
    .waitFor();
  await page.getByText(textOf('blocks.list.before', 'en')).waitFor();
  expect(await rows.count()).toBe(all);
  await page.getByRole('button', { name: textOf('blocks.export.button', 'en') }).click();
  await page.getByRole('menuitem').first().getByText(textOf('common.noConnection', 'en')).waitFor();
  await page.keyboard.press('Escape');
  wire.heal();
  await expect.poll(() => rows.count(), { timeout: 45_000 }).toBe(1);
  await untilSettled(page);
  expect(await page.getByText(textOf('blocks.list.before', 'en')).count()).toBe(0);
});
