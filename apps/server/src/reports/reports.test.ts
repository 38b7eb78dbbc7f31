import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errno } from '@sonnenwarte/contract/errors';
import { MOST_WAITING_REPORTS } from '@sonnenwarte/contract/reports/report';
import { reportEndpoints } from '@sonnenwarte/contract/reports/reports';
import { describe, expect, test } from 'vitest';
import { phraseText } from '../exports/phrase-text.ts';
import {
  type Create,
  csvRows,
  HOUR_MS,
  HOURS,
  MINUTE_MS,
  NOW_MS,
  never,
  ownReports,
  POWER,
  PV,
  sheetRows,
} from '../testing/reports-fixture.ts';
import { unzip } from '../testing/unzip.ts';
import { forgetOld } from './forget.ts';

const own = ownReports();
const { addAgent, tell, account, wanted, stores, make, ask, reportOf, download, parquetRows, rowsLying } = own;

describe('a report', () => {
  test('over the day that summer time ends is in each format what the stores hold: the doubled hour apart, gaps empty, repairs marked', async () => {
    const dayMs = Date.UTC(2026, 9, 24, 22);
    const gap = { fromMs: dayMs + 6 * HOUR_MS, toMs: dayMs + 8 * HOUR_MS };
    const times = Array.from({ length: 25 * 12 + 1 }, (_, step) => dayMs + step * 5 * MINUTE_MS);
    const told = times.filter((atMs) => atMs < gap.fromMs || atMs >= gap.toMs);
    await tell(
      own.device,
      told.map((atMs) => {
        const hour = Math.floor((atMs - dayMs) / HOUR_MS);
        return { atMs, powerW: 1_000 + hour, hours: 100 + hour };
      }),
    );
    await account(
      own.device,
      times.slice(0, -1).flatMap((atMs) => {
        const hour = Math.floor((atMs - dayMs) / HOUR_MS);
        if (hour === 6) return [];
        return [{ atMs, wh: 10, mark: hour === 7 ? (1 as const) : hour === 12 ? (2 as const) : (0 as const) }];
      }),
    );
    const id = await ask({ variables: [POWER, PV, HOURS], firstDay: '2026-10-25', lastDay: '2026-10-25' });
    expect(await make()).toBe(true);
    const row = await reportOf(id);
    expect(row).toMatchObject({ state: 'completed', rows: 25, progress: 100, failure: null, missing: 0 });
    expect(row.bytes).toBeGreaterThan(100);

    const [header, ...rows] = csvRows(await download(id, 'csv'));
    expect(header).toEqual([
      ...['Plant', 'Device', 'Time zone', 'Local time', 'Time (UTC)'],
      'Active power (W, mean)',
      'PV energy total (kWh, growth)',
      'Operating hours (h, growth)',
      'Quality',
    ]);
    expect(rows).toHaveLength(25);
    expect(rows.slice(2, 4).map((cells) => cells.slice(3, 5))).toEqual([
      ['2026-10-25 02:00:00+02:00', '2026-10-25T00:00:00.000Z'],
      ['2026-10-25 02:00:00+01:00', '2026-10-25T01:00:00.000Z'],
    ]);
    const kwh = String(120 / 1_000);
    expect(rows.map((cells) => cells.slice(5))).toEqual(
      Array.from({ length: 25 }, (_, hour) => {
        if (hour === 6) return ['', '', '', 'empty'];
        if (hour === 7) return ['', kwh, '', 'estimated'];
        const growth = hour === 0 || hour === 8 ? '0' : '1';
        return [String(1_000 + hour), kwh, growth, hour === 12 ? 'corrected' : 'measured'];
      }),
    );

    const sheet = sheetRows(unzip(await download(id, 'xlsx')).get('xl/worksheets/sheet1.xml') ?? '');
    expect(sheet[0]?.slice(0, 3)).toEqual(['Local time (Europe/Berlin)', 'UTC offset', 'Time (UTC)']);
    expect(sheet.slice(1).map((cells) => cells.slice(2))).toEqual(rows.map((cells) => cells.slice(4)));
    expect(sheet.slice(3, 5).map((cells) => cells[1])).toEqual(['+02:00', '+01:00']);

    const parquet = await parquetRows(await download(id, 'parquet'));
    expect(parquet.map((each) => each.time_local)).toEqual(rows.map((cells) => cells[3]));
    expect(parquet[0]).toMatchObject({ plant: 'Hof', device: own.device.sn, time_zone: 'Europe/Berlin' });
    expect(
      parquet.map((each) =>
        [
          'inverter.AC/ActivePower.mean (W)',
          'inverter.Energy/PvTotal.growth (kWh)',
          'inverter.State/OperatingHours.growth (h)',
        ].map((name) => each[name] ?? ''),
      ),
    ).toEqual(rows.map((cells) => cells.slice(5, 8).map((cell) => (cell === '' ? '' : Number(cell)))));
    expect(parquet[6]?.quality).toBe('missing');
  });
});

