import { detail, list, live } from '@sonnenwarte/contract/sites/sites';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { plantNamed, portalUrl, sessionOf, waitUntilFresh } from '../support/demo.ts';
import { type ShownNode, shownFlow, signedKw } from '../support/flow.ts';
import { openPage } from '../support/page.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

/** At night a house draws the same power for minutes. */
const LONGEST_STILL_MS = 150_000;
const MOMENTS = 4;

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);

const panel = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

/** `1,234.5 kWh` in Wh. */
function wattHours(shown: string): number {
  const [, digits = '', unit = ''] = /([\d.,]+)\s(k|M)?Wh/.exec(shown) ?? [];
  return Number(digits.replaceAll(',', '')) * ({ k: 1e3, M: 1e6 }[unit] ?? 1);
}

const flowOf = (page: Page) => page.getByRole('group', { name: text('flow.title') });

describe('an owner watches a plant', () => {
  test('opens it from the list; the flow has the nodes that the plant has and moves without a reload', async () => {
    await waitUntilFresh('Haus Lindenblick');
    const { page } = await openPage({ user: 'owner', language: 'en', moves: true });
    await visit(page, '/bus/plant/view');
    await page.getByRole('link', { name: 'Haus Lindenblick' }).click();
    await page.waitForURL('**/bus/plant/detail?*');
    await page.locator('h1', { hasText: 'Haus Lindenblick' }).waitFor();
    await flowOf(page).locator('li').first().waitFor();
    const flow = await waitUntil('the powers of the flow', async () => {
      const found = await shownFlow(page);
      return found.size >= 4 && found;
    });
    expect([...flow.keys()].toSorted()).toEqual(['battery', 'charger', 'grid', 'inverter', 'load', 'pv']);
    await waitUntil('something that moves', async () => {
      const moving = await flowOf(page).evaluate((drawn) => drawn.getAnimations({ subtree: true }).length);
      return moving > 0;
    });
    const mark = await page.evaluate(() => {
      (globalThis as { mark?: string }).mark = 'still the same page';
      return performance.timeOrigin;
    });
    const before = JSON.stringify([...flow]);
    await waitUntil('another power on screen', async () => JSON.stringify([...(await shownFlow(page))]) !== before, {
      timeoutMs: LONGEST_STILL_MS,
    });
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(mark);
    expect(await page.evaluate(() => (globalThis as { mark?: string }).mark)).toBe('still the same page');
  });

  test('the powers shown add up at every moment, with and without battery, charger, gateway and generator', async () => {
    const open: string[] = [];
    await Promise.all(
      ['Haus Lindenblick', 'Villa Ulivo', 'Casa do Pomar', 'Pensiunea Livada', 'Bodega Valdeluz'].map(async (name) => {
        const plant = await waitUntilFresh(name);
        const { page } = await openPage({ user: 'admin', language: 'en' });
        await visit(page, `/bus/plant/detail?id=${plant.stationID}`);
        await waitUntil(`the powers of ${name}`, async () => (await shownFlow(page)).size >= 3);
        const { token } = await sessionOf('admin');
        const moments = new Set<number | null>();
        await waitUntil(
          `values of ${name} of several moments`,
          async () => {
            const flow = await shownFlow(page);
            const kw = (node: ShownNode) => signedKw(flow, node);
            const restKw = kw('inverter') + kw('external') + kw('grid') - kw('load') - kw('charger');
            if (!flow.has('load') || !flow.has('grid')) open.push(`${name}: no load or no grid is shown`);
            if (Math.abs(restKw) > 0.001) open.push(`${name}: ${restKw.toFixed(3)} kW: ${JSON.stringify([...flow])}`);
            const { asOfMs } = await callApi(portalUrl(), live, { stationID: plant.stationID }, token);
            return moments.add(asOfMs).size > MOMENTS;
          },
          { timeoutMs: LONGEST_STILL_MS, everyMs: 500 },
        );
      }),
    );
    expect([...new Set(open)]).toEqual([]);
  });

  test('sees the curves of the day, also as a table', async () => {
    const { stationID } = await plantNamed('Haus Lindenblick');
    const { page } = await openPage({ user: 'owner', language: 'en' });
    await visit(page, `/bus/plant/detail?id=${stationID}`);
    const day = panel(page, text('sites.section.day'));
    await day.getByRole('button', { name: text('charts.previous') }).click();
    const canvas = day.locator('canvas').first();
    await canvas.waitFor();
    const colours = await waitUntil('curves on the canvas', async () => {
      const count = await canvas.evaluate((element: HTMLCanvasElement) => {
        const pixels = element.getContext('2d')?.getImageData(0, 0, element.width, element.height).data ?? [];
        const seen = new Set<number>();
        for (let i = 0; i < pixels.length; i += 4) {
          if ((pixels[i + 3] ?? 0) > 200)
            seen.add(((pixels[i] ?? 0) >> 5) * 64 + ((pixels[i + 1] ?? 0) >> 5) * 8 + ((pixels[i + 2] ?? 0) >> 5));
        }
        return seen.size;
      });
      return count >= 4 && count;
    });
    expect(colours).toBeGreaterThanOrEqual(4);
    await day.getByRole('button', { name: text('charts.asTable') }).click();
    const rows = day.locator('tbody tr');
    await rows.nth(250).waitFor({ state: 'attached' });
    expect(await rows.count()).toBeLessThanOrEqual(288);
    await day.getByRole('button', { name: text('charts.asChart') }).click();
    await canvas.waitFor();
  });

  test('sees bars of the day, the month, the year and all years, and which device said what', async () => {
    const { stationID } = await plantNamed('Haus Lindenblick');
    const { page } = await openPage({ user: 'owner', language: 'en' });
    await visit(page, `/bus/plant/detail?id=${stationID}`);
    const energy = panel(page, text('charts.production'));
    for (const [span, least] of [
      ['day', 23],
      ['month', 28],
      ['year', 12],
      ['total', 1],
    ] as const) {
      await energy.getByRole('radio', { name: text(`common.span.${span}`), exact: true }).check({ force: true });
      // Today may not have seen the sun yet.
      if (span === 'day') await energy.getByRole('button', { name: text('common.earlier') }).click();
      await energy.locator(`[data-slot="${least - 1}"]`).waitFor();
      await waitUntil(`a bar of the ${span}`, async () => {
        const heights = await energy
          .locator('[data-slot] rect:not(:first-child)')
          .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height));
        return heights.some((height) => height > 1);
      });
    }
    const devices = panel(page, text('sites.section.devices')).first();
    for (const sn of ['302311010000017', 'H8T2311A00117', 'B10231100117', 'M3T2311000117', 'P11231100117']) {
      await devices.getByText(sn).first().waitFor();
    }
    await devices.getByRole('link', { name: 'H8T2311A00117' }).click();
    await page.waitForURL('**/bus/device/inverterDetail?*');
    await page.locator('h1', { hasText: 'H8T2311A00117' }).waitFor();
  });

  test.each([390, 360])(
    'on a phone of %i px a finger on a chart reads its values above it, which cover nothing',
    async (width) => {
      const { stationID } = await plantNamed('Haus Lindenblick');
      const { page, context } = await openPage({ user: 'owner', language: 'de', size: 'phone' });
      await page.setViewportSize({ width, height: 844 });
      await visit(page, `/bus/plant/detail?id=${stationID}`);
      const cdp = await context.newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: { x: number; y: number }) =>
        cdp.send('Input.dispatchTouchEvent', { type, touchPoints: point === undefined ? [] : [point] });
      const german = (key: string) => textOf(key, 'de');
      const day = panel(page, german('sites.section.day'));
      await day.getByRole('button', { name: german('charts.previous') }).click();
      await day.locator('[data-waiting]').waitFor({ state: 'detached' });
      const energy = panel(page, german('charts.production'));
      for (const [chart, place] of [
        [day, day.locator('canvas').first()],
        [energy, energy.getByRole('group').last()],
      ] as const) {
        await place.waitFor();
        const caption = chart.locator('figcaption');
        const moment = caption.locator('strong[data-reading]');
        await place.evaluate((element) => element.scrollIntoView({ block: 'center' }));
        const before = await place.boundingBox();
        if (before === null) throw new Error('the chart is not shown');
        const y = before.y + before.height / 2;
        let shown = '';
        await touch('touchStart', { x: before.x + 0.3 * before.width, y });
        for (const part of [0.4, 0.5, 0.6, 0.7]) {
          await touch('touchMove', { x: before.x + part * before.width, y });
          const last = shown;
          shown = await waitUntil('the values of another time', async () => {
            const text = await moment.innerText();
            return text !== last && text;
          });
          const [box, told, title] = await Promise.all([
            place.boundingBox(),
            caption.boundingBox(),
            chart.getByRole('heading').first().boundingBox(),
          ]);
          // The page may move once, so that the replayed picture and the values are both seen; the plot keeps its form.
          expect(box).toMatchObject({ x: before.x, width: before.width, height: before.height });
          expect((told?.y ?? 0) + (told?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
          expect(told?.y ?? 0).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0));
          const out = await caption.evaluate((element) => {
            const right = element.getBoundingClientRect().right;
            return [...element.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > right + 0.5)
              .length;
          });
          expect(out).toBe(0);
        }
        if (chart === day) await page.getByRole('heading', { name: /^Energie um \d/ }).waitFor();
        await touch('touchEnd');
        if (chart === day) {
          // Letting go is now again, in the picture and in what is read.
          await page.getByRole('heading', { name: german('flow.title') }).waitFor();
          await moment.waitFor({ state: 'detached' });
          continue;
        }
        expect(await moment.innerText()).toBe(shown);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        await page.locator('h1').first().tap();
        await moment.waitFor({ state: 'detached' });
      }
    },
  );

  test.each([
    ['Haus Lindenblick', ['car', 'battery'], []],
    ['Kapas Weaving Shed', [], ['car', 'battery']],
    ['Bodega Valdeluz', [], []],
    ['Pensiunea Livada', [], []],
  ] as const)('the parts of a bar of %s add up to the figure beside it', async (name, has, lacks) => {
    const { stationID } = await plantNamed(name);
    const { page } = await openPage({ user: 'admin', language: 'en' });
    await visit(page, `/bus/plant/detail?id=${stationID}`);
    const figures = panel(page, text('sites.section.figures'));
    for (const [split, figure] of [
      ['production', 'generationWh'],
      ['consumption', 'consumptionWh'],
    ] as const) {
      if (split === 'consumption') {
        const before = panel(page, text('charts.production'));
        await before.getByRole('radio', { name: text('sites.figure.consumptionWh') }).check({ force: true });
      }
      const energy = panel(page, text(`charts.${split}`));
      const year = energy.getByRole('radio', { name: text('common.span.year'), exact: true });
      // What stands above may still come, and move it away below the pointer.
      await waitUntil('the choice of the year', async () => {
        await year.click({ force: true });
        return year.isChecked();
      });
      const month = energy.locator(`[data-slot="${new Date().getMonth()}"]`);
      await waitUntil(`the ${split} of the month`, async () => {
        await energy.locator('[data-slot="0"]').hover({ force: true });
        await month.hover({ force: true });
        const values = await energy.locator('figure dd').allInnerTexts();
        const row = figures.locator('tr', { has: page.getByText(text(`sites.figure.${figure}`), { exact: true }) });
        const shownWh = wattHours(await row.locator('td').nth(1).innerText());
        const partsWh = values.slice(0, -1).map(wattHours);
        const sumWh = partsWh.reduce((sum, part) => sum + part, 0);
        // Today goes on while the two are read.
        return shownWh > 0 && Math.abs(sumWh - shownWh) < 0.01 * shownWh + 100;
      });
      const legend = await energy.locator('figcaption').innerText();
      if (split === 'production') {
        for (const part of has) expect(legend).toContain(text(`charts.part.${part}`));
        for (const part of lacks) expect(legend).not.toContain(text(`charts.part.${part}`));
      }
    }
  });

  test('reads how fresh the values are', async () => {
    const plant = await waitUntilFresh('Haus Lindenblick');
    const { page } = await openPage({ user: 'owner', language: 'en' });
    await visit(page, `/bus/plant/detail?id=${plant.stationID}`);
    const freshness = page.locator('main header [data-freshness]').first();
    await page.locator('main header [data-freshness=live]').first().waitFor();
    expect(await freshness.innerText()).toMatch(/^Live · /);
  });
});

