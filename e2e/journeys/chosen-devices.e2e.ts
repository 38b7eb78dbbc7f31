import { text as wholeOf } from 'node:stream/consumers';
import { list } from '@sonnenwarte/contract/devices/devices';
import { write } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { EdgeInverters, exportLimit } from '../support/edge-inverters.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const de = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'de', values);
const LIMIT = 'Setting/ExportLimit';

/** Inverters of the list, as the administrator reads them. */
async function found(condition: object) {
  const { token } = await sessionOf('admin');
  return (await callApi(portalUrl(), list, { condition }, token)).devices;
}

test('inverters are chosen in their list and compared, set together or saved; those that deviate are a filter', async () => {
  const inverters = await EdgeInverters.start('991000000000011', 'Chosen inverters', 3);
  const [first = '', second = '', third = ''] = inverters.sns;
  const part = first.slice(0, 7);
  const { token } = await sessionOf('admin');
  await waitUntil('three inverters', async () => (await found({ content: part })).length === 3);
  const id = (await found({ content: first }))[0]?.deviceID ?? '';
  await callApi(portalUrl(), write, { id, values: [{ name: LIMIT, value: 6_000 }] }, token);
  // Only what was confirmed can be deviated from.
  await waitUntil('the confirmed limit', async () => {
    await inverters.changesItself(first, exportLimit(7_000));
    return (await found({ content: first }))[0]?.drifts === 1;
  });

  const { page } = await openPage({ language: 'de', user: 'admin' });
  await visit(page, `/bus/device/inverter?condition.content=${part}`);
  const row = (sn: string) => page.getByRole('row').filter({ hasText: sn });
  await row(first)
    .getByText(de('devices.drifts_one', { count: 1 }))
    .waitFor();
  await page.getByRole('button', { name: de('common.columns') }).click();
  for (const field of ['yesterdayWh', 'monthWh', 'yearWh'])
    await page.getByRole('checkbox', { name: de(`devices.field.${field}`) }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: de('devices.field.yearWh') }).waitFor();
  await page
    .getByRole('columnheader', { name: de('devices.field.monthWh') })
    .getByRole('button')
    .click();

  for (const sn of [first, third]) await row(sn).getByRole('checkbox').check();
  await page.getByText(de('blocks.selection.count_other', { count: 2 })).waitFor();
  expect(await axeViolations(page, 'chosen devices')).toEqual([]);
  await takeScreenshot(page, 'devices-chosen');

  await page.getByRole('button', { name: de('devices.chosen.save') }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: de('blocks.export.csv') }).click(),
  ]);
  const file = await wholeOf(await download.createReadStream());
  expect([first, second, third].filter((sn) => file.includes(sn))).toEqual([first, third]);

  await page.getByRole('button', { name: de('devices.chosen.compare') }).click();
  await page.waitForURL('**/bus/device/analysis?**');
  for (const sn of [first, third]) await page.getByText(sn).filter({ visible: true }).first().waitFor();

  await visit(page, `/bus/device/inverter?condition.content=${part}`);
  for (const sn of [first, third]) await row(sn).getByRole('checkbox').check();
  await page.getByRole('button', { name: de('devices.chosen.set') }).click();
  await page.waitForURL('**/bus/device/groupRemote?step=values');
  await page.getByLabel(de('setting-screens.many.addValue')).selectOption(LIMIT);

  await visit(page, '/bus/device/inverter');
  await page.getByRole('radio', { name: new RegExp(`^${de('devices.deviates')}`) }).click();
  await row(first).waitFor();
  await row(second).waitFor({ state: 'detached' });
  await page.waitForURL('**condition.deviates**');
});

test('on a phone what can be done with chosen devices stands above the menu', async () => {
  const { page } = await openPage({ language: 'de', user: 'admin', size: 'phone' });
  await visit(page, '/bus/device/inverter');
  await page.getByRole('listitem').getByRole('checkbox').first().check();
  await page.getByRole('button', { name: de('devices.chosen.compare') }).waitFor();
  expect(await axeViolations(page, 'chosen on a phone')).toEqual([]);
  await takeScreenshot(page, 'devices-chosen-phone');
});
