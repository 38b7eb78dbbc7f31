import { Buffer } from 'node:buffer';
import { batchAdd, batchList, batchRemove } from '@sonnenwarte/contract/factory/batches';
import { manufacturerAdd, manufacturerList, manufacturerRemove } from '@sonnenwarte/contract/factory/manufacturers';
import { warrantyList, warrantyRemove } from '@sonnenwarte/contract/factory/warranties';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { openPage, showScheme } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const button = (page: Page, key: string) => page.getByRole('button', { name: t(key), exact: true });
const csv = (text: string) => ({ name: 'delivered.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

/** A manufacturer of this test's own, removed with all that belongs to it. */
async function ownManufacturer(): Promise<{ name: string; manufacturerID: string; token: string }> {
  const { token } = await sessionOf('admin');
  const name = `Own works ${Date.now()}`;
  const { manufacturerID } = await callApi(portalUrl(), manufacturerAdd, { name, country: 'AT' }, token);
  onTestFinished(async () => {
    const { batches } = await callApi(portalUrl(), batchList, { condition: { manufacturerID } }, token);
    for (const { batchID, units } of batches) await callApi(portalUrl(), batchRemove, { batchID, units }, token);
    await callApi(portalUrl(), manufacturerRemove, { manufacturerID }, token);
  });
  return { name, manufacturerID, token };
}

async function choose(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).fill(text);
  await page.getByRole('option').filter({ hasText: text }).first().click();
}

test('an administrator imports delivered serial numbers, mends what is wrong, and sees which were never heard of', async () => {
  const { name } = await ownManufacturer();
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/factory?view=batches');
  await page.getByRole('row').filter({ hasText: 'Sonnwerk' }).first().waitFor();
  await untilSettled(page);
  expect(await axeViolations(page, 'factory-batches')).toEqual([]);
  await takeScreenshot(page, 'factory-batches-light');
  await button(page, 'factory.batches.action.add').first().click();
  const form = page.getByRole('dialog');
  await choose(page, t('factory.field.manufacturerID'), name);
  await form.locator('[name="number"]').fill('OW-7');
  await form.locator('[name="kind"]').selectOption('inverter');
  await form.locator('[name="model"]').fill('OW-8K');
  await takeScreenshot(page, 'factory-batch-form-light');
  await form.getByRole('button', { name: t('factory.batches.action.add'), exact: true }).click();
  await form.waitFor({ state: 'detached' });

  await page.getByRole('radio', { name: t('factory.view.units'), exact: true }).check();
  await button(page, 'factory.units.action.import').first().click();
  const dialog = page.getByRole('dialog');
  await choose(page, t('factory.units.field.batch'), 'OW-7');
  const file = dialog.locator('input[type=file]');
  await file.setInputFiles(
    csv('SN;delivered on;Colour\r\nOWN-1;2026-03-02;red\r\nOWN-1;2026-03-02;red\r\nOWN-2;03/04/2026;red\r\n'),
  );
  await dialog.getByText(t('factory.problem.twice', { detail: 2 })).waitFor();
  await dialog.getByText(t('factory.problem.dayUnreadable')).waitFor();
  await dialog.getByText(t('factory.import.unread', { names: 'Colour' })).waitFor();
  expect(await axeViolations(page, 'factory-import')).toEqual([]);
  await takeScreenshot(page, 'factory-import-light');
  await showScheme(page, 'dark');
  await takeScreenshot(page, 'factory-import-dark');
  await showScheme(page, 'light');
  await file.setInputFiles(csv('SN;delivered on\r\nOWN-1;2026-03-02\r\nOWN-2;2026-04-03\r\n'));
  await dialog.getByRole('button', { name: t('factory.import.all', { number: 2 }) }).click();
  await dialog.getByText(t('factory.import.done')).waitFor();
  await takeScreenshot(page, 'factory-imported-light');
  await dialog.getByRole('button', { name: t('factory.import.close') }).click();
  await dialog.waitFor({ state: 'detached' });

  await page
    .getByLabel(t('factory.units.field.seen'), { exact: true })
    .selectOption({ label: t('factory.seen.never') });
  await page.getByRole('searchbox', { name: t('factory.units.list.search') }).fill('own-');
  await expect
    .poll(() =>
      page
        .getByRole('row')
        .filter({ hasText: /OWN-\d/ })
        .count(),
    )
    .toBe(2);
  await page.getByRole('row').filter({ hasText: 'OWN-2' }).first().click();
  await page.getByRole('dialog').getByText(t('factory.warranty.unknown')).waitFor();
  await untilSettled(page);
  await takeScreenshot(page, 'factory-unit-light');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: t('blocks.actionsFor', { name: 'OWN-2' }), exact: true }).click();
  await page.getByRole('menuitem', { name: t('factory.units.action.warranty') }).click();
  await page.getByRole('dialog').getByText(t('factory.units.warrantyLead')).waitFor();
  expect(await axeViolations(page, 'factory-unit-warranty')).toEqual([]);
  await takeScreenshot(page, 'factory-unit-warranty-light');
  await page.keyboard.press('Escape');
});

test('on a phone a warranty is set, a batch tells what became of it, and a device until when it is warranted', async () => {
  const { name, manufacturerID, token } = await ownManufacturer();
  const model = `OW-${Date.now()}`;
  const batch = { manufacturerID, number: 'OW-9', kind: 'battery', model, deliveredOn: '2026-01-31' } as const;
  await callApi(portalUrl(), batchAdd, batch, token);
  onTestFinished(async () => {
    const { warranties } = await callApi(portalUrl(), warrantyList, { condition: { content: model } }, token);
    for (const { warrantyID } of warranties) await callApi(portalUrl(), warrantyRemove, { warrantyID }, token);
  });
  const { page } = await openPage({ user: 'admin', language: 'en', size: 'phone' });
  await visit(page, '/bus/factory?view=warranties');
  await button(page, 'factory.warranties.action.add').first().click();
  const form = page.getByRole('dialog');
  await form.locator('[name="model"]').fill(model);
  await form.locator('[name="begins"]').selectOption('firstSeen');
  await form.locator('[name="latestMonths"]').fill('6');
  await form.getByRole('status').filter({ hasText: /\d/ }).first().waitFor();
  expect(await axeViolations(page, 'factory-warranty-form')).toEqual([]);
  await takeScreenshot(page, 'factory-warranty-form-phone');
  await form.getByRole('button', { name: t('factory.warranties.action.add'), exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByText(model, { exact: true }).waitFor();
  await takeScreenshot(page, 'factory-warranties-phone');

  await visit(page, `/bus/factory?view=batches&condition.manufacturerID=${manufacturerID}`);
  await page.getByText('OW-9', { exact: true }).waitFor();
  await page.getByText(name).first().waitFor();
  await untilSettled(page);
  await takeScreenshot(page, 'factory-batches-phone');
  await visit(page, '/bus/factory?condition.seen=seen');
  await page.getByText(t('factory.seen.seen'), { exact: true }).first().waitFor();
  await untilSettled(page);
  expect(await axeViolations(page, 'factory-units-phone')).toEqual([]);
  await takeScreenshot(page, 'factory-units-phone');
  const { manufacturers } = await callApi(portalUrl(), manufacturerList, { condition: { content: 'Sonnwerk' } }, token);
  expect(manufacturers).toMatchObject([{ country: 'DE' }]);
});
