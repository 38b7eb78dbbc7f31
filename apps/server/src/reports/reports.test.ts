import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import type { Level } from '@sonnenwarte/contract/levels';
import { MOST_WAITING_REPORTS } from '@sonnenwarte/contract/reports/report';
import { reportEndpoints } from '@sonnenwarte/contract/reports/reports';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { parse } from 'csv-parse/sync';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { phraseText } from '../exports/phrase-text.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { unzip } from '../testing/unzip.ts';
import { forgetOld } from './forget.ts';
import { makeNext } from './maker.ts';
import { ReportFiles } from './report-files.ts';
import { beginNext } from './reports.store.ts';
import { askWhatIsDue } from './schedules.service.ts';

type Device = Awaited<ReturnType<PlantsFixture['addDevice']>>;
type Create = Input<typeof reportEndpoints.create>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW_MS = Date.UTC(2026, 10, 20, 9);
const never = new AbortController().signal;

let plants: PlantsFixture;
let files: ReportFiles;
let dataDir: string;
let agent: { token: string; accountId: string; organisationID: string };
let site: { id: string; key: number };
let device: Device;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'reports-'));
  plants = await PlantsFixture.start(undefined, { DATA_DIR: dataDir });
  files = new ReportFiles(dataDir);
});
afterAll(async () => {
  await plants?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function addAgent(level: Level = 3) {
  const { id: organisationID, path } = await plants.addOrganisation(level === 255 ? 'platform' : 'agent');
  const account = await plants.addAccount(organisationID, level);
  await plants.db.updateTable('accounts').set({ leads: true }).where('id', '=', account.id).execute();
  return { token: plants.signInOf(account, path), accountId: account.id, organisationID };
}

beforeEach(async () => {
  plants.time.nowMs = NOW_MS;
  await plants.db.deleteFrom('reports').execute();
  await plants.db.deleteFrom('report_schedules').execute();
  await rm(join(dataDir, 'reports'), { recursive: true, force: true });
  agent = await addAgent();
  site = await plants.addSite(agent.organisationID, { name: 'Hof' });
  const datalogger = await plants.addDatalogger(site.id);
  device = await plants.addDevice(site.id, datalogger.id, { sn: `R-${site.key}` });
});

const stepsOf = (name: string): number => pointByName('inverter', name)?.steps ?? 1;
const text = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

interface Sample {
  readonly atMs: number;
  readonly powerW?: number;
  readonly pvKwh?: number;
  readonly hours?: number;
}

const tell = (of: Device, samples: readonly Sample[]) =>
  plants.insert(
    'raw_inverter',
    samples.map(({ atMs, powerW, pvKwh, hours }) => ({
      device: of.key,
      ts: text(atMs),
      received: text(atMs),
      ...(powerW !== undefined && { ac_active_power_n: powerW * stepsOf('AC/ActivePower') }),
      ...(pvKwh !== undefined && { energy_pv_total_n: Math.round(pvKwh * stepsOf('Energy/PvTotal')) }),
      ...(hours !== undefined && { state_operating_hours_n: hours * stepsOf('State/OperatingHours') }),
    })),
  );

/** What was accounted of a device: PV energy, Wh, by the start of its five minutes. */
const account = (of: Device, buckets: readonly { atMs: number; wh: number; mark?: 0 | 1 | 2 }[]) =>
  plants.insert(
    'device_5m',
    buckets.map(({ atMs, wh, mark = 0 }) => ({
      device: of.key,
      ts: text(atMs).slice(0, 19),
      version: 1,
      samples: 1,
      quality: mark,
      qualities: mark,
      pv_wh: wh,
    })),
  );

const POWER = 'inverter:AC/ActivePower';
const PV = 'inverter:Energy/PvTotal';
const HOURS = 'inverter:State/OperatingHours';

const wanted = (change: Partial<Create> = {}): Create => ({
  name: 'Woche',
  source: 'devices',
  deviceIDs: [device.id],
  variables: [POWER],
  interval: 'hour',
  firstDay: '2026-11-10',
  lastDay: '2026-11-10',
  ...change,
});

const stores = () => ({
  db: plants.db,
  telemetry: plants.stores.telemetry.client,
  nowMs: () => plants.time.nowMs ?? NOW_MS,
  logger: pino({ level: 'silent' }),
  files,
});
const make = (telemetry = plants.stores.telemetry.client, ending = never) =>
  makeNext({ ...stores(), telemetry }, ending);

const ask = async (change: Partial<Create> = {}, token = agent.token): Promise<string> =>
  (await plants.read(reportEndpoints.create, wanted(change), token)).reportID;
const reportOf = async (id: string, token = agent.token) =>
  (await plants.read(reportEndpoints.detail, { id }, token)).report;

async function download(id: string, format: 'csv' | 'xlsx' | 'parquet', token = agent.token): Promise<Buffer> {
  const response = await plants.fetch(reportEndpoints.download, { id, format }, token);
  expect(response.headers.get('content-disposition')).toContain(`.${format}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Rows of a CSV file, in the order of its header. */
const csvRows = (file: Buffer): string[][] => parse(file, { bom: true });

/** Cells of a sheet by row, as they are stored. */
const sheetRows = (xml: string): string[][] =>
  [...xml.matchAll(/<row>(.*?)<\/row>/g)].map(([, row = '']) =>
    [...row.matchAll(/<c\/>|<c[^>]*>(?:<v>(.*?)<\/v>|<is><t[^>]*>(.*?)<\/t><\/is>)<\/c>/g)].map(
      ([, value, inline]) => value ?? inline ?? '',
    ),
  );

/** A Parquet file as the engine of another maker reads it. */
async function parquetRows(file: Buffer): Promise<Record<string, unknown>[]> {
  const path = join(dataDir, 'read.parquet');
  await writeFile(path, file);
  const answer = await plants.stores.telemetry.client.query({
    query: `SELECT * FROM file('${path}', 'Parquet')`,
    format: 'JSONEachRow',
  });
  return answer.json();
}

const rowsLying = async () => (await readdir(join(dataDir, 'reports'))).toSorted();

describe('a report', () => {
  test('over the day that summer time ends is in each format what the stores hold: the doubled hour apart, gaps empty, repairs marked', async () => {
    const dayMs = Date.UTC(2026, 9, 24, 22);
    const gap = { fromMs: dayMs + 6 * HOUR_MS, toMs: dayMs + 8 * HOUR_MS };
    const times = Array.from({ length: 25 * 12 + 1 }, (_, step) => dayMs + step * 5 * MINUTE_MS);
    const told = times.filter((atMs) => atMs < gap.fromMs || atMs >= gap.toMs);
    await tell(
      device,
      told.map((atMs) => {
        const hour = Math.floor((atMs - dayMs) / HOUR_MS);
        return { atMs, powerW: 1_000 + hour, hours: 100 + hour };
      }),
    );
    await account(
      device,
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
    expect(parquet[0]).toMatchObject({ plant: 'Hof', device: device.sn, time_zone: 'Europe/Berlin' });
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
    device,
    steps.map((step) => ({ atMs: dayMs + step * 5 * MINUTE_MS, powerW: 1_200, pvKwh: step / 10 })),
  );
  const accounted = steps.slice(0, 12 * 12 + 4);
  await account(
    device,
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
      plants.call(
        reportEndpoints.create,
        wanted({ firstDay: '2026-11-01', lastDay: `2026-11-${String(days).padStart(2, '0')}`, ...change }),
        agent.token,
      );
    const english = (number: number) => phraseText(`errors.${number}` as never, 'en');
    expect((await across(15)).errno).toBe(0);
    expect((await across(16)).errno).toBe(errno.reportRangeTooLong);
    expect(english(errno.reportRangeTooLong)).toBe('The selected date range cannot exceed 15 days');
    const startMs = Date.UTC(2026, 10, 3, 8);
    await tell(
      device,
      Array.from({ length: 100 }, (_, step) => ({ atMs: startMs + step * 10_000, powerW: step })),
    );
    expect((await across(4, { interval: 'raw' })).errno).toBe(errno.reportFineRangeTooLong);
    expect(english(errno.reportFineRangeTooLong)).toBe('The selected date range cannot exceed 3 days');
    expect((await across(3, { interval: 'raw' })).errno).toBe(0);
    expect((await across(4)).errno).toBe(0);
    const preview = await plants.read(
      reportEndpoints.preview,
      { ...wanted({ interval: 'raw', firstDay: '2026-11-03', lastDay: '2026-11-03' }) },
      agent.token,
    );
    expect(preview).toMatchObject({ isFine: true, totalRows: 100, values: 100, name: device.sn });
    expect(preview.rows).toHaveLength(8);
    expect(preview.rows[1]).toMatchObject({ localTime: '2026-11-03 09:00:10+01:00', values: [1], quality: 'measured' });
  });

  test('as it was recorded has each sample with its milliseconds, and no row where nothing was told', async () => {
    const startMs = Date.UTC(2026, 10, 10, 8);
    await tell(device, [
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
    const polish = await plants.addSite(agent.organisationID, { name: '=Dach', time_zone: 'Europe/Warsaw' });
    await plants.db.updateTable('sites').set({ currency: 'PLN' }).where('id', '=', polish.id).execute();
    const day = (of: number, columns: object) => ({ site: of, day: '2026-11-10', version: 1, quality: 0, ...columns });
    await plants.insert('site_day', [
      day(site.key, { pv_wh: 12_345, export_wh: 2_000, pv_to_grid_wh: 2_000, income: '1.230000', qualities: 0 }),
      day(polish.key, { pv_wh: 5_000, income: '0.500000', qualities: 1 }),
    ]);
    const id = await ask({
      source: 'plants',
      deviceIDs: [],
      stationIDs: [site.id, polish.id],
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
    const strange = await plants.call(reportEndpoints.create, wanted(), other.token);
    expect(strange).toEqual(await plants.call(reportEndpoints.create, wanted({ deviceIDs: [missing] }), other.token));
    expect(strange.errno).toBe(errno.deviceNotFound);
    const plantOf = (id: string) =>
      wanted({ source: 'plants', stationIDs: [id], variables: ['PVEnergyTotal'], interval: 'day' });
    expect(await plants.call(reportEndpoints.preview, plantOf(site.id), other.token)).toEqual(
      await plants.call(reportEndpoints.preview, plantOf(missing), other.token),
    );
    expect((await plants.read(reportEndpoints.plants, { search: 'Hof' }, other.token)).choices).toEqual([]);
    expect((await plants.read(reportEndpoints.plants, { search: 'Hof' }, agent.token)).choices).toMatchObject([
      { id: site.id, name: 'Hof' },
    ]);

    const integrator = await addAgent(10);
    expect((await plants.call(reportEndpoints.create, wanted(), integrator.token)).errno).toBe(errno.deviceNotFound);
    await plants.db
      .insertInto('device_grants')
      .values({ account_id: integrator.accountId, device_id: device.id })
      .execute();
    await tell(device, [{ atMs: Date.UTC(2026, 10, 10, 8), powerW: 7 }]);
    const id = await ask({}, integrator.token);
    const ofGone = await ask({}, integrator.token);
    await make();
    expect(await reportOf(id, integrator.token)).toMatchObject({ state: 'completed', rows: 24 });
    // Taken back before its turn comes.
    await plants.db.deleteFrom('device_grants').where('account_id', '=', integrator.accountId).execute();
    await make();
    expect(await reportOf(ofGone, integrator.token)).toMatchObject({ state: 'failed', failure: 'nothingVisible' });
  });

  test('waits in the order of asking, at most twenty of an account', async () => {
    const asked: string[] = [];
    for (let turn = 0; turn < MOST_WAITING_REPORTS; turn += 1) asked.push(await ask());
    expect((await plants.call(reportEndpoints.create, wanted(), agent.token)).errno).toBe(errno.tooManyWaitingReports);
    expect((await reportOf(asked.at(-1) ?? '')).ahead).toBe(MOST_WAITING_REPORTS - 1);
    const made: string[] = [];
    while (await make()) {
      const { reports } = await plants.read(
        reportEndpoints.list,
        { pageSize: 50, condition: { states: ['completed'] } },
        agent.token,
      );
      made.push(...reports.map(({ reportID }) => reportID).filter((id) => !made.includes(id)));
    }
    expect(made).toEqual(asked);
    const told = await plants.db
      .selectFrom('messages')
      .select(['kind', 'event', 'subject', 'record_id'])
      .where('account_id', '=', agent.accountId)
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
      (await plants.read(reportEndpoints.list, { condition: { whose } }, token)).reports.map(
        ({ reportID }) => reportID,
      );
    expect(await list(agent.token, 'mine')).toEqual([id]);
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
      expect((await plants.call(endpoint, input as never, other.token)).errno).toBe(errno.reportNotFound);
    expect((await download(id, 'csv', administrator.token)).length).toBeGreaterThan(100);
    expect(await plants.read(reportEndpoints.remove, { ids: [id] }, agent.token)).toEqual({ done: 1 });
    expect(await rowsLying()).toEqual([]);
  });

  test('has it for 30 days; then it and its file are gone, as are files that are no report’s', async () => {
    const id = await ask();
    await make();
    await writeFile(join(dataDir, 'reports', `${crypto.randomUUID()}.1.part`), 'left by a server that was killed');
    plants.time.nowMs = NOW_MS + 30 * 24 * HOUR_MS - MINUTE_MS;
    await forgetOld(stores(), never);
    expect(await rowsLying()).toEqual([`${id}.1.rows`]);
    plants.time.nowMs += 2 * MINUTE_MS;
    await forgetOld(stores(), never);
    expect(await rowsLying()).toEqual([]);
    expect((await plants.call(reportEndpoints.detail, { id }, agent.token)).errno).toBe(errno.reportNotFound);
  });
});

describe('a report that is made', () => {
  /** A telemetry store that stops at a question until it is let go on. */
  function stoppable() {
    const { client } = plants.stores.telemetry;
    let reached: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const isLetGo = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const telemetry = Object.create(client) as typeof client;
    telemetry.exec = (async (params: Parameters<typeof client.exec>[0]) => {
      reached();
      await isLetGo;
      return client.exec(params);
    }) as typeof client.exec;
    return { telemetry, isReached, goOn: () => goOn() };
  }

  beforeEach(() => tell(device, [{ atMs: Date.UTC(2026, 10, 10, 8), powerW: 5 }]));

  test('whose maker is killed in the middle is made anew, once, and ends with one whole file; the first that comes back changes nothing', async () => {
    const id = await ask();
    const first = stoppable();
    const killed = make(first.telemetry);
    await first.isReached;
    expect(await reportOf(id)).toMatchObject({ state: 'processing' });
    // Whoever makes it lives, as far as anybody knows.
    expect(await make()).toBe(false);
    expect((await plants.call(reportEndpoints.download, { id }, agent.token)).errno).toBe(errno.reportNotReady);
    plants.time.nowMs = NOW_MS + MINUTE_MS;
    expect(await make()).toBe(true);
    expect(await reportOf(id)).toMatchObject({ state: 'completed', rows: 24 });
    const file = await download(id, 'csv');
    first.goOn();
    await killed;
    expect(await reportOf(id)).toMatchObject({ state: 'completed', rows: 24 });
    expect(await rowsLying()).toEqual([`${id}.2.rows`]);
    expect(await download(id, 'csv')).toEqual(file);
    expect(await make()).toBe(false);
  });

  test('stops where it is cancelled, leaves nothing behind, and is made when it is asked for again', async () => {
    const id = await ask();
    const waiting = await ask();
    const held = stoppable();
    const making = make(held.telemetry);
    await held.isReached;
    expect(await plants.read(reportEndpoints.cancel, { ids: [id, waiting] }, agent.token)).toEqual({ done: 2 });
    held.goOn();
    await making;
    expect(await reportOf(id)).toMatchObject({ state: 'cancelled', rows: null });
    expect(await rowsLying()).toEqual([]);
    expect(await make()).toBe(false);
    await plants.read(reportEndpoints.retry, { id }, agent.token);
    expect((await plants.call(reportEndpoints.retry, { id }, agent.token)).errno).toBe(errno.reportIsOver);
    await make();
    expect(await reportOf(id)).toMatchObject({ state: 'completed', rows: 24 });
    expect(await plants.read(reportEndpoints.cancel, { ids: [id] }, agent.token)).toEqual({ done: 0 });
  });

  test('is put back when the server ends or its store is away, and is made afterwards', async () => {
    const id = await ask();
    const ending = new AbortController();
    const held = stoppable();
    const making = make(held.telemetry, ending.signal);
    await held.isReached;
    ending.abort();
    held.goOn();
    await making;
    expect(await reportOf(id)).toMatchObject({ state: 'queued' });
    const away = Object.create(plants.stores.telemetry.client) as typeof held.telemetry;
    away.exec = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
    for (let turn = 0; turn < 10; turn += 1) expect(await make(away)).toBe(true);
    expect(await reportOf(id)).toMatchObject({ state: 'queued', failure: null });
    await make();
    expect(await reportOf(id)).toMatchObject({ state: 'completed', rows: 24 });
  });

  test('that stops whoever makes it fails after so many tries, with the reason', async () => {
    const id = await ask();
    for (let turn = 0; turn < 15; turn += 1) {
      plants.time.nowMs = NOW_MS + turn * MINUTE_MS;
      const now = new Date(plants.time.nowMs);
      const begun = await plants.db
        .transaction()
        .execute((tx) => beginNext(tx, { now, heldUntil: new Date(now.getTime() + 1), atOnce: 1 }));
      expect(begun?.id).toBe(id);
    }
    plants.time.nowMs = NOW_MS + 20 * MINUTE_MS;
    await make();
    expect(await reportOf(id)).toMatchObject({ state: 'failed', failure: 'interrupted' });
  });
});

describe('a schedule', () => {
  const weekly = { every: 'weekly', weekday: 1, at: '06:00' } as const;
  const due = () => askWhatIsDue(stores(), never);
  const listed = async () => (await plants.read(reportEndpoints.scheduleList, {}, agent.token)).schedules;
  const reports = async () => (await plants.read(reportEndpoints.list, { pageSize: 50 }, agent.token)).reports;

  async function add(change: Partial<Input<typeof reportEndpoints.scheduleAdd>> = {}) {
    const { firstDay: _, lastDay: __, ...request } = wanted();
    return plants.read(reportEndpoints.scheduleAdd, { ...request, ...weekly, ...change }, agent.token);
  }

  test('asks once for each week, at six of its clock on both sides of the change to winter time, however often it is looked at', async () => {
    plants.time.nowMs = Date.UTC(2026, 9, 21, 12);
    const { nextMs } = await add();
    expect(new Date(nextMs).toISOString()).toBe('2026-10-26T05:00:00.000Z');
    plants.time.nowMs = nextMs - 1;
    expect(await due()).toBe(0);
    plants.time.nowMs = nextMs;
    expect((await Promise.all([due(), due()])).reduce((sum, each) => sum + each)).toBe(1);
    expect(await due()).toBe(0);
    // A clock that was set back, or a row that was restored, asks for none twice.
    await plants.db
      .updateTable('report_schedules')
      .set({ next_at: new Date(nextMs) })
      .execute();
    await due();
    expect(await reports()).toMatchObject([
      { name: 'Woche', firstDay: '2026-10-19', lastDay: '2026-10-25', isScheduled: true, state: 'queued' },
    ]);
    await make();
    expect((await reports())[0]).toMatchObject({ state: 'completed', rows: 7 * 24 + 1 });
    expect(await listed()).toMatchObject([{ nextMs: Date.UTC(2026, 10, 2, 5), lastMs: nextMs, isPaused: false }]);
  });

  test('that was missed asks for the last time only, is paused and goes on from now, and ends', async () => {
    plants.time.nowMs = Date.UTC(2026, 10, 4, 12);
    const { scheduleID: id } = await add({ every: 'daily', at: '23:30' });
    plants.time.nowMs = Date.UTC(2026, 10, 8, 12);
    expect(await due()).toBe(1);
    expect(await reports()).toMatchObject([{ firstDay: '2026-11-06', lastDay: '2026-11-06' }]);
    await plants.read(reportEndpoints.schedulePause, { id, isPaused: true }, agent.token);
    plants.time.nowMs = Date.UTC(2026, 10, 12, 12);
    expect(await due()).toBe(0);
    expect(await listed()).toMatchObject([{ isPaused: true, nextMs: null, can: { resume: true, pause: false } }]);
    await plants.read(reportEndpoints.schedulePause, { id, isPaused: false }, agent.token);
    expect(await listed()).toMatchObject([{ nextMs: Date.UTC(2026, 10, 12, 22, 30) }]);
    const other = await addAgent();
    for (const [endpoint, input] of [
      [reportEndpoints.scheduleEdit, { id, ...weekly }],
      [reportEndpoints.schedulePause, { id, isPaused: true }],
      [reportEndpoints.scheduleRemove, { id }],
    ] as const)
      expect((await plants.call(endpoint, input as never, other.token)).errno).toBe(errno.reportScheduleNotFound);
    await plants.read(reportEndpoints.scheduleRemove, { id }, agent.token);
    expect(await listed()).toEqual([]);
    expect(await reports()).toHaveLength(1);
  });

  test('of a month is no finer than a quarter of an hour, and has all its days', async () => {
    plants.time.nowMs = Date.UTC(2026, 9, 21, 12);
    const { firstDay: _, lastDay: __, ...request } = wanted({ interval: '5min' });
    const refused = await plants.call(
      reportEndpoints.scheduleAdd,
      { ...request, ...weekly, every: 'monthly' },
      agent.token,
    );
    expect(refused.errno).toBe(errno.reportRangeTooLong);
    const { nextMs } = await add({ every: 'monthly', interval: 'hour' });
    plants.time.nowMs = nextMs;
    await due();
    await make();
    expect(await reports()).toMatchObject([
      { firstDay: '2026-10-01', lastDay: '2026-10-31', state: 'completed', rows: 31 * 24 + 1 },
    ]);
  });

  test('stops when its account is gone, or sees nothing of it any more', async () => {
    plants.time.nowMs = NOW_MS;
    await add({ every: 'daily' });
    await plants.db.updateTable('accounts').set({ level: 2 }).where('id', '=', agent.accountId).execute();
    plants.time.nowMs = NOW_MS + 24 * HOUR_MS;
    await due();
    expect(await listed()).toMatchObject([{ stopped: 'notPermitted', nextMs: null }]);
    expect(await reports()).toEqual([]);
    await plants.db.updateTable('accounts').set({ level: 3 }).where('id', '=', agent.accountId).execute();
    await plants.db.updateTable('devices').set({ deleted_at: new Date() }).where('id', '=', device.id).execute();
    const [{ scheduleID: id } = { scheduleID: '' }] = await listed();
    await plants.read(reportEndpoints.schedulePause, { id, isPaused: false }, agent.token);
    plants.time.nowMs += 24 * HOUR_MS;
    await due();
    expect(await listed()).toMatchObject([{ stopped: 'nothingVisible', nextMs: null }]);
  });
});
