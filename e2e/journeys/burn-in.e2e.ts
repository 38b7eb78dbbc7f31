import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { burnInEndpoints as calls } from '@sonnenwarte/contract/burn-in/burn-in';
import type { MqttClient } from 'mqtt';
import type { Locator, Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readPdf } from '../../apps/server/src/testing/read-pdf.ts';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { addDatalogger, connectDatalogger, publishUp } from '../support/dataloggers.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const RACK_LOGGER = '302609010000971';
const LONG_RACK = `R7-${'W'.repeat(37)}`;
const LONG_BATCH = `HP-26-11-${'W'.repeat(55)}`;
const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);

/** By how much a page can be pushed sideways, px. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Inverters on a rack of the factory: what each of them gives now, and the alarms that it tells. */
class Rack {
  readonly client: MqttClient;
  readonly #powers: ReadonlyMap<string, number>;

  private constructor(client: MqttClient, powers: ReadonlyMap<string, number>) {
    this.client = client;
    this.#powers = powers;
  }

  static async start(powers: Readonly<Record<string, number>>): Promise<Rack> {
    const password = await addDatalogger(inject('dataDir'), RACK_LOGGER);
    const client = await connectDatalogger(inject('mqttUrl'), RACK_LOGGER, password);
    onTestFinished(() => client.endAsync(true));
    return new Rack(client, new Map(Object.entries(powers)));
  }

  async tell(alarms: Readonly<Record<string, readonly number[]>> = {}): Promise<void> {
    const entries = [...this.#powers].map(([dev, powerW]) => ({
      dev,
      kind: 'inverter',
      v: {
        'Rating/ActivePower': 10_000,
        'AC/ActivePower': powerW,
        'DC/Power': powerW * 1.03,
        'AC/L1/Voltage': 231,
        'AC/Frequency': 50,
        'Temp/Heatsink': 48.5,
      },
      alarms: (alarms[dev] ?? []).map((code) => ({ code })),
    }));
    await publishUp(this.client, RACK_LOGGER, entries);
  }
}

/** Dots of a drawing that are neither grid nor label, which are grey. */
const colouredDots = (drawing: Locator): Promise<number> =>
  drawing.evaluate((canvas) => {
    const { width, height } = canvas as HTMLCanvasElement;
    const dots = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
    let coloured = 0;
    for (let at = 0; at < dots.length; at += 4) {
      const [red = 0, green = 0, blue = 0, opaque = 0] = dots.slice(at, at + 4);
      if (opaque > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) coloured += 1;
    }
    return coloured;
  });

