import { list as dataloggers } from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { DEMO_PASSWORD, portalUrl } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);

async function connectedDatalogger(): Promise<string> {
  const { token } = await openSession(portalUrl(), 'admin', DEMO_PASSWORD);
  const { data } = await callApi(portalUrl(), dataloggers, { condition: { communication: 1 } }, token);
  const sn = data.find(({ moduleSN }) => !moduleSN.startsWith('99'))?.moduleSN;
  if (sn === undefined) throw new Error('no datalogger is connected');
  return sn;
}

async function record(page: Page, sn: string): Promise<void> {
  await page.getByRole('button', { name: text('test-log.action.record') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: text('test-log.field.dataloggerSN') }).fill(sn);
  await dialog.getByRole('button', { name: text('test-log.action.record') }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('an administrator records a datalogger, watches its messages come, reads one and ends the recording', async () => {
  const sn = await connectedDatalogger();
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/relog/testLog');
  await record(page, sn);
  const recordings = page.getByRole('region', { name: text('test-log.recordings.title') });
  await recordings.getByText(text('test-log.end.running'), { exact: true }).waitFor();
  await recordings.getByRole('button', { name: `${text('test-log.recordings.show')} ${sn}` }).click();
  // What a datalogger says pushes what it was told off the page.
  await visit(page, `/bus/relog/testLog?condition.content=${sn}&condition.kind=NCMD`);
  await page
    .getByRole('row')
    .filter({ hasText: text('test-log.direction.down') })
    .first()
    .waitFor();
  await visit(page, `/bus/relog/testLog?condition.content=${sn}&condition.kind=NBIRTH`);
  const birth = page.getByRole('row').filter({ hasText: 'NBIRTH' }).first();
  await birth.waitFor();
  await untilSettled(page);
  expect(await axeViolations(page, 'test-log')).toEqual([]);
  await takeScreenshot(page, 'test-log');
  await birth.click();
  const drawer = page.getByRole('dialog', { name: text('test-log.message.title', { kind: 'NBIRTH' }) });
  await drawer.getByRole('rowheader', { name: 'bdSeq' }).waitFor();
  await drawer.getByRole('region', { name: text('test-log.field.hex') }).waitFor();
  expect(await axeViolations(page, 'message')).toEqual([]);
  await takeScreenshot(page, 'test-log-message');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await recordings.getByRole('button', { name: text('test-log.action.stop') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('test-log.action.stop') })
    .click();
  await recordings.getByText(text('test-log.end.stopped'), { exact: true }).waitFor();
  await recordings.getByRole('button', { name: text('test-log.action.delete') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('test-log.action.delete') })
    .click();
  await page.getByText(text('test-log.recordings.none')).waitFor();
});

test('on a phone the battery log is found by serial number, a card for each sample', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en', size: 'phone' });
  await visit(page, '/bus/relog/testLog');
  await page.getByRole('radio', { name: text('test-log.view.battery'), exact: true }).check();
  await page.getByRole('button', { name: text('common.filter') }).click();
  await page.getByLabel(text('test-log.battery.list.search')).fill('B');
  await page.waitForURL(/condition\.content=B/);
  await page.keyboard.press('Escape');
  await page.getByText(/^Battery \S+, plant /).waitFor();
  await untilSettled(page);
  expect(await axeViolations(page, 'battery-log')).toEqual([]);
  await takeScreenshot(page, 'battery-log-phone');
});
