import { movePlants, owners, plantsPreview } from '@sonnenwarte/contract/migrations-of-accounts/plants';
import { add } from '@sonnenwarte/contract/user-management/user-management';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { plantNamed, portalUrl, sessionOf } from '../support/demo.ts';
import { newAccount, newPlants, PASSWORD } from '../support/new-account.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) =>
  textOf(`migrations-of-accounts.${key}`, 'de', values);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

/** A new end user of an organisation of the demonstration. */
async function newEndUser(role: string): Promise<string> {
  const user = `${role}${Date.now() % 1_000_000}`;
  const { token } = await sessionOf('admin');
  const organisationID = 'd3300000-0000-4000-8000-000000000004';
  const account = { level: 1, organisationID, user, email: `${user}@example.com`, name: user } as const;
  await callApi(portalUrl(), add, { ...account, phone: '', country: 'DE' }, token);
  return user;
}

/** Plants that an installer of their own has added, in the hands of an end user. */
async function newPlantsOf(owner: string, names: readonly string[]): Promise<void> {
  const installer = await openSession(portalUrl(), await newAccount('installer'), PASSWORD);
  await newPlants(installer.token, names);
  const { token } = await sessionOf('admin');
  const stationIDs = (await Promise.all(names.map(plantNamed))).map(({ stationID }) => stationID);
  const { choices } = await callApi(portalUrl(), owners, { search: owner }, token);
  const target = { stationIDs, ownerID: choices[0]?.id };
  const { seen } = await callApi(portalUrl(), plantsPreview, target, token);
  await callApi(portalUrl(), movePlants, { ...target, seen }, token);
}

async function chooseAction(page: Page, transfer: string, action: string): Promise<void> {
  await button(page, new RegExp(transfer)).first().click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Which of such plants an account owns. */
async function ownedBy(owner: string, names: readonly string[]): Promise<string[]> {
  const plants = await Promise.all(names.map(plantNamed));
  return plants.filter((plant) => plant.owner === owner).map(({ name }) => name);
}

test('all plants of an account move to another with the displayed code, and the undo brings them back', async () => {
  const seller = await newEndUser('seller');
  const before = [`Altes Haus ${seller}`, `Scheune ${seller}`];
  await newPlantsOf(seller, before);
  expect(await ownedBy(seller, before)).toEqual(before);
  const placesBefore = await Promise.all(before.map(plantNamed));
  const buyer = await newEndUser('buyer');
  const { page } = await openPage({ user: 'admin', language: 'de' });
  await visit(page, '/bus/afterSaleMag/accountMigration');

  await page.getByRole('combobox', { name: text('field.source') }).fill(seller);
  await page.getByRole('option', { name: new RegExp(`^${seller}\\b`) }).click();
  await page.getByRole('combobox', { name: text('field.target') }).fill(buyer);
  await page.getByRole('option', { name: buyer }).click();
  for (const name of before) await page.getByRole('row', { name: new RegExp(name) }).waitFor();
  await page.getByText(text('warning')).waitFor();
  await button(page, text('action.transfer')).click();

  const code = (await page.getByRole('dialog').locator('output').innerText()).trim();
  expect(code).toMatch(/^[A-Z2-9]{6}$/);
  const field = page.getByRole('dialog').getByLabel('Bitte Eingabecode');
  await field.fill(code === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA');
  await inDialog(page, text('code.submit')).click();
  await page.getByText('Die eingegebenen Codes stimmen nicht überein').waitFor();
  expect(await ownedBy(seller, before)).toEqual(before);

  await field.fill(code);
  await inDialog(page, text('code.submit')).click();
  await page.getByText('Transfer Erfolg', { exact: true }).waitFor();
  expect(await ownedBy(seller, before)).toEqual([]);
  await untilSettled(page);
  const transfer = `${seller} → ${buyer}`;
  await page.getByRole('row', { name: new RegExp(buyer) }).waitFor();

  await visit(page, '/bus/logAudit/operation');
  await page.getByRole('searchbox', { name: textOf('audit.list.search', 'de') }).fill(buyer);
  const entry = page
    .getByRole('row', { name: new RegExp(buyer) })
    .filter({ hasText: textOf('audit.action.migrations-of-accounts.transfer', 'de') });
  await entry.getByRole('button').click();
  await page
    .getByRole('dialog')
    .getByText(before[0] ?? '')
    .first()
    .waitFor();
  await page.keyboard.press('Escape');

  await visit(page, '/bus/afterSaleMag/accountMigration');
  await chooseAction(page, transfer, text('action.undo'));
  await inDialog(page, text('action.undo')).click();
  await page.getByText(text('undo.done')).waitFor();
  expect(await ownedBy(seller, before)).toEqual(before);
  const placesAfter = await Promise.all(before.map(plantNamed));
  expect(placesAfter.map(({ installer, owner }) => [installer, owner])).toEqual(
    placesBefore.map(({ installer, owner }) => [installer, owner]),
  );

  await visit(page, '/bus/logAudit/operation');
  const rows = page.locator('main tbody tr');
  const folded = page.getByRole('button', { name: /^Weitere Einträge desselben Vorgangs/ }).first();
  const behind = Number((await folded.innerText()).slice(1));
  const shown = await rows.count();
  expect(behind).toBeGreaterThan(0);
  await folded.click();
  await expect.poll(() => rows.count()).toBe(shown + behind);
  await folded.click();
  await expect.poll(() => rows.count()).toBe(shown);
});
