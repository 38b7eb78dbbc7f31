import { Buffer } from 'node:buffer';
import { list as incidentList } from '@sonnenwarte/contract/incidents/incidents';
import { list as orderList } from '@sonnenwarte/contract/work-orders/work-orders';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { type DemoUser, plantsOf, portalUrl, sessionOf } from '../support/demo.ts';
import { openPage, showScheme } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(`work-orders.${key}`, 'en', values);
const button = (page: Page, key: string) => page.getByRole('button', { name: t(key), exact: true });
const thread = (page: Page) => page.getByRole('region', { name: t('thread.title'), exact: true });
const composer = (page: Page) => thread(page).getByLabel(t('composer.label'));

/** A picture as a phone takes it, drawn by the browser. */
async function photo(page: Page, colour: string): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const base64 = await page.evaluate((fill) => {
    const canvas = document.createElement('canvas');
    canvas.width = 3_000;
    canvas.height = 2_000;
    const paper = canvas.getContext('2d');
    if (paper !== null) {
      paper.fillStyle = '#9cc3e0';
      paper.fillRect(0, 0, 3_000, 2_000);
      paper.fillStyle = fill;
      paper.fillRect(600, 900, 1_800, 900);
    }
    return canvas.toDataURL('image/jpeg', 0.9).split(',')[1] ?? '';
  }, colour);
  return { name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(base64, 'base64') };
}

async function orderTitled(user: DemoUser, title: string) {
  const { token } = await sessionOf(user);
  const [order] = (await callApi(portalUrl(), orderList, { condition: { view: 'all', content: title } }, token)).orders;
  if (order === undefined) throw new Error(`${user} sees no order "${title}"`);
  return order;
}

test('an owner asks with two pictures from a phone; the installer answers and hands it up; the agent solves it; the owner rates it', async () => {
  const title = `The display is orange at noon ${Date.now()}`;
  const [plant] = await plantsOf('owner');
  if (!plant) throw new Error('the owner has no plant');

  // From a phone, with what is asked about filled in.
  const { page: owner } = await openPage({ user: 'owner', language: 'en', size: 'phone' });
  await visit(owner, `/bus/workOrder/add?plant=${plant.stationID}`);
  await owner.getByRole('combobox', { name: t('field.stationID') }).waitFor();
  expect(await owner.getByRole('combobox', { name: t('field.stationID') }).inputValue()).toContain(plant.name);
  await owner.locator('[name=category]').selectOption('fault');
  await owner.locator('[name=product]').selectOption('inverter');
  await owner.locator('[name=title]').fill(title);
  await owner.locator('textarea[name=text]').fill('For about a week. I have taken two pictures.');
  await owner
    .locator('input[type=file][multiple]')
    .setInputFiles([await photo(owner, '#8c4a2f'), await photo(owner, '#7a3f28')]);
  await owner.getByRole('button', { name: t('picture.remove', { number: 2 }) }).waitFor();
  await owner.locator('main img').nth(1).waitFor();
  expect(await axeViolations(owner, 'a new work order on a phone')).toEqual([]);
  await takeScreenshot(owner, 'work-order-add-phone-light');
  await button(owner, 'add.send').click();
  await owner.waitForURL('**/bus/workOrder/detail?id=*');
  await thread(owner)
    .getByRole('button', { name: t('picture.show', { number: 2 }) })
    .waitFor();

  // The installer finds it, takes it up, answers, and notes what the owner is not to read.
  const { orderID, number } = await orderTitled('installer', title);
  const { page: installer } = await openPage({ user: 'installer', language: 'en' });
  await visit(installer, '/bus/workOrder/list');
  await installer.getByRole('link', { name: new RegExp(title) }).waitFor();
  expect(await axeViolations(installer, 'work orders')).toEqual([]);
  await takeScreenshot(installer, 'work-orders-light');
  await installer.getByRole('link', { name: new RegExp(title) }).click();
  await installer.waitForURL(`**/bus/workOrder/detail?id=${orderID}`);
  await button(installer, 'action.begin').click();
  await button(installer, 'action.begin').waitFor({ state: 'detached' });
  await installer.getByRole('heading', { name: title }).click();
  await installer.keyboard.press('r');
  await composer(installer).fill('The birch throws its shadow on the lower row. I measure at one o’clock.');
  await installer.keyboard.press('Control+Enter');
  await thread(installer).getByText('The birch throws its shadow', { exact: false }).waitFor();
  await expect.poll(() => composer(installer).inputValue()).toBe('');
  await installer.getByRole('heading', { name: title }).click();
  await installer.keyboard.press('n');
  const secret = 'A module from store 2, under warranty until 2036.';
  await composer(installer).fill(secret);
  await thread(installer)
    .getByText(t('composer.readsInternal', { name: '' }).split(';')[0] ?? '')
    .waitFor();
  await takeScreenshot(installer, 'work-order-internal-light');
  await button(installer, 'composer.send').click();
  await thread(installer).getByText(secret).waitFor();
  expect(await axeViolations(installer, 'a work order')).toEqual([]);
  await takeScreenshot(installer, 'work-order-light');
  await showScheme(installer, 'dark');
  expect(await axeViolations(installer, 'a work order in the dark')).toEqual([]);
  await takeScreenshot(installer, 'work-order-dark');
  await showScheme(installer, 'light');

  // The owner hears of the answer by itself, large pictures open, and nothing tells of the note.
  await thread(owner).getByText('The birch throws its shadow', { exact: false }).waitFor();
  expect(await owner.getByText('warranty', { exact: false }).count()).toBe(0);
  expect(await owner.getByText(t('thread.internal'), { exact: true }).count()).toBe(0);
  await thread(owner)
    .getByRole('button', { name: t('picture.show', { number: 1 }) })
    .click();
  await owner.getByRole('dialog').locator('img').waitFor();
  await owner.keyboard.press('Escape');
  expect(await axeViolations(owner, 'a work order on a phone')).toEqual([]);
  await takeScreenshot(owner, 'work-order-phone-light');
  await showScheme(owner, 'dark');
  await takeScreenshot(owner, 'work-order-phone-dark');
  await showScheme(owner, 'light');

  // Up one level, where it is solved.
  await button(installer, 'action.handUp').click();
  const handing = installer.getByRole('dialog');
  await handing.locator('textarea').fill('Please run the scan.');
  await takeScreenshot(installer, 'work-order-hand-up-light');
  await handing.getByRole('button', { name: t('action.handUp'), exact: true }).click();
  await handing.waitFor({ state: 'detached' });
  const { page: agent } = await openPage({ user: 'agent', language: 'en' });
  await visit(agent, `/bus/workOrder/detail?id=${orderID}`);
  await thread(agent).getByText('Please run the scan.').waitFor();
  await button(agent, 'action.solve').click();
  const solving = agent.getByRole('dialog');
  await solving.locator('textarea').fill('A diode was broken; the module has been replaced.');
  await solving.getByRole('button', { name: t('action.solve'), exact: true }).click();
  await solving.waitFor({ state: 'detached' });

  // The owner rates it, which closes it.
  await button(owner, 'action.rate').click();
  const rating = owner.getByRole('dialog');
  await rating.getByText(t('rate.star_other', { count: 5 }), { exact: true }).click({ force: true });
  expect(await axeViolations(owner, 'rating')).toEqual([]);
  await takeScreenshot(owner, 'work-order-rate-phone-light');
  await rating.getByRole('button', { name: t('rate.send'), exact: true }).click();
  await rating.waitFor({ state: 'detached' });
  expect(await orderTitled('agent', title)).toMatchObject({ number, state: 'closed', stars: 5 });
});

