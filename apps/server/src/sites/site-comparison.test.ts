import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { dayAfter } from './compared-span.ts';

/** A Saturday at 13:00 in Berlin. */
const NOW_MS = Date.UTC(2026, 9, 31, 12, 0);
const BUCKET_MS = 300_000;
const BERLIN = 'Europe/Berlin';
let plants: PlantsFixture;
let token: string;
let installerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  ({ installerId, token } = await plants.addInstaller());
});

afterAll(() => plants.stop());

/** Days of 1,000 Wh of sun each, `1 Wh` more in each five minutes of the days that are named. */
async function addDays(site: { key: number }, first: string, last: string, except: readonly string[] = []) {
  const rows: Record<string, unknown>[] = [];
  for (let day = first; day <= last; day = dayAfter(day)) {
    if (!except.includes(day)) rows.push({ site: site.key, version: 1, quality: 0, day, pv_wh: 1_000, load_wh: 500 });
  }
  await plants.insert('site_day', rows);
}

const addBuckets = (site: { key: number }, day: string, pvWh: number, untilMs = Number.POSITIVE_INFINITY) => {
  const { startMs, endMs } = dayBounds(day, BERLIN);
  const rows: Record<string, unknown>[] = [];
  for (let tsMs = startMs; tsMs < Math.min(endMs, untilMs); tsMs += BUCKET_MS)
    rows.push({ site: site.key, version: 1, quality: 0, ts: tsMs / 1_000, pv_wh: pvWh });
  return plants.insert('site_5m', rows);
};

const compare = (
  site: { id: string },
  span: 'day' | 'month' | 'year',
  date: string,
  against: 'previous' | 'lastYear' = 'previous',
) => plants.read(siteEndpoints.comparison, { stationID: site.id, span, date, against }, token);

describe('a span of a plant compared', () => {
  test('that is over is compared as a whole', async () => {
    const site = await plants.addSite(installerId);
    await addDays(site, '2026-07-01', '2026-10-31');
    expect(await compare(site, 'month', '2026-09-12')).toEqual({
      first: '2026-09-01',
      last: '2026-09-30',
      against: { first: '2026-08-01', last: '2026-08-31' },
      untilMs: null,
      now: expect.objectContaining({ generationWh: 30_000, consumptionWh: 15_000 }),
      before: expect.objectContaining({ generationWh: 31_000, consumptionWh: 15_500 }),
      firstDay: '2026-07-01',
    });
  });

  test('that runs is compared up to the moment of its newest values, by the clock of the plant', async () => {
    const site = await plants.addSite(installerId);
    await addDays(site, '2025-01-01', '2026-10-31');
    // Values end at noon; both days have 12 hours of 12 buckets until then, though summer time ended between them.
    await addBuckets(site, '2026-10-31', 2, dayBounds('2026-10-31', BERLIN).startMs + 12 * 3_600_000);
    await addBuckets(site, '2025-10-31', 3);
    await addBuckets(site, '2026-10-30', 5);
    const year = await compare(site, 'year', '2026-10-31');
    expect(year.untilMs).toBe(Date.UTC(2026, 9, 31, 11));
    expect(year.now.generationWh).toBe(303 * 1_000 + 144 * 2);
    expect(year.before?.generationWh).toBe(303 * 1_000 + 144 * 3);
    const month = await compare(site, 'month', '2026-10-05', 'lastYear');
    expect(month.before?.generationWh).toBe(30 * 1_000 + 144 * 3);
    const day = await compare(site, 'day', '2026-10-31');
    expect([day.now.generationWh, day.before?.generationWh]).toEqual([288, 720]);
    // September has no 31st: it is counted whole.
    await addBuckets(site, '2026-09-30', 4);
    expect((await compare(site, 'month', '2026-10-31')).before?.generationWh).toBe(29 * 1_000 + 288 * 4);
  });

  test('is not compared with a time that was not wholly recorded', async () => {
    const site = await plants.addSite(installerId);
    await addDays(site, '2026-08-10', '2026-10-31', ['2026-10-10', '2026-10-11']);
    const young = await compare(site, 'month', '2026-09-01');
    expect(young).toMatchObject({ before: null, firstDay: '2026-08-10', now: { generationWh: 30_000 } });
    await addBuckets(site, '2026-10-31', 1, NOW_MS);
    expect((await compare(site, 'month', '2026-10-31')).before).toBeNull();
    expect((await compare(site, 'day', '2026-10-30')).before?.generationWh).toBe(1_000);
    expect((await compare(site, 'day', '2026-10-12')).before).toBeNull();
  });
});
