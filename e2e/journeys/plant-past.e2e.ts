import { add as share } from '@sonnenwarte/contract/site-shares/site-shares';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { plantNamed, portalUrl, sessionOf, waitUntilFresh } from '../support/demo.ts';
import { type ShownNode, shownFlow, signedKw } from '../support/flow.ts';
import { newAccount, PASSWORD } from '../support/new-account.ts';
import { openPage, signIn } from '../support/page.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const panel = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const calendarOf = (page: Page) => panel(page, text('sites.section.calendar'));
const dayOf = (page: Page) => panel(page, text('sites.section.day'));

/** A plant with the day before today on its chart. */
async function openYesterday(name: string, user: 'owner' | 'admin') {
  const { stationID, ianaTimezone: timeZone } = await waitUntilFresh(name);
  const { page } = await openPage({ user, language: 'en' });
  await visit(page, `/bus/plant/detail?id=${stationID}`);
  const day = dayOf(page);
  await day.getByRole('button', { name: text('charts.previous') }).click();
  const plot = day.getByRole('slider');
  const yesterday = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long' }).format(
    Date.now() - 86_400_000,
  );
  await waitUntil('the curves of yesterday', async () =>
    (await plot.getAttribute('aria-label'))?.includes(`${yesterday} `),
  );
  return { page, day, plot };
}

describe('the day replayed', () => {
  test.each([
    ['Haus Lindenblick', 'owner'],
    ['Bodega Valdeluz', 'admin'],
  ] as const)(
    'dragging along the day of %s shows the flow of that minute, whose powers add up; letting go is now',
    async (name, user) => {
      const { page, plot } = await openYesterday(name, user);
      const title = page.getByRole('heading', { name: /^Energy at / });
      const { width } = (await plot.boundingBox()) ?? { width: 0 };
      const pointAt = (part: number) => plot.hover({ position: { x: part * width, y: 100 } });
      await pointAt(0.3);
      await expect.poll(() => title.count()).toBe(0);
      await page.mouse.down();
      const seen = new Set<string>();
      for (const part of [0.4, 0.5, 0.6, 0.7]) {
        await pointAt(part);
        await title.waitFor();
        await waitUntil('the flow of another minute', async () => {
          const shown = await title.innerText();
          const isNew = !seen.has(shown);
          seen.add(shown);
          return isNew;
        });
        const flow = await shownFlow(page);
        const kw = (node: ShownNode) => signedKw(flow, node);
        const restKw = kw('inverter') + kw('external') + kw('grid') - kw('load') - kw('charger');
        expect(Math.abs(restKw)).toBeLessThan(0.001);
      }
      await page.mouse.up();
      await title.waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: text('flow.title') }).waitFor();
    },
  );

  test('a click holds the minute until Escape; keys go through the day and speak its values; it plays by itself', async () => {
    const { page, day, plot } = await openYesterday('Haus Lindenblick', 'owner');
    const title = page.getByRole('heading', { name: /^Energy at / });
    await plot.click({ position: { x: 300, y: 100 } });
    await title.waitFor();
    await page.mouse.move(0, 0);
    await title.waitFor();
    await plot.focus();
    await page.keyboard.press('Escape');
    await title.waitFor({ state: 'detached' });

    const spoken = async () => (await plot.getAttribute('aria-valuetext')) ?? '';
    const atFirst = Number(await plot.getAttribute('aria-valuenow'));
    await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => Number(await plot.getAttribute('aria-valuenow'))).toBe(atFirst - 1);
    await page.keyboard.press('PageUp');
    await expect.poll(async () => Number(await plot.getAttribute('aria-valuenow'))).toBe(atFirst - 13);
    expect(await spoken()).toMatch(/^\d{2}:\d{2}.*PV .*W/);
    await title.waitFor();
    await page.keyboard.press('Escape');

    await day.getByRole('button', { name: text('charts.play') }).click();
    await title.waitFor();
    const first = await title.innerText();
    await expect.poll(() => title.innerText()).not.toBe(first);
    await day.getByRole('button', { name: text('charts.pause') }).click();
    await day.getByRole('button', { name: text('charts.play') }).waitFor();
    await title.waitFor();
    await page.getByRole('button', { name: text('flow.backToNow') }).click();
    await title.waitFor({ state: 'detached' });
  });

  test('lines that are chosen stay chosen on the next visit, and signs are said in words', async () => {
    const { page, day } = await openYesterday('Haus Lindenblick', 'owner');
    const grid = day.getByRole('button', { name: new RegExp(`^${text('charts.series.grid')}`) });
    expect(await grid.getAttribute('aria-pressed')).toBe('false');
    await grid.click();
    await expect.poll(() => grid.getAttribute('aria-pressed')).toBe('true');
    await page.reload();
    await grid.waitFor();
    await expect.poll(() => grid.getAttribute('aria-pressed')).toBe('true');
    await expect
      .poll(async () => (await day.getByRole('slider').getAttribute('aria-valuetext')) ?? '')
      .toMatch(
        new RegExp(`${text('charts.reading.buys')}|${text('charts.reading.sells')}|${text('charts.series.grid')}`),
      );
  });
});

