import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { unzip } from '../testing/unzip.ts';

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

type Asked = Parameters<typeof plants.read<typeof siteEndpoints.historyExport>>[1];

async function fileOf(asked: Asked) {
  const response = await plants.fetch(siteEndpoints.historyExport, asked, token);
  return { name: response.headers.get('content-disposition') ?? '', file: Buffer.from(await response.arrayBuffer()) };
}

async function linesOf(asked: Asked): Promise<string[][]> {
  const { file } = await fileOf(asked);
  const text = file.toString('utf8').slice(1).trimEnd();
  return text.split('\r\n').map((line) => line.split(/[;,](?=(?:[^"]*"[^"]*")*[^"]*$)/));
}

const numberOf = (cell: string | undefined): number => Number((cell ?? '').replace(',', '.'));

/** Five-minute, hour and day rows of some days, as accounting writes them. */
async function addDays(site: { key: number }, days: Record<string, (place: number) => number>) {
  const common = { site: site.key, version: 1, quality: 0 };
  for (const [day, whOf] of Object.entries(days)) {
    const { startMs, endMs } = dayBounds(day, BERLIN);
    const buckets = Array.from({ length: Math.min(endMs, NOW_MS) / BUCKET_MS - startMs / BUCKET_MS }, (_, place) => ({
      ts: startMs / 1_000 + place * 300,
      pv_wh: whOf(place),
    }));
    const hours = Map.groupBy(buckets, ({ ts }) => Math.floor(ts / 3_600) * 3_600);
    const sum = (rows: readonly { pv_wh: number }[]) => rows.reduce((all, row) => all + row.pv_wh, 0);
    await plants.insert(
      'site_5m',
      buckets.map((bucket) => ({ ...common, qualities: 1, ...bucket })),
    );
    await plants.insert(
      'site_hour',
      [...hours].map(([ts, rows], hour) => ({ ...common, ts, day, hour, pv_wh: sum(rows) })),
    );
    await plants.insert('site_day', [{ ...common, day, pv_wh: sum(buckets) }]);
  }
}

describe('the history of a plant as a file', () => {
  test('has energies of six decimals at most, whatever they are sums of', async () => {
    const site = await plants.addSite(installerId);
    await addDays(site, { '2026-10-28': (place) => 0.785167 * place, '2026-10-29': () => 1_000 / 7 });
    const range = { stationID: site.id, firstDay: '2026-10-28', lastDay: '2026-10-29', format: 'csv' as const };
    const lines = await linesOf({ ...range, step: '5min', variables: ['PVEnergyTotal'] });
    expect(lines).toHaveLength(1 + 2 * 288);
    for (const [, , energy] of lines.slice(1)) expect(energy).toMatch(/^\d+(?:[.,]\d{1,6})?$/);
  });

  test('begins with the first day that was recorded, however early it is asked for', async () => {
    const site = await plants.addSite(installerId);
    await addDays(site, { '2026-10-29': () => 10, '2026-10-30': () => 10 });
    const range = { stationID: site.id, firstDay: '1980-01-01', lastDay: '2026-10-30', format: 'csv' as const };
    const variables = ['PVEnergyTotal' as const];
    expect(await linesOf({ ...range, variables, step: 'hour' })).toHaveLength(1 + 48);
    expect(await linesOf({ ...range, variables, step: 'day' })).toHaveLength(1 + 2);
    const nothing = await plants.addSite(installerId);
    expect(await linesOf({ ...range, stationID: nothing.id, variables, step: 'hour' })).toHaveLength(1);
  });

  test('has the same total in every step as the screen, to 0.1 Wh, whatever the values are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0, max: 900, noNaN: true }), { minLength: 3, maxLength: 40 }),
        async (values) => {
          const site = await plants.addSite(installerId);
          const whOf = (place: number) => values[place % values.length] ?? 0;
          await addDays(site, { '2026-10-24': whOf, '2026-10-25': whOf, '2026-10-26': whOf });
          const report = await plants.read(
            siteEndpoints.historyReport,
            {
              stationID: site.id,
              reportType: 'month',
              variables: ['PVEnergyTotal'],
              queryDate: { year: 2026, month: 10 },
            },
            token,
          );
          const shown = report[0]?.data.reduce((sum, { value }) => sum + (value ?? 0), 0) ?? 0;
          for (const step of ['5min', 'hour', 'day', 'month'] as const) {
            const [, ...rows] = await linesOf({
              stationID: site.id,
              firstDay: '2026-10-24',
              lastDay: '2026-10-26',
              step,
              variables: ['PVEnergyTotal'],
            });
            const column = step === 'day' || step === 'month' ? 1 : 2;
            const total = rows.reduce((sum, row) => sum + numberOf(row[column]), 0);
            expect(Math.abs(total - shown)).toBeLessThan(0.0001);
          }
        },
      ),
      { numRuns: 5 },
    );
  });

  test('has every hour and five minutes of a day on which the clock changes, each told apart by UTC', async () => {
    const site = await plants.addSite(installerId);
    await addDays(site, { '2026-03-28': () => 10, '2026-10-25': () => 10 });
    const rows = async (step: '5min' | 'hour', day: string) =>
      (await linesOf({ stationID: site.id, firstDay: day, lastDay: day, step, variables: ['PVEnergyTotal'] })).slice(1);
    const autumn = await rows('hour', '2026-10-25');
    expect(autumn).toHaveLength(25);
    expect(autumn.slice(2, 4).map(([local, utc]) => [local, utc])).toEqual([
      ['2026-10-25 02:00:00', '2026-10-25T00:00Z'],
      ['2026-10-25 02:00:00', '2026-10-25T01:00Z'],
    ]);
    expect(await rows('5min', '2026-10-25')).toHaveLength(300);
    expect(await rows('hour', '2026-03-29')).toHaveLength(23);
    expect(await rows('5min', '2026-03-29')).toHaveLength(276);
  });

  test('says unit and quality of each value, leaves what is not known empty, and ends where time does', async () => {
    const site = await plants.addSite(installerId, { name: 'Hof: "Süd"' });
    await addDays(site, { '2026-10-31': () => 12.5 });
    const asked = {
      stationID: site.id,
      firstDay: '2026-10-31',
      lastDay: '2026-12-24',
      step: '5min',
      variables: ['PVEnergyTotal', 'pvToLoad'],
    } as const;
    const refused = await plants.call(
      siteEndpoints.historyExport,
      { ...asked, variables: [...asked.variables] },
      token,
    );
    expect(refused.errno).toBe(40257);
    const [header, ...rows] = await linesOf({ ...asked, variables: [...asked.variables], lastDay: '2026-11-10' });
    expect(header).toEqual([
      'Time (Europe/Berlin)',
      'Time (UTC)',
      'Generation (kWh)',
      'Generation (quality)',
      'Generation · Estimated (kWh)',
      'PV → House (kWh)',
      'PV → House (quality)',
    ]);
    expect(rows).toHaveLength(13 * 12);
    expect(rows[0]?.slice(2)).toEqual(['0.0125', 'Estimated', '', '', '']);
    const { name, file } = await fileOf({ ...asked, variables: ['PVEnergyTotal'], step: 'day', format: 'xlsx' });
    expect(decodeURIComponent(name)).toContain('Hof   Süd -2026-10-31-2026-10-31.xlsx');
    expect(unzip(file).get('xl/worksheets/sheet1.xml')?.toString()).toContain('1.95');
  });

  test('says how much of each value is estimated, in parts that add up, and nothing where that is not known', async () => {
    const site = await plants.addSite(installerId);
    const common = { site: site.key, version: 1, quality: 0, qualities: 1 };
    const day = '2026-10-30';
    const { startMs } = dayBounds(day, BERLIN);
    const hours = [0, 1, 2].map((hour) => ({
      ...common,
      ts: startMs / 1_000 + hour * 3_600,
      day,
      hour,
      pv_wh: 1_000,
      estimated_pv_wh: 333.3333,
    }));
    await plants.insert('site_hour', hours);
    await plants.insert('site_day', [
      { ...common, day, pv_wh: 3_000, estimated_pv_wh: 999.9999 },
      { ...common, day: '2026-10-29', pv_wh: 500 },
    ]);
    const read = async (step: 'hour' | 'day', firstDay: string) =>
      (await linesOf({ stationID: site.id, firstDay, lastDay: day, step, variables: ['PVEnergyTotal'] })).slice(1);
    const estimated = (await read('hour', day)).flatMap((row) => (row[4] === '' ? [] : [numberOf(row[4])]));
    expect(estimated).toHaveLength(3);
    expect(estimated.reduce((sum, kwh) => sum + kwh, 0)).toBeCloseTo(1, 6);
    expect(await read('day', '2026-10-29')).toEqual([
      ['2026-10-29', '0.5', 'Estimated', ''],
      [day, '3', 'Estimated', '1'],
    ]);
  });

  test('of a stranger is not found', async () => {
    const other = await plants.addOrganisation('installer');
    const site = await plants.addSite(other.id);
    const answer = await plants.call(
      siteEndpoints.historyExport,
      {
        stationID: site.id,
        firstDay: '2026-10-31',
        lastDay: '2026-10-31',
        step: 'day',
        variables: ['PVEnergyTotal'],
      },
      token,
    );
    expect(answer.errno).toBe(41931);
  });
});
