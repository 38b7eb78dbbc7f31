import { places } from '@sonnenwarte/contract/map/places';
import { edit, form as siteForm } from '@sonnenwarte/contract/site-form/site-form';
import { detail, list } from '@sonnenwarte/contract/sites/sites';
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { newAccount, PASSWORD } from '../support/new-account.ts';
import { openPage, signIn } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { importSpares, type SpareDatalogger } from '../support/spare-dataloggers.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The first search of a portal reads the names of all places, which takes its time on a busy machine. */
beforeAll(async () => {
  const { token } = await sessionOf('installer');
  const search = () => callApi(portalUrl(), places, { search: 'Freising' }, token).catch(() => undefined);
  await waitUntil('names of places', async () => ((await search())?.places.length ?? 0) > 0, { timeoutMs: 90_000 });
}, 100_000);

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const button = (page: Page, key: string, values: Record<string, string | number> = {}) =>
  page.getByRole('button', { name: t(key, values), exact: true });

async function signedIn(user: string, size: 'desktop' | 'phone' = 'desktop', expected: readonly RegExp[] = []) {
  const { page } = await openPage({ language: 'en', size, expected });
  await visit(page, '/login');
  await signIn(page, user, PASSWORD);
  await page.waitForURL('**/bus/index');
  await untilSettled(page);
  return page;
}

async function plantOf(user: string) {
  const { token } = await openSession(portalUrl(), user, PASSWORD);
  const { plants } = await callApi(portalUrl(), list, {}, token);
  const [plant] = plants;
  if (!plant) throw new Error(`${user} has no plant`);
  return {
    token,
    stationID: plant.stationID,
    plant: await callApi(portalUrl(), detail, { stationID: plant.stationID }, token),
  };
}

async function choosePlace(page: Page, search: string, name: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: t('site-form.place.search') }).fill(search);
  await page.getByRole('option', { name }).first().click();
}

async function addDatalogger(page: Page, { sn, key }: SpareDatalogger): Promise<void> {
  await field(page, 'entry.sn').fill(sn);
  await field(page, 'entry.key').fill(key);
  await field(page, 'entry.key').press('Enter');
}

const rowOf = (page: Page, at: number) =>
  page
    .getByRole('list', { name: t('site-form.section.modules') })
    .getByRole('listitem')
    .nth(at);
const readyRows = (page: Page) => page.locator('li[data-state=ready]');

