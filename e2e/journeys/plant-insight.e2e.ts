import { text as wholeOf } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { plantNamed, waitUntilFresh } from '../support/demo.ts';
import { openPage, type View } from '../support/page.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const panel = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

async function openPlant(name: string, view: View) {
  const { stationID } = await waitUntilFresh(name);
  const { page } = await openPage({ language: 'en', ...view });
  await visit(page, `/bus/plant/detail?id=${stationID}`);
  return page;
}

const numberIn = (shown: string): number => Number(shown.replaceAll(/[^\d.]/g, ''));

describe('where from', () => {
  test.each(['desktop', 'phone'] as const)(
    'the house tells on a %s where its kilowatt hours came from, adding up, for another day too; Escape gives the focus back',
    async (size) => {
      const page = await openPlant('Haus Lindenblick', { user: 'owner', size });
      const node = page.getByRole('button', { name: new RegExp(text('flow.whereFrom').replace('?', '\\?')) }).first();
      await node.click();
      await page.getByRole('dialog', { name: text('sites.from.today') }).waitFor();
      const drawer = page.getByRole('dialog');
      const table = drawer.getByRole('table').first();
      const nothingYet = drawer.getByText(text('charts.noDay'));
      await table.or(nothingYet).waitFor();
      // A day that has only begun has nothing to tell.
      if (await nothingYet.isVisible()) await drawer.getByRole('button', { name: text('charts.previous') }).click();
      await table.waitFor();
      const energies = async () =>
        (await table.locator('tr td:nth-child(2)').allInnerTexts()).map((shown) => Math.round(100 * numberIn(shown)));
      const [sum = 0, ...parts] = (await energies()).toReversed();
      expect(parts.reduce((all, part) => all + part, 0)).toBe(sum);
      const shares = (await table.locator('tbody tr td:last-child').allInnerTexts()).map(numberIn);
      expect(shares.reduce((all, share) => all + share, 0)).toBe(100);
      expect(await drawer.innerText()).not.toContain('/kWh/kWh');
      expect(await axeViolations(page, 'plant')).toEqual([]);

      await drawer.getByRole('button', { name: text('charts.previous') }).click();
      const yesterday = page.getByRole('dialog', { name: text('sites.from.title'), exact: true });
      await yesterday.getByRole('radio', { name: text('sites.from.car') }).check({ force: true });
      await yesterday
        .getByText(text('sites.from.sessions'))
        .or(yesterday.getByText(text('sites.from.notCharged')))
        .waitFor();
      await page.keyboard.press('Escape');
      await yesterday.waitFor({ state: 'detached' });
      await expect.poll(() => node.evaluate((element) => element === document.activeElement)).toBe(true);
    },
  );
});

describe('figures of a plant', () => {
  test('are compared with the day before in words and outlines, and say where nothing was recorded', async () => {
    const page = await openPlant('Haus Lindenblick', { user: 'owner' });
    const energy = panel(page, text('charts.production'));
    await energy.scrollIntoViewIfNeeded();
    await energy.getByRole('radio', { name: text('common.span.day'), exact: true }).press('Space');
    await energy.getByLabel(text('sites.compare.label')).selectOption('previous');
    await energy.getByText(text('sites.compare.until')).waitFor();
    expect(await energy.locator('dl dt').allInnerTexts()).toContain(text('sites.figure.generationWh'));
    await energy.getByLabel(text('sites.compare.label')).selectOption('lastYear');
    await energy.getByText(/recording began|values are missing/).waitFor();
    expect(await axeViolations(page, 'plant')).toEqual([]);
  });

  test('are saved as a file of chosen days and values', async () => {
    const page = await openPlant('Haus Lindenblick', { user: 'owner' });
    const energy = panel(page, text('charts.production'));
    await energy.scrollIntoViewIfNeeded();
    await energy.getByRole('button', { name: text('sites.export.open') }).click();
    const dialog = page.getByRole('dialog', { name: text('sites.export.open') });
    await dialog.getByLabel(text('sites.export.step')).selectOption('hour');
    expect(await axeViolations(page, 'plant')).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: text('sites.export.save') }).click(),
    ]);
    const [header = '', ...rows] = (await wholeOf(await file.createReadStream())).slice(1).trimEnd().split('\r\n');
    expect(header).toContain(`${text('sites.figure.generationWh')} (kWh)`);
    expect(rows.length).toBeGreaterThan(0);
    await dialog.waitFor({ state: 'detached' });
  });
});

test('on a phone the parts of a plant are a tap away', async () => {
  const page = await openPlant('Haus Lindenblick', { user: 'owner', size: 'phone' });
  const ways = page.getByRole('navigation', { name: text('sites.sections') });
  await ways.getByRole('button', { name: text('sites.section.devices') }).click();
  const devices = panel(page, text('sites.section.devices'));
  await expect.poll(async () => ((await devices.boundingBox())?.y ?? 9_999) < 500).toBe(true);
  expect(await ways.isVisible()).toBe(true);
});

test('strings of an inverter stand side by side', async () => {
  const { stationID } = await plantNamed('Bodega Valdeluz');
  const { page } = await openPage({ language: 'en', user: 'admin' });
  await visit(page, `/bus/plant/detail?id=${stationID}`);
  const link = panel(page, text('sites.section.devices')).locator('a[href*="inverter"]').first();
  await link.scrollIntoViewIfNeeded();
  await link.click();
  const strings = panel(page, text('devices.strings.panel'));
  await expect.poll(() => strings.locator('tbody tr').count()).toBeGreaterThan(1);
});
