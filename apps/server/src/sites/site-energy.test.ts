import type { ReportVariable } from '@sonnenwarte/contract/sites/site';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { dayBounds, hoursOfDay } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const NOW_MS = Date.UTC(2026, 9, 31, 12, 0);
let plants: PlantsFixture;
let token: string;
let installerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  ({ installerId, token } = await plants.addInstaller());
});

afterAll(() => plants.stop());

const seconds = (ms: number) => ms / 1_000;

/** Hours of a local day of a site, each with its number as PV energy, and the day's sum. */
async function addDay(site: { key: number }, day: string, zone: string, columns: Record<string, unknown> = {}) {
  const hours = hoursOfDay(day, zone);
  const rows = hours.map((hour, index) => ({
    ts: seconds(hour.startMs),
    day,
    hour: index,
    pv_wh: 100.1 * (index + 1),
  }));
  await plants.insert(
    'site_hour',
    rows.map((row) => ({ site: site.key, version: 1, quality: 0, ...row, ...columns })),
  );
  const sum = rows.reduce((total, { pv_wh }) => total + pv_wh, 0);
  await plants.insert('site_day', [{ site: site.key, day, version: 1, quality: 0, pv_wh: sum, ...columns }]);
  return { hours, sumWh: sum };
}

const report = (
  stationID: string,
  reportType: 'day' | 'month' | 'year' | 'total',
  queryDate: { year: number; month?: number; day?: number },
  variables: ReportVariable[] = ['PVEnergyTotal'],
) => plants.read(siteEndpoints.historyReport, { stationID, reportType, queryDate, variables }, token);

describe('day curve', () => {
  test.each([
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-06-21', 'Europe/Berlin', 24],
    ['2026-04-05', 'Australia/Lord_Howe', 24.5],
    ['2026-06-21', 'Asia/Kolkata', 24],
  ])('%s in %s has %d hours of buckets, and values stand at their own time', async (date, time_zone, hours) => {
    const site = await plants.addSite(installerId, { time_zone });
    const { startMs, endMs } = dayBounds(date, time_zone);
    await plants.insert('site_5m', [
      { site: site.key, ts: seconds(startMs) - 300, version: 1, quality: 0, pv_w: 1 },
      { site: site.key, ts: seconds(startMs), version: 1, quality: 0, pv_w: 2 },
      { site: site.key, ts: seconds(endMs) - 300, version: 1, quality: 0, pv_w: 3 },
      { site: site.key, ts: seconds(endMs), version: 1, quality: 0, pv_w: 4 },
    ]);
    const day = await plants.read(siteEndpoints.day, { stationID: site.id, date }, token);
    expect(day.tsMs).toHaveLength(hours * 12);
    expect(day).toMatchObject({ startMs, endMs, bucketMs: 300_000, ianaTimezone: time_zone });
    expect(day.pvW.at(0)).toBe(2);
    expect(day.pvW.at(-1)).toBe(3);
    expect(day.pvW.filter((value) => value !== null)).toEqual([2, 3]);
  });

  test('gaps and unmeasured quantities stay null, and a corrected bucket replaces the earlier one', async () => {
    const site = await plants.addSite(installerId);
    const { startMs } = dayBounds('2026-06-20', 'Europe/Berlin');
    const bucket = (index: number, columns: Record<string, unknown>) => ({
      site: site.key,
      ts: seconds(startMs) + 300 * index,
      quality: 0,
      version: 1,
      ...columns,
    });
    await plants.insert('site_5m', [bucket(0, { pv_w: 0, load_w: 500 }), bucket(2, { pv_w: 700, soc_percent: 40.5 })]);
    await plants.insert('site_5m', [bucket(2, { pv_w: 750, soc_percent: 41.5, version: 2 })]);
    const day = await plants.read(siteEndpoints.day, { stationID: site.id, date: '2026-06-20' }, token);
    expect(day.pvW.slice(0, 4)).toEqual([0, null, 750, null]);
    expect(day.loadW.slice(0, 3)).toEqual([500, null, null]);
    expect(day.socPercent[2]).toBe(41.5);
    expect(day.batteryW.every((value) => value === null)).toBe(true);
    expect(day.clearSkyW).toBeNull();
  });

  test('the clear-sky curve is dark at night, highest about solar noon, and follows the size of the arrays', async () => {
    const position = { latitude: 48.4, longitude: 10 };
    const arrays = (kwp: number) => [{ azimuthDeg: 180, inclinationDeg: 30, kwp }];
    const [small, large] = await Promise.all(
      [5, 10].map((kwp) => plants.addSite(installerId, { ...position, arrays: arrays(kwp) })),
    );
    const curveOf = async (site: { id: string } | undefined) =>
      (await plants.read(siteEndpoints.day, { stationID: site?.id ?? '', date: '2026-06-20' }, token)).clearSkyW ?? [];
    const [five, ten] = [await curveOf(small), await curveOf(large)];
    expect(five[0]).toBe(0);
    const peak = Math.max(...ten.map((value) => value ?? 0));
    const noon = ten.indexOf(peak) / 12;
    expect(noon).toBeGreaterThan(12.8);
    expect(noon).toBeLessThan(14);
    expect(peak).toBeGreaterThan(6_000);
    expect(peak).toBeLessThan(10_000);
    expect(Math.max(...five.map((value) => value ?? 0))).toBeCloseTo(peak / 2, -1);
  });
});

