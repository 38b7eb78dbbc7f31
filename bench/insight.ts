import { attention } from '@sonnenwarte/contract/fleet/fleet';
import { list as devOps, devOpsFields, evidence } from '@sonnenwarte/contract/insight/insight';
import { sortFieldsOf } from '@sonnenwarte/contract/kinds';
import { list } from '@sonnenwarte/contract/sites/sites';
import { sql } from 'kysely';
import { rawTableOf } from '../apps/server/src/stores/telemetry-tables.ts';
import { points } from './load/series.ts';
import { benchmark } from './support/benchmark.ts';
import { makeDevices, makeLatest, makePlants } from './support/fleet.ts';
import { type BenchPortal, openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { telemetry } from './support/telemetry.ts';
import { timed } from './support/timed.ts';

const plants = setting('BENCH_PLANTS', 10_000, 300);
const calls = sized(100, 3);
const kept = sized(30, 3);
const DAY_S = 86_400;
const BUCKETS = 288;
const LOOK_MS = 200;

/** Midnight of the last day that is over in every zone, s. */
const dayS = (Math.floor(Date.now() / 1_000 / DAY_S) - 2) * DAY_S;
const day = new Date(dayS * 1_000).toISOString().slice(0, 10);

/** Power of the n-th plant, W: the sun of a day in the middle of Europe; one in fifty gives a third less. */
const powerSql = (n: string) =>
  `(5 + ${n} % 40) * 700. * if(${n} % 50 = 0, 0.66, 1) * greatest(0, sin(pi() * ((at_s - ${dayS}) / 3600 - 5) / 13))`;

/** Rows that one statement makes: a store of a small portal holds no more at once. */
const ROWS_AT_ONCE = 120_000;

/** A day of all plants as it is stored: their sums, their inverters, and what these told of three strings every five minutes. */
async function storeDay(dataDir: string): Promise<void> {
  const steps = (name: string, value: string): [column: string, sql: string][] =>
    rawTableOf('inverter')
      .numbers.filter(({ point }) => point.name === name)
      .map(({ column, point }) => [column, `toInt32(round((${value}) * ${point.steps}))`]);
  const columns = [
    ...[1, 2, 3].flatMap((string) => steps(`DC/String${string}/Current`, 'w / 1800')),
    ...steps('DC/Mppt1/Voltage', '600'),
    ...steps('DC/Mppt1/Current', 'w / 600'),
    ...steps('DC/Mppt1/Power', 'w'),
  ];
  // Zones reach over both ends of the day.
  const rows = plants * BUCKETS * 2;
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const told = `(SELECT n, at_s, ${powerSql('n')} AS w FROM
      (SELECT ${dayS - DAY_S / 2} + intDiv(number, ${plants}) * 300 AS at_s, number % ${plants} + 1 AS n
      FROM numbers(${from}, ${Math.min(ROWS_AT_ONCE, rows - from)}))) SETTINGS max_threads = 1`;
    await telemetry(
      dataDir,
      `INSERT INTO site_5m (site, ts, version, pv_w, load_w, grid_w, battery_w)
        SELECT n, toDateTime(at_s, 'UTC'), 1, w, 2000, 2000 - w, 0 FROM ${told}`,
    );
    await telemetry(
      dataDir,
      `INSERT INTO device_5m (device, ts, version, samples, ac_w, pv_w)
        SELECT n, toDateTime(at_s, 'UTC'), 1, 5, w, w / 0.97 FROM ${told}`,
    );
    await telemetry(
      dataDir,
      `INSERT INTO raw_inverter (device, ts, received, ${columns.map(([column]) => column).join(', ')})
        SELECT n, toDateTime64(at_s, 3, 'UTC'), toDateTime64(at_s, 3, 'UTC'), ${columns.map(([, value]) => value).join(', ')}
        FROM ${told}`,
    );
  }
}

/** The day is noted as one that has ended, as the turn of it does; answers once all is reckoned how long that took, s. */
async function reckon(portal: BenchPortal, meanwhile: () => Promise<void>): Promise<number> {
  await sql`insert into insight_due (site_id, day, noted_at) select id, ${day}::date, 'epoch' from sites`.execute(
    portal.db,
  );
  const left = async (): Promise<number> => {
    const { rows } = await sql<{ left: number }>`select count(*)::int as left from insight_due`.execute(portal.db);
    return rows[0]?.left ?? 0;
  };
  while ((await left()) === plants) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const startedMs = performance.now();
  while ((await left()) > 0) await meanwhile();
  return (performance.now() - startedMs) / 1_000;
}

/** Plants held against what they could have given: a day of all of them in the background, and what people ask of it. */
await benchmark('insight', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  bench.say(`making ${plants} plants and a day of them`);
  await makePlants(portal.db, 1, plants);
  // Nothing but the day is due.
  await sql`insert into insight_turns (time_zone, day, filled_to, is_filled)
    select distinct time_zone, current_date, current_date, true from sites on conflict do nothing`.execute(portal.db);
  await sql`delete from insight_due`.execute(portal.db);
  await makeLatest(portal.db, 1, plants);
  await makeDevices(
    portal.db,
    { first: 1, count: plants },
    1,
    points.map(({ name }) => name),
  );
  await storeDay(portal.dataDir);
  await portal.longestStallMs();

  bench.say('reckoning it');
  const reads: number[] = [];
  const seconds = await reckon(portal, async () => {
    const startedMs = performance.now();
    await portal.call(list, { pageSize: 50, sort: { field: 'pvPowerW', order: 'desc' } });
    reads.push(performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  });
  bench.tell('insight.day', seconds);
  bench.tell('insight.reads', percentiles(reads).p95, `${reads.length} calls`);
  bench.tell('insight.stall', await portal.longestStallMs());

  for (let back = 1; back < kept; back += 1)
    await telemetry(
      portal.dataDir,
      `INSERT INTO site_insight SELECT * REPLACE (day - ${back} AS day) FROM site_insight WHERE day = '${day}'`,
    );
  const sorts = sortFieldsOf(devOpsFields);
  const condition = { first: new Date((dayS - (kept - 1) * DAY_S) * 1_000).toISOString().slice(0, 10), last: day };
  const told = async (name: 'devOps' | 'attention' | 'evidence', call: (at: number) => Promise<unknown>) => {
    const { p50, p95, max } = percentiles(await timed(calls, call));
    bench.tell(`insight.${name}`, p95, `p50 ${shown(p50)} ms, slowest ${shown(max)} ms`);
  };
  await told('devOps', (at) =>
    portal.call(devOps, {
      condition,
      pageSize: 50,
      sort: { field: sorts[at % sorts.length] ?? 'lossWh', order: at % 2 === 0 ? 'asc' : 'desc' },
    }),
  );
  await told('attention', () => portal.call(attention, {}));
  const { plants: shownPlants } = await portal.call(devOps, { condition });
  await told('evidence', (at) =>
    portal.call(evidence, { stationID: shownPlants[at % shownPlants.length]?.stationID ?? '', date: day }),
  );
});
