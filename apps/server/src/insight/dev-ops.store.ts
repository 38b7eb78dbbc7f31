import type { ClickHouseClient } from '@clickhouse/client';
import type { LossWeek } from '@sonnenwarte/contract/losses/week';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { isAmongRecalculated } from '../accounting/recalculations.store.ts';
import { siteStateAt } from '../current-state/current-state.ts';
import { partsOf } from '../in-slices.ts';
import { readRows } from '../ingestion/samples/row-reader.ts';
import { type matching, visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';
import type { SiteState } from '../stores/schema-plants.ts';

type Db = Kysely<Database>;

/** Plant-local days, both included. */
export interface Period {
  first: string;
  last: string;
}

/** What a plant gave on a day of which nothing was heard is not known: its nought is none. */
const HEARD = 'isFinite(actual_wh) AND NOT (actual_wh = 0 AND site_insight.completeness = 0)';

/** Of each plant over the period; nan = not known. */
const figures = {
  actualWh: `sumIf(actual_wh, ${HEARD}) / (countIf(${HEARD}) > 0)`,
  expectedWh: 'sumIf(expected_wh, isFinite(expected_wh)) / (countIf(isFinite(expected_wh)) > 0)',
  lossWh: 'sumIf(loss_wh, isFinite(loss_wh)) / (countIf(isFinite(loss_wh)) > 0)',
  specificYield: `sumIf(actual_wh / 1000 / kwp, ${HEARD} AND kwp > 0) / (countIf(${HEARD} AND kwp > 0) > 0)`,
  performanceRatio: `100 * sumIf(actual_wh, isFinite(reference_wh) AND ${HEARD}) / sumIf(reference_wh, isFinite(reference_wh) AND ${HEARD})`,
  availability:
    '100 * sumIf(available_wh, isFinite(available_wh) AND isFinite(expected_wh)) / sumIf(expected_wh, isFinite(available_wh) AND isFinite(expected_wh))',
  completeness: '100 * avgIf(completeness, isFinite(completeness))',
} as const;
export type Figure = keyof typeof figures;
export const figureNames = Object.keys(figures) as Figure[];
export const isFigure = (name: string): name is Figure => name in figures;

const SETTINGS = 'SETTINGS do_not_merge_across_partitions_select_final = 1, max_threads = 2';
/** Keys that one query names: its text stays below the 262,144 bytes that the engine reads. */
const KEYS_AT_ONCE = 20_000;

const sums = (keys: string, { first, last }: Period, columns: string): string =>
  `SELECT site, ${columns} FROM site_insight FINAL
    WHERE day BETWEEN '${first}' AND '${last}' AND site IN (${keys}) GROUP BY site`;

/** One figure of each of many plants, by their keys; those without it are left out. */
export async function figureOf(
  telemetry: ClickHouseClient,
  keys: readonly number[],
  period: Period,
  figure: Figure,
): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for (const part of partsOf(keys, KEYS_AT_ONCE)) {
    const rows = await readRows(
      telemetry,
      `${sums(part.join(','), period, `toFloat64(${figures[figure]})`)} ${SETTINGS}`,
    );
    while (rows.hasMore) {
      const key = rows.uint32();
      const value = rows.float64();
      if (Number.isFinite(value)) found.set(key, value);
    }
  }
  return found;
}

export interface PeriodFigures extends Record<Figure, number | null> {
  days: number;
  /** Null where it is not known of a day of which the loss is, or in two currencies. */
  lossMoney: string | null;
  currency: string;
}

type Row = Record<Figure, number | null> &
  Pick<PeriodFigures, 'days' | 'lossMoney'> & { site: number; lastCurrency: string };

/** All figures of some plants, by their keys. */
export async function figuresOf(
  telemetry: ClickHouseClient,
  keys: readonly number[],
  period: Period,
): Promise<Map<number, PeriodFigures>> {
  if (keys.length === 0) return new Map();
  const columns = figureNames.map((name) => `if(isFinite(${figures[name]}), ${figures[name]}, NULL) AS ${name}`);
  const answer = await telemetry.query({
    query: `${sums(
      keys.join(','),
      period,
      `toUInt32(count()) AS days, ${columns.join(', ')},
      toString(if(countIf(isFinite(loss_wh) AND isNull(loss_money)) = 0 AND countIf(isNotNull(loss_money)) > 0
        AND uniqExactIf(currency, isNotNull(loss_money)) = 1, sum(loss_money), NULL)) AS lossMoney, anyLast(currency) AS lastCurrency`,
    )} ${SETTINGS}`,
    format: 'JSONEachRow',
  });
  const rows = await answer.json<Row>();
  return new Map(rows.map(({ site, lastCurrency, ...row }) => [site, { ...row, currency: lastCurrency }]));
}

const listed = (db: Db, scope: Scope, nowMs: number) =>
  db
    .selectFrom('sites')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .leftJoin('site_insights', 'site_insights.site_id', 'sites.id')
    .where(visibleSites(scope))
    .select([
      'sites.id',
      'sites.key',
      'sites.name',
      'sites.city',
      'sites.country',
      'sites.time_zone',
      'sites.system_size_kwp',
      'sites.currency',
      'site_latest.ts',
      sql<number>`coalesce(site_latest.interval_s, 60)`.as('interval_s'),
      sql<SiteState>`${siteStateAt(nowMs)}`.as('state'),
      sql<LossWeek['reasons'][number]['reason'] | null>`site_insights.week -> 'reasons' -> 0 -> 'reason'`.as('reason'),
      sql<boolean>`site_latest.history_percent is not null
        or ${isAmongRecalculated(sql`sites.id`, sql`sites.key`)}`.as('is_preliminary'),
      sql<number[] | null>`(select array_agg(near.key) from sites as near
        where near.id = any(site_insights.peers) and near.deleted_at is null)`.as('peers'),
    ]);

export type DevOpsSite = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number];

/** Some plants in scope by their keys, in the order of these, with the keys of their neighbours. */
export async function devOpsSites(db: Db, scope: Scope, keys: readonly number[], nowMs: number): Promise<DevOpsSite[]> {
  const rows = await listed(db, scope, nowMs).where(sql<SqlBool>`sites.key = any(${keys}::int[])`).execute();
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

/** Keys of the plants that a query finds, as one text: thousands of rows take longer to be read than to be found. */
export async function keysOf(db: Db, query: Awaited<ReturnType<typeof matching>>): Promise<number[]> {
  const row = await db
    .selectFrom(query.select('site_latest.site_key as key').as('found'))
    .select(sql<string | null>`string_agg(found.key::text, ',')`.as('keys'))
    .executeTakeFirstOrThrow();
  return row.keys === null ? [] : row.keys.split(',').map(Number);
}