test('an installer adds a plant on a desktop: place by name, arrays by hand and by dial, a datalogger by its key', async () => {
  const user = await newAccount('installer');
  const [spare] = await importSpares(inject('dataDir'), 1);
  const page = await signedIn(user);
  await visit(page, '/bus/plant/view');
  await button(page, 'sites.action.add').click();
  await page.waitForURL('**/bus/plant/add');
  await untilSettled(page);

  await page
    .getByRole('button', { name: t('site-form.submit.add'), exact: true })
    .last()
    .click();
  await page.getByText(t('site-form.addDevice')).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');

  await field(page, 'name').fill('Haus Ahornweg');
  await field(page, 'type').selectOption('2');
  await field(page, 'ratedPowerW').fill('10');
  await choosePlace(page, 'Freising', /Freising/);
  await expect.poll(() => field(page, 'city').inputValue()).toBe('Freising');
  await expect.poll(() => field(page, 'country').inputValue()).toBe('DE');
  await expect.poll(() => field(page, 'currency').inputValue()).toBe('EUR');
  expect(await field(page, 'ianaTimezone').inputValue()).toBe('Europe/Berlin');
  await page.getByText('€/kWh').first().waitFor();
  expect(await field(page, 'installerContact.name').inputValue()).toBe(user);
  expect(await field(page, 'installerContact.email').inputValue()).toBe(`${user}@example.com`);

  // The currency follows the country until it is chosen by hand.
  await field(page, 'country').selectOption('PL');
  await expect.poll(() => field(page, 'currency').inputValue()).toBe('PLN');
  await field(page, 'currency').selectOption('CHF');
  await field(page, 'country').selectOption('DE');
  await untilSettled(page);
  expect(await field(page, 'currency').inputValue()).toBe('CHF');
  await field(page, 'currency').selectOption('EUR');

  // What was typed since is not overwritten by the pin.
  await field(page, 'city').fill('Freising-Lerchenfeld');
  const latitude = await field(page, 'position.latitude').inputValue();
  const pin = page.getByRole('button', { name: new RegExp(`^${t('site-form.place.pin').trim()}`) });
  await pin.focus();
  await pin.press('Shift+ArrowUp');
  await expect.poll(() => field(page, 'position.latitude').inputValue()).not.toBe(latitude);
  expect(Number(await field(page, 'position.latitude').inputValue())).toBeGreaterThan(Number(latitude));
  expect(await field(page, 'city').inputValue()).toBe('Freising-Lerchenfeld');

  await button(page, 'site-form.array.add').click();
  await field(page, 'arrays.0.azimuthDeg').fill('160');
  await field(page, 'arrays.0.kwp').fill('7.2');
  await field(page, 'arrays.0.modules').fill('16');
  await page
    .getByText(`${t('site-form.direction.sse')} · ${t('site-form.array.modules_other', { count: 16 })}`)
    .waitFor();
  await page.getByRole('button', { name: new RegExp(`^${t('site-form.array.copy')}: `) }).click();
  const dial = page.locator('[data-row="1"] [data-dial=compass]');
  const box = await dial.boundingBox();
  if (!box) throw new Error('The dial is not drawn');
  await page.mouse.click(box.x + box.width * 0.15, box.y + box.height / 2);
  await expect.poll(() => field(page, 'arrays.1.azimuthDeg').inputValue()).toBe('270');
  await page.getByRole('button', { name: `${t('blocks.rows.remove')}: ${t('site-form.array.one')} 2` }).click();
  await expect.poll(() => field(page, 'arrays.1.kwp').count()).toBe(0);
  await button(page, 'site-form.array.undo').click();
  await expect.poll(() => field(page, 'arrays.1.azimuthDeg').inputValue()).toBe('270');

  await field(page, 'price').fill('0.0786');
  await field(page, 'purchasePrice').fill('0.32');
  if (!spare) throw new Error('No datalogger was imported');
  await addDatalogger(page, { ...spare, key: 'KEY-WRONG-1' });
  await rowOf(page, 0).locator('[aria-invalid=true]').waitFor();
  await rowOf(page, 0)
    .getByRole('textbox', { name: t('site-form.field.key') })
    .fill(spare.key);
  await rowOf(page, 0)
    .getByRole('textbox', { name: t('site-form.field.key') })
    .press('Enter');
  await expect.poll(() => readyRows(page).count()).toBe(1);
  await takeScreenshot(page, 'site-form-add-desktop-light');
  expect(await axeViolations(page, 'filled')).toEqual([]);

  await page.keyboard.press('Control+Enter');
  await page.waitForURL('**/bus/plant/detail?**');
  await page.getByRole('heading', { name: 'Haus Ahornweg' }).waitFor();
  const { plant } = await plantOf(user);
  expect([Number(plant.price), Number(plant.purchasePrice)]).toEqual([0.0786, 0.32]);
  expect(plant).toMatchObject({
    name: 'Haus Ahornweg',
    type: 2,
    country: 'DE',
    city: 'Freising-Lerchenfeld',
    ianaTimezone: 'Europe/Berlin',
    systemCapacity: 14.4,
    ratedPowerW: 10_000,
    currency: 'EUR',
  });
});

