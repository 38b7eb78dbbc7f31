import { chargerEndpoints } from '@sonnenwarte/contract/chargers/chargers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { RawChargePoint } from '../../apps/server/src/testing/charge-point.ts';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { plantsOf, portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const de = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'de', values);

/** A plant of the owner that has no charging pile of its datalogger. */
async function plantWithoutPile() {
  const found = (await plantsOf('owner')).find(({ name }) => name !== 'Haus Lindenblick');
  if (!found) throw new Error('The owner has one plant only');
  return found;
}

const at = (ms: number) => new Date(ms).toISOString();

async function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

test('where the address names no plant the plants are offered, and a wallbox that is only measured is not said to be missing', async () => {
  const { page } = await openPage({ language: 'de', user: 'owner' });
  for (const address of ['/bus/plant/parallelSystem', '/bus/pile/edit']) {
    await visit(page, address);
    await page
      .getByRole('link', { name: /Haus Lindenblick/ })
      .filter({ visible: true })
      .first()
      .waitFor();
  }
  await page.getByText(de('chargers.choosePlant')).waitFor();
  expect(await axeViolations(page, 'choice')).toEqual([]);
  await takeScreenshot(page, 'charging-choice');
  await page
    .getByRole('link', { name: /Haus Lindenblick/ })
    .filter({ visible: true })
    .first()
    .click();
  await page.getByText(de('chargers.measuredOnly')).waitFor();
  await takeScreenshot(page, 'charging-measured');
});

test('an owner adds a wallbox, sees why it charges, sets its mode, stops it and finds the session', async () => {
  const SN = `CP-${Date.now() % 1_000_000_000}`;
  const plant = await plantWithoutPile();
  const { page } = await openPage({ language: 'de', user: 'owner' });
  // What the pile does is read every ten seconds.
  page.setDefaultTimeout(45_000);
  await visit(page, `/bus/plant/detail?id=${plant.stationID}`);
  await page.getByRole('link', { name: de('routes.pile-edit'), exact: true }).click();
  await page.waitForURL('**/bus/pile/edit?**');
  await page
    .getByRole('button', { name: de('chargers.action.add') })
    .first()
    .click();
  const form = page.getByRole('dialog', { name: de('chargers.action.add') });
  await form.locator('[name="deviceSN"]').fill(SN);
  await form.locator('[name="name"]').fill('Carport');
  expect(await axeViolations(page, 'add')).toEqual([]);
  await form.getByRole('button', { name: de('chargers.action.add') }).click();
  const access = page.getByRole('dialog', { name: de('chargers.access.title') });
  const address = await access.getByLabel(de('chargers.access.address')).inputValue();
  const password = await access.getByLabel(de('chargers.access.password'), { exact: true }).inputValue();
  await takeScreenshot(page, 'charging-access');
  expect(await axeViolations(page, 'access')).toEqual([]);
  await access.getByRole('button', { name: de('chargers.access.close') }).click();
  await page.getByText(de('chargers.why.offline')).waitFor();
  await page.getByText(de('chargers.neverSeen')).waitFor();
  const save = page.getByRole('button', { name: de('chargers.save') });
  expect(await save.getAttribute('aria-disabled')).toBe('true');

  const point = await RawChargePoint.connect(address, { user: SN, password });
  await point.call('BootNotification', { chargePointVendor: 'Maker', chargePointModel: 'One', firmwareVersion: '1.2' });
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Preparing' });
  await point.next('RemoteStartTransaction');
  const beganMs = Date.now() - 600_000;
  const { transactionId } = await point.call('StartTransaction', {
    connectorId: 1,
    idTag: 'portal',
    meterStart: 10_000,
    timestamp: at(beganMs),
  });
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' });
  const register = (tsMs: number, wh: number) => ({
    timestamp: at(tsMs),
    sampledValue: [
      { value: String(wh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
      { value: '7200', measurand: 'Power.Active.Import', unit: 'W' },
    ],
  });
  const meterValue = [0, 2, 4, 6, 8, 10].map((minute) => register(beganMs + minute * 60_000, 10_000 + minute * 120));
  await point.call('MeterValues', { connectorId: 1, transactionId, meterValue });
  await page.getByText(de('chargers.why.fast')).waitFor();
  await page.getByText(/^7,2/).filter({ visible: true }).first().waitFor();

  await page.getByRole('radio', { name: de('chargers.mode.scheduled') }).check();
  await page.getByRole('button', { name: de('chargers.addTime') }).click();
  await untilSettled(page);
  await takeScreenshot(page, 'charging-desktop');
  expect(await axeViolations(page, 'scheduled')).toEqual([]);
  await page.getByRole('radio', { name: de('chargers.mode.solar') }).check();
  await page.getByText(de('chargers.meaning.solar')).waitFor();
  expect(await save.getAttribute('aria-disabled')).not.toBe('true');
  await save.click();
  await page.getByText(de('chargers.modeSaved')).waitFor();
  const { token } = await sessionOf('owner');
  const { piles } = await callApi(portalUrl(), chargerEndpoints.list, { stationID: plant.stationID }, token);
  expect(piles.find(({ deviceSN }) => deviceSN === SN)).toMatchObject({ mode: 'solar' });

  const stopping = point.next('RemoteStopTransaction');
  await page.getByRole('button', { name: `${de('chargers.action.stop')}: Carport` }).click();
  expect(await stopping).toEqual({ transactionId });
  await point.call('StopTransaction', {
    transactionId,
    meterStop: 11_200,
    timestamp: at(Date.now()),
    reason: 'Remote',
  });
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Finishing' });
  await page.getByText(de('chargers.why.stopped')).waitFor();
  const namesake = {
    deviceSN: `${SN}-2`,
    name: 'Carport',
    ratedPowerW: 11_000,
    phases: 'three',
    mostCurrentA: 16,
  } as const;
  await callApi(portalUrl(), chargerEndpoints.add, { stationID: plant.stationID, ...namesake }, token);
  await page.getByRole('region', { name: `Carport · ${SN}-2`, exact: true }).waitFor();
  expect(await axeViolations(page, 'two of one name')).toEqual([]);
  await page.getByRole('cell', { name: /^1,2/ }).first().waitFor();

  const { page: handset, problems } = await openPage({ language: 'de', user: 'owner', size: 'phone' });
  await visit(handset, `/bus/pile/edit?stationID=${plant.stationID}`);
  await handset.getByText(de('chargers.why.stopped')).waitFor();
  await untilSettled(handset);
  await takeScreenshot(handset, 'charging-phone');
  expect(await overflowOf(handset)).toBe(0);
  expect(await axeViolations(handset, 'phone')).toEqual([]);
  expect(problems).toEqual([]);
  point.cut();
  await waitUntil('the pile to be away', async () => {
    const { piles: now } = await callApi(portalUrl(), chargerEndpoints.list, { stationID: plant.stationID }, token);
    return now.find(({ deviceSN }) => deviceSN === SN)?.online === false;
  });
});
