import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devicesToPlot } from '@sonnenwarte/contract/analysis/analysis';
import { list as reportList, scheduleList } from '@sonnenwarte/contract/reports/reports';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { type DemoUser, portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const button = (page: Page, key: string) => page.getByRole('button', { name: t(key), exact: true });
const preview = (page: Page) => page.getByRole('table');

async function invertersOf(user: DemoUser): Promise<string[]> {
  const { token } = await sessionOf(user);
  const { choices } = await callApi(portalUrl(), devicesToPlot, {}, token);
  return choices.filter(({ kind }) => kind === 'inverter').map(({ name }) => name);
}

async function choose(page: Page, label: string, text: string): Promise<void> {
  const box = page.getByRole('combobox', { name: t(label) });
  await box.fill(text);
  await page.getByRole('option').filter({ hasText: text }).first().click();
  await page.keyboard.press('Escape');
}

async function tick(page: Page, names: readonly string[]): Promise<void> {
  await button(page, 'reports.form.addVariable').click();
  const dialog = page.getByRole('dialog');
  for (const name of names) {
    await dialog.getByRole('searchbox').fill(name);
    await dialog.getByRole('checkbox', { name, exact: false }).first().check();
  }
  await dialog.getByRole('button', { name: t('reports.form.ready') }).click();
}

test('an agent puts a report together, sees how it becomes, has it made, downloads it and has it repeated each week', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-reports-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first = '', second = ''] = await invertersOf('agent');
  const { page } = await openPage({ user: 'agent', language: 'en' });
  await visit(page, '/bus/dataReport');
  await page.getByText(t('reports.preview.choose')).waitFor();
  await untilSettled(page);
  expect(await axeViolations(page, 'reports-empty')).toEqual([]);
  await takeScreenshot(page, 'reports-empty-light');

  await choose(page, 'reports.field.deviceIDs', first);
  await choose(page, 'reports.field.deviceIDs', second);
  await tick(page, [t('points.acActivePower'), t('points.energyPvTotal'), t('points.tempHeatsink')]);
  await preview(page).getByText(t('reports.quality.measured')).first().waitFor();
  const named = `Own report ${Date.now()}`;
  await page.getByRole('textbox', { name: t('reports.form.name') }).fill(named);
  await untilSettled(page);
  // What stood before is pale until the new rows are there.
  await preview(page).getByText(t('points.tempHeatsink')).first().waitFor();
  await preview(page).locator('[data-before]').waitFor({ state: 'detached' });
  expect(await preview(page).getByRole('row').count()).toBe(9);
  expect(await axeViolations(page, 'reports-preview')).toEqual([]);
  await takeScreenshot(page, 'reports-new-light');

  await button(page, 'reports.form.create').click();
  const made = page.getByRole('listitem').filter({ hasText: named });
  await made.getByText(t('reports.state.completed'), { exact: true }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    made.getByRole('button', { name: t('reports.row.download', { format: 'CSV' }) }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Own report .*\.csv$/);
  const file = join(folder, 'report.csv');
  await download.saveAs(file);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(first);
  expect(text).toContain(second);
  const { token } = await sessionOf('agent');
  const [row] = (await callApi(portalUrl(), reportList, { condition: { content: named } }, token)).reports;
  expect(text.trimEnd().split('\r\n')).toHaveLength((row?.rows ?? 0) + 1);
  await takeScreenshot(page, 'reports-made-light');

  await button(page, 'reports.form.repeat').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('reports.field.every')).waitFor();
  expect(await axeViolations(page, 'reports-repeat')).toEqual([]);
  await takeScreenshot(page, 'reports-repeat-light');
  await dialog.getByRole('button', { name: t('reports.form.repeat'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: t('reports.view.schedules'), exact: true }).check();
  const scheduled = page.getByRole('row').filter({ hasText: named });
  await scheduled.getByText(/06:00/).first().waitFor();
  await untilSettled(page);
  expect(await axeViolations(page, 'reports-schedules')).toEqual([]);
  await takeScreenshot(page, 'reports-schedules-light');
  const { schedules } = await callApi(portalUrl(), scheduleList, { condition: { content: named } }, token);
  expect(schedules).toMatchObject([{ every: 'weekly', weekday: 1, at: '06:00', isPaused: false }]);

  await visit(page, '/bus/dataReport?view=files');
  await page.getByRole('row').filter({ hasText: named }).waitFor();
  await untilSettled(page);
  expect(await axeViolations(page, 'reports-list')).toEqual([]);
  await takeScreenshot(page, 'reports-list-light');
  await visit(page, `/bus/dataReport?template=${row?.reportID ?? ''}`);
  await preview(page).getByText(t('reports.quality.measured')).first().waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: t('reports.form.name') }).inputValue()).toBe(named);
});

test('what is not possible says why before anything is asked for, on a phone in the dark as well', async () => {
  const [inverter = ''] = await invertersOf('integrator');
  const { page } = await openPage({ user: 'integrator', language: 'de', size: 'phone', scheme: 'dark' });
  const de = (key: string) => textOf(key, 'de');
  await visit(page, '/bus/integrator/dataReport');
  await page.getByText(de('reports.preview.choose')).waitFor();
  // Plants are nothing that an integrator sees.
  expect(await page.getByText(de('reports.source.plants'), { exact: true }).count()).toBe(0);
  await page.getByRole('combobox', { name: de('reports.field.deviceIDs') }).click();
  await page.keyboard.type(inverter);
  await page.getByRole('option').filter({ hasText: inverter }).first().click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: de('reports.form.addVariable'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('checkbox', { name: de('points.acActivePower') })
    .first()
    .check();
  await takeScreenshot(page, 'reports-values-phone-dark');
  await dialog.getByRole('button', { name: de('reports.form.ready') }).click();
  await preview(page).waitFor();
  await untilSettled(page);
  await preview(page).locator('[data-before]').waitFor({ state: 'detached' });
  expect(await axeViolations(page, 'reports-phone')).toEqual([]);
  await takeScreenshot(page, 'reports-new-phone-dark');
  const from = page.getByRole('group', { name: de('reports.field.firstDay') });
  await from.getByRole('spinbutton').first().focus();
  await page.keyboard.type('01012026');
  await page.getByText(de('reports.form.days15')).first().waitFor();
  const create = page.getByRole('button', { name: de('reports.form.create') });
  expect(await create.getAttribute('aria-disabled')).toBe('true');
  await takeScreenshot(page, 'reports-refused-phone-dark');
});