describe('bars and calendar', () => {
  test('a bar of the year opens its month, one of the month its day in both charts', async () => {
    const { stationID } = await plantNamed('Haus Lindenblick');
    const { page } = await openPage({ user: 'owner', language: 'en' });
    await visit(page, `/bus/plant/detail?id=${stationID}`);
    const energy = panel(page, text('charts.production'));
    const span = (name: 'day' | 'month' | 'year') =>
      energy.getByRole('radio', { name: text(`common.span.${name}`), exact: true });
    await span('year').press('Space');
    // A bar of the year before may stand where nothing of this year is measured yet.
    const measured = energy.locator(
      `[data-slot]:not([data-future]):not([aria-label$="${text('charts.notMeasured')}"])`,
    );
    await measured.last().click({ force: true });
    await expect.poll(() => span('month').isChecked()).toBe(true);
    await waitUntil('the days of the month', async () => (await energy.locator('[data-slot]').count()) >= 28);
    const bar = measured.first();
    const label = (await bar.getAttribute('aria-label')) ?? '';
    await bar.press('Enter');
    await expect.poll(() => span('day').isChecked()).toBe(true);
    const date = label.split(':')[0] ?? '';
    await energy.getByText(date, { exact: true }).first().waitFor();
    await expect.poll(() => dayOf(page).getByRole('slider').getAttribute('aria-label')).toContain(date);
  });

  test('the calendar goes by keys, and a day of it opens in the chart', async () => {
    const { stationID } = await plantNamed('Haus Lindenblick');
    const { page } = await openPage({ user: 'owner', language: 'en' });
    await visit(page, `/bus/plant/detail?id=${stationID}`);
    await panel(page, text('charts.production')).scrollIntoViewIfNeeded();
    const calendar = calendarOf(page);
    const today = calendar.locator('button[aria-current=date]');
    await today.focus();
    await page.keyboard.press('ArrowUp');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-day') ?? '');
    const weekAgo = await page.evaluate(() => {
      const day = document.querySelector('button[aria-current=date]')?.getAttribute('data-day') ?? '';
      return new Date(Date.parse(day) - 7 * 86_400_000).toISOString().slice(0, 10);
    });
    await expect.poll(focused).toBe(weekAgo);
    const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    await page.keyboard.press('Enter');
    const date = label.match(/^.*?\d{4}/)?.[0] ?? label;
    await expect.poll(() => dayOf(page).getByRole('slider').getAttribute('aria-label')).toContain(date);
  });
});

