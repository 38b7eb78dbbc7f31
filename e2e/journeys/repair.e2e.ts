import { repairEndpoints } from '@sonnenwarte/contract/data-repair/data-repair';
import { historyReport } from '@sonnenwarte/contract/sites/site-endpoints';
import type { Quality } from '@sonnenwarte/contract/status';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { plantNamed, portalUrl, sessionOf, waitUntilFresh } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const PLANT = 'Haus Lindenblick';
const REASON = 'Counter jumped after a restart';
const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const panel = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

/** What the house took, without the car. */
async function houseOf(stationID: string, date: string): Promise<{ kWh: number; quality: Quality }> {
  const { token } = await sessionOf('admin');
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const told = await callApi(
    portalUrl(),
    historyReport,
    { stationID, reportType: 'month', queryDate: { year, month }, variables: ['loads'] },
    token,
  );
  const found = told[0]?.data.find(({ index }) => index === day);
  if (found === undefined || found.value === null) throw new Error(`Nothing is known of ${date}`);
  return { kWh: found.value, quality: found.quality };
}

/** Takes back what a failed attempt has left. */
async function undoAll(stationID: string): Promise<void> {
  const { token } = await sessionOf('admin');
  const { corrections } = await callApi(portalUrl(), repairEndpoints.corrections, { stationID }, token);
  for (const { correctionID } of corrections)
    await callApi(portalUrl(), repairEndpoints.undo, { stationID, correctionID }, token);
}

async function typeSpan(page: Page, day: string, from: string, to: string): Promise<void> {
  const form = panel(page, text('data-repair.form'));
  const [year = '', month = '', date = ''] = day.split('-');
  const typed: [string, string][] = [
    ['fromDay', `${date}${month}${year}`],
    ['fromTime', from],
    ['toDay', `${date}${month}${year}`],
    ['toTime', to],
  ];
  for (const [name, keys] of typed) {
    const group = form.getByRole('group', { name: text(`data-repair.field.${name}`), exact: true });
    await group.getByRole('spinbutton').first().focus();
    await page.keyboard.type(keys, { delay: 20 });
  }
}