test('an installer adds a plant on a phone, step by step; a step may be left incomplete, and a reload loses nothing', async () => {
  const user = await newAccount('installer');
  const [spare] = await importSpares(inject('dataDir'), 1);
  if (!spare) throw new Error('No datalogger was imported');
  const page = await signedIn(user, 'phone');
  await visit(page, '/bus/plant/add');
  const next = (section: string) =>
    button(page, 'site-form.next', { section: t(`site-form.section.${section}`) }).click();
  const step = (number: number, section: string) =>
    page.getByText(t('site-form.step', { number, total: 6, section: t(`site-form.section.${section}`) })).waitFor();

  await step(1, 'plant');
  await field(page, 'type').selectOption('1');
  await next('place');
  await step(2, 'place');
  await choosePlace(page, 'Freising', /Freising/);
  await expect.poll(() => field(page, 'currency').inputValue()).toBe('EUR');
  await page.reload();
  await untilSettled(page);
  await page.getByText(t('blocks.form.restored')).waitFor();
  await next('place');
  expect(await field(page, 'city').inputValue()).toBe('Freising');
  await takeScreenshot(page, 'site-form-place-phone-light');
  await next('arrays');
  await next('prices');
  await next('modules');
  await step(5, 'modules');
  await addDatalogger(page, spare);
  await expect.poll(() => readyRows(page).count()).toBe(1);
  await takeScreenshot(page, 'site-form-modules-phone-light');
  expect(await axeViolations(page, 'dataloggers')).toEqual([]);
  await next('contacts');
  await step(6, 'contacts');

  // The name was left out: the form leads back to the step where it is missing.
  await button(page, 'site-form.submit.add').click();
  await step(1, 'plant');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
  await field(page, 'name').fill('Garage');
  for (const section of ['place', 'arrays', 'prices', 'modules', 'contacts']) await next(section);
  await button(page, 'site-form.submit.add').click();
  await page.waitForURL('**/bus/plant/detail?**');
  expect((await plantOf(user)).plant).toMatchObject({ name: 'Garage', city: 'Freising' });
});

test('of twelve pasted dataloggers two rows are wrong; these are put right or taken out, and the ten others are kept', async () => {
  const user = await newAccount('installer');
  const spares = await importSpares(inject('dataDir'), 11);
  const page = await signedIn(user);
  await visit(page, '/bus/plant/add');
  await field(page, 'name').fill('Solarpark');
  await field(page, 'type').selectOption('1');
  await choosePlace(page, 'Freising', /Freising/);
  await expect.poll(() => field(page, 'currency').inputValue()).toBe('EUR');

  await page.getByRole('radio', { name: t('site-form.module.paste') }).check();
  const [first, second] = spares;
  if (!first || !second) throw new Error('No datalogger was imported');
  const separators = [' ', '\t', ',', ';'];
  const lines = spares.map(({ sn, key }, at) => `${at === 4 ? sn.slice(0, 14) : sn}${separators[at % 4]}${key}`);
  await field(page, 'pasted').fill(['SN;Key', ...lines, `${second.sn} ${second.key}`].join('\n'));
  await button(page, 'site-form.module.addAll', { number: 12 }).click();
  await expect.poll(() => readyRows(page).count()).toBe(10);
  await expect.poll(() => page.locator('li[data-state=wrong]').count()).toBe(2);
  await rowOf(page, 11)
    .getByText(t('site-form.module.sameAs', { row: 2 }))
    .waitFor();
  await takeScreenshot(page, 'site-form-pasted-desktop-light');

  await page.getByRole('button', { name: t('site-form.submit.add'), exact: true }).click();
  await page.getByText(t('site-form.module.checkRows')).waitFor();
  const short = rowOf(page, 4).getByRole('textbox', { name: t('site-form.field.sn') });
  await short.fill(spares[4]?.sn ?? '');
  await short.press('Enter');
  await expect.poll(() => readyRows(page).count()).toBe(11);
  await rowOf(page, 11)
    .getByRole('button', { name: new RegExp(`^${t('blocks.rows.remove')}`) })
    .click();
  await expect.poll(() => page.locator('li[data-state=wrong]').count()).toBe(0);
  await page.getByRole('button', { name: t('site-form.submit.add'), exact: true }).click();
  await page.waitForURL('**/bus/plant/detail?**');
  const { token, stationID } = await plantOf(user);
  const { modules } = await callApi(portalUrl(), siteForm, { stationID }, token);
  expect(modules.map(({ sn }) => sn).sort()).toEqual(spares.map(({ sn }) => sn).sort());
});

