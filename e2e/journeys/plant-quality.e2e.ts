import { conditions, estimates } from '@sonnenwarte/contract/sites/site-endpoints';
import { figures } from '@sonnenwarte/contract/sites/sites';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { plantNamed, waitUntilFresh } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const panel = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

test('a figure that was not all measured says how much of it was estimated, and why', async () => {
  const { stationID } = await plantNamed('Haus Lindenblick');
  const { page } = await openPage({ language: 'en', user: 'admin' });
  await page.route(`**${figures.path}?*`, async (route) => {
    const response = await route.fetch();
    const told = await response.json();
    told.result.total.quality = 'estimated';
    await route.fulfill({ response, json: told });
  });
  await page.route(`**${estimates.path}?*`, async (route) => {
    const response = await route.fetch();
    const told = await response.json();
    told.result.total.consumptionWh = { energyWh: 1_000, estimatedWh: 32 };
    await route.fulfill({ response, json: told });
  });
  await visit(page, `/bus/plant/detail?id=${stationID}`);
  const row = panel(page, text('sites.section.figures')).getByRole('row', { name: text('sites.figure.consumptionWh') });
  const note = row.getByRole('button', { name: text('sites.estimated.part', { percent: '3.2%' }) });
  await note.scrollIntoViewIfNeeded();
  const hint = page.getByRole('tooltip').filter({ hasText: text('sites.estimated.hint') });
  // A figure that comes anew meanwhile takes the focus from its note.
  await expect
    .poll(
      async () => {
        await note.blur();
        await note.focus();
        return hint.count();
      },
      { timeout: 45_000 },
    )
    .toBeGreaterThan(0);
  expect(await axeViolations(page, 'plant')).toEqual([]);
});

test('a plant with a weather station shows what it measures; one without shows nothing of it', async () => {
  const { stationID } = await waitUntilFresh('Bodega Valdeluz');
  const { page } = await openPage({ language: 'en', user: 'admin' });
  await visit(page, `/bus/plant/detail?id=${stationID}`);
  const environment = panel(page, text('devices.section.environment'));
  for (const point of ['envIrradiance', 'envModuleTemp', 'envAmbientTemp', 'envWindSpeed'])
    await environment.getByText(text(`points.${point}`), { exact: true }).waitFor();
  expect(await axeViolations(page, 'plant')).toEqual([]);
  const other = await plantNamed('Haus Lindenblick');
  await visit(page, `/bus/plant/detail?id=${other.stationID}`);
  await untilSettled(page);
  expect(await panel(page, text('devices.section.environment')).count()).toBe(0);
});

test('a string that falls behind is named on the page of its plant and leads to its inverter', async () => {
  const { stationID } = await plantNamed('Haus Lindenblick');
  const { page } = await openPage({ language: 'en', user: 'owner' });
  const weak = { deviceSN: 'INV-1', deviceID: stationID, kind: 'string', n: 2, percent: 41.6 };
  await page.route(`**${conditions.path}?*`, async (route) => {
    const response = await route.fetch();
    const told = await response.json();
    await route.fulfill({ response, json: { ...told, result: { ...told.result, stations: [], weakStrings: [weak] } } });
  });
  await visit(page, `/bus/plant/detail?id=${stationID}`);
  const behind = panel(page, text('devices.strings.behind'));
  await behind.getByText(text('devices.strings.weakNote', { percent: '42%' })).waitFor();
  const link = behind.getByRole('link', { name: `INV-1 · ${text('devices.strings.string', { n: 2 })}` });
  expect(await link.getAttribute('href')).toContain(`inverterDetail?id=${stationID}`);
});

test.each([true, false])('on a phone a sheet closes when it is dragged down, with movement: %s', async (moves) => {
  const { stationID } = await waitUntilFresh('Haus Lindenblick');
  const { page, context } = await openPage({ language: 'en', user: 'owner', size: 'phone', moves });
  await visit(page, `/bus/plant/detail?id=${stationID}`);
  await untilSettled(page);
  await page
    .getByRole('button', { name: new RegExp(text('flow.whereFrom').replace('?', '\\?')) })
    .first()
    .click();
  const sheet = page.getByRole('dialog', { name: text('sites.from.today') });
  await sheet
    .getByRole('table')
    .or(sheet.getByText(text('charts.noDay')))
    .first()
    .waitFor();
  await untilSettled(page);
  const cdp = await context.newCDPSession(page);
  // Slowly: what is flicked goes at once.
  let timestamp = Date.now() / 1_000;
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) => {
    timestamp += 0.1;
    return cdp.send('Input.dispatchTouchEvent', {
      type,
      timestamp,
      touchPoints: y === undefined ? [] : [{ x: 120, y }],
    });
  };
  const drag = async (px: number) => {
    await touch('touchStart', 40);
    for (let down = 0; down <= px; down += 20) await touch('touchMove', 40 + down);
    const shown = await sheet.evaluate((element) => (element as HTMLElement).style.translate);
    await touch('touchEnd');
    return shown;
  };
  expect(await drag(120)).toEqual(moves ? expect.stringContaining('px') : '');
  expect(await sheet.isVisible()).toBe(true);
  expect(await sheet.evaluate((element) => (element as HTMLElement).style.translate)).toBe('');
  await drag(400);
  await sheet.waitFor({ state: 'detached' });
});
