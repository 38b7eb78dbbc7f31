import { list } from '@sonnenwarte/contract/devices/devices';
import { view, write } from '@sonnenwarte/contract/remote-settings/remote-settings';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { EdgeInverters, exportLimit } from '../support/edge-inverters.ts';
import { newAdministrator, PASSWORD } from '../support/new-account.ts';
import { openPage, signIn } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const de = (key: string, values: Record<string, string | number> = {}) =>
  textOf(`setting-screens.${key}`, 'de', values);
const LIMIT = textOf('points.settingExportLimit', 'de');
const DELAY = textOf('points.settingReconnectDelay', 'de');
const ACROSS_THE_LINE_MS = 45_000;

/** A device in the administrator's scope by its serial number. */
async function deviceBySN(sn: string): Promise<string> {
  const { token } = await sessionOf('admin');
  return waitUntil(`the device ${sn}`, async () => {
    const { devices } = await callApi(portalUrl(), list, { condition: { content: sn } }, token);
    return devices.find(({ deviceSN, state }) => deviceSN === sn && state !== 'offline')?.deviceID;
  });
}

const settingsOf = (id: string, group: string) => `/bus/device/inverter/remoteSetting?id=${id}&group=${group}`;

/** The row of a setting. */
const rowOf = (page: Page, label: string) =>
  page
    .locator('main li')
    .filter({ has: page.getByRole('button', { name: label }) })
    .first();

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });

async function check(page: Page): Promise<void> {
  await page.getByRole('button', { name: de('checkAndWrite') }).click();
}

test('an export limit is refused while it is typed, waits as a draft, and is written with proof only after it was checked', async () => {
  const inverters = await EdgeInverters.start('991000000000001', 'Settings of one', 1);
  const [sn = ''] = inverters.sns;
  const id = await deviceBySN(sn);
  const { page } = await openPage({ language: 'de', user: 'admin' });
  page.setDefaultTimeout(ACROSS_THE_LINE_MS);
  await visit(page, settingsOf(id, 'exportLimit'));
  expect(await axeViolations(page, 'settings')).toEqual([]);
  await field(page, LIMIT).fill('99');
  await page.getByText(de('refusal.high', { bound: '32,0\u00a0kW' })).waitFor();
  expect(await page.getByRole('button', { name: de('checkAndWrite') }).isDisabled()).toBe(true);
  await field(page, LIMIT).fill('5,5');
  await field(page, LIMIT).press('Enter');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page.reload();
  await page.getByText(de('open_one', { count: 1 })).waitFor();
  expect(await field(page, LIMIT).inputValue()).toBe('5,5');
  await takeScreenshot(page, 'settings-edit');
  await check(page);
  const dialog = page.getByRole('dialog', { name: de('write.title') });
  await dialog.getByText('8,0').first().waitFor();
  expect(await axeViolations(page, 'write')).toEqual([]);
  await takeScreenshot(page, 'settings-write');
  await dialog.getByRole('button', { name: de('write.write_one', { count: 1 }) }).click();
  await dialog.waitFor({ state: 'hidden' });
  await waitUntil('the focus at the setting', () =>
    rowOf(page, LIMIT).evaluate((row) => row.contains(document.activeElement) || undefined),
  );
  await rowOf(page, LIMIT).getByText('bestätigt').waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: `${LIMIT} 8,0 → 5,5\u00a0kW` })
    .first()
    .waitFor();
  expect(await axeViolations(page, 'written')).toEqual([]);
  await takeScreenshot(page, 'settings-written');
});