describe('report', () => {
  test.each([
    ['2026-03-29', 'Europe/Berlin', 23, ['01:00', '03:00', '04:00']],
    ['2026-10-25', 'Europe/Berlin', 25, ['01:00', '02:00 +0200', '02:00 +0100', '03:00']],
  ] as const)('the day %s in %s has %i hours, each of its own', async (day, zone, count, labels) => {
    const site = await plants.addSite(installerId, { time_zone: zone });
    await addDay(site, day, zone);
    const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
    const [series] = await report(site.id, 'day', { year, month, day: date });
    expect(series?.data).toHaveLength(count);
    expect(series?.data.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(series?.data.map(({ value }) => value)).toEqual(
      Array.from({ length: count }, (_, index) => Math.round(100.1 * (index + 1) * 1_000) / 1e6),
    );
    expect(series?.data.slice(1, 1 + labels.length).map(({ label }) => label)).toEqual(labels);
  });

  test.each([
    ['2026-04-05', 'Pacific/Chatham', 25, 3, ['03:00 +1345', '03:00 +1245', '04:00']],
    ['2026-09-27', 'Pacific/Chatham', 23, 2, ['02:00', '04:00']],
    ['2026-04-05', 'Australia/Lord_Howe', 25, 1, ['01:00 +1100', '01:30 +1030', '02:00']],
    ['2026-10-04', 'Australia/Lord_Howe', 24, 1, ['01:00', '02:30', '03:00']],
  ] as const)(
    'the day %s in %s has %i entries, none of a part of an hour that has its other part',
    async (day, zone, count, from, labels) => {
      const site = await plants.addSite(installerId, { time_zone: zone });
      const { sumWh } = await addDay(site, day, zone);
      const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
      const [series] = await report(site.id, 'day', { year, month, day: date });
      expect(series?.data.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
      expect(series?.data.slice(from, from + labels.length).map(({ label }) => label)).toEqual(labels);
      expect(series?.data.reduce((sum, { value }) => sum + (value ?? Number.NaN), 0)).toBeCloseTo(sumWh / 1_000, 6);
    },
  );

  test('a half-hour zone has whole local hours', async () => {
    const site = await plants.addSite(installerId, { time_zone: 'Asia/Kolkata' });
    await addDay(site, '2026-10-12', 'Asia/Kolkata');
    const [series] = await report(site.id, 'day', { year: 2026, month: 10, day: 12 });
    expect(series?.data).toHaveLength(24);
    expect(series?.data.every(({ value }) => value !== null)).toBe(true);
    expect(series?.data[5]?.label).toBe('05:00');
  });

  test('hours add up to the day, days to the month, months to the year, years to the total', async () => {
    const site = await plants.addSite(installerId);
    const days = ['2025-12-31', '2026-10-24', '2026-10-25', '2026-10-26', '2026-03-29'];
    const sums = new Map<string, number>();
    for (const day of days) sums.set(day, (await addDay(site, day, 'Europe/Berlin')).sumWh);
    const values = async (...query: [Parameters<typeof report>[1], Parameters<typeof report>[2]]) =>
      (await report(site.id, ...query)).flatMap(({ data }) => data.map(({ value }) => value));
    const add = (all: (number | null)[]) => all.reduce<number>((sum, value) => sum + (value ?? 0), 0);

    const hours = await values('day', { year: 2026, month: 10, day: 25 });
    const month = await values('month', { year: 2026, month: 10 });
    expect(month).toHaveLength(31);
    expect(add(hours)).toBeCloseTo(month[24] ?? Number.NaN, 6);
    const year = await values('year', { year: 2026 });
    expect(year).toHaveLength(12);
    expect(add(month)).toBeCloseTo(year[9] ?? Number.NaN, 6);
    const total = await report(site.id, 'total', { year: 2026 });
    expect(total[0]?.data.map(({ index }) => index)).toEqual([2025, 2026]);
    expect(add(year)).toBeCloseTo(total[0]?.data[1]?.value ?? Number.NaN, 6);

    const figures = await plants.read(siteEndpoints.figures, { stationID: site.id }, token);
    expect(figures.month.generationWh).toBeCloseTo(add(month) * 1_000, 3);
    expect(figures.year.generationWh).toBeCloseTo(add(year) * 1_000, 3);
    expect(figures.total.generationWh).toBeCloseTo(
      [...sums.values()].reduce((sum, wh) => sum + wh, 0),
      3,
    );
  });

  test('what is not known is null, and the worst quality of the parts is that of the whole', async () => {
    const site = await plants.addSite(installerId);
    await addDay(site, '2026-10-01', 'Europe/Berlin', { quality: 2, export_wh: 20 });
    await addDay(site, '2026-10-02', 'Europe/Berlin', { quality: 1, export_wh: 0 });
    const [pv, feedin] = await report(site.id, 'year', { year: 2026 }, ['PVEnergyTotal', 'feedin']);
    expect(pv?.data[9]).toMatchObject({ quality: 'estimated' });
    expect(feedin?.data[9]).toMatchObject({ value: 0.02, quality: 'estimated' });
    expect(feedin?.data[8]).toMatchObject({ value: null, quality: 'measured' });
    const [days] = await report(site.id, 'month', { year: 2026, month: 10 }, ['feedin']);
    expect(days?.data.slice(0, 3)).toMatchObject([{ quality: 'corrected' }, { quality: 'estimated' }, { value: null }]);
  });

  test('a day that the month does not have is refused', async () => {
    const site = await plants.addSite(installerId);
    const input = {
      stationID: site.id,
      reportType: 'day' as const,
      queryDate: { year: 2026, month: 2, day: 30 },
      variables: ['loads' as const],
    };
    expect((await plants.call(siteEndpoints.historyReport, input, token)).errno).toBe(40257);
  });
});

describe('key figures', () => {
  test('periods are plant-local, money is exact, shares follow the sums', async () => {
    plants.time.nowMs = Date.UTC(2026, 9, 31, 20, 0);
    const site = await plants.addSite(installerId, { time_zone: 'Asia/Kolkata' });
    const energy = (pv: number) => ({
      pv_wh: pv,
      load_wh: 6_000,
      export_wh: 2_400,
      import_wh: 3_000,
      pv_to_grid_wh: 2_400,
      pv_to_load_wh: 3_000,
    });
    const day = (date: string, pv: number, income: string | null) => ({
      site: site.key,
      day: date,
      version: 1,
      quality: 0,
      ...energy(pv),
      income,
      saving: null,
    });
    await plants.insert('site_day', [
      day('2026-10-30', 1_000, '0.100000'),
      day('2026-10-31', 2_000, '0.200001'),
      day('2026-11-01', 5_400, '0.100000'),
    ]);
    const figures = await plants.read(siteEndpoints.figures, { stationID: site.id }, token);
    expect(figures.today).toMatchObject({ generationWh: 5_400, feedInWh: 2_400, income: '0.1', saving: null });
    expect(figures.today.selfConsumptionPercent).toBeCloseTo(55.6, 1);
    expect(figures.today.selfSufficiencyPercent).toBeCloseTo(50, 6);
    expect(figures.today.specificYield).toBeCloseTo(0.54, 6);
    expect(figures.yesterday).toMatchObject({ generationWh: 2_000 });
    expect(figures.month).toMatchObject({ generationWh: 5_400 });
    expect(figures.year).toMatchObject({ generationWh: 8_400, income: '0.400001' });
    expect(figures.total.income).toBe('0.400001');
    plants.time.nowMs = NOW_MS;
  });

  test('say since when there is money where energies beside it are older, and nothing where both begin together', async () => {
    const [young, old, older] = await Promise.all([1, 2, 3].map(() => plants.addSite(installerId, {})));
    const day = (site: { key: number } | undefined, date: string, saving: string | null) => ({
      site: site?.key,
      day: date,
      version: 1,
      quality: 0,
      pv_wh: 1_000,
      income: null,
      saving,
    });
    await plants.insert('site_day', [
      day(young, '2026-10-30', '0.1'),
      day(young, '2026-10-31', '0.1'),
      day(old, '2026-09-30', null),
      day(old, '2026-10-30', '0.1'),
      day(old, '2026-10-31', null),
      day(older, '2026-10-30', '0.1'),
      day(older, '2026-10-31', '0.1'),
    ]);
    await plants.db
      .insertInto('site_openings')
      .values({ site_id: older?.id ?? '', pv_wh: 34_000_000 })
      .execute();
    const moneySince = async (site: { id: string } | undefined) => {
      const figures = await plants.read(siteEndpoints.figures, { stationID: site?.id ?? '' }, token);
      return (['today', 'month', 'year', 'total'] as const).map((period) => figures[period].moneySince);
    };
    expect(await moneySince(young)).toEqual([null, null, null, null]);
    expect(await moneySince(old)).toEqual([null, null, '2026-10-30', '2026-10-30']);
    expect(await moneySince(older)).toEqual([null, null, null, '2026-10-30']);
  });
});