test('an energy that the counter tells and accounting has not come to yet is incomplete, neither measured nor missing', async () => {
  const dayMs = Date.UTC(2026, 10, 9, 23);
  const steps = Array.from({ length: 24 * 12 + 1 }, (_, step) => step);
  await tell(
    own.device,
    steps.map((step) => ({ atMs: dayMs + step * 5 * MINUTE_MS, powerW: 1_200, pvKwh: step / 10 })),
  );
  const accounted = steps.slice(0, 12 * 12 + 4);
  await account(
    own.device,
    accounted.map((step) => ({ atMs: dayMs + step * 5 * MINUTE_MS, wh: 100 })),
  );
  const id = await ask({ variables: [PV], firstDay: '2026-11-10', lastDay: '2026-11-10' });
  expect(await make()).toBe(true);
  const [, ...rows] = csvRows(await download(id, 'csv'));
  const told = (kwh: string, quality: string) => [kwh, quality];
  expect(rows.map((cells) => cells.slice(5))).toEqual([
    ...Array.from({ length: 12 }, () => told('1.2', 'measured')),
    told('0.4', 'incomplete'),
    ...Array.from({ length: 11 }, () => told('', 'incomplete')),
  ]);
});

describe('what is asked for', () => {
  test('has 15 days at most, and 3 where devices recorded each few seconds, in the words of the specification', async () => {
    const across = (days: number, change: Partial<Create> = {}) =>
      own.plants.call(
        reportEndpoints.create,
        wanted({ firstDay: '2026-11-01', lastDay: `2026-11-${String(days).padStart(2, '0')}`, ...change }),
        own.agent.token,
      );
    const english = (number: number) => phraseText(`errors.${number}` as never, 'en');
    expect((await across(15)).errno).toBe(0);
    expect((await across(16)).errno).toBe(errno.reportRangeTooLong);
    expect(english(errno.reportRangeTooLong)).toBe('The selected date range cannot exceed 15 days');
    const startMs = Date.UTC(2026, 10, 3, 8);
    await tell(
      own.device,
      Array.from({ length: 100 }, (_, step) => ({ atMs: startMs + step * 10_000, powerW: step })),
    );
    expect((await across(4, { interval: 'raw' })).errno).toBe(errno.reportFineRangeTooLong);
    expect(english(errno.reportFineRangeTooLong)).toBe('The selected date range cannot exceed 3 days');
    expect((await across(3, { interval: 'raw' })).errno).toBe(0);
    expect((await across(4)).errno).toBe(0);
    const preview = await own.plants.read(
      reportEndpoints.preview,
      { ...wanted({ interval: 'raw', firstDay: '2026-11-03', lastDay: '2026-11-03' }) },
      own.agent.token,
    );
    expect(preview).toMatchObject({ isFine: true, totalRows: 100, values: 100, name: own.device.sn });
    expect(preview.rows).toHaveLength(8);
    expect(preview.rows[1]).toMatchObject({ localTime: '2026-11-03 09:00:10+01:00', values: [1], quality: 'measured' });
  });

  test('as it was recorded has each sample with its milliseconds, and no row where nothing was told', async () => {
    const startMs = Date.UTC(2026, 10, 10, 8);
    await tell(own.device, [
      { atMs: startMs, powerW: 1 },
      { atMs: startMs + 250, powerW: -2 },
      { atMs: startMs + HOUR_MS, pvKwh: 3.1 },
    ]);
    const id = await ask({ interval: 'raw', variables: [POWER, PV] });
    await make();
    const [, ...rows] = csvRows(await download(id, 'csv'));
    expect(rows.map((cells) => cells.slice(3))).toEqual([
      ['2026-11-10 09:00:00+01:00', '2026-11-10T08:00:00.000Z', '1', '', 'measured'],
      ['2026-11-10 09:00:00.250+01:00', '2026-11-10T08:00:00.250Z', '-2', '', 'measured'],
      ['2026-11-10 10:00:00+01:00', '2026-11-10T09:00:00.000Z', '', '3.1', 'measured'],
    ]);
    const empty = await ask({ interval: 'raw', firstDay: '2026-11-12', lastDay: '2026-11-12' });
    await make();
    expect(await reportOf(empty)).toMatchObject({ state: 'completed', rows: 0 });
    expect(csvRows(await download(empty, 'csv'))).toHaveLength(1);
    expect(unzip(await download(empty, 'xlsx')).has('xl/worksheets/sheet1.xml')).toBe(true);
    expect(await parquetRows(await download(empty, 'parquet'))).toEqual([]);
  });

  test('of plants has energies and money of their sums, in a column for each currency', async () => {
    const polish = await own.plants.addSite(own.agent.organisationID, { name: '=Dach', time_zone: 'Europe/Warsaw' });
    await own.plants.db.updateTable('sites').set({ currency: 'PLN' }).where('id', '=', polish.id).execute();
    const day = (of: number, columns: object) => ({ site: of, day: '2026-11-10', version: 1, quality: 0, ...columns });
    await own.plants.insert('site_day', [
      day(own.site.key, { pv_wh: 12_345, export_wh: 2_000, pv_to_grid_wh: 2_000, income: '1.230000', qualities: 0 }),
      day(polish.key, { pv_wh: 5_000, income: '0.500000', qualities: 1 }),
    ]);
    const id = await ask({
      source: 'plants',
      deviceIDs: [],
      stationIDs: [own.site.id, polish.id],
      variables: ['PVEnergyTotal', 'selfUse', 'income'],
      interval: 'day',
      lastDay: '2026-11-11',
    });
    await make();
    const [header, ...rows] = csvRows(await download(id, 'csv'));
    expect(header?.slice(4)).toEqual([
      'Generation (kWh)',
      'Self-consumption (kWh)',
      'Earnings (EUR)',
      'Earnings (PLN)',
      'Quality',
    ]);
    expect(rows.map((cells) => [cells[0], ...cells.slice(4)])).toEqual([
      ['Hof', '12.345', '10.345', '1.23', '', 'measured'],
      ['Hof', '', '', '', '', 'empty'],
      // A name that a spreadsheet would take for a formula.
      ["'=Dach", '5', expect.any(String), '', '0.5', 'estimated'],
      ["'=Dach", '', '', '', '', 'empty'],
    ]);
  });

  test('of a stranger is answered as what does not exist, and of an integrator holds what was granted to it alone', async () => {
    const missing = '11111111-1111-4111-8111-111111111111';
    const other = await addAgent();
    const strange = await own.plants.call(reportEndpoints.create, wanted(), other.token);
    expect(strange).toEqual(
      await own.plants.call(reportEndpoints.create, wanted({ deviceIDs: [missing] }), other.token),
    );
    expect(strange.errno).toBe(errno.deviceNotFound);
    const plantOf = (id: string) =>
      wanted({ source: 'plants', stationIDs: [id], variables: ['PVEnergyTotal'], interval: 'day' });
    expect(await own.plants.call(reportEndpoints.preview, plantOf(own.site.id), other.token)).toEqual(
      await own.plants.call(reportEndpoints.preview, plantOf(missing), other.token),
    );
    expect((await own.plants.read(reportEndpoints.plants, { search: 'Hof' }, other.token)).choices).toEqual([]);
    expect((await own.plants.read(reportEndpoints.plants, { search: 'Hof' }, own.agent.token)).choices).toMatchObject([
      { id: own.site.id, name: 'Hof' },
    ]);

    const integrator = await addAgent(10);
    expect((await own.plants.call(reportEndpoints.create, wanted(), integrator.token)).errno).toBe(
      errno.deviceNotFound,
    );
    await own.plants.db
      .insertInto('device_grants')
      .values({ account_id: integrator.accountId, device_id: own.device.id })
      .execute();
    await tell(own.device, [{ atMs: Date.UTC(2026, 10, 10, 8), powerW: 7 }]);
    const id = await ask({}, integrator.token);
    const ofGone = await ask({}, integrator.token);
    await make();
    expect(await reportOf(id, integrator.token)).toMatchObject({ state: 'completed', rows: 24 });
    // Taken back before its turn comes.
    await own.plants.db.deleteFrom('device_grants').where('account_id', '=', integrator.accountId).execute();
    await make();
    expect(await reportOf(ofGone, integrator.token)).toMatchObject({ state: 'failed', failure: 'nothingVisible' });
  });

  test('waits in the order of asking, at most twenty of an account', async () => {
    const asked: string[] = [];
    for (let turn = 0; turn < MOST_WAITING_REPORTS; turn += 1) asked.push(await ask());
    expect((await own.plants.call(reportEndpoints.create, wanted(), own.agent.token)).errno).toBe(
      errno.tooManyWaitingReports,
    );
    expect((await reportOf(asked.at(-1) ?? '')).ahead).toBe(MOST_WAITING_REPORTS - 1);
    const made: string[] = [];
    while (await make()) {
      const { reports } = await own.plants.read(
        reportEndpoints.list,
        { pageSize: 50, condition: { states: ['completed'] } },
        own.agent.token,
      );
      made.push(...reports.map(({ reportID }) => reportID).filter((id) => !made.includes(id)));
    }
    expect(made).toEqual(asked);
    const told = await own.plants.db
      .selectFrom('messages')
      .select(['kind', 'event', 'subject', 'record_id'])
      .where('account_id', '=', own.agent.accountId)
      .execute();
    expect(told.map(({ record_id }) => record_id).toSorted()).toEqual(asked.toSorted());
    expect(told[0]).toMatchObject({ kind: 'report', event: 'completed', subject: 'Woche' });
  });
});