test('a write that the device refuses leaves what was typed, says at its row and in the history how it was refused, and awaits nothing more', async () => {
  const inverters = await EdgeInverters.start('991000000000007', 'Settings refused', 1);
  const [sn = ''] = inverters.sns;
  inverters.refusing.add(sn);
  const id = await deviceBySN(sn);
  const { page } = await openPage({ language: 'de', user: 'admin' });
  page.setDefaultTimeout(ACROSS_THE_LINE_MS);
  await visit(page, settingsOf(id, 'exportLimit'));
  await field(page, LIMIT).fill('5,5');
  await rowOf(page, LIMIT).getByText(de('status.unwritten')).waitFor();
  await check(page);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: de('write.write_one', { count: 1 }) })
    .click();
  await rowOf(page, LIMIT)
    .getByText(de('status.refusedCode', { code: 6 }))
    .waitFor();
  await waitUntil('the typed value', async () => (await field(page, LIMIT).inputValue()) === '5,5' || undefined);
  await page
    .getByRole('listitem')
    .filter({ hasText: `${LIMIT} 8,0 → 5,5\u00a0kW` })
    .filter({ hasText: de('status.refusedCode', { code: 6 }) })
    .first()
    .waitFor();
  expect(await page.getByText(de('step.byReading')).count()).toBe(0);
  expect(await axeViolations(page, 'refused')).toEqual([]);
  await takeScreenshot(page, 'settings-refused');
});

