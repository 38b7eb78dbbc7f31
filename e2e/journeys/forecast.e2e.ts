import { forecast, type SiteForecast } from '@sonnenwarte/contract/forecast/forecast';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl, sessionOf, waitUntilFresh } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const panel = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

/** The forecast of a plant, once its history has told enough days. */
async function toldOf(stationID: string): Promise<SiteForecast> {
  const { token } = await sessionOf('owner');
  return waitUntil('a forecast with days that are over', async () => {
    const told = await callApi(portalUrl(), forecast, { stationID }, token);
    return told.gap === null && told.hits.length > 5 && told;
  });
}

/** Numbers of a range, in kWh. */
const endsOf = (shown: string): number[] => [...shown.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => Number(number));

test.each(['desktop', 'phone'] as const)(
  'home tells on a %s what is still to come as a range, in words too, and yesterday’s against what came',
  async (size) => {
    const { stationID } = await waitUntilFresh('Haus Lindenblick');
    const told = await toldOf(stationID);
    const shown = told.today.range ? 'today' : 'tomorrow';
    const range = told[shown].range;
    const { page } = await openPage({ language: 'en', user: 'owner', size });
    await visit(page, '/bus/index');
    const card = panel(page, text(`forecast.${shown}`));
    await card.waitFor();
    await card.scrollIntoViewIfNeeded();
    await card.getByText(text('forecast.estimate')).waitFor();
    const bar = card.getByRole('img');
    const [low, high] = endsOf((await bar.getAttribute('aria-label')) ?? '').slice(-2);
    expect(Math.abs((low ?? 0) - (range?.p10Wh ?? 0) / 1_000)).toBeLessThanOrEqual(1);
    expect(Math.abs((high ?? 0) - (range?.p90Wh ?? 0) / 1_000)).toBeLessThanOrEqual(1);
    expect(await card.innerText()).toMatch(/Yesterday/);
    if (size === 'desktop') {
      const money = await panel(page, text('sites.section.money')).boundingBox();
      const beside = await card.boundingBox();
      expect(beside?.x).toBeGreaterThan((money?.x ?? 0) + (money?.width ?? 0));
    }
    expect(await axeViolations(page, 'home')).toEqual([]);
  },
);

test('a plant tells tomorrow and how past forecasts held, in a picture and in a table of the same days', async () => {
  const { stationID } = await waitUntilFresh('Haus Lindenblick');
  const { hits, held } = await toldOf(stationID);
  const { page } = await openPage({ language: 'en', user: 'owner' });
  await visit(page, `/bus/plant/detail?id=${stationID}`);
  const forecasts = panel(page, text('forecast.both'));
  await waitUntil('the forecasts stand', async () => {
    await page.mouse.wheel(0, 500);
    return forecasts.isVisible();
  });
  await forecasts.getByText(text('forecast.hits.held', { held, days: hits.length })).waitFor();
  await forecasts.getByRole('img', { name: text('forecast.hits.pictured') }).waitFor();
  await forecasts.getByText(text('forecast.hits.table')).click();
  await expect.poll(() => forecasts.locator('tbody tr').count()).toBe(hits.length);
  const [newest] = hits;
  const cells = await forecasts.locator('tbody tr').first().locator('td').allInnerTexts();
  expect(endsOf(cells[1] ?? '').at(-1)).toBeCloseTo((newest?.cameWh ?? 0) / 1_000, 1);
  expect(await axeViolations(page, 'plant')).toEqual([]);
});
