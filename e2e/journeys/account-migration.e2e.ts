import { add } from '@sonnenwarte/contract/user-management/user-management';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { plantNamed, plantsOf, portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) =>
  textOf(`migrations-of-accounts.${key}`, 'de', values);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

/** A new end user with the installer of a plant that is not the owner's. */
async function newBuyer(): Promise<string> {
  const user = `buyer${Date.now() % 1_000_000}`;
  const { token } = await sessionOf('admin');
  await callApi(
    portalUrl(),
    add,
    {
      level: 1,
      organisationID: 'd3300000-0000-4000-8000-000000000004',
      user,
      email: `${user}@example.com`,
      name: 'Berta Käufer',
      phone: '',
      country: 'DE',
    },
    token,
  );
  return user;
}

async function chooseAction(page: Page, transfer: string, action: string): Promise<void> {
  await button(page, new RegExp(transfer)).first().click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('all plants of an account move to another with the displayed code, and the undo brings them back', async () => {
  const before = await plantsOf('owner');
  expect(before.length).toBeGreaterThan(0);
  const placesBefore = await Promise.all(before.map(({ name }) => plantNamed(name)));
  const buyer = await newBuyer();
  const { page } = await openPage({ user: 'admin', language: 'de' });
  await visit(page, '/bus/afterSaleMag/accountMigration');

  await page.getByRole('combobox', { name: text('field.source') }).fill('owner');
  await page.getByRole('option', { name: /^owner\b/ }).click();
  await page.getByRole('combobox', { name: text('field.target') }).fill(buyer);
  await page.getByRole('option', { name: buyer }).click();
  for (const { name } of before) await page.getByRole('row', { name: new RegExp(name) }).waitFor();
  await page.getByText(text('warning')).waitFor();
  await button(page, text('action.transfer')).click();

  const code = (await page.getByRole('dialog').locator('output').innerText()).trim();
  expect(code).toMatch(/^[A-Z2-9]{6}$/);
  const field = page.getByRole('dialog').getByLabel('Bitte Eingabecode');
  await field.fill(code === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA');
  await inDialog(page, text('code.submit')).click();
  await page.getByText('Die eingegebenen Codes stimmen nicht überein').waitFor();
  expect(await plantsOf('owner')).toHaveLength(before.length);

  await field.fill(code);
  await inDialog(page, text('code.submit')).click();
  await page.getByText('Transfer Erfolg', { exact: true }).waitFor();
  expect(await plantsOf('owner')).toEqual([]);
  await untilSettled(page);
  const transfer = `owner → ${buyer}`;
  await page.getByRole('row', { name: new RegExp(buyer) }).waitFor();

  await visit(page, '/bus/logAudit/operation');
  await page.getByRole('searchbox', { name: textOf('audit.list.search', 'de') }).fill(buyer);
  const entry = page
    .getByRole('row', { name: new RegExp(buyer) })
    .filter({ hasText: textOf('audit.action.migrations-of-accounts.transfer', 'de') });
  await entry.getByRole('button').click();
  await page
    .getByRole('dialog')
    .getByText(before[0]?.name ?? '')
    .first()
    .waitFor();
  await page.keyboard.press('Escape');

  await visit(page, '/bus/afterSaleMag/accountMigration');
  await chooseAction(page, transfer, text('action.undo'));
  await inDialog(page, text('action.undo')).click();
  await page.getByText(text('undo.done')).waitFor();
  const names = (plants: readonly { name: string }[]) => plants.map(({ name }) => name).sort();
  expect(names(await plantsOf('owner'))).toEqual(names(before));
  const placesAfter = await Promise.all(before.map(({ name }) => plantNamed(name)));
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