test('what can trip the grid protection is written only after the whole serial number was typed; Escape writes nothing', async () => {
  const inverters = await EdgeInverters.start('991000000000002', 'Settings with typing', 1);
  const [sn = ''] = inverters.sns;
  const id = await deviceBySN(sn);
  const { page } = await openPage({ language: 'de', user: 'admin' });
  page.setDefaultTimeout(ACROSS_THE_LINE_MS);
  await visit(page, settingsOf(id, 'gridCode'));
  await field(page, DELAY).fill('90');
  await check(page);
  const dialog = page.getByRole('dialog', { name: de('write.dangerous') });
  const go = dialog.getByRole('button', { name: de('write.write_one', { count: 1 }) });
  await dialog.waitFor();
  expect(await axeViolations(page, 'dangerous')).toEqual([]);
  expect(await dialog.getByRole('textbox').evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type(sn.slice(0, -1));
  expect(await go.isDisabled()).toBe(true);
  await takeScreenshot(page, 'settings-dangerous');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await check(page);
  await dialog.getByRole('textbox').fill(`${sn.slice(0, 4)} ${sn.slice(4)}`);
  await go.click();
  await dialog.waitFor({ state: 'hidden' });
  await waitUntil('the delay of the device', async () => {
    const { token } = await sessionOf('admin');
    const { settings } = await callApi(portalUrl(), view, { id }, token);
    return settings.find(({ rule }) => rule.name === 'Setting/ReconnectDelay')?.reported === 90;
  });
});

test('a device that changes a setting by itself is seen to deviate; the change is taken back, and another one accepted', async () => {
  const inverters = await EdgeInverters.start('991000000000003', 'Settings that drift', 1);
  const [sn = ''] = inverters.sns;
  const id = await deviceBySN(sn);
  const { token } = await sessionOf('admin');
  await callApi(portalUrl(), write, { id, values: [{ name: 'Setting/ExportLimit', value: 6_000 }] }, token);
  const { page } = await openPage({ language: 'de', user: 'admin' });
  page.setDefaultTimeout(ACROSS_THE_LINE_MS);
  await visit(page, settingsOf(id, 'exportLimit'));
  const row = rowOf(page, LIMIT);
  await row.getByText('bestätigt').waitFor();
  await inverters.changesItself(sn, exportLimit(7_000));
  await row.getByText('weicht ab').waitFor();
  expect(await axeViolations(page, 'drift')).toEqual([]);
  await takeScreenshot(page, 'settings-drift');
  await row.getByRole('button', { name: de('act.restore') }).click();
  const dialog = page.getByRole('dialog', { name: de('write.restore') });
  await dialog.getByRole('button', { name: de('act.restore') }).click();
  await dialog.waitFor({ state: 'hidden' });
  await row.getByText('bestätigt').waitFor();
  await row.getByText('6,0').first().waitFor();
  await inverters.changesItself(sn, exportLimit(7_500));
  await row.getByText('weicht ab').waitFor();
  await row.getByRole('button', { name: de('act.accept') }).click();
  await row.getByText('weicht ab').waitFor({ state: 'hidden' });
  expect(await field(page, LIMIT).inputValue()).toBe('7,5');
});

test('who edits a setting that somebody else writes meanwhile is told so, and writes on top of what it has become', async () => {
  const inverters = await EdgeInverters.start('991000000000004', 'Settings of two', 1);
  const [sn = ''] = inverters.sns;
  const id = await deviceBySN(sn);
  const [first, second] = [
    await openPage({ language: 'de', user: 'admin' }),
    await openPage({ language: 'de', user: 'admin' }),
  ];
  for (const { page } of [first, second]) {
    page.setDefaultTimeout(ACROSS_THE_LINE_MS);
    await visit(page, settingsOf(id, 'exportLimit'));
  }
  await field(first.page, LIMIT).fill('4');
  await field(second.page, LIMIT).fill('3');
  await check(second.page);
  await second.page
    .getByRole('dialog')
    .getByRole('button', { name: de('write.write_one', { count: 1 }) })
    .click();
  await first.page.getByText(de('changedMeanwhile', { value: '3,0\u00a0kW' })).waitFor();
  expect(await axeViolations(first.page, 'changed meanwhile')).toEqual([]);
  await takeScreenshot(first.page, 'settings-two');
  await check(first.page);
  const dialog = first.page.getByRole('dialog');
  await dialog.getByText('3,0').first().waitFor();
  await dialog.getByRole('button', { name: de('write.write_one', { count: 1 }) }).click();
  await rowOf(second.page, LIMIT).getByText('4,0').first().waitFor();
});

test('of two people who write to one device at once the second is told who writes, is refused meanwhile, and loses neither the own value nor that of the other', async () => {
  const inverters = await EdgeInverters.start('991000000000006', 'Settings of two people', 1);
  const [sn = ''] = inverters.sns;
  const id = await deviceBySN(sn);
  const name = 'Mira Vogel';
  const user = await newAdministrator(name);
  const { page: late } = await openPage({ language: 'de', user: 'admin' });
  const { page: quick } = await openPage({ language: 'de' });
  for (const page of [late, quick]) page.setDefaultTimeout(ACROSS_THE_LINE_MS);
  await visit(quick, '/login');
  await signIn(quick, user, PASSWORD);
  await quick.waitForURL('**/bus/index');
  for (const page of [late, quick]) await visit(page, settingsOf(id, 'exportLimit'));
  await field(late, LIMIT).fill('4');
  await field(quick, LIMIT).fill('3');
  const writeOne = de('write.write_one', { count: 1 });
  const write = async (page: Page) => {
    await check(page);
    await page.getByRole('dialog').getByRole('button', { name: writeOne }).click();
  };
  const held = Promise.withResolvers<void>();
  inverters.holding = held.promise;
  await write(quick);
  // The other sees it while the device has not answered yet.
  await late.getByText(name).first().waitFor();
  await late.getByText(de('writerMeans')).waitFor();
  await write(late);
  await late.getByRole('dialog').getByText(textOf('errors.42351', 'de')).waitFor();
  expect(await axeViolations(late, 'somebody else writes')).toEqual([]);
  await takeScreenshot(late, 'settings-two-people');
  await late.keyboard.press('Escape');
  await late.getByRole('dialog').waitFor({ state: 'hidden' });
  inverters.holding = undefined;
  held.resolve();
  await late.getByText(de('changedMeanwhile', { value: '3,0\u00a0kW' })).waitFor();
  await late.getByText(de('writerMeans')).waitFor({ state: 'hidden' });
  expect(await field(late, LIMIT).inputValue()).toBe('4');
  await check(late);
  await late.getByRole('dialog').getByText('3,0').first().waitFor();
  await late.getByRole('dialog').getByRole('button', { name: writeOne }).click();
  await rowOf(quick, LIMIT).getByText('4,0').first().waitFor();
  for (const change of ['8,0 → 3,0', '3,0 → 4,0']) {
    await quick
      .getByRole('listitem')
      .filter({ hasText: `${LIMIT} ${change}\u00a0kW` })
      .first()
      .waitFor();
  }
});

test('an export limit is written to twenty inverters, one of which refuses; that one is tried again', async () => {
  const inverters = await EdgeInverters.start('991000000000005', 'Settings of twenty', 20);
  const [refusing = ''] = inverters.sns;
  inverters.refusing.add(refusing);
  for (const sn of inverters.sns) await deviceBySN(sn);
  const { page } = await openPage({ language: 'de', user: 'admin' });
  page.setDefaultTimeout(ACROSS_THE_LINE_MS);
  await visit(page, '/bus/device/groupRemote');
  await page.getByRole('button', { name: de('many.new') }).click();
  await page.getByRole('radio', { name: de('many.bySn') }).check();
  await page.getByLabel(de('many.snHint')).fill([...inverters.sns, 'NO-SUCH-SN'].join('\n'));
  await page.getByRole('button', { name: de('many.find_other', { count: 21 }) }).click();
  await page.getByText(de('many.missing_one', { count: 1, sns: 'NO-SUCH-SN' })).waitFor();
  expect(await axeViolations(page, 'devices')).toEqual([]);
  await page.getByRole('button', { name: de('many.toValues') }).click();
  await page.getByLabel(de('many.addValue')).selectOption('Setting/ExportLimit');
  await field(page, LIMIT).fill('5');
  expect(await axeViolations(page, 'values')).toEqual([]);
  await page.getByRole('button', { name: de('many.toPreview') }).click();
  await page.getByRole('button', { name: de('many.run_other', { count: 20 }) }).waitFor();
  expect(await axeViolations(page, 'preview')).toEqual([]);
  await takeScreenshot(page, 'group-preview');
  await page.getByRole('button', { name: de('many.run_other', { count: 20 }) }).click();
  await page.getByText(de('many.confirmedOf', { number: 19, total: 20 })).waitFor();
  const refused = page.getByRole('row').filter({ hasText: refusing });
  await refused.getByText(`(6) ${de('code.6')}`).waitFor();
  expect(await refused.getByRole('checkbox').isChecked()).toBe(true);
  expect(await axeViolations(page, 'result')).toEqual([]);
  await takeScreenshot(page, 'group-result');
  inverters.refusing.clear();
  await page.getByRole('button', { name: de('many.retry_one', { count: 1 }) }).click();
  await page.getByText(de('many.confirmedOf', { number: 1, total: 1 })).waitFor();
  await visit(page, '/bus/device/groupRemote');
  await page.getByText(de('many.confirmedOf', { number: 19, total: 20 })).waitFor();
  expect(await axeViolations(page, 'groups')).toEqual([]);
});

test('on a phone the groups are a sheet, the rows cards, and own edits stay in reach', async () => {
  const { token } = await sessionOf('installer');
  const { devices } = await callApi(portalUrl(), list, {}, token);
  const { page } = await openPage({ language: 'de', user: 'installer', size: 'phone', scheme: 'dark' });
  await visit(page, settingsOf(devices[0]?.deviceID ?? '', 'exportLimit'));
  await field(page, LIMIT).fill('4');
  await page.getByRole('button', { name: de('checkAndWrite') }).waitFor();
  expect(await axeViolations(page, 'phone')).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await takeScreenshot(page, 'settings-phone');
  await page.getByRole('button', { name: de('group.exportLimit') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: de('group.meter') })
    .click();
  await page.getByRole('heading', { name: de('group.meter') }).waitFor();
});