test('a new end user finds the way from home, links a serial number, and edits the plant: prices ask from when, and a change meanwhile is said', async () => {
  const user = await newAccount('endUser');
  const [spare] = await importSpares(inject('dataDir'), 1);
  if (!spare) throw new Error('No datalogger was imported');
  const page = await signedIn(user, 'desktop', [/42209/]);
  await button(page, 'sites.action.link').click();
  await page.waitForURL('**/bus/plant/linkSn');
  await untilSettled(page);
  await field(page, 'name').fill('Mein Haus');
  await field(page, 'type').selectOption('2');
  await choosePlace(page, 'Freising', /Freising/);
  await expect.poll(() => field(page, 'currency').inputValue()).toBe('EUR');
  await field(page, 'purchasePrice').fill('0.32');
  await addDatalogger(page, spare);
  await expect.poll(() => readyRows(page).count()).toBe(1);
  await page.getByRole('button', { name: t('site-form.submit.add'), exact: true }).click();
  await page.waitForURL('**/bus/plant/detail?**');
  await untilSettled(page);
  await button(page, 'sites.action.edit').click();
  await page.waitForURL('**/bus/plant/edit?**');
  await untilSettled(page);
  expect(await field(page, 'name').inputValue()).toBe('Mein Haus');
  await field(page, 'purchasePrice').fill('0.35');
  await page.getByText(t('site-form.price.meaning.now')).waitFor();
  await page.getByRole('radio', { name: t('site-form.price.validity.beginning') }).check();
  await field(page, 'address').fill('Ahornweg 7');

  const { token, stationID } = await plantOf(user);
  const {
    version,
    owner: _,
    organisation: __,
    modules: ___,
    pricesSince: ____,
    tariffs: _____,
    ...site
  } = await callApi(portalUrl(), siteForm, { stationID }, token);
  await callApi(portalUrl(), edit, { ...site, name: 'Unser Haus', version, modules: [] }, token);
  await button(page, 'site-form.submit.edit').click();
  await page.getByText(t('site-form.changedSince')).waitFor();
  await button(page, 'site-form.takeNewer').click();
  await expect.poll(() => field(page, 'name').inputValue()).toBe('Unser Haus');
  expect(await field(page, 'address').inputValue()).toBe('Ahornweg 7');
  await takeScreenshot(page, 'site-form-edit-desktop-light');
  await button(page, 'site-form.submit.edit').click();
  await page.waitForURL('**/bus/plant/detail?**');
  const { plant } = await plantOf(user);
  expect(plant).toMatchObject({ name: 'Unser Haus', address: 'Ahornweg 7' });
  expect(Number(plant.purchasePrice)).toBe(0.35);
});

