import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { series } from '@sonnenwarte/contract/analysis/analysis';
import { list as deviceList } from '@sonnenwarte/contract/devices/devices';
import { list as viewList } from '@sonnenwarte/contract/saved-views/saved-views';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { layoutProblems } from '../support/layout.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const SN = 'H6S2206A00223';
const variables = ['DC/Mppt1/Power', 'DC/Mppt2/Power', 'AC/L1/Voltage', 'Temp/Heatsink'];

/** An inverter of the installer's with some days of history, and the last of them. */
async function inverter(): Promise<{ deviceID: string; stationID: string; date: string }> {
  const { token } = await sessionOf('installer');
  const { devices } = await callApi(portalUrl(), deviceList, { condition: { content: SN } }, token);
  const found = devices.find(({ deviceSN }) => deviceSN === SN);
  if (!found?.stationID) throw new Error(`${SN} is not there`);
  const { deviceID, stationID } = found;
  const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await waitUntil('a day of history', async () => {
    const asked = {
      deviceIDs: [deviceID],
      curves: [{ of: 0, variable: 'AC/L1/Voltage' }],
      firstDay: date,
      lastDay: date,
    };
    return ((await callApi(portalUrl(), series, asked, token)).series[0]?.samples ?? 0) > 200;
  });
  return { deviceID, stationID, date };
}

const addressOf = (deviceID: string, rest = '') =>
  `/bus/device/analysis?${variables.map((variable, place) => `c${place + 1}=${deviceID}:${variable}`).join('&')}${rest}`;
const plot = (page: Page) => page.getByRole('slider', { name: /^Curves:/ });
const told = (page: Page) => plot(page).getAttribute('aria-valuetext');
const part = (page: Page) =>
  Promise.all(
    ['begin', 'end'].map((end) =>
      page.getByRole('slider', { name: text(`analysis.${end}`), exact: true }).getAttribute('aria-valuenow'),
    ),
  ).then((ends) => ends.map(Number));

test('from a plant to its curves: variables are added, a part is drawn and read with the mouse, and all of it comes back', async () => {
  const { stationID, deviceID, date } = await inverter();
  const { page } = await openPage({ user: 'installer', language: 'en' });
  await visit(page, `/bus/plant/detail?id=${stationID}`);
  await page
    .locator('main')
    .getByRole('link', { name: text('routes.analysis'), exact: true })
    .click();
  await page.waitForURL('**/bus/device/analysis?c1=*');
  await visit(page, `/bus/device/analysis?c1=${deviceID}:DC/Mppt1/Power&date=${date}`);
  await plot(page).waitFor();

  await page.getByRole('button', { name: text('analysis.add') }).click();
  const dialog = page.getByRole('dialog', { name: text('analysis.add') });
  await dialog.getByRole('checkbox', { name: /^Voltage L1/ }).check();
  await dialog.getByRole('checkbox', { name: /^MPPT 2 power/i }).check();
  await dialog.getByRole('button', { name: text('analysis.done') }).click();
  const rows = page.getByRole('list', { name: text('analysis.variables') }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(3);
  await untilSettled(page);
  await takeScreenshot(page, 'analysis-desk');
  expect(await axeViolations(page, 'analysis')).toEqual([]);

  const whole = await part(page);
  const box = await plot(page).boundingBox();
  if (!box) throw new Error('there is no plot');
  const y = box.y + 40;
  await page.mouse.move(box.x + box.width * 0.5, y);
  await page.getByText(text('analysis.cursor'), { exact: true }).waitFor();
  expect(await told(page)).toMatch(/Voltage L1 2\d\d/);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
  await page.mouse.up();
  await expect
    .poll(async () => {
      const [from = 0, to = 0] = await part(page);
      return Math.abs(to - from - 8_640) < 300;
    })
    .toBe(true);
  await page.mouse.dblclick(box.x + box.width * 0.3, y);
  await expect.poll(() => part(page)).toEqual(whole);

  await rows.first().hover();
  await rows.first().getByRole('button', { name: /^Hide/ }).click();
  await expect.poll(async () => (await plot(page).getAttribute('aria-label'))?.includes('MPPT 1')).toBe(false);
  await page.getByRole('button', { name: text('charts.asTable') }).click();
  const table = page.getByRole('region', { name: text('charts.table') });
  await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(50);
});

test('with the keyboard alone a curve is read sample by sample and day by day, and zoomed', async () => {
  const { deviceID, date } = await inverter();
  const { page } = await openPage({ user: 'installer', language: 'en' });
  await visit(page, addressOf(deviceID, `&date=${date}&span=week`));
  await plot(page).focus();
  await page.keyboard.press('Home');
  const first = await told(page);
  await page.keyboard.press('ArrowRight');
  const second = await told(page);
  expect(second).not.toBe(first);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => told(page)).toBe(first);
  const at = async () => Number(await plot(page).getAttribute('aria-valuenow'));
  const before = await at();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(async () => Math.abs((await at()) - before - 86_400) < 1_800).toBe(true);
  const [from = 0, to = 0] = await part(page);
  await page.keyboard.press('+');
  await expect
    .poll(async () => {
      const [begin = 0, end = 0] = await part(page);
      return Math.abs(end - begin - (to - from) / 2) < 5;
    })
    .toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect.poll(() => part(page)).toEqual([from, to]);
  const begin = page.getByRole('slider', { name: text('analysis.begin'), exact: true });
  await begin.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await part(page))[0]).toBeGreaterThan(from);
  await takeScreenshot(page, 'analysis-keyboard');
});

