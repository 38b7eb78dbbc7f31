import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mail, months } from '@sonnenwarte/contract/monthly-reports/monthly-reports';
import { expect, onTestFinished, test } from 'vitest';
import { readPdf } from '../../apps/server/src/testing/read-pdf.ts';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { plantsOf, portalUrl, sessionOf } from '../support/demo.ts';
import { openPage, showScheme } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);

test('an owner reads the report of the last month of a plant, saves it and has it sent each month', async () => {
  const { token } = await sessionOf('owner');
  const [plant] = await plantsOf('owner');
  const { stationID = '', name = '' } = plant ?? {};
  onTestFinished(async () => {
    await callApi(portalUrl(), mail, { stationID, isOn: false }, token);
  });
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-monthly-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await visit(page, `/bus/plant/detail?id=${stationID}`);
  await page.getByRole('button', { name: t('sites.share.report') }).click();
  const dialog = page.getByRole('dialog');
  const sheet = dialog.locator('figure').first();
  await sheet.getByText(name).first().waitFor({ state: 'attached', timeout: 30_000 });
  await takeScreenshot(page, 'monthly-report');
  expect(await axeViolations(page, 'the report of a month')).toEqual([]);

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: t('monthly-reports.download') }).click(),
  ]);
  expect(saved.suggestedFilename()).toContain(name);
  const file = join(folder, 'report.pdf');
  await saved.saveAs(file);
  const pdf = await readPdf(await readFile(file));
  expect(pdf).toMatchObject({ isTagged: true, language: 'en-GB', pages: 1 });

  await dialog.getByRole('switch', { name: t('monthly-reports.mail') }).click();
  await page.getByText(t('monthly-reports.mailOn', { plant: name })).waitFor();
  expect(await callApi(portalUrl(), months, { stationID }, token)).toMatchObject({ mail: { isOn: true } });

  await page.setViewportSize({ width: 390, height: 844 });
  await showScheme(page, 'dark');
  await takeScreenshot(page, 'monthly-report-phone-dark');
});
