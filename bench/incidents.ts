import { setTimeout as delay } from 'node:timers/promises';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { summary } from '@sonnenwarte/contract/incidents/incident-summary';
import { incidentFields, incidentViews, list } from '@sonnenwarte/contract/incidents/incidents';
import { sortFieldsOf } from '@sonnenwarte/contract/kinds';
import { sql } from 'kysely';
import { benchmark } from './support/benchmark.ts';
import { makeDevices, makeLatest, makePlants, takeAsReckoned } from './support/fleet.ts';
import { openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';

const plants = setting('BENCH_PLANTS', 10_000, 120);
const incidents = setting('BENCH_INCIDENTS', 1_000_000, 2_000);
const failing = Math.max(3, Math.floor(plants / 100));
const tries = sized(10, 2);
const calls = sized(60, 3);
const WORST_FEW = 3;
const LONGEST_MS = 60_000;
const LONGEST_STATEMENT = 25_000;

/** The list of a million incidents in every order and by several filters, what it counts, and a region that loses the grid. */
await benchmark('incidents', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  const { db } = portal;
  bench.say(`making ${plants} plants and ${incidents} incidents`);
  await makePlants(db, 0, plants);
  await makeLatest(db, 0, plants);
  await makeDevices(db, { first: 0, count: plants }, 2, ['AC/ActivePower']);
  await takeAsReckoned(db);
  // One in a hundred stands; the others are over, by and by over two years.
  const { rows: devices } = await sql<{ id: string; site_id: string; logger_id: string }>`
    select id, site_id, logger_id from devices order by key`.execute(db);
  for (let first = 1; first <= incidents; first += LONGEST_STATEMENT) {
    const last = Math.min(incidents, first + LONGEST_STATEMENT - 1);
    await sql`
    insert into incidents (code, level, subject, site_id, device_id, logger_id, state, since, last_since, until, closed_at, times, own_wh, lost_wh, lost_money, currency, reckoned_at)
    select (array[1001, 1005, 2006, 3001, 3002, 4007, 5003, 5004])[1 + n % 8], 1 + n % 4, gen_random_uuid(), d.site_id, d.id, d.logger_id,
      case when n % 100 = 0 then 'open' else 'closed' end, t.since, t.since,
      case when n % 100 > 0 then t.since + interval '1 hour' end, case when n % 100 > 0 then t.since + interval '2 hours' end,
      1 + n % 5, n * 7919::bigint % 90000, case when n % 11 > 0 then n * 7919::bigint % 90000 end, n * 7919::bigint % 90000 / 10000.0, 'EUR', now()
    from generate_series(${first}::int, ${last}::int) n
      join unnest(${devices.map(({ id }) => id)}::uuid[], ${devices.map(({ site_id }) => site_id)}::uuid[],
        ${devices.map(({ logger_id }) => logger_id)}::uuid[]) with ordinality as d (id, site_id, logger_id, place) on d.place = 1 + n % ${devices.length}::int
      cross join lateral (select now() - n * interval '63 seconds' as since) t`.execute(db);
  }
  await sql`vacuum analyze incidents, sites, devices, loggers`.execute(db);
  await portal.longestStallMs();

  const page = { pageSize: 50 } as const;
  const asked: { name: string; input: Input<typeof list> }[] = [];
  for (const view of incidentViews) {
    for (const field of sortFieldsOf(incidentFields)) {
      for (const order of ['asc', 'desc'] as const) {
        asked.push({
          name: `${view} by ${field} ${order}`,
          input: { ...page, condition: { view }, sort: { field, order } },
        });
      }
    }
    for (const [name, condition] of Object.entries({
      'of level 4': { levels: [4] },
      'of a code': { code: 3001 },
      'of a name': { content: 'fan' },
      'of a plant': { content: '0042' },
      'of nothing': { content: 'xyzzy' },
      'of a month': { fromMs: Date.now() - 60 * 86_400_000, toMs: Date.now() - 30 * 86_400_000 },
    } satisfies Record<string, Input<typeof list>['condition']>)) {
      asked.push({ name: `${view} ${name}`, input: { ...page, condition: { view, ...condition } } });
    }
  }
  const tried: { p95: number; name: string; call: () => Promise<unknown> }[] = [];
  for (const { name, input } of asked) {
    const call = () => portal.call(list, input);
    tried.push({ name, call, p95: percentiles(await timed(tries, call)).p95 });
  }
  tried.sort((one, other) => other.p95 - one.p95);
  let worst = { p95: -1, detail: '' };
  for (const { name, call } of tried.slice(0, WORST_FEW)) {
    const { p50, p95, max } = percentiles(await timed(calls, call));
    const detail = `slowest of ${tried.length}: ${name}; p50 ${shown(p50)} ms, slowest ${shown(max)} ms`;
    bench.say(detail);
    if (p95 > worst.p95) worst = { p95, detail };
  }
  bench.tell('incidents.list', worst.p95, worst.detail);
  const counted = percentiles(await timed(calls, () => portal.call(summary, {})));
  bench.tell('incidents.summary', counted.p95, `p50 ${shown(counted.p50)} ms`);
  bench.tell('incidents.stall', await portal.longestStallMs());

  await sql`update sites set postcode = '85354', country = 'DE' where id in (select id from sites order by key limit ${failing})`.execute(
    db,
  );
  const startedMs = performance.now();
  await sql`
    insert into alarms (device_id, site_id, code, level, since)
    select distinct on (d.site_id) d.id, d.site_id, 1005, 3, now() from devices d join sites s on s.id = d.site_id
    where s.postcode = '85354' and not exists (select from incidents i where i.site_id = s.id and i.code = 1005 and i.state = 'open')
    order by d.site_id, d.key`.execute(db);
  const region = () => portal.call(list, { ...page, condition: { content: '85354' } });
  for (;;) {
    const found = (await region()) as { incidents: { region: string; plants: number }[] };
    const [one] = found.incidents.filter((each) => each.region !== '');
    if (one !== undefined) {
      bench.tell(
        'incidents.region',
        (performance.now() - startedMs) / 1_000,
        `${one.plants} plants, ${found.incidents.length} incident`,
      );
      break;
    }
    if (performance.now() - startedMs > LONGEST_MS) throw new Error('the region is no incident');
    await delay(50);
  }
  const after = percentiles(await timed(calls, () => portal.call(list, { ...page, condition: {} })));
  bench.tell('incidents.region.list', after.p95, `p50 ${shown(after.p50)} ms`);
  bench.tell('incidents.region.stall', await portal.longestStallMs());
});
