import type { ClickHouseClient } from '@clickhouse/client';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { laterPricesAt } from '../sites/prices.store.ts';
import { visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';

/** Energy of five minutes above a limit, by plant (what it fed in) or by device (what it gave). */
export type Measured = 'site' | 'device';

const source = {
  site: { table: 'site_5m', key: 'site', energy: 'export_wh' },
  device: { table: 'device_5m', key: 'device', energy: 'ac_out_wh' },
} as const;

const DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Wh a day that were above a limit in the last 30 days, by key; the mean over the days that are recorded. A key of which nothing is recorded is not
 * in it. Each key has its own limit in W.
 */
export async function aboveLimit(
  telemetry: ClickHouseClient,
  measured: Measured,
  limits: ReadonlyMap<number, number>,
  nowMs: number,
): Promise<Map<number, number>> {
  if (limits.size === 0) return new Map();
  const { table, key, energy } = source[measured];
  const answer = await telemetry.query({
    query: `SELECT ${key} AS key,
        sum(greatest(0, ${energy} - transform(${key}, {keys:Array(UInt32)}, {limits:Array(Float64)}, toFloat64(1e12)) / 12)) AS above,
        uniqExact(toDate(ts)) AS days
      FROM ${table} FINAL
      WHERE ${key} IN {keys:Array(UInt32)} AND ts >= toDateTime({start:UInt32}, 'UTC') AND ts < toDateTime({end:UInt32}, 'UTC')
        AND isFinite(${energy})
      GROUP BY ${key}
      SETTINGS do_not_merge_across_partitions_select_final = 1`,
    query_params: {
      keys: [...limits.keys()],
      limits: [...limits.values()],
      start: Math.floor((nowMs - DAYS * DAY_MS) / 1_000),
      end: Math.floor(nowMs / 1_000),
    },
    format: 'JSONEachRow',
  });
  const rows = await answer.json<{ key: number; above: number; days: number | string }>();
  return new Map(rows.map(({ key: each, above, days }) => [each, above / Math.max(1, Number(days))]));
}

/** What plants get for a kWh now, where it is one price for the whole day. */
export async function feedInPrices(
  db: Kysely<Database>,
  scope: Scope,
  siteIds: readonly string[],
  nowMs: number,
): Promise<Map<string, { price: number | null; currency: string }>> {
  const rows = await db
    .selectFrom('sites')
    .leftJoinLateral(laterPricesAt(nowMs).as('later'), (join) => join.onTrue())
    .where(visibleSites(scope))
    .where(sql<SqlBool>`sites.id = any(${siteIds}::uuid[])`)
    .select([
      'sites.id',
      sql<string>`coalesce(later.currency, sites.currency)`.as('currency'),
      sql<string | null>`case when later.site_id is null
        then case when sites.feed_in_periods is null then sites.feed_in_price end
        else case when later.feed_in_periods is null then later.feed_in_price end end`.as('price'),
    ])
    .execute();
  return new Map(
    rows.map(({ id, price, currency }) => [id, { price: price === null ? null : Number(price), currency }]),
  );
}
