import { list } from '@sonnenwarte/contract/sites/sites';
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

/** A new end user, of an organisation or of that of who adds it. */
async function newEndUser(role: string, token: string, organisationID?: string): Promise<string> {
  const user = `${role}${Date.now() % 1_000_000}`;
  const account = { level: 1, organisationID, user, email: `${user}@example.com`, name: 'Berta Käufer' } as const;
  await callApi(portalUrl(), add, { ...account, phone: '', country: 'DE' }, token);
  return user;
}

async function chooseAction(page: Page, transfer: string, action: string): Promise<void> {
  await button(page, new RegExp(transfer)).first().click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function plantsOf(owner: string): Promise<string[]> {
  const { token } = await sessionOf('admin');
  const condition = { content: owner, contentType: 4 } as const;
  const { plants } = await callApi(portalUrl(), list, { pageSize: 50, condition }, token);
  return plants.map(({ name }) => name).sort();
}

test('all plants of an account move to another with the displayed code, and the undo brings them back', async () => {
  const { token } = await openSession(portalUrl(), await newAccount('installer'), PASSWORD);
  const seller = await newEndUser('seller', token);
  const before = [`Altes Haus ${seller}`, `Scheune ${seller}`];
  await newPlants(token, before, seller);
  expect(await plantsOf(seller)).toEqual(before);
  const placesBefore = await Promise.all(before.map(plantNamed));
  const buyer = await newEndUser('buyer', (await sessionOf('admin')).token, 'd3300000-0000-4000-8000-000000000004');
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
  expect(await plantsOf(seller)).toEqual(before);

  await field.fill(code);
  await inDialog(page, text('code.submit')).click();
  await page.getByText('Transfer Erfolg', { exact: true }).waitFor();
  expect(await plantsOf(seller)).toEqual([]);
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
  expect(await plantsOf(seller)).toEqual(before);
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
