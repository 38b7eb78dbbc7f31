import type { Input } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { reportEndpoints } from '@sonnenwarte/contract/reports/reports';
import { beforeEach, describe, expect, test } from 'vitest';
import { csvRows, HOUR_MS, MINUTE_MS, NOW_MS, never, ownReports } from '../testing/reports-fixture.ts';
import { beginNext } from './reports.store.ts';
import { askWhatIsDue } from './schedules.service.ts';

const own = ownReports();
const { addAgent, tell, wanted, stores, make, ask, reportOf, download, rowsLying } = own;

describe('a report that is made', () => {
  /** A telemetry store that stops at a question until it is let go on. */
  function stoppable() {
    const { client } = own.plants.stores.telemetry;
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

  beforeEach(() => tell(own.device, [{ atMs: Date.UTC(2026, 10, 10, 8), powerW: 5 }]));

  test('whose maker is killed in the middle is made anew, once, and ends with one whole file; the first that comes back changes nothing', async () => {
    const id = await ask();
    const first = stoppable();
    const killed = make(first.telemetry);
    await first.isReached;
    expect(await reportOf(id)).toMatchObject({ state: 'processing' });
    // Whoever makes it lives, as far as anybody knows.
    expect(await make()).toBe(false);
    expect((await own.plants.call(reportEndpoints.download, { id }, own.agent.token)).errno).toBe(errno.reportNotReady);
    own.plants.time.nowMs = NOW_MS + MINUTE_MS;
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
    expect(await own.plants.read(reportEndpoints.cancel, { ids: [id, waiting] }, own.agent.token)).toEqual({ done: 2 });
    held.goOn();
    await making;
    expect(await reportOf(id)).toMatchObject({ state: 'cancelled', rows: null });
    expect(await rowsLying()).toEqual([]);
    expect(await make()).toBe(false);
    await own.plants.read(reportEndpoints.retry, { id }, own.agent.token);
    expect((await own.plants.call(reportEndpoints.retry, { id }, own.agent.token)).errno).toBe(errno.reportIsOver);
    await make();
    expect(await reportOf(id)).toMatchObject({ state: 'completed', rows: 24 });
    expect(await own.plants.read(reportEndpoints.cancel, { ids: [id] }, own.agent.token)).toEqual({ done: 0 });
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
    const away = Object.create(own.plants.stores.telemetry.client) as typeof held.telemetry;
    away.exec = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
    for (let turn = 0; turn < 10; turn += 1) expect(await make(away)).toBe(true);
    expect(await reportOf(id)).toMatchObject({ state: 'queued', failure: null });
    await make();
    expect(await reportOf(id)).toMatchObject({ state: 'completed', rows: 24 });
  });

  test('holds all that was told once and in order, from days of many samples, of few and of none', async () => {
    const day = (date: number) => Date.UTC(2026, 10, date) - HOUR_MS;
    const told = [
      ...Array.from({ length: 30 }, (_, at) => ({ atMs: day(11) + at * MINUTE_MS, powerW: at })),
      ...Array.from({ length: 17_280 }, (_, at) => ({ atMs: day(13) + at * 5_000, powerW: at % 5_000 })),
    ];
    await tell(own.device, told);
    const id = await ask({ interval: 'raw', firstDay: '2026-11-11', lastDay: '2026-11-13' });
    await make();
    const [header = [], ...rows] = csvRows(await download(id, 'csv'));
    const time = header.findIndex((name) => name.includes('UTC'));
    expect(rows.map((row) => [Date.parse(row[time] ?? ''), Number(row[time + 1])])).toEqual(
      told.map(({ atMs, powerW }) => [atMs, powerW]),
    );
  });

  test('that stops whoever makes it fails after so many tries, with the reason', async () => {
    const id = await ask();
    for (let turn = 0; turn < 15; turn += 1) {
      own.plants.time.nowMs = NOW_MS + turn * MINUTE_MS;
      const now = new Date(own.plants.time.nowMs);
      const begun = await own.plants.db
        .transaction()
        .execute((tx) => beginNext(tx, { now, heldUntil: new Date(now.getTime() + 1), atOnce: 1 }));
      expect(begun?.id).toBe(id);
    }
    own.plants.time.nowMs = NOW_MS + 20 * MINUTE_MS;
    await make();
    expect(await reportOf(id)).toMatchObject({ state: 'failed', failure: 'interrupted' });
  });
});

describe('a schedule', () => {
  const weekly = { every: 'weekly', weekday: 1, at: '06:00' } as const;
  const due = () => askWhatIsDue(stores(), never);
  const listed = async () => (await own.plants.read(reportEndpoints.scheduleList, {}, own.agent.token)).schedules;
  const reports = async () => (await own.plants.read(reportEndpoints.list, { pageSize: 50 }, own.agent.token)).reports;

  async function add(change: Partial<Input<typeof reportEndpoints.scheduleAdd>> = {}) {
    const { firstDay: _, lastDay: __, ...request } = wanted();
    return own.plants.read(reportEndpoints.scheduleAdd, { ...request, ...weekly, ...change }, own.agent.token);
  }

  test('asks once for each week, at six of its clock on both sides of the change to winter time, however often it is looked at', async () => {
    own.plants.time.nowMs = Date.UTC(2026, 9, 21, 12);
    const { nextMs } = await add();
    expect(new Date(nextMs).toISOString()).toBe('2026-10-26T05:00:00.000Z');
    own.plants.time.nowMs = nextMs - 1;
    expect(await due()).toBe(0);
    own.plants.time.nowMs = nextMs;
    expect((await Promise.all([due(), due()])).reduce((sum, each) => sum + each)).toBe(1);
    expect(await due()).toBe(0);
    // A clock that was set back, or a row that was restored, asks for none twice.
    await own.plants.db
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
    own.plants.time.nowMs = Date.UTC(2026, 10, 4, 12);
    const { scheduleID: id } = await add({ every: 'daily', at: '23:30' });
    own.plants.time.nowMs = Date.UTC(2026, 10, 8, 12);
    expect(await due()).toBe(1);
    expect(await reports()).toMatchObject([{ firstDay: '2026-11-06', lastDay: '2026-11-06' }]);
    await own.plants.read(reportEndpoints.schedulePause, { id, isPaused: true }, own.agent.token);
    own.plants.time.nowMs = Date.UTC(2026, 10, 12, 12);
    expect(await due()).toBe(0);
    expect(await listed()).toMatchObject([{ isPaused: true, nextMs: null, can: { resume: true, pause: false } }]);
    await own.plants.read(reportEndpoints.schedulePause, { id, isPaused: false }, own.agent.token);
    expect(await listed()).toMatchObject([{ nextMs: Date.UTC(2026, 10, 12, 22, 30) }]);
    const other = await addAgent();
    for (const [endpoint, input] of [
      [reportEndpoints.scheduleEdit, { id, ...weekly }],
      [reportEndpoints.schedulePause, { id, isPaused: true }],
      [reportEndpoints.scheduleRemove, { id }],
    ] as const)
      expect((await own.plants.call(endpoint, input as never, other.token)).errno).toBe(errno.reportScheduleNotFound);
    await own.plants.read(reportEndpoints.scheduleRemove, { id }, own.agent.token);
    expect(await listed()).toEqual([]);
    expect(await reports()).toHaveLength(1);
  });

  test('of a month is no finer than a quarter of an hour, and has all its days', async () => {
    own.plants.time.nowMs = Date.UTC(2026, 9, 21, 12);
    const { firstDay: _, lastDay: __, ...request } = wanted({ interval: '5min' });
    const refused = await own.plants.call(
      reportEndpoints.scheduleAdd,
      { ...request, ...weekly, every: 'monthly' },
      own.agent.token,
    );
    expect(refused.errno).toBe(errno.reportRangeTooLong);
    const { nextMs } = await add({ every: 'monthly', interval: 'hour' });
    own.plants.time.nowMs = nextMs;
    await due();
    await make();
    expect(await reports()).toMatchObject([
      { firstDay: '2026-10-01', lastDay: '2026-10-31', state: 'completed', rows: 31 * 24 + 1 },
    ]);
  });

  test('stops when its account is gone, or sees nothing of it any more', async () => {
    own.plants.time.nowMs = NOW_MS;
    await add({ every: 'daily' });
    await own.plants.db.updateTable('accounts').set({ level: 2 }).where('id', '=', own.agent.accountId).execute();
    own.plants.time.nowMs = NOW_MS + 24 * HOUR_MS;
    await due();
    expect(await listed()).toMatchObject([{ stopped: 'notPermitted', nextMs: null }]);
    expect(await reports()).toEqual([]);
    await own.plants.db.updateTable('accounts').set({ level: 3 }).where('id', '=', own.agent.accountId).execute();
    await own.plants.db
      .updateTable('devices')
      .set({ deleted_at: new Date() })
      .where('id', '=', own.device.id)
      .execute();
    const [{ scheduleID: id } = { scheduleID: '' }] = await listed();
    await own.plants.read(reportEndpoints.schedulePause, { id, isPaused: false }, own.agent.token);
    own.plants.time.nowMs += 24 * HOUR_MS;
    await due();
    expect(await listed()).toMatchObject([{ stopped: 'nothingVisible', nextMs: null }]);
  });
});
