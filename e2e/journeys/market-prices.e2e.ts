import { marketSources } from '@sonnenwarte/contract/market-prices/market-prices';
import { dropTariff, edit, form } from '@sonnenwarte/contract/site-form/site-form';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { plantNamed, portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { PRICE_ZONE, UNTOLD_HOURS } from '../support/price-source.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const de = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'de', values);
const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);

const call = async <E extends Parameters<typeof callApi>[1]>(endpoint: E, input: Parameters<typeof callApi<E>>[2]) =>
  callApi(portalUrl(), endpoint, input, (await sessionOf('owner')).token);

/** Takes back what prices the plant got since. */
async function dropNewPrices(stationID: string): Promise<void> {
  for (const { fromMs } of (await call(form, { stationID })).tariffs) {
    if (fromMs !== null) await call(dropTariff, { stationID, fromMs });
  }
}

/** The same prices for the whole of today. */
async function holdAllDay(stationID: string): Promise<void> {
  const {
    owner: _,
    organisation: __,
    pricesSince: ___,
    tariffs: ____,
    modules: _____,
    ...site
  } = await call(form, {
    stationID,
  });
  const today = new Intl.DateTimeFormat('sv', { timeZone: site.ianaTimezone }).format(Date.now());
  await call(edit, { ...site, purchaseMarket: null, purchasePrice: '0.3', modules: [] });
  const { version } = await call(form, { stationID });
  await call(edit, { ...site, version, modules: [], priceValidFrom: today });
}

test('a plant follows a market: it is chosen in the form, and its prices stand at the band, with the hour that nobody told', async () => {
  const plant = await plantNamed('Haus Lindenblick');
  const { stationID } = plant;
  onTestFinished(() => dropNewPrices(stationID));
  await waitUntil(
    'the prices of the market',
    async () => (await call(marketSources, {})).sources.some(({ knownUntilMs }) => knownUntilMs !== null),
    { timeoutMs: 90_000 },
  );
  const { page } = await openPage({ language: 'de', user: 'owner' });
  page.setDefaultTimeout(45_000);
  await visit(page, `/bus/plant/edit?id=${stationID}`);
  const purchase = page.getByRole('group', { name: de('site-form.price.purchase'), exact: true });
  await purchase.getByRole('radio', { name: de('site-form.price.kind.market') }).check();
  await field(page, 'purchaseMarket.zone').selectOption(PRICE_ZONE);
  await field(page, 'purchaseMarket.vat').fill('19');
  await field(page, 'purchaseMarket.markup').fill('14,5');
  await takeScreenshot(page, 'market-prices-form');
  expect(await axeViolations(page, 'market prices')).toEqual([]);
  await page.getByRole('button', { name: de('site-form.submit.edit'), exact: true }).click();
  await waitUntil('the market to be kept', async () => (await call(form, { stationID })).purchaseMarket !== null);
  expect((await call(form, { stationID })).purchaseMarket).toEqual({ zone: PRICE_ZONE, markup: '0.145', vat: '19' });

  await holdAllDay(stationID);
  await visit(page, `/bus/work/model?stationID=${stationID}`);
  const [before = ''] = de('work-modes.priceGaps', { spans: '#' }).split('#');
  const gap = page.getByText(before.trim());
  await gap.waitFor();
  const [fromHour, toHour] = UNTOLD_HOURS.map((hour) => {
    const untold = new Date();
    untold.setUTCHours(hour, 0, 0, 0);
    return new Intl.DateTimeFormat('de', { timeStyle: 'short', timeZone: plant.ianaTimezone }).format(untold);
  });
  expect(await gap.textContent()).toContain(`${fromHour}–${toHour}`);
  await takeScreenshot(page, 'market-prices-band');

  for (const language of ['de', 'pl'] as const) {
    const phone = await openPage({ language, user: 'owner', size: 'phone', scheme: 'dark' });
    for (const [path, name] of [
      [`/bus/plant/edit?id=${stationID}`, 'form'],
      [`/bus/work/model?stationID=${stationID}`, 'band'],
      [`/bus/plant/detail?id=${stationID}`, 'plant'],
    ] as const) {
      await visit(phone.page, path);
      await takeScreenshot(phone.page, `market-prices-${name}-phone-${language}`);
      const isCut = await phone.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(isCut).toBe(false);
    }
  }
});