test('an end user draws prices by the time of day: edges by key, hand and typing, from a day to come, which is taken back', async () => {
  const user = await newAccount('endUser');
  const [spare] = await importSpares(inject('dataDir'), 1);
  if (!spare) throw new Error('No datalogger was imported');
  const page = await signedIn(user);
  await visit(page, '/bus/plant/linkSn');
  await field(page, 'name').fill('Haus mit Nachttarif');
  await field(page, 'type').selectOption('2');
  await choosePlace(page, 'Freising', /Freising/);
  await expect.poll(() => field(page, 'currency').inputValue()).toBe('EUR');
  await page
    .getByRole('group', { name: t('site-form.price.purchase') })
    .getByRole('radio', { name: t('site-form.price.kind.byTime') })
    .check();
  const band = page.getByRole('group', {
    name: `${t('site-form.price.purchase')}, ${t('site-form.price.day.weekday')}`,
  });
  const period = (name: RegExp) => band.getByRole('button', { name });
  const edge = (number: number) => band.getByRole('slider', { name: t('site-form.price.edge', { number }) });
  const priceField = (at: number, days = 'weekday') => field(page, `purchasePeriods.${days}.${at}.price`);
  await priceField(0).fill('0.24');
  await period(/^06:00/).click();
  await priceField(1).fill('0.32');
  await edge(1).press('ArrowRight');
  await expect.poll(() => edge(1).getAttribute('aria-valuetext')).toBe('06:15');

  // A price that was left out is shown, and has the focus.
  await addDatalogger(page, spare);
  await expect.poll(() => readyRows(page).count()).toBe(1);
  await page.getByRole('button', { name: t('site-form.submit.add'), exact: true }).click();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('purchasePeriods.weekday.2.price');
  await priceField(2).fill('0.24');

  // An evening that is dear is divided off, and its edge drawn by hand.
  await period(/^06:15/).click();
  await button(page, 'site-form.price.divide').click();
  await priceField(2).fill('0.41');
  await page.getByLabel(t('site-form.price.from'), { exact: true }).fill('17');
  await page.getByLabel(t('site-form.price.from'), { exact: true }).press('Enter');
  await period(/^17:00–22:00/).waitFor();
  const handle = await edge(3).boundingBox();
  const day = await band.locator('> div').first().boundingBox();
  if (!handle || !day) throw new Error('The band is not drawn');
  const y = handle.y + handle.height - 12;
  await page.mouse.move(handle.x + handle.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(day.x + (day.width * 21) / 24, y, { steps: 5 });
  await page.mouse.up();
  await period(/^17:00–21:00/).waitFor();
  await period(/^17:00/).click();

  await page.getByRole('radio', { name: t('site-form.price.day.weekend') }).check();
  await page.getByText(t('site-form.price.weekendSame')).waitFor();
  await page.getByRole('radio', { name: t('site-form.price.day.weekday') }).check();
  await period(/^17:00/).click();
  await takeScreenshot(page, 'site-form-prices-desktop-light');
  expect(await axeViolations(page, 'prices')).toEqual([]);
  await page.getByRole('button', { name: t('site-form.submit.add'), exact: true }).click();
  await page.waitForURL('**/bus/plant/detail?**');
  const { plant, stationID, token } = await plantOf(user);
  expect(plant.purchasePeriods).toEqual({
    weekday: [
      { from: '00:00', price: '0.24' },
      { from: '06:15', price: '0.32' },
      { from: '17:00', price: '0.41' },
      { from: '21:00', price: '0.24' },
    ],
    weekend: null,
  });
  await untilSettled(page);
  await page
    .getByText(/0\.24.*–.*0\.41/)
    .first()
    .waitFor();

  await visit(page, `/bus/plant/edit?id=${stationID}`);
  await period(/^17:00/).click();
  await priceField(2).fill('0.5');
  await page.getByRole('radio', { name: t('site-form.price.validity.day') }).check();
  const tariffs = async () => (await callApi(portalUrl(), siteForm, { stationID }, token)).tariffs;
  const {
    version,
    owner: _,
    organisation: __,
    modules: ___,
    pricesSince: ____,
    tariffs: _____,
    ...site
  } = await callApi(portalUrl(), siteForm, { stationID }, token);
  const coming = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
  const later = { ...site, purchasePeriods: null, purchasePrice: '0.5' };
  await callApi(portalUrl(), edit, { ...later, version, modules: [], priceValidFrom: coming }, token);
  expect((await tariffs()).map(({ when }) => when)).toEqual(['now', 'future']);
  await page.reload();
  await untilSettled(page);
  const all = page.getByRole('list', { name: t('site-form.price.all') });
  await expect.poll(() => all.getByRole('listitem').count()).toBe(2);
  // What changed prices replace, and until when they hold, is said before they are sent.
  await page.getByRole('radio', { name: t('site-form.price.validity.now') }).check();
  const [, untilNext = ''] = t('site-form.price.effect.until', { day: '#' }).split('#');
  await page.getByText(untilNext.trim()).waitFor();
  await page.getByRole('radio', { name: t('site-form.price.validity.beginning') }).check();
  await page.getByText(t('site-form.price.effect.replacesBeginning')).waitFor();
  await takeScreenshot(page, 'site-form-tariffs-desktop-light');
  await all.getByRole('button', { name: new RegExp(`^${t('site-form.action.dropTariff')}`) }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('site-form.action.dropTariff'), exact: true })
    .click();
  await expect.poll(async () => (await tariffs()).length).toBe(1);
  await expect.poll(() => all.count()).toBe(0);
  // What was typed before is kept.
  await period(/^17:00–21:00: €0.50/).waitFor();
});
