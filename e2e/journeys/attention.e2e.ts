import { text as wholeOf } from 'node:stream/consumers';
import { fleetEndpoints, type TroubledSite } from '@sonnenwarte/contract/fleet/fleet';
import { insightEndpoints, resume } from '@sonnenwarte/contract/insight/insight';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { turnTo } from '../support/turn-to.ts';
import { waitUntil } from '../support/wait-until.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const WEAK = 'Dom pod Lasem';
/** Its grid voltage is too high, and it loses nothing that is known. */
const ALARMED = 'Kapas Weaving Shed';
/** Its datalogger has been silent for days. */
const SILENT = 'Statek U Rybníka';

const attentionOf = async (user: 'installer' | 'admin') => {
  const { token } = await sessionOf(user);
  const plants: TroubledSite[] = [];
  for (let currentPage = 1; ; currentPage++) {
    const page = await callApi(portalUrl(), fleetEndpoints.attention, { currentPage }, token);
    plants.push(...page.plants);
    if (page.plants.length === 0 || plants.length >= page.total) return { plants };
  }
};

const RECKONED_MS = 300_000;

/** The days of the demonstration are reckoned a while after they were told. */
beforeAll(
  () =>
    waitUntil(
      'the weak string is known',
      async () => {
        const { plants } = await attentionOf('admin');
        return plants.some(
          ({ name, isLosing, week }) => name === WEAK && isLosing && week?.reasons[0]?.reason.kind === 'string-weak',
        );
      },
      { timeoutMs: RECKONED_MS, everyMs: 1_000 },
    ),
  RECKONED_MS,
);

const rowOf = (page: Page) => page.locator('li').filter({ hasText: WEAK }).first();
const evidenceOf = (page: Page) =>
  page.getByRole('button', { name: text('losses.attention.evidenceOf', { name: WEAK }) });

const nextPage = (page: Page) => page.getByRole('button', { name: text('common.nextPage'), exact: true });

describe('what needs attention', () => {
  test.each(['installer', 'agent', 'distributor', 'admin'] as const)(
    'leads %s from home to the reason and the loss of the weak string in two clicks',
    async (user) => {
      const { page } = await openPage({ language: 'en', user });
      await visit(page, '/bus/index');
      await rowOf(page)
        .getByText(/String \d gives/)
        .waitFor();
      const verdict = page.locator('main [role=status][data-ages]').first();
      await verdict.getByText(WEAK).waitFor();
      expect(await verdict.getAttribute('data-state')).toBe('alarm');
      await evidenceOf(page).click();
      const drawer = page.getByRole('dialog');
      await drawer
        .getByRole('heading', { name: /String \d gives/ })
        .first()
        .waitFor();
      await drawer.getByRole('table').waitFor();
      expect(await drawer.locator('tr[data-weak]').count()).toBe(1);
      expect(await axeViolations(page, 'evidence')).toEqual([]);
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
    },
  );

  test('is put off with a reason and a day, counted, and brought back by undo', async () => {
    const { token } = await sessionOf('installer');
    const plant = (await attentionOf('installer')).plants.find(({ name }) => name === WEAK);
    await callApi(portalUrl(), resume, { stationID: plant?.stationID ?? '' }, token);
    const { page } = await openPage({ language: 'en', user: 'installer' });
    await visit(page, '/bus/index');
    await rowOf(page)
      .getByRole('button', { name: `${text('losses.action.pause')}: ${WEAK}` })
      .click();
    const dialog = page.getByRole('dialog', { name: text('insight.pause.title', { name: WEAK }) });
    await dialog.getByLabel(text('insight.field.reason')).selectOption('waiting');
    await dialog.getByRole('button', { name: text('insight.pause.submit') }).click();
    await dialog.waitFor({ state: 'detached' });
    await evidenceOf(page).waitFor({ state: 'detached' });
    await page.getByText(text('losses.attention.paused', { number: 1 })).waitFor();
    await page.getByRole('button', { name: text('insight.pause.undo') }).click();
    await evidenceOf(page).waitFor();
  });
});