describe('a counter', () => {
  test('is repaired by keys alone, which its owner sees with the former value, and undone from the notice, and all is as before', async () => {
    const { stationID, ianaTimezone } = await waitUntilFresh(PLANT);
    onTestFinished(() => undoAll(stationID));
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: ianaTimezone }).format(Date.now() - 3 * 86_400_000);
    await waitUntil('the end of the history', async () => (await plantNamed(PLANT)).historyPercent === null, {
      timeoutMs: 120_000,
      everyMs: 500,
    });
    const before = await houseOf(stationID, day);

    const { page } = await openPage({ user: 'admin', language: 'en' });
    await visit(page, `/bus/plant/detail?id=${stationID}`);
    await page
      .getByRole('button', { name: text('blocks.actionsFor', { name: PLANT }) })
      .first()
      .click();
    await page.getByRole('menuitem', { name: text('sites.action.repair') }).click();
    await page.getByRole('heading', { name: text('data-repair.title') }).waitFor();
    const counters = page.getByLabel(text('data-repair.counter'), { exact: true });
    const option = counters.locator('option', { hasText: text('data-repair.channel.load') }).first();
    await counters.selectOption((await option.getAttribute('value')) ?? '');
    await untilSettled(page);
    await typeSpan(page, day, '1000', '1200');
    const form = panel(page, text('data-repair.form'));
    await form.getByRole('radio', { name: new RegExp(`^${text('data-repair.way.own')}`) }).check();
    await form.getByLabel(text('data-repair.field.energyWh'), { exact: true }).fill('9.5');
    const preview = form.getByRole('table');
    await preview.waitFor();
    const shownDay = preview.getByRole('row').nth(2).getByRole('cell');
    const after = Number((await shownDay.nth(1).innerText()).replaceAll(',', ''));
    expect(await houseOf(stationID, day)).toEqual(before);

    await form.getByRole('button', { name: text('data-repair.save') }).click();
    await form.getByText(text('blocks.reason.required')).waitFor();
    await form.getByLabel(text('data-repair.field.reason'), { exact: true }).fill(REASON);
    await takeScreenshot(page, 'repair-preview');
    await form.getByRole('button', { name: text('data-repair.save') }).click();
    const notice = page.getByRole('status').filter({ hasText: text('data-repair.done', { span: '' }).trim() });
    await notice.waitFor();
    await waitUntil('the corrected day', async () => (await houseOf(stationID, day)).kWh !== before.kWh);
    const corrected = await houseOf(stationID, day);
    expect(Math.abs(corrected.kWh - after)).toBeLessThan(0.051);
    expect(corrected.quality).toBe('corrected');
    await untilSettled(page);
    await takeScreenshot(page, 'repair-done');
    expect(await axeViolations(page, 'repair')).toEqual([]);

    const { page: own } = await openPage({ user: 'owner', language: 'en' });
    await visit(own, `/bus/plant/detail?id=${stationID}`);
    await own.mouse.wheel(0, 3_000);
    const told = panel(own, text('data-repair.byHand'));
    await told.waitFor();
    await told.scrollIntoViewIfNeeded();
    expect(await told.innerText()).toContain(REASON);
    const formerly = new RegExp(text('data-repair.formerly', { energy: '([\\d.,]+).kWh' }));
    const [, former = ''] = formerly.exec(await told.innerText()) ?? [];
    expect(Math.abs(Number(former) - before.kWh)).toBeLessThan(0.051);
    expect(await own.getByRole('button', { name: text('sites.action.repair') }).count()).toBe(0);
    await takeScreenshot(own, 'repair-owner');
    expect(await axeViolations(own, 'corrections of an owner')).toEqual([]);

    await notice.getByRole('button', { name: text('data-repair.undo') }).click();
    await page.getByText(text('data-repair.undone')).waitFor();
    await waitUntil('the day as before', async () => (await houseOf(stationID, day)).kWh === before.kWh);
    expect(await houseOf(stationID, day)).toEqual(before);
  });

  test('of which nothing was read yet says nothing of its days, least that nothing is unusual', async () => {
    const { stationID } = await plantNamed(PLANT);
    const { page } = await openPage({ user: 'admin', language: 'en' });
    const answered = Promise.withResolvers<void>();
    await page.route(/\/repair\/series/, async (route) => {
      await answered.promise;
      await route.continue();
    });
    await page.goto(`/bus/plant/detail?id=${stationID}&part=repair`);
    const list = panel(page, text('data-repair.list'));
    await list.getByText(text('common.loading')).waitFor();
    expect(await list.getByText(text('data-repair.nothingUnusual')).count()).toBe(0);
    answered.resolve();
    await list.getByText(text('data-repair.nothingUnusual')).or(list.getByRole('listitem')).first().waitFor();
  });

  test('is marked by dragging on a phone; a span that overlaps with a correction is refused and names it; its row undoes it', async () => {
    const { stationID } = await plantNamed(PLANT);
    onTestFinished(() => undoAll(stationID));
    const { page } = await openPage({ user: 'admin', language: 'de', size: 'phone', scheme: 'dark' });
    const german = (key: string) => textOf(key, 'de');
    await visit(page, `/bus/plant/detail?id=${stationID}&part=repair`);
    const chart = page.getByRole('img', { name: /markierte Stellen/ });
    await chart.waitFor();
    const counters = page.getByLabel(german('data-repair.counter'), { exact: true });
    const option = counters.locator('option', { hasText: german('data-repair.channel.load') }).first();
    await counters.selectOption((await option.getAttribute('value')) ?? '');
    await untilSettled(page);
    const drag = async (): Promise<void> => {
      await chart.scrollIntoViewIfNeeded();
      const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 };
      await page.mouse.move(x + 0.4 * width, y + 80);
      await page.mouse.down();
      await page.mouse.move(x + 0.6 * width, y + 90, { steps: 4 });
      await page.mouse.up();
    };
    await drag();
    const form = panel(page, german('data-repair.form'));
    await form.getByRole('radio', { name: new RegExp(`^${german('data-repair.way.gap')}`) }).check();
    await form.getByRole('table').waitFor();
    await form.getByLabel(german('data-repair.field.reason'), { exact: true }).fill('Sensor war ausgebaut');
    await form.getByRole('button', { name: german('data-repair.save') }).click();
    const list = panel(page, german('data-repair.list'));
    await list.getByText('Sensor war ausgebaut').waitFor();
    await untilSettled(page);
    await takeScreenshot(page, 'repair-phone');
    expect(await axeViolations(page, 'repair on a phone')).toEqual([]);
    await drag();
    await form.getByRole('alert').filter({ hasText: 'überschneidet sich mit der Korrektur' }).waitFor();
    await list.getByRole('button', { name: german('data-repair.undo') }).click();
    await page.getByText(german('data-repair.undone')).waitFor();
    await list.getByText('Sensor war ausgebaut').waitFor({ state: 'detached' });
  });
});
