import { list as deviceList } from '@sonnenwarte/contract/devices/devices';
import { list as recordList } from '@sonnenwarte/contract/fault-records/fault-records';
import type { FaultRecord } from '@sonnenwarte/device-protocol/fault-records/fault-record';
import type { Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { FaultRecordDevice } from '../../apps/server/src/testing/fault-record-device.ts';
import { faultWaves, WAVE_BEFORE, WAVE_RATE_HZ } from '../../apps/simulator/src/edge/fault-waves.ts';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { addDatalogger } from '../support/dataloggers.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { openPage, showScheme } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const LOGGER = '902611280000215';
const DAY_MS = 86_400_000;
const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A grid over-voltage as the simulated inverters record it. */
function overVoltage(index: number, voltageV: number): FaultRecord {
  const trigger = { name: 'AC/L1/Voltage', value: voltageV, limit: 253 };
  const state = { code: 1001, phases: 3, nominalV: 230, nominalHz: 50, currentA: 9.4, busV: 640, leakageMa: 12 };
  return {
    index,
    timeMs: Date.now() - 3 * DAY_MS + index * 3_600_000,
    code: 1001,
    trigger,
    rateHz: WAVE_RATE_HZ,
    before: WAVE_BEFORE,
    nominalHz: 50,
    registers: [
      { name: 'AC/L1/Voltage', value: voltageV, low: 184, high: 253 },
      { name: 'AC/L2/Voltage', value: voltageV - 4, low: 184, high: 253 },
      { name: 'AC/L3/Voltage', value: 231.2, low: 184, high: 253 },
      { name: 'AC/Frequency', value: 50.02, low: 47.5, high: 50.2 },
      { name: 'AC/ActivePower', value: 6_480 },
      { name: 'DC/InsulationResistance', value: 2_380, low: 200 },
      { name: 'State/GridRelay', value: true },
      { name: 'State/Run', value: 4 },
    ],
    channels: faultWaves({ ...state, trigger, seed: index }),
  };
}

async function recordOnItsWay(sn: string, count: number): Promise<void> {
  const { token } = await sessionOf('admin');
  await waitUntil(`${count} listed records`, async () => {
    const { records } = await callApi(portalUrl(), recordList, { condition: { content: sn } }, token);
    return records.length === count;
  });
}

test('an operator asks an inverter for its fault records, has one fetched, reads it, lays another over it and saves it', async () => {
  const password = await addDatalogger(
    inject('dataDir'),
    LOGGER,
    '--new-site',
    'Recorded roof',
    '--zone',
    'Europe/Berlin',
    '--country',
    'DE',
  );
  const port = Number(new URL(inject('mqttUrl')).port);
  const device = await FaultRecordDevice.connect(port, LOGGER, [], { password });
  onTestFinished(() => device.end());
  device.records = [overVoltage(1, 256.4), overVoltage(2, 261.8)];
  device.partBytes = 4_096;
  const { token } = await sessionOf('admin');
  const deviceID = await waitUntil('the inverter', async () => {
    const { devices } = await callApi(portalUrl(), deviceList, { condition: { content: device.sn } }, token);
    return devices[0]?.deviceID;
  });

  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, `/bus/device/inverterDetail?id=${deviceID}`);
  await page
    .getByRole('link', { name: t('routes.fault-record') })
    .last()
    .click();
  await page.getByText(t('fault-records.device.never', { name: device.sn })).waitFor();
  await button(page, t('fault-records.action.refresh')).click();
  await recordOnItsWay(device.sn, 2);
  const rows = page.getByRole('row').filter({ hasText: device.sn });
  await rows.nth(1).waitFor();
  await untilSettled(page);
  await takeScreenshot(page, 'fault-records-kept-light');

  await rows.first().click();
  const record = page.getByRole('region', { name: t('fault-records.record.title'), exact: true });
  await record.getByText(t('fault-records.record.inDevice')).waitFor();
  await button(page, t('fault-records.action.fetch')).click();
  const waves = record.getByRole('slider');
  await waves.waitFor();
  await waves.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await record.getByText(t('fault-records.record.cursor', { ms: '−6.3' })).waitFor();
  const first = record.getByRole('row').filter({ hasText: '261.8' });
  await first.getByLabel(t('fault-records.record.outside')).waitFor();
  await untilSettled(page);
  expect(await axeViolations(page, 'fault-records-record')).toEqual([]);
  await takeScreenshot(page, 'fault-records-record-light');

  await rows.last().click();
  await record.getByText(t('fault-records.record.inDevice')).waitFor();
  await button(page, t('fault-records.action.fetch')).click();
  await waves.waitFor();
  const fellows = record.getByRole('combobox', { name: t('fault-records.record.compare') });
  await fellows.selectOption({ index: 1 });
  await record.getByRole('columnheader').nth(3).waitFor();
  await untilSettled(page);
  await takeScreenshot(page, 'fault-records-compared-light');
  await showScheme(page, 'dark');
  await takeScreenshot(page, 'fault-records-compared-dark');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    button(page, `${t('fault-records.record.save')}: COMTRADE`).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/-1001-comtrade\.zip$/);
  const { search } = new URL(page.url());

  const small = await openPage({ user: 'admin', language: 'de', size: 'phone' });
  await visit(small.page, `/bus/device/faultRecord${search}`);
  await small.page.getByRole('slider').waitFor();
  await untilSettled(small.page);
  expect(await axeViolations(small.page, 'fault-records-phone')).toEqual([]);
  await takeScreenshot(small.page, 'fault-records-phone');
});
