import { sortFieldsOf } from '@sonnenwarte/contract/kinds';
import { accountListFields, list } from '@sonnenwarte/contract/user-management/user-management';
import { sql } from 'kysely';
import { benchmark } from './support/benchmark.ts';
import { type Db, openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';

const accounts = setting('BENCH_ACCOUNTS', 100_000, 500);
const organisations = sized(2_000, 20);
const calls = setting('BENCH_PEOPLE_CALLS', 100, 3);

/** Distributors, agents and installers under the platform, with owners spread over the installers. */
async function makePeople(db: Db): Promise<void> {
  await sql`
    with platform as (select id, path from organisations where kind = 'platform'),
    d as (insert into organisations (id, parent_id, kind, name, country, path)
      select made.id, p.id, 'distributor', 'Distributor ' || made.n, 'DE', p.path || made.id
      from platform p, (select gen_random_uuid() as id, n from generate_series(1, 10) n) made returning id, path),
    nd as (select id, path, row_number() over (order by id) as n from d),
    a as (insert into organisations (id, parent_id, kind, name, country, path)
      select made.id, nd.id, 'agent', 'Agent ' || made.n, 'DE', nd.path || made.id
      from (select gen_random_uuid() as id, n from generate_series(1, 100) n) made join nd on nd.n = 1 + made.n % 10
      returning id, path),
    na as (select id, path, row_number() over (order by id) as n from a)
    insert into organisations (id, parent_id, kind, name, country, path)
      select made.id, na.id, 'installer', 'Installer ' || made.n, 'DE', na.path || made.id
      from (select gen_random_uuid() as id, n from generate_series(1, ${organisations}::int) n) made
      join na on na.n = 1 + made.n % 100`.execute(db);
  await sql`
    with installers as (select id, row_number() over (order by id) as n, count(*) over () as total
      from organisations where kind = 'installer')
    insert into accounts (organisation_id, username, email, phone, password_hash, level, name, country, created_at,
      last_sign_in_at, disabled_at)
    select i.id, 'owner' || g.n, 'owner' || g.n || '@example.org', case when g.n % 3 > 0 then '+49 30 ' || 1000000 + g.n % 900000 else '' end, '', 1,
      case when g.n % 5 > 0 then 'Name ' || md5(g.n::text) else '' end, (array['DE', 'AT', 'CH', 'IT', ''])[1 + g.n % 5],
      now() - g.n * interval '1 minute', case when g.n % 4 > 0 then now() - (g.n * 7919 % 100000) * interval '1 minute' end,
      case when g.n % 50 = 0 then now() end
    from generate_series(1, ${accounts}::int) g (n) join installers i on i.n = 1 + g.n % i.total`.execute(db);
  await sql`vacuum analyze organisations, accounts`.execute(db);
}

await benchmark('people', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  bench.say(`making ${accounts} accounts`);
  await makePeople(portal.db);
  await portal.longestStallMs();
  const pages = [1, Math.floor(accounts / 50 / 2)];
  let worst = { p95: -1, detail: '' };
  for (const field of sortFieldsOf(accountListFields)) {
    for (const order of ['asc', 'desc'] as const) {
      for (const currentPage of pages) {
        const input = { pageSize: 50 as const, currentPage, sort: { field, order } };
        const { p50, p95, max } = percentiles(await timed(calls, () => portal.call(list, input)));
        const detail = `${field} ${order}, page ${currentPage}: p50 ${shown(p50)} ms, p95 ${shown(p95)} ms, slowest ${shown(max)} ms`;
        bench.say(detail);
        if (p95 > worst.p95) worst = { p95, detail };
      }
    }
  }
  bench.tell('people.list', worst.p95, worst.detail);
  const conditions = [
    ['one account', (at: number) => ({ content: `owner${1_000 + at}` })],
    ['every account', () => ({ content: 'owner' })],
    ['no account', () => ({ content: 'nobody' })],
    ['two letters', () => ({ content: 'ow' })],
    ['disabled', () => ({ state: 'disabled' as const })],
    ['of a country', () => ({ country: 'AT' })],
    ['of a level', () => ({ level: 1 as const })],
  ] as const;
  let worstSearch = { p95: -1, detail: '' };
  for (const [name, condition] of conditions) {
    const { p50, p95 } = percentiles(await timed(calls, (at) => portal.call(list, { condition: condition(at) })));
    const detail = `${name}: p50 ${shown(p50)} ms, p95 ${shown(p95)} ms`;
    bench.say(detail);
    if (p95 > worstSearch.p95) worstSearch = { p95, detail };
  }
  bench.tell('people.search', worstSearch.p95, worstSearch.detail);
  bench.tell('people.stall', await portal.longestStallMs());
});
