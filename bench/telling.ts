import { setTimeout as delay } from 'node:timers/promises';
import { add, preview, type RuleTerms } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { unread } from '@sonnenwarte/contract/messages/messages';
import { sql } from 'kysely';
import { benchmark } from './support/benchmark.ts';
import { makeDevices, makeDistributor, makeLatest, makePlants, takeAsReckoned } from './support/fleet.ts';
import { administrator, openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';

const plants = setting('BENCH_PLANTS', 10_000, 120);
const storm = Math.max(10, Math.floor(plants / 10));
const past = setting('BENCH_PAST', 100_000, 500);
const calls = sized(60, 3);
const LONGEST_MS = 120_000;

const terms: RuleTerms = {
  name: 'Faults',
  levels: [3, 4],
  codes: [],
  organisationID: null,
  stationID: null,
  delayMinutes: 1,
  channels: ['inbox', 'email'],
  mode: 'atOnce',
  digestAt: '',
  quietFrom: '',
  quietTo: '',
  criticalAlways: true,
  tellsEnd: true,
  escalateMinutes: null,
  escalateTo: [],
  receivers: [],
};

/** A thousand plants of ten thousand that fail at once, of which two people are told, and what that costs. */
await benchmark('telling', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  const { db } = portal;
  bench.say(`making ${plants} plants and ${past} incidents of before`);
  await makePlants(db, 0, plants);
  await makeLatest(db, 0, plants);
  await makeDevices(db, { first: 0, count: plants }, 1, ['AC/ActivePower']);
  await takeAsReckoned(db);
  await sql`
    insert into incidents (code, level, subject, site_id, device_id, logger_id, state, since, last_since, until, closed_at)
    select 3001, 1 + n % 4, gen_random_uuid(), d.site_id, d.id, d.logger_id, 'closed', t.since, t.since,
      t.since + interval '1 hour', t.since + interval '2 hours'
    from generate_series(1, ${past}::int) n
      join (select id, site_id, logger_id, row_number() over (order by key) as place from devices) as d on d.place = 1 + n % ${plants}::int
      cross join lateral (select now() - n * interval '20 seconds' as since) t`.execute(db);
  await sql`vacuum analyze incidents, sites, devices`.execute(db);
  const distributor = await portal.callsOf(await makeDistributor(db, administrator.user));
  await sql`update accounts set email_confirmed_at = now()`.execute(db);
  for (const call of [portal.call, distributor]) await call(add, terms);

  const shownBefore = percentiles(await timed(calls, () => portal.call(preview, terms)));
  bench.tell('telling.preview', shownBefore.p95, `p50 ${shown(shownBefore.p50)} ms`);
  await portal.longestStallMs();

  const startedMs = performance.now();
  // They began a while ago: what is told waits for no delay.
  await sql`
    insert into incidents (code, level, subject, site_id, device_id, logger_id, state, since, last_since)
    select 3001, 3, d.id, d.site_id, d.id, d.logger_id, 'open', now() - interval '5 minutes', now() - interval '5 minutes'
    from devices d order by d.key limit ${storm}`.execute(db);
  for (;;) {
    const { rows } = await sql<{ told: number }>`
      select count(*)::int as told from alarm_tellings where state = 'told'`.execute(db);
    if (rows[0]?.told === 4 * storm) break;
    if (performance.now() - startedMs > LONGEST_MS) throw new Error(`${rows[0]?.told} of ${4 * storm} are told`);
    await delay(100);
  }
  bench.tell('telling.storm', (performance.now() - startedMs) / 1_000, `${storm} incidents, 2 receivers, 2 ways each`);
  const { rows } = await sql<{ most: number }>`
    select max(count)::int as most from (select count(*) from alarm_deliveries group by account_id, channel) as counted`.execute(
    db,
  );
  bench.tell('telling.deliveries', rows[0]?.most ?? 0);
  const counted = percentiles(await timed(calls, () => portal.call(unread, {})));
  bench.tell('telling.unread', counted.p95, `p50 ${shown(counted.p50)} ms`);
  bench.tell('telling.stall', await portal.longestStallMs());
});