describe('what is wrong with a plant', () => {
  test.each([
    ['Pensiunea Livada', 'H10T2311A0663', '3002', /^$/],
    // Once its days are reckoned, what the string gives says more than its alarm.
    ['Dom pod Lasem', 'H10T2308A0444', '2006', /String \d gives/],
  ])(
    '%s says at its top which alarm, since when and what to do; home says it in its row',
    async (name, sn, code, loss) => {
      const plant = await waitUntil(`${name} in alarm`, async () => {
        const found = await plantNamed(name);
        return found.state !== 'normal' && found.state !== 'offline' && found;
      });
      const { page } = await openPage({ user: 'admin', language: 'en' });
      await visit(page, '/bus/index');
      const row = panel(page, text('fleet.notNormal')).getByRole('listitem').filter({ hasText: name });
      await row.waitFor();
      const told = await row.innerText();
      if (!loss.test(told)) {
        expect(told).toContain(text(`alarms.${code}.name`));
        expect(told).toContain(text(`alarms.${code}.advice`));
      }
      await row.getByRole('link', { name }).click();
      await page.waitForURL(`**/bus/plant/detail?id=${plant.stationID}`);
      const trouble = panel(page, text('sites.section.trouble'));
      await trouble.getByText(text(`alarms.${code}.name`)).waitFor();
      await trouble.getByText(text(`alarms.${code}.advice`)).waitFor();
      expect(await trouble.getByRole('link', { name: new RegExp(sn) }).count()).toBe(1);
    },
  );

  test('an owner is told what is safe for them, without the work of an installer, and whom to call', async () => {
    const plant = await waitUntil('the plant in alarm', async () => {
      const found = await plantNamed('Dom pod Lasem');
      return found.state !== 'normal' && found.state !== 'offline' && found;
    });
    const user = await newAccount('endUser');
    const { token } = await sessionOf('admin');
    await callApi(portalUrl(), share, { stationIDs: [plant.stationID], account: user }, token);
    const { page } = await openPage({ language: 'en' });
    await visit(page, '/login');
    await signIn(page, user, PASSWORD);
    await page.waitForURL('**/bus/index');
    const sentence = page.locator('main [role=status][data-card]');
    await sentence.getByText(text('sites.ownerAdvice.lessYield')).waitFor();
    await sentence.locator('a[data-look=filled]').waitFor();
    expect(await sentence.innerText()).not.toContain(text('alarms.2006.advice'));
    expect(await sentence.innerText()).not.toContain('H10T2308A0444');
    expect(await sentence.locator('a[data-look=filled]').getAttribute('href')).toMatch(/^(tel|mailto):/);
    await visit(page, `/bus/plant/detail?id=${plant.stationID}`);
    const trouble = panel(page, text('sites.section.trouble'));
    await trouble.getByText(text('sites.ownerAdvice.lessYield')).waitFor();
    await trouble.locator('a[data-look=filled]').waitFor();
    await trouble.getByText('H10T2308A0444').waitFor();
  });

  test("an owner's home names the plant in one sentence, or says that all is well and how much there is today", async () => {
    await waitUntilFresh('Haus Lindenblick');
    const { page } = await openPage({ user: 'owner', language: 'en' });
    await visit(page, '/bus/index');
    const sentence = page.locator('main [role=status]').first();
    await waitUntil('the sentence', async () => {
      const said = await sentence.innerText();
      return said.includes(text('fleet.allWell')) || /Haus Lindenblick: |Villa Ulivo: /.test(said);
    });
  });

  test('on a phone the live flow is whole on the first screen, at home and on the plant; the curve of today comes below', async () => {
    const { stationID } = await waitUntilFresh('Haus Lindenblick');
    const { page } = await openPage({ user: 'owner', language: 'en', size: 'phone' });
    const flow = page.getByRole('group', { name: text('flow.title') });
    for (const address of ['/bus/index', `/bus/plant/detail?id=${stationID}`]) {
      await visit(page, address);
      await flow.waitFor();
      const box = await flow.boundingBox();
      const bar = await page.getByRole('navigation').last().boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 9_999)).toBeLessThanOrEqual(bar?.y ?? 0);
    }
    await visit(page, '/bus/index');
    expect(await page.getByRole('slider').count()).toBe(0);
    await page.locator('dl').first().scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 2_000);
    await page.getByRole('slider').waitFor();
  });
});