test('a view is kept, found again, and what is plotted is saved as a picture and as a file of all samples', async () => {
  const { deviceID, date } = await inverter();
  const { page } = await openPage({ user: 'installer', language: 'en' });
  await visit(page, addressOf(deviceID, `&date=${date}&vs=1`));
  await page.getByText(text('analysis.compared', { what: text('analysis.earlier', { days: '1 day' }) })).waitFor();
  await page.getByRole('button', { name: text('analysis.keep') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(text('blocks.views.name')).fill('Both trackers');
  await dialog.getByRole('checkbox', { name: text('analysis.forColleagues') }).check();
  await dialog.getByRole('button', { name: text('blocks.views.keep') }).click();
  const kept = page.getByRole('list', { name: text('analysis.views') });
  await kept
    .getByRole('button', { name: /Both trackers$/ })
    .first()
    .waitFor();
  const { token } = await sessionOf('installer');
  const { views } = await callApi(portalUrl(), viewList, { list: series.path }, token);
  const view = views.find(({ name }) => name === 'Both trackers');
  expect(view).toMatchObject({ isShared: true, isOwn: true, query: { c1: `${deviceID}:DC/Mppt1/Power`, vs: '1' } });
  expect(view?.query).not.toHaveProperty('date');

  await visit(page, '/bus/device/analysis');
  await kept
    .getByRole('button', { name: /Both trackers$/ })
    .first()
    .click();
  await plot(page).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('c4')).toBe(`${deviceID}:Temp/Heatsink`);

  await visit(page, addressOf(deviceID, `&date=${date}`));
  await plot(page).waitFor();
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-analysis-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const saved = async (name: string) => {
    await page.getByRole('button', { name: text('analysis.save') }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: text(name) }).click(),
    ]);
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);
    return { name: download.suggestedFilename(), bytes: readFileSync(file) };
  };
  const picture = await saved('analysis.picture');
  expect(picture.name).toMatch(/\.png$/);
  expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(picture.bytes.readUInt32BE(16)).toBeGreaterThan(600);
  const { name, bytes } = await saved('analysis.csv');
  expect(name).toBe(`${text('routes.analysis')}-${date}-${date}.csv`);
  const lines = bytes
    .toString('utf8')
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  expect(lines[0]?.slice(0, 3)).toEqual(['Time (Europe/Rome)', 'Time (UTC)', expect.stringContaining(`· ${SN} (W)`)]);
  expect(lines.length).toBeGreaterThan(200);
  for (const line of lines.slice(1)) {
    expect(line[0]).toMatch(new RegExp(`^${date} \\d\\d:\\d\\d:\\d\\d$`));
    expect(line).toHaveLength(2 + 2 * variables.length);
  }
});