describe('the evidence of a row', () => {
  test('opens with a click anywhere on it, tells what the row tells, and leads to the values of the device on that day', async () => {
    const { page } = await openPage({ language: 'en', user: 'installer' });
    await visit(page, '/bus/index');
    const row = rowOf(page);
    const since = await row
      .getByText(/^since /)
      .first()
      .innerText();
    const box = await row.boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    const drawer = page.getByRole('dialog');
    await drawer
      .getByText(since.split(' · ')[0] ?? since, { exact: false })
      .first()
      .waitFor();
    await drawer.getByText(text('insight.evidence.kept')).waitFor();
    await drawer.getByText(text('insight.basis.peers')).waitFor();
    await drawer.getByText(/Alarm 2006/).waitFor();
    expect(await drawer.getByText(text('insight.ruledOut.alarms')).count()).toBe(0);
    await drawer.getByRole('button', { name: text('insight.evidence.deviceCurve') }).click();
    await page.waitForURL(/\/bus\/device\/.*date=\d{4}-\d\d-\d\d.*String2/);
  });

  test('of an alarm is told of the day on which it began, and names it', async () => {
    const { plants } = await attentionOf('admin');
    const alarmed = plants.find(({ name }) => name === ALARMED) ?? expect.fail('no alarm');
    const { page } = await openPage({ language: 'en', user: 'admin' });
    await visit(page, '/bus/index');
    await turnTo(page.locator('li').filter({ hasText: ALARMED }), nextPage(page));
    const reason = await page.locator('li').filter({ hasText: ALARMED }).first().locator('strong').first().innerText();
    const began = new Date(alarmed.alarm?.sinceMs ?? 0).toLocaleDateString('sv', { timeZone: alarmed.ianaTimezone });
    const asked = page.waitForRequest(
      (request) => request.url().includes('/plant/insight?') && request.url().includes(`date=${began}`),
    );
    await page.getByRole('button', { name: text('losses.attention.evidenceOf', { name: ALARMED }) }).click();
    await asked;
    const drawer = page.getByRole('dialog', { name: `${ALARMED}: ${reason}` });
    await drawer.getByText(`Alarm ${alarmed.alarm?.code}: ${reason}`, { exact: false }).waitFor();
    expect(await drawer.getByText(text('insight.ruledOut.alarms')).count()).toBe(0);
  });

  test('of a day without values ticks nothing that nobody could see', async () => {
    const { page } = await openPage({ language: 'en', user: 'admin' });
    await visit(page, '/bus/index');
    const row = page.getByRole('button', { name: text('losses.attention.evidenceOf', { name: SILENT }) });
    await turnTo(row, nextPage(page));
    await row.click();
    const drawer = page.getByRole('dialog');
    const next = drawer.getByRole('button', { name: text('charts.next'), exact: true });
    await next.waitFor();
    // It fell silent within the day on which its evidence opens; of the day after there is nothing.
    const dayAfter = page.waitForResponse(
      (response) => new URL(response.url()).pathname === insightEndpoints.evidence.path,
    );
    await next.click();
    await dayAfter;
    await drawer.locator('[data-waiting]').waitFor({ state: 'detached' });
    await drawer.getByText(text('insight.evidence.unchecked'), { exact: false }).waitFor();
    for (const measure of ['standstill-hours', 'clipped-share', 'limited-share', 'night-export-hours'] as const)
      expect(await drawer.getByText(text(`insight.ruledOut.${measure}`)).count()).toBe(0);
  });
});

test('operations are sorted by any figure, told as a file, and show the evidence of a plant', async () => {
  const { page } = await openPage({ language: 'en', user: 'admin' });
  await visit(page, '/bus/devOps');
  const table = page.getByRole('table');
  await table.getByText(WEAK).first().waitFor();
  await table
    .getByRole('columnheader', { name: text('insight.field.completeness') })
    .getByRole('button')
    .first()
    .click();
  await page.waitForURL(/sort\.field=completeness/);
  await table.getByText(WEAK).first().waitFor();
  expect(await axeViolations(page, 'operations')).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: text('blocks.export.button') }).click();
      await page.getByRole('menuitem', { name: text('blocks.export.csv') }).click();
    })(),
  ]);
  const [, ...rows] = (await wholeOf(await file.createReadStream())).trimEnd().split('\r\n');
  expect(rows.length).toBeGreaterThanOrEqual(12);
  expect(rows.filter((row) => row.startsWith(WEAK))).toHaveLength(1);
  await evidenceOf(page).click();
  await page.getByRole('dialog').getByRole('table').waitFor();
});
