import { language } from '@sonnenwarte/contract/accounts/own-account';
import { handoverEndpoints } from '@sonnenwarte/contract/handover/handover';
import { signUp } from '@sonnenwarte/contract/sign-up/sign-up';
import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { mailTo } from '../../apps/server/src/testing/outbox.ts';
import { languageOfCountry } from '../../apps/web/src/handover/customer-language.ts';
import { callApi, openSession } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { plantsOf, portalUrl, sessionOf } from '../support/demo.ts';
import { openPage, signIn } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const PASSWORD = 'sun-and-wind';
const de = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'de', values);
const en = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const pl = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'pl', values);
const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const newUser = (): string => `kunde${Date.now() % 1_000_000_000}`;

async function newAccount(role: 'installer' | 'endUser'): Promise<string> {
  const user = newUser();
  const email = `${user}@example.com`;
  await callApi(portalUrl(), signUp, { role, user, password: PASSWORD, email, country: 'DE', termsAccepted: true });
  return user;
}

/** A plant of the demonstration's installer that nobody owns. */
async function finishedPlant(): Promise<SiteRow> {
  const found = (await plantsOf('installer')).find(({ owner }) => owner === '');
  if (!found) throw new Error('The installer has no plant to hand over');
  return found;
}

/** A plant to hand over by a call: one of which a journey before has disposed, else one that nobody owns. */
const anyPlant = async (): Promise<SiteRow> =>
  (await plantsOf('installer')).find(({ owner }) => owner.startsWith('kunde')) ?? finishedPlant();

async function codeFor({ stationID }: SiteRow): Promise<string> {
  const { token } = await sessionOf('installer');
  return (await callApi(portalUrl(), handoverEndpoints.make, { stationID, replacesOwner: true }, token)).code;
}

async function home(user: string, size: 'desktop' | 'phone') {
  const { page } = await openPage({ language: 'en', size });
  await visit(page, '/login');
  await signIn(page, user, PASSWORD);
  await page.waitForURL('**/bus/index');
  await untilSettled(page);
  return page;
}

/** A plant that nobody owns is handed over by a button of its page. */
async function beginHandover(page: Page): Promise<void> {
  await page.getByRole('button', { name: de('sites.action.handover'), exact: true }).click();
}