test('a device opens an order filled in, with the values of now', async () => {
  const { page } = await openPage({ user: 'installer', language: 'en' });
  await visit(page, '/bus/device/inverter');
  await page.locator('tr[data-key] a').first().click();
  await page.waitForURL('**/bus/device/inverterDetail?**');
  await page
    .getByRole('link', { name: textOf('routes.work-order-add', 'en') })
    .last()
    .click();
  await page.waitForURL('**/bus/workOrder/add?device=*');
  await page.getByRole('region', { name: t('add.held'), exact: true }).waitFor();
  expect(await page.locator('[name=product]').inputValue()).toBe('inverter');
  expect(await axeViolations(page, 'a new work order')).toEqual([]);
  await takeScreenshot(page, 'work-order-add-light');
});

test('an alarm opens an order about itself and leads to it from then on, as do home and the palette', async () => {
  const { token } = await sessionOf('installer');
  const incident = await waitUntil('an alarm of the installer', async () => {
    const { incidents } = await callApi(portalUrl(), incidentList, { condition: { view: 'all' } }, token);
    return incidents.find(({ stationID }) => stationID !== '');
  });
  const { page } = await openPage({ user: 'installer', language: 'en' });
  await visit(page, `/bus/alarm/detail?id=${incident.incidentID}`);
  await page
    .getByRole('link', { name: textOf('routes.work-order-add', 'en') })
    .last()
    .click();
  await page.waitForURL(`**/bus/workOrder/add?alarm=${incident.incidentID}`);
  const name = textOf(`alarms.${incident.code}.name`, 'en');
  await expect.poll(() => page.locator('[name=title]').inputValue()).toBe(name);
  expect(await page.locator('[name=category]').inputValue()).not.toBe('');
  await page.getByRole('textbox', { name: t('field.text'), exact: true }).fill('Please have a look at it.');
  await button(page, 'add.send').click();
  await page.waitForURL('**/bus/workOrder/detail?id=*');
  const { number } = await waitUntil('the order', async () => {
    const asked = { condition: { view: 'all' as const, incidentID: incident.incidentID } };
    return (await callApi(portalUrl(), orderList, asked, token)).orders[0];
  });

  await visit(page, `/bus/alarm/detail?id=${incident.incidentID}`);
  await page
    .getByRole('region', { name: t('of.title'), exact: true })
    .getByText(number)
    .waitFor();
  await visit(page, '/bus/index');
  await page
    .getByRole('region', { name: t('tile.title'), exact: true })
    .getByText(number)
    .waitFor();
  await takeScreenshot(page, 'home-open-work-orders-light');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(number);
  await page.getByRole('option', { name: new RegExp(number) }).click();
  await page.waitForURL('**/bus/workOrder/detail?id=*');
  await thread(page).getByText('Please have a look at it.').waitFor();
});