describe('a plant that is not well says so', () => {
  test('offline: grey, with the age of its last values, and nothing that moves', async () => {
    const plants = await waitUntil('a plant that is offline', async () => {
      const { token } = await sessionOf('admin');
      const { plants: found } = await callApi(
        portalUrl(),
        list,
        { pageSize: 50, condition: { state: 'offline' } },
        token,
      );
      const told = found.filter(({ updatedAtMs }) => updatedAtMs !== null);
      return told.length > 0 && told;
    });
    const plant = plants[0];
    const { page } = await openPage({ user: 'admin', language: 'en', moves: true });
    await visit(page, `/bus/plant/view?condition.state=offline`);
    const row = page.locator('main table tbody tr', { hasText: plant?.name ?? '' });
    await row.getByText(text('states.offline')).waitFor();
    expect(await row.locator('[data-freshness]').getAttribute('data-freshness')).toBe('late');
    await row.getByRole('link').first().click();
    await page.getByText(text('sites.notice.offline')).waitFor();
    await page.locator('[data-rest=true]').waitFor();
    expect(await page.locator('main header [data-freshness=live]').count()).toBe(0);
    expect(await page.locator('main svg animateMotion').count()).toBe(0);
    expect(
      await page.locator('[data-rest=true]').evaluate((flow) => flow.getAnimations({ subtree: true }).length),
    ).toBe(0);
  });

  test.each([
    ['Pensiunea Livada', 'H10T2311A0663', '3002'],
    ['Dom pod Lasem', 'H10T2308A0444', '2006'],
  ])('%s is in alarm and names the alarm of its inverter', async (name, sn, code) => {
    const plant = await waitUntil(`${name} in alarm`, async () => {
      const found = await plantNamed(name);
      return found.state !== 'normal' && found.state !== 'offline' && found;
    });
    const { page } = await openPage({ user: 'admin', language: 'en' });
    await visit(page, `/bus/plant/detail?id=${plant.stationID}`);
    const line = page.locator('main tr', { hasText: sn });
    await line.waitFor();
    expect(await line.innerText()).toContain(textOf(`alarms.${code}.name`, 'en'));
    await page
      .locator('main header')
      .getByText(text(`states.${plant.state}`))
      .first()
      .waitFor();
  });
});

test('what the plant screen shows equals what the API answers', async () => {
  const plant = await waitUntilFresh('Villa Ulivo');
  const { token } = await sessionOf('owner');
  const site = await callApi(portalUrl(), detail, { stationID: plant.stationID }, token);
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await visit(page, `/bus/plant/detail?id=${plant.stationID}`);
  const heading = await page.locator('main header').first().innerText();
  expect(heading).toContain(site.city);
  await waitUntil('the same PV power on screen and in the API', async () => {
    const now = await callApi(portalUrl(), live, { stationID: plant.stationID }, token);
    const shown = signedKw(await shownFlow(page), 'pv');
    const said = (now.pv?.powerW ?? 0) / 1000;
    // Between the two questions a report may come in; in the morning and behind clouds powers change quickly.
    return now.pv?.powerW !== null && Math.abs(said - shown) <= 0.05 + 0.05 * said;
  });
});