test('a plan and a run are made; the rack shows its units live, on a phone in two columns; one that tells an alarm fails, and its certificate says so; an aborted run keeps the verdict', async () => {
  const stamp = String(Date.now()).slice(-8);
  const [good, bad] = [`HXA${stamp}`, `HXB${stamp}`];
  const rack = await Rack.start({ [good]: 5_000, [bad]: 4_980 });
  await rack.tell();
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/aging/inverter?view=plans');
  await page
    .getByRole('button', { name: t('burn-in.plans.action.add') })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  const field = (key: string) => dialog.getByRole('textbox', { name: t(key) });
  const plan = `Two hours ${stamp}`;
  await field('burn-in.field.name').fill(plan);
  await field('burn-in.field.durationMinutes').fill('2');
  await field('burn-in.limit.minVoltageV').fill('260');
  await dialog.getByRole('button', { name: t('burn-in.plan.save') }).click();
  // What is in the wrong order stands at its field, and nothing that was typed is lost.
  await expect.poll(() => field('burn-in.limit.maxVoltageV').getAttribute('aria-invalid')).toBe('true');
  await field('burn-in.limit.minVoltageV').fill('207');
  await untilSettled(page);
  expect(await axeViolations(page, 'burn-in-plan')).toEqual([]);
  await takeScreenshot(page, 'burn-in-plan-light');
  await dialog.getByRole('button', { name: t('burn-in.plan.save') }).click();
  await page.getByRole('row', { name: plan }).waitFor();

  await visit(page, '/bus/aging/inverter');
  await page
    .getByRole('button', { name: t('burn-in.action.add') })
    .first()
    .click();
  // As long as it may be, without a space: nothing pushes the page sideways.
  await field('burn-in.field.rack').fill(LONG_RACK);
  const planBox = dialog.getByRole('combobox', { name: t('burn-in.field.planID') });
  await planBox.fill(plan);
  await page.getByRole('option').filter({ hasText: plan }).first().click();
  await field('burn-in.field.batchNumber').fill(LONG_BATCH);
  await field('burn-in.field.sns').fill(`${good.toLowerCase()}, -, ${bad}, ${good}`);
  await dialog.getByText(t('burn-in.run.twice', { sns: good })).waitFor();
  await dialog.getByText(t('burn-in.run.counted', { number: 2 })).waitFor();
  await dialog.getByText(t('burn-in.run.emptyCounted', { number: 1 })).waitFor();
  await takeScreenshot(page, 'burn-in-run-form-light');
  await dialog.getByRole('button', { name: t('burn-in.action.add') }).click();

  // What stands at the start fails at once.
  await rack.tell({ [bad]: [3001] });
  const tileOf = (sn: string) => page.getByRole('listitem').filter({ hasText: sn });
  await tileOf(good).getByText(t('burn-in.unitState.waiting')).waitFor();
  await page.getByText(t('burn-in.board.emptyPosition', { position: 2 })).waitFor();
  await page
    .getByRole('button', { name: t('burn-in.action.start'), exact: true })
    .last()
    .click();
  await dialog.getByRole('button', { name: t('burn-in.action.start') }).click();
  await rack.tell({ [bad]: [3001] });
  await tileOf(good)
    .getByText(/^5\.00/)
    .waitFor();
  await untilSettled(page);
  expect(await axeViolations(page, 'burn-in-board')).toEqual([]);
  await takeScreenshot(page, 'burn-in-board-light');

  await tileOf(bad).getByText(t('burn-in.unitState.failed')).waitFor();
  await tileOf(bad).getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: bad }).waitFor();
  await page.getByText(t('burn-in.unit.broken'), { exact: true }).waitFor();
  await untilSettled(page);
  expect(await axeViolations(page, 'burn-in-unit')).toEqual([]);
  // One value that no line joins to another is seen all the same.
  await expect.poll(() => colouredDots(page.locator('canvas').nth(1))).toBeGreaterThan(0);
  await takeScreenshot(page, 'burn-in-unit-light');
  await page.getByRole('button', { name: t('burn-in.unit.certificate') }).click();
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-burn-in-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: t('monthly-reports.download') }).click(),
  ]);
  const file = join(folder, 'certificate.pdf');
  await download.saveAs(file);
  const { text, pages, isTagged } = await readPdf(new Uint8Array(readFileSync(file)));
  expect(text.replaceAll(/\s/g, '')).toContain(LONG_BATCH);
  expect({ pages, isTagged }).toEqual({ pages: 1, isTagged: true });
  for (const told of [bad, plan, t('burn-in-paper.failed'), '3001']) expect(text).toContain(told);

  // The same on a phone, standing at the rack.
  const { token } = await sessionOf('admin');
  const { runs } = await callApi(portalUrl(), calls.list, { condition: { content: plan } }, token);
  const runID = runs[0]?.runID ?? '';
  const { page: phone } = await openPage({ user: 'admin', language: 'en', size: 'phone' });
  await visit(phone, `/bus/aging/inverter?run=${runID}`);
  const places = new RegExp(`^(?:\\d+HX|${t('burn-in.board.emptyPosition', { position: 2 })})`);
  const tiles = phone.getByRole('listitem').filter({ hasText: places });
  await tiles.nth(1).waitFor();
  const [one, other] = await Promise.all([tiles.nth(0).boundingBox(), tiles.nth(1).boundingBox()]);
  expect(one?.y).toBe(other?.y);
  await untilSettled(phone);
  expect(await sideways(phone)).toBe(0);
  await takeScreenshot(phone, 'burn-in-board-phone-light');
  await visit(phone, `/bus/aging/inverterDetail?run=${runID}&sn=${bad}`);
  await phone.getByRole('heading', { level: 1, name: bad }).waitFor();
  await untilSettled(phone);
  expect(await sideways(phone)).toBe(0);
  const verdicts = phone.getByRole('table').first();
  expect(await verdicts.evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0))).toBe(0);
  await takeScreenshot(phone, 'burn-in-unit-phone-light');
  await callApi(portalUrl(), calls.abort, { runID: runID, reason: 'The hall lost its power' }, token);
  await visit(phone, `/bus/aging/inverter?run=${runID}`);
  await phone.getByText('The hall lost its power').first().waitFor();
  await visit(phone, '/bus/aging/alarm');
  await phone.getByText(/^3001/).first().waitFor();
  await visit(phone, `/bus/aging/report?condition.runID=${runID}`);
  await phone.getByText(t('burn-in.reason.failLevel')).first().waitFor();
  await untilSettled(phone);
  expect(await axeViolations(phone, 'burn-in-report')).toEqual([]);
  await takeScreenshot(phone, 'burn-in-report-phone-light');
  await waitUntil('the aborted run', async () => {
    const { run: now, units } = await callApi(portalUrl(), calls.board, { runID: runID }, token);
    return (
      now.state === 'aborted' &&
      units
        .map(({ state }) => state)
        .sort()
        .join(' ') === 'aborted failed'
    );
  });
});
