import { historyReport } from '@sonnenwarte/contract/sites/site-endpoints';
import { figures } from '@sonnenwarte/contract/sites/sites';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { plantNamed, plantsOf, portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { waitUntil } from '../support/wait-until.ts';

const counted = ['generationWh', 'purchaseWh', 'feedInWh'] as const;

test('generation, purchase and feed-in of the healthy plants of the demonstration are measured, by list, figures and report', async () => {
  const plants = await waitUntil(
    'the end of the history',
    async () => {
      const found = await plantsOf('admin');
      return found.every(({ historyPercent }) => historyPercent === null) && found;
    },
    { timeoutMs: 120_000, everyMs: 500 },
  );
  const { token } = await sessionOf('admin');
  const healthy = plants.filter(({ state, demo }) => state === 'normal' && demo);
  expect(healthy.length).toBeGreaterThan(5);
  for (const { stationID, name, ianaTimezone, todayQuality, monthQuality, totalQuality } of healthy) {
    expect([name, todayQuality, monthQuality, totalQuality]).toEqual([name, 'measured', 'measured', 'measured']);
    const sums = await callApi(portalUrl(), figures, { stationID }, token);
    for (const period of ['today', 'month', 'total'] as const) {
      for (const figure of counted)
        expect([name, period, figure, sums[period].qualities[figure]]).toEqual([name, period, figure, 'measured']);
    }
    const [year = 0, month = 0] = new Intl.DateTimeFormat('en-CA', { timeZone: ianaTimezone })
      .format()
      .split('-')
      .map(Number);
    const report = await callApi(
      portalUrl(),
      historyReport,
      {
        stationID,
        reportType: 'month',
        queryDate: { year, month },
        variables: ['PVEnergyTotal', 'feedin', 'gridConsumption'],
      },
      token,
    );
    for (const { variable, data } of report) {
      expect([name, variable, data.filter(({ quality }) => quality !== 'measured')]).toEqual([name, variable, []]);
    }
  }
});

test('a plant whose history has come has neither the notice nor a mark', async () => {
  const { stationID } = await plantNamed('Haus Lindenblick');
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, `/bus/plant/detail?id=${stationID}`);
  await untilSettled(page);
  expect(await page.locator('main').getByText('Preliminary').count()).toBe(0);
  expect(await page.locator('main').getByText('≈').count()).toBe(0);
});
