import { find } from '@sonnenwarte/contract/search/search';
import { sql } from 'kysely';
import { benchmark } from './support/benchmark.ts';
import { makeDevices, makeLatest, makePlants } from './support/fleet.ts';
import { dataloggerSn, deviceSn } from './support/names.ts';
import { openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';

const plants = setting('BENCH_PLANTS', 100_000, 200);
const people = sized(20_000, 50);
const calls = setting('BENCH_PALETTE_CALLS', 100, 3);

/** The search over everything, as somebody types: at the beginning of all names, of one, within one, and of none. */
await benchmark('palette', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  bench.say(`making ${plants} plants`);
  await makePlants(portal.db, 0, plants);
  await makeLatest(portal.db, 0, plants);
  await makeDevices(portal.db, { first: 0, count: plants }, 1, ['AC/ActivePower']);
  await sql`insert into accounts (organisation_id, username, email, password_hash, level, name)
    select organisations.id, 'owner' || n, 'owner' || n || '@example.org', '', 1, 'Name ' || md5(n::text)
    from generate_series(1, ${people}::int) n, (select id from organisations where kind = 'installer' limit 1) organisations`.execute(
    portal.db,
  );
  await sql`vacuum analyze sites, devices, loggers, accounts, site_latest`.execute(portal.db);
  await portal.longestStallMs();
  const some = (at: number) => (at * 7_919) % plants;
  const queries = [
    ['one letter', () => 'p'],
    ['the beginning of all plants', () => 'plant'],
    ['a part of all plants', () => 'lant 00'],
    ['a part of one plant', (at: number) => String(some(at)).padStart(7, '0').slice(1)],
    ['a whole name', (at: number) => `Plant ${String(some(at)).padStart(7, '0')}`],
    ['the number of a device', (at: number) => deviceSn(some(at), 0)],
    ['the last digits of a datalogger', (at: number) => dataloggerSn(some(at)).slice(-6)],
    ['somebody', (at: number) => `owner${1 + (at % people)}`],
    ['nothing', () => 'xyzzy'],
  ] as const;
  let worst = { p95: -1, detail: '' };
  for (const [name, content] of queries) {
    const { p50, p95, max } = percentiles(await timed(calls, (at) => portal.call(find, { content: content(at) })));
    const detail = `${name}: p50 ${shown(p50)} ms, p95 ${shown(p95)} ms, slowest ${shown(max)} ms`;
    bench.say(detail);
    if (p95 > worst.p95) worst = { p95, detail };
  }
  bench.tell('palette.find', worst.p95, worst.detail);
  bench.tell('palette.stall', await portal.longestStallMs());
});
