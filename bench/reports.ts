import { setTimeout as delay } from 'node:timers/promises';
import { series } from '@sonnenwarte/contract/analysis/analysis';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { reportFormats } from '@sonnenwarte/contract/reports/report';
import { create, detail, download, list } from '@sonnenwarte/contract/reports/reports';
import { list as plantList } from '@sonnenwarte/contract/sites/sites';
import { sql } from 'kysely';
import { signedRequest } from '../apps/server/src/testing/portal.ts';
import { points } from './load/series.ts';
import { benchmark } from './support/benchmark.ts';
import { knownDevices, makeDevices, makeLatest, makePlants } from './support/fleet.ts';
import { storeHistory } from './support/history.ts';
import { openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { sized } from './support/settings.ts';
import { memoryMiB } from './support/usage.ts';

const DAY_MS = 86_400_000;
const devices = sized(10, 2);
const variables = sized(20, 3);
const days = sized(15, 2);
const runs = sized(3, 1);
const accounts = sized(5, 2);
const ofEach = sized(20, 2);
const LOOK_MS = 50;
const READ_EVERY_MS = 25;

/** A report of 15 days, 10 devices and 20 variables as it was recorded, its files, and a hundred that are asked for at once while the portal is read. */
await benchmark('reports', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  const { db, pid } = portal;
  const names = points.map(({ name }) => name);
  await makePlants(db, 1, devices);
  await makeLatest(db, 1, devices);
  await makeDevices(db, { first: 1, count: devices }, 1, names);
  const known = await knownDevices(db);
  const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - (days + 1) * DAY_MS;
  await storeHistory({
    dataDir: portal.dataDir,
    devices: known,
    startMs,
    days: days + 1,
    stepS: 60,
    stored: () => undefined,
  });
  const dayOf = (day: number) => new Date(startMs + day * DAY_MS).toISOString().slice(0, 10);
  const whole: Input<typeof create> = {
    name: 'Bench',
    source: 'devices',
    deviceIDs: known.map(({ id }) => id),
    variables: names.slice(0, variables).map((name) => `inverter:${name}`),
    interval: 'raw',
    firstDay: dayOf(1),
    lastDay: dayOf(days),
  };

  async function made(id: string): Promise<number> {
    for (;;) {
      const { report } = await portal.call(detail, { id });
      if (report.state === 'completed') return report.rows ?? 0;
      if (report.state !== 'queued' && report.state !== 'processing')
        throw new Error(`${report.state} ${report.failure}`);
      await delay(LOOK_MS);
    }
  }

  await portal.longestStallMs();
  const seconds: number[] = [];
  const grown: number[] = [];
  let rows = 0;
  let reportID = '';
  for (let run = 0; run < runs; run += 1) {
    const before = memoryMiB(pid, false);
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, memoryMiB(pid, false));
    }, LOOK_MS);
    const beganMs = performance.now();
    ({ reportID } = await portal.call(create, whole));
    rows = await made(reportID);
    seconds.push((performance.now() - beganMs) / 1_000);
    clearInterval(watch);
    grown.push(peak - before);
  }
  if (rows === 0) throw new Error('the report is empty');
  bench.tell('reports.made', percentiles(seconds).p50, `${rows} rows, ${rows * variables} values`);
  bench.tell('reports.memory', Math.max(...grown), 'of the server, above what it had before');
  bench.tell('reports.stall', await portal.longestStallMs());

  const token = await portal.session();
  for (const format of reportFormats) {
    const beganMs = performance.now();
    const [url, init] = signedRequest(portal.url, download, { id: reportID, format }, { token });
    const file = await (await fetch(url, init)).arrayBuffer();
    bench.tell(`reports.${format}`, (performance.now() - beganMs) / 1_000, `${shown(file.byteLength / 1e6)} MB`);
  }
  bench.tell('reports.files.stall', await portal.longestStallMs());

  const users = Array.from({ length: accounts }, (_, place) => `bench-reports-${place}`);
  for (const user of users) {
    await sql`insert into accounts (organisation_id, username, email, password_hash, level, leads)
      select organisation_id, ${user}, ${`${user}@example.org`}, password_hash, level, leads from accounts where username = 'bench'`.execute(
      db,
    );
  }
  const calls = await Promise.all(users.map((user) => portal.callsOf(user)));
  const small: Input<typeof create> = {
    ...whole,
    deviceIDs: whole.deviceIDs?.slice(0, 1) ?? [],
    variables: whole.variables.slice(0, 5),
  };
  const beganMs = performance.now();
  const asked = calls.flatMap((call) => Array.from({ length: ofEach }, () => call(create, small)));
  const times: number[] = [];
  let isDone = false;
  const reads = (async () => {
    for (let turn = 0; !isDone; turn += 1) {
      const startedMs = performance.now();
      if (turn % 2 === 0) await portal.call(plantList, { pageSize: 50 });
      else
        await portal.call(series, {
          deviceIDs: [known[turn % known.length]?.id ?? ''],
          curves: names.slice(0, 6).map((variable) => ({ of: 0, variable })),
          firstDay: dayOf(1 + (turn % days)),
          lastDay: dayOf(1 + (turn % days)),
        });
      times.push(performance.now() - startedMs);
      await delay(READ_EVERY_MS);
    }
  })();
  await Promise.all(asked);
  for (;;) {
    const { total } = await portal.call(list, { condition: { whose: 'all', states: ['queued', 'processing'] } });
    if (total === 0) break;
    await delay(LOOK_MS);
  }
  const all = (performance.now() - beganMs) / 1_000;
  isDone = true;
  await reads;
  const { rows: finished } = await sql<{ state: string; number: number }>`
    select state, number::int as number from reports where account_id <> (select id from accounts where username = 'bench')
    order by finished_at, number`.execute(db);
  const wrong = finished.filter(
    ({ state, number }, place) => state !== 'completed' || number < (finished[place - 1]?.number ?? 0),
  );
  bench.tell('reports.hundred', all, `${finished.length} reports`);
  bench.tell('reports.hundred.wrong', wrong.length, 'not completed, or before one that was asked for earlier');
  const { p50, p95, max } = percentiles(times);
  bench.tell('reports.reads', p95, `p50 ${shown(p50)} ms, slowest ${shown(max)} ms of ${times.length}`);
  bench.tell('reports.hundred.stall', await portal.longestStallMs());
});