test('on a tablet nothing lies on anything else, and the values at the cursor stand above the plot', async () => {
  const { deviceID, date } = await inverter();
  const { page } = await openPage({ user: 'installer', language: 'de' });
  await page.setViewportSize({ width: 1024, height: 768 });
  const states = {
    'seven days': '&span=week',
    'fifteen days': '&span=long',
    compared: '&span=week&vs=7',
    'a day': '',
  };
  for (const [state, rest] of Object.entries(states)) {
    await visit(page, addressOf(deviceID, `&date=${date}${rest}`));
    const drawn = page.getByRole('slider', { name: /^Kurven:/ });
    await drawn.waitFor();
    expect(await layoutProblems(page), state).toEqual([]);
    const [title, spans, values, lanes] = await Promise.all([
      page.locator('main').getByRole('heading', { level: 1 }).boundingBox(),
      page.getByRole('group', { name: textOf('analysis.period', 'de') }).boundingBox(),
      page
        .getByRole('list', { name: textOf('analysis.variables', 'de') })
        .first()
        .boundingBox(),
      drawn.boundingBox(),
    ]);
    if (!(title && spans && values && lanes)) throw new Error(`${state}: something is not drawn`);
    expect(title.x + title.width <= spans.x || title.y + title.height <= spans.y, state).toBe(true);
    expect(values.y + values.height, state).toBeLessThanOrEqual(lanes.y);
  }
  await page.getByRole('button', { name: textOf('analysis.keep', 'de') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(textOf('blocks.views.name', 'de')).fill('Netzspannung, beide Tracker');
  await dialog.getByRole('button', { name: textOf('blocks.views.keep', 'de') }).click();
  await page.locator('main').getByText('Netzspannung, beide Tracker').first().waitFor();
  expect(await layoutProblems(page), 'a kept view').toEqual([]);
  expect(await axeViolations(page, 'analysis on a tablet')).toEqual([]);
  await takeScreenshot(page, 'analysis-tablet');
});

test('on a phone in the dark one finger reads, two zoom, and variables are in a sheet', async () => {
  const { deviceID, date } = await inverter();
  const { page, context } = await openPage({ user: 'installer', language: 'en', size: 'phone', scheme: 'dark' });
  await visit(page, addressOf(deviceID, `&date=${date}`));
  await plot(page).scrollIntoViewIfNeeded();
  const box = await plot(page).boundingBox();
  if (!box) throw new Error('there is no plot');
  const cdp = await context.newCDPSession(page);
  const y = box.y + box.height / 2;
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', shares: readonly number[]) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: shares.map((share, id) => ({ x: box.x + share * box.width, y, id })),
    });
  const newest = await told(page);
  await touch('touchStart', [0.4]);
  await touch('touchMove', [0.5]);
  await touch('touchEnd', []);
  await expect.poll(() => told(page)).not.toBe(newest);
  const read = await told(page);
  await page
    .getByRole('button', { name: text('charts.next'), exact: true })
    .last()
    .click();
  await expect.poll(() => told(page)).not.toBe(read);

  const [from = 0, to = 0] = await part(page);
  await touch('touchStart', [0.45, 0.55]);
  await touch('touchMove', [0.4, 0.6]);
  await touch('touchMove', [0.3, 0.7]);
  await touch('touchEnd', []);
  await expect
    .poll(async () => {
      const [begin = 0, end = 0] = await part(page);
      return end - begin < (to - from) / 3;
    })
    .toBe(true);
  await takeScreenshot(page, 'analysis-phone-dark');
  expect(await axeViolations(page, 'analysis on a phone')).toEqual([]);

  await page.getByRole('button', { name: `${text('analysis.variables')}: 4`, exact: true }).click();
  const sheet = page.getByRole('dialog', { name: text('analysis.variables') });
  await sheet.getByRole('button', { name: /^Remove Voltage L1/ }).click();
  await expect.poll(() => sheet.getByRole('listitem').filter({ hasText: 'Voltage L1' }).count()).toBe(0);
  await takeScreenshot(page, 'analysis-phone-sheet');
  expect(await axeViolations(page, 'analysis, its variables on a phone')).toEqual([]);
});

test('it is found in the palette, and by an integrator for the devices that are granted', async () => {
  for (const user of ['owner', 'integrator'] as const) {
    const { page } = await openPage({ user, language: 'en' });
    await visit(page, user === 'owner' ? '/bus/index' : '/bus/integrator/device/list');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: text('search.title') }).waitFor();
    await page.keyboard.type(text('routes.analysis'));
    await page
      .getByRole('option', { name: new RegExp(`^${text('routes.analysis')}`) })
      .first()
      .click();
    await page.waitForURL('**/bus/device/analysis');
    await page.locator('main').getByText(text('analysis.empty')).waitFor();
  }
});