test('an installer hands a plant over by a QR code: the phone signs up, and both screens show the plant as it happens', async () => {
  const plant = await finishedPlant();
  const { page: desk } = await openPage({ language: 'de', user: 'installer' });
  await visit(desk, `/bus/plant/detail?id=${plant.stationID}`);
  await beginHandover(desk);
  const dialog = desk.getByRole('dialog', { name: de('handover.title', { plant: plant.name }) });
  await dialog.getByRole('button', { name: de('handover.make') }).click();
  await dialog
    .getByRole('img', { name: de('handover.qr') })
    .first()
    .locator('svg')
    .waitFor();
  const customer = dialog.getByLabel(de('handover.language'));
  expect(await customer.inputValue()).toBe(languageOfCountry(plant.country));
  await customer.selectOption('pl');
  const mail = await dialog.getByRole('link', { name: de('handover.mail') }).getAttribute('href');
  await desk.waitForFunction(
    (title) => document.body.textContent?.includes(title),
    pl('handover.sheet.title', { plant: plant.name }),
  );
  const link = new URL(/https?:\S+/.exec(decodeURIComponent(mail ?? ''))?.[0] ?? '');
  await takeScreenshot(desk, 'handover-code');
  expect(await axeViolations(desk, 'code')).toEqual([]);

  const { page: handset } = await openPage({ size: 'phone' });
  await visit(handset, `${link.pathname}${link.search}`);
  await handset.getByText(pl('sign-up.handover.by', { organisation: plant.installer })).waitFor();
  await handset.getByText(plant.name, { exact: true }).waitFor();
  const stepDone = (text: string) => dialog.locator('li[data-done]', { hasText: text });
  await stepDone(de('handover.step.opened')).waitFor();
  await takeScreenshot(handset, 'handover-sign-up');
  expect(await axeViolations(handset, 'sign-up')).toEqual([]);

  const user = newUser();
  const email = `${user}@example.com`;
  await field(handset, 'user').fill(user);
  await field(handset, 'password').fill(PASSWORD);
  await field(handset, 'confirm').fill(PASSWORD);
  await field(handset, 'email').fill(email);
  await expect.poll(() => field(handset, 'country').inputValue()).toBe(plant.country);
  expect(await field(handset, 'code').count()).toBe(0);
  await field(handset, 'termsAccepted').check();
  await handset.locator('button[type=submit]').click();
  await handset.waitForURL('**/bus/index');
  await handset.getByRole('heading', { name: plant.name }).waitFor();
  await stepDone(de('handover.step.accountMade', { user })).waitFor();
  await stepDone(de('handover.step.seen')).waitFor();
  expect(await handset.locator('html').getAttribute('lang')).toBe('pl');

  const { code } = await mailTo(inject('dataDir'), email);
  const { page: mailbox } = await openPage({ language: 'pl', size: 'phone' });
  await visit(mailbox, `/confirmEmail#code=${code}`);
  await mailbox.locator('button[type=submit]').click();
  await stepDone(de('handover.step.email')).waitFor();
  await takeScreenshot(desk, 'handover-done');
  expect(await axeViolations(desk, 'done')).toEqual([]);

  const { page: late } = await openPage({ language: 'de', size: 'phone' });
  await visit(late, `/signUp${link.search.replace('pl', 'de')}`);
  await late.getByText(de('sign-up.codeUsed')).waitFor();
});

test('the sheet is all that is printed: one page, black on white, in the language of the customer', async () => {
  const plant = await finishedPlant();
  const { page } = await openPage({ language: 'de', user: 'installer', scheme: 'dark' });
  await visit(page, `/bus/plant/detail?id=${plant.stationID}`);
  await beginHandover(page);
  const dialog = page.getByRole('dialog');
  // A journey before may have left a code that is still good.
  await dialog
    .getByRole('button', { name: new RegExp(`^(${de('handover.make')}|${de('handover.makeNew')})$`) })
    .click();
  await dialog.getByLabel(de('handover.language')).selectOption('de');
  const title = page.locator('body > [data-printed]', { hasText: de('handover.sheet.title', { plant: plant.name }) });
  await title.waitFor({ state: 'attached' });
  await page.locator('body > [data-printed] svg path').last().waitFor({ state: 'attached' });
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-asked-to-print', '');
  });
  await dialog.getByText(de('handover.printedDays')).waitFor();
  await dialog.getByRole('button', { name: de('handover.print') }).click();
  await page.locator('body[data-asked-to-print]').waitFor();
  expect(await dialog.getByText(de('handover.printedDays')).count()).toBe(0);
  await page.emulateMedia({ media: 'print' });
  await title.waitFor({ state: 'visible' });
  expect(await dialog.isVisible()).toBe(false);
  const colours = await title.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element.firstElementChild ?? element);
    return [color, backgroundColor];
  });
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  await takeScreenshot(page, 'handover-sheet');
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: 'screen' });
  await dialog.getByRole('button', { name: de('handover.withdraw') }).click();
  await dialog.getByText(de('handover.ended.withdrawn')).waitFor();
  expect(await page.locator('body > [data-printed]').count()).toBe(0);
});

test('a customer who is signed in opens the link and takes the plant over', async () => {
  const plant = await anyPlant();
  const page = await home(await newAccount('endUser'), 'phone');
  await visit(page, `/signUp?code=${await codeFor(plant)}`);
  await page.getByRole('button', { name: en('sign-up.handover.takeNow') }).click();
  await page.waitForURL('**/bus/index');
  await page.getByRole('heading', { name: plant.name }).waitFor();
});