describe('who asked for a report', () => {
  test('alone sees it, its file and what can be done with it, and administrators', async () => {
    const id = await ask();
    await make();
    const other = await addAgent();
    const administrator = await addAgent(255);
    const list = async (token: string, whose: 'mine' | 'all') =>
      (await own.plants.read(reportEndpoints.list, { condition: { whose } }, token)).reports.map(
        ({ reportID }) => reportID,
      );
    expect(await list(own.agent.token, 'mine')).toEqual([id]);
    expect(await list(other.token, 'all')).toEqual([]);
    expect(await list(administrator.token, 'mine')).toEqual([]);
    expect(await list(administrator.token, 'all')).toEqual([id]);
    for (const [endpoint, input] of [
      [reportEndpoints.detail, { id }],
      [reportEndpoints.download, { id, format: 'csv' }],
      [reportEndpoints.cancel, { ids: [id] }],
      [reportEndpoints.retry, { id }],
      [reportEndpoints.remove, { ids: [id] }],
    ] as const)
      expect((await own.plants.call(endpoint, input as never, other.token)).errno).toBe(errno.reportNotFound);
    expect((await download(id, 'csv', administrator.token)).length).toBeGreaterThan(100);
    expect(await own.plants.read(reportEndpoints.remove, { ids: [id] }, own.agent.token)).toEqual({ done: 1 });
    expect(await rowsLying()).toEqual([]);
  });

  test('has it for 30 days; then it and its file are gone, as are files that are no report’s', async () => {
    const id = await ask();
    await make();
    await writeFile(join(own.dataDir, 'reports', `${crypto.randomUUID()}.1.part`), 'left by a server that was killed');
    own.plants.time.nowMs = NOW_MS + 30 * 24 * HOUR_MS - MINUTE_MS;
    await forgetOld(stores(), never);
    expect(await rowsLying()).toEqual([`${id}.1.rows`]);
    own.plants.time.nowMs += 2 * MINUTE_MS;
    await forgetOld(stores(), never);
    expect(await rowsLying()).toEqual([]);
    expect((await own.plants.call(reportEndpoints.detail, { id }, own.agent.token)).errno).toBe(errno.reportNotFound);
  });
});
