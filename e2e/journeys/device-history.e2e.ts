import { list as dataloggerList } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { list as deletionList, undo } from '@sonnenwarte/contract/deletions/deletions';
import { deviceHistoryEndpoints } from '@sonnenwarte/contract/device-history/device-history';
import { list as deviceList } from '@sonnenwarte/contract/devices/devices';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const PLANT = 'Red Gum Cottage';
const inDialog = (page: Page, key: string) =>
  page.getByRole('dialog').getByRole('button', { name: t(key), exact: true });

/** Chooses in the menu at the title of a record what is rarely done with it. */
async function choose(page: Page, name: string, key: string, language: 'en' | 'de' = 'en'): Promise<void> {
  await page.getByRole('button', { name: textOf('blocks.actionsFor', language, { name }), exact: true }).click();
  await page.getByRole('menuitem', { name: textOf(key, language), exact: true }).click();
}

test('an administrator clears what an inverter has recorded after typing its number, and gives it back', async () => {
  const { token } = await sessionOf('admin');
  const { devices } = await callApi(portalUrl(), deviceList, { condition: { content: PLANT } }, token);
  const device = devices.find(({ plantName }) => plantName === PLANT);
  if (device === undefined) throw new Error(`${PLANT} has no inverter`);
  const { deviceID, deviceSN } = device;
  const samples = async () => (await callApi(portalUrl(), deviceHistoryEndpoints.preview, { deviceID }, token)).samples;
  onTestFinished(async () => {
    const { deletions } = await callApi(portalUrl(), deletionList, { condition: { content: deviceSN } }, token);
    for (const { id } of deletions) await callApi(portalUrl(), undo, { id }, token);
  });
  const before = await samples();
  expect(before).toBeGreaterThan(100);

  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, `/bus/device/inverterDetail?id=${deviceID}`);
  await choose(page, deviceSN, 'device-history.action.clear');
  const question = page.getByRole('dialog');
  await question.getByText(t('device-history.clear.meaningOfPlant', { plant: PLANT })).waitFor();
  expect(await axeViolations(page, 'clearing of a history')).toEqual([]);
  await takeScreenshot(page, 'device-history-clear');
  await question.getByRole('textbox').fill('something else');
  await inDialog(page, 'device-history.action.clear').click();
  await question.getByText(t('blocks.confirm.differs')).waitFor();
  await question.getByRole('textbox').fill(deviceSN);
  await inDialog(page, 'device-history.action.clear').click();
  await question.waitFor({ state: 'detached' });
  expect(await samples()).toBeLessThan(before / 2);

  await visit(page, '/bus/group/management');
  await page.getByRole('radio', { name: t('organisations.view.deleted') }).check();
  await untilSettled(page);
  const row = page.getByRole('row', { name: new RegExp(`${deviceSN}.*${t('deletions.kind.history')}`) });
  await row.waitFor();
  await takeScreenshot(page, 'device-history-deleted');
  await row.getByRole('button', { name: t('blocks.actionsFor', { name: deviceSN }) }).click();
  await page.getByRole('menuitem', { name: t('deletions.action.undo'), exact: true }).click();
  await inDialog(page, 'deletions.action.undo').click();
  await row.waitFor({ state: 'detached' });
  expect(await samples()).toBeGreaterThanOrEqual(before);
});

test('clearing a history fits a phone in German, in the dark', async () => {
  const { token } = await sessionOf('admin');
  const { devices } = await callApi(portalUrl(), deviceList, { condition: { content: PLANT } }, token);
  const device = devices.find(({ plantName }) => plantName === PLANT);
  const { page } = await openPage({ user: 'admin', language: 'de', size: 'phone', scheme: 'dark' });
  await visit(page, `/bus/device/inverterDetail?id=${device?.deviceID ?? ''}`);
  await choose(page, device?.deviceSN ?? '', 'device-history.action.clear', 'de');
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  await takeScreenshot(page, 'device-history-clear-phone-dark');
  expect(await axeViolations(page, 'clearing of a history on a phone')).toEqual([]);
});

test('a datalogger restarts, step by step, and without TLS is sent no password', async () => {
  const { token } = await sessionOf('admin');
  const { data } = await callApi(portalUrl(), dataloggerList, { condition: { content: PLANT } }, token);
  const datalogger = data.find(({ plantName }) => plantName === PLANT);
  if (datalogger === undefined) throw new Error(`${PLANT} has no datalogger`);
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, `/bus/device/moduleConfig?moduleID=${datalogger.moduleID}`);
  await choose(page, datalogger.moduleSN, 'dataloggers.action.rotate');
  await inDialog(page, 'dataloggers.action.rotate').click();
  await page.getByRole('dialog').getByText(t('errors.42410')).waitFor();
  await takeScreenshot(page, 'datalogger-rotate-refused');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('blocks.cancel'), exact: true })
    .click();

  await choose(page, datalogger.moduleSN, 'dataloggers.action.restart');
  await inDialog(page, 'dataloggers.action.restart').click();
  await page.getByRole('heading', { name: t('setting-screens.command.last'), exact: true }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const steps = page.getByRole('listitem').filter({ hasText: t('setting-screens.step.confirmed') });
  await expect.poll(() => steps.getAttribute('data-state'), { timeout: 60_000 }).toBe('done');
  await takeScreenshot(page, 'datalogger-restarted');
});