test('a new customer is welcomed: three steps, one filled button, whom to ask; the plant comes by itself', async () => {
  const plant = await anyPlant();
  const user = await newAccount('endUser');
  const page = await home(user, 'phone');
  await page.getByRole('heading', { name: en('welcome.title', { name: user }) }).waitFor();
  await page.getByText(en('welcome.left.2')).waitFor();
  await page.getByRole('region', { name: en('flow.title') }).waitFor();
  const filled = page.locator('main [data-look=filled]');
  expect(await filled.allTextContents()).toEqual([en('welcome.again')]);
  expect(await page.getByRole('link', { name: en('routes.plant-view'), exact: true }).count()).toBe(0);
  await page.getByText(en('welcome.sheetHint.phone')).waitFor();
  const helper = page.getByRole('region', { name: en('welcome.platform') });
  const reached = helper.locator('a[href^="tel:"], a[href^="mailto:"]');
  await reached
    .or(helper.getByText(en('welcome.noContact')))
    .first()
    .waitFor();
  await takeScreenshot(page, 'welcome-phone');
  expect(await axeViolations(page, 'welcome')).toEqual([]);
  await filled.click();
  await page.getByText(en('welcome.sent')).waitFor();
  expect(await filled.allTextContents()).toEqual([en('sites.action.link')]);

  const { token } = await openSession(portalUrl(), user, PASSWORD);
  await callApi(portalUrl(), handoverEndpoints.take, { code: await codeFor(plant) }, token);
  await page.getByText(en('welcome.arrived', { plant: plant.name })).waitFor();
  await page.getByRole('heading', { name: plant.name }).waitFor();
});

test('on a phone all of the welcome stays within its cards, in a language of long words too', async () => {
  const user = await newAccount('endUser');
  const { token } = await openSession(portalUrl(), user, PASSWORD);
  await callApi(portalUrl(), language, { language: 'de' }, token);
  const page = await home(user, 'phone');
  await page.getByRole('button', { name: de('sites.action.link') }).waitFor();
  const beyond = await page.locator('main section').evaluateAll((cards) =>
    cards.flatMap((card) => {
      const { right } = card.getBoundingClientRect();
      const inside = [...card.querySelectorAll('button, p, h2')];
      return inside.filter((each) => each.getBoundingClientRect().right > right).map(({ textContent }) => textContent);
    }),
  );
  expect(beyond).toEqual([]);
});

test('a code from the sheet is entered at the welcome; a wrong one is refused in words', async () => {
  const plant = await anyPlant();
  const page = await home(await newAccount('endUser'), 'desktop');
  await page.getByText(en('welcome.left.2')).waitFor();
  await takeScreenshot(page, 'welcome-desk');
  expect(await axeViolations(page, 'welcome')).toEqual([]);
  await page.getByText(en('welcome.sheetHint.desk', { button: en('welcome.enterCode') })).waitFor();
  await page.getByRole('button', { name: en('welcome.enterCode') }).click();
  const dialog = page.getByRole('dialog', { name: en('handover.take') });
  await field(page, 'code').fill('AAAA-BBBB-CCCC');
  await dialog.getByRole('button', { name: en('handover.take') }).click();
  await dialog.getByText(en('errors.42241')).waitFor();
  await field(page, 'code').fill((await codeFor(plant)).toLowerCase());
  await dialog.getByRole('button', { name: en('handover.take') }).click();
  await page.getByRole('heading', { name: plant.name }).waitFor();
});

test('a new installer is told what to do next', async () => {
  const page = await home(await newAccount('installer'), 'desktop');
  await page.getByText(en('welcome.first.text')).waitFor();
  await takeScreenshot(page, 'first-plant');
  expect(await axeViolations(page, 'first plant')).toEqual([]);
  await page.getByRole('button', { name: en('sites.action.add') }).click();
  await page.waitForURL('**/bus/plant/add');
});
