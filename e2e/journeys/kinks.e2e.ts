import { type Kink, kinks } from '@sonnenwarte/contract/kinks/kinks';
import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { plantsOf, portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const DAY_MS = 86_400_000;
const DAYS_BACK = 14;

const localDay = (tsMs: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(tsMs);

interface Found {
  plant: SiteRow;
  date: string;
  kink: Kink;
  place: number;
}

/** A drop on one of the last whole days of a plant of the demonstration. */
async function anyDrop(): Promise<Found | undefined> {
  const { token } = await sessionOf('admin');
  for (const plant of await plantsOf('admin')) {
    for (let back = 1; back <= DAYS_BACK; back += 1) {
      const date = localDay(Date.now() - back * DAY_MS, plant.ianaTimezone);
      const told = await callApi(portalUrl(), kinks, { stationID: plant.stationID, date }, token);
      const place = told.kinks.findIndex(({ shape, recovers }) => shape === 'fall' && recovers);
      const kink = told.kinks[place];
      if (kink !== undefined) return { plant, date, kink, place };
    }
  }
  return undefined;
}

const clock = ({ kink, plant }: Found, tsMs: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: plant.ianaTimezone, timeStyle: 'short' }).format(tsMs || kink.fromMs);

async function openDay({ plant, date }: Found, size: 'desktop' | 'phone'): Promise<Page> {
  const { page } = await openPage({ user: 'admin', language: 'en', size });
  await visit(page, `/bus/plant/detail?id=${plant.stationID}`);
  const day = page.locator('[data-section=day]');
  await day.scrollIntoViewIfNeeded();
  const today = localDay(Date.now(), plant.ianaTimezone);
  for (let back = Math.round((Date.parse(today) - Date.parse(date)) / DAY_MS); back > 0; back -= 1) {
    await day.getByRole('button', { name: text('charts.previous') }).click();
  }
  // Until it is there the day before stands in its place, with drops of its own.
  await day.locator('[data-waiting=true]').waitFor({ state: 'detached' });
  await untilSettled(page);
  return page;
}

test.each(['desktop', 'phone'] as const)(
  'a drop in the curve of a day is tapped on a %s: it says when, why and what it cost, and leads to the curve of the device at that time',
  async (size) => {
    const found = await waitUntil('a drop', async () => (await anyDrop()) ?? false, {
      timeoutMs: 120_000,
      everyMs: 2_000,
    });
    const page = await openDay(found, size);
    const lane = page.getByRole('list', { name: text('charts.kinks') });
    const mark = lane.getByRole('button', { name: text('kinks.shape.fall') }).first();
    await mark.click();
    const told = page.locator('[data-section=day]').getByRole('status');
    await told.getByText(clock(found, found.kink.fromMs)).waitFor();
    await expect.poll(() => told.innerText()).toMatch(/less|No reason known/);
    expect(await mark.getAttribute('aria-pressed')).toBe('true');
    expect(await axeViolations(page, 'kinks')).toEqual([]);
    if (size === 'phone') expect((await mark.boundingBox())?.height).toBeGreaterThanOrEqual(44);

    await told.getByRole('link').click();
    await page.waitForURL(/inverterDetail\?.*date=/);
    const values = page.getByRole('region', { name: text('devices.section.chart') });
    await values
      .getByRole('list', { name: text('charts.kinks') })
      .getByRole('button')
      .waitFor();
    expect(await values.getByText(/String 1|MPPT 1|AC|DC/).count()).toBeGreaterThan(0);
    expect(await axeViolations(page, 'kinks')).toEqual([]);
  },
);

test('the keys [ and ] of the curve go from drop to drop, and each is told', async () => {
  const found = await waitUntil('a drop', async () => (await anyDrop()) ?? false, {
    timeoutMs: 120_000,
    everyMs: 2_000,
  });
  const page = await openDay(found, 'desktop');
  const day = page.locator('[data-section=day]');
  const plot = day.getByRole('slider');
  await day
    .getByRole('list', { name: text('charts.kinks') })
    .getByRole('button')
    .first()
    .waitFor();
  await plot.focus();
  await page.keyboard.press('[');
  const told = day.getByRole('status');
  await told.waitFor();
  expect(await day.locator('li[data-kind] button[aria-pressed=true]').count()).toBe(1);
});
