import type { ClickHouseClient } from '@clickhouse/client';
import { MARKED_QUANTITIES } from '@sonnenwarte/energy/accounting/site-marks';
import { type Kysely, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';
import type { ForecastSource } from '../stores/schema-plants.ts';

type Db = Kysely<Database>;

/** The bit of the marks (`markOf`) that says that some of the PV energy is estimated. */
const ESTIMATED_PV_BIT = 2 * MARKED_QUANTITIES.indexOf('pv');

/**
 * PV energy of the plant-local hours of a span, Wh, by their start in seconds. What is estimated and more than the plant can give in an hour
 * is left out: without a counter energy is of power, and a power may be told wrong.
 *
 * @param mostWh the most in an hour; Infinity where nothing is known of the plant.
 */
export async function pvOfHours(
  telemetry: ClickHouseClient,
  site: { key: number },
  { startMs, endMs, mostWh }: { startMs: number; endMs: number; mostWh: number },
): Promise<Map<number, number>> {
  const answer = await telemetry.query({
    query: `SELECT toUnixTimestamp(ts), pv_wh FROM site_hour FINAL
      WHERE site = {site:UInt32} AND ts >= toDateTime({start:UInt32}, 'UTC') AND ts < toDateTime({end:UInt32}, 'UTC') AND isFinite(pv_wh)
        AND NOT (bitTest(qualities, {estimated:UInt8}) AND pv_wh > {most:Float64})
      SETTINGS do_not_merge_across_partitions_select_final = 1`,
    query_params: {
      site: site.key,
      start: startMs / 1_000,
      end: endMs / 1_000,
      estimated: ESTIMATED_PV_BIT,
      most: mostWh,
    },
    format: 'JSONCompactEachRow',
  });
  return new Map(await answer.json<[number, number]>());
}

export interface KeptForecast {
  day: string;
  source: ForecastSource;
  p10_wh: number;
  p50_wh: number;
  p90_wh: number;
  expected_wh: number | null;
}

/** What was told of the days of a plant from one on. */
export const keptForecasts = (db: Db, scope: Scope, siteId: string, first: string): Promise<KeptForecast[]> =>
  db
    .selectFrom('site_forecasts')
    .innerJoin('sites', 'sites.id', 'site_forecasts.site_id')
    .select([sql<string>`site_forecasts.day::text`.as('day'), 'source', 'p10_wh', 'p50_wh', 'p90_wh', 'expected_wh'])
    .where(visibleSites(scope))
    .where('site_forecasts.site_id', '=', siteId)
    .where('site_forecasts.day', '>=', first)
    .orderBy('site_forecasts.day')
    .execute();

/** Keeps what is told of a day; what was told of it first stays. */
export async function keepForecast(db: Db, siteId: string, told: KeptForecast, nowMs: number): Promise<void> {
  await db
    .insertInto('site_forecasts')
    .values({ site_id: siteId, made_at: new Date(nowMs), ...told })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Notes that somebody looked at the forecast of a plant; written once a day. */
export async function noteLook(db: Db, siteId: string, day: string): Promise<void> {
  await db
    .insertInto('site_forecast_looks')
    .values({ site_id: siteId, looked_on: day })
    .onConflict((conflict) =>
      conflict
        .column('site_id')
        .doUpdateSet({ looked_on: day })
        .where('site_forecast_looks.looked_on', '<', sql<string>`excluded.looked_on`),
    )
    .execute();
}

/** Plants that somebody looked at lately, of which nothing is told yet of the day after a time on their clock, if that is late enough. */
export async function untoldSites(
  db: Db,
  scope: Scope,
  asked: { nowMs: number; lookedSince: string; fromHour: number; most: number },
): Promise<string[]> {
  const local = sql<Date>`(${new Date(asked.nowMs)}::timestamptz at time zone sites.time_zone)`;
  const rows = await db
    .selectFrom('site_forecast_looks')
    .innerJoin('sites', 'sites.id', 'site_forecast_looks.site_id')
    .select('sites.id')
    .where(visibleSites(scope))
    .where('looked_on', '>=', asked.lookedSince)
    .where(sql<boolean>`extract(hour from ${local}) >= ${asked.fromHour}`)
    .where(
      sql<boolean>`not exists (select from site_forecasts
        where site_forecasts.site_id = sites.id and site_forecasts.day = ${local}::date + 1)`,
    )
    .orderBy('looked_on', 'desc')
    .limit(asked.most)
    .execute();
  return rows.map(({ id }) => id);
}

/** Lets go of what was told of days before one, and of looks before it. */
export async function forgetBefore(db: Db, { told, looked }: { told: string; looked: string }): Promise<void> {
  await db.deleteFrom('site_forecasts').where('day', '<', told).execute();
  await db.deleteFrom('site_forecast_looks').where('looked_on', '<', looked).execute();
}
