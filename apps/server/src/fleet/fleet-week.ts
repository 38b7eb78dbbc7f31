import { type FleetWeek, WEEK_HOURS } from '@sonnenwarte/contract/fleet/fleet';
import { sql } from 'kysely';
import { listedSiteIsVisible, type Scope } from '../access/scope.ts';
import type { Uses } from '../services.ts';

const HOUR_MS = 3_600_000;
/** As text in the statement; more plants than this make it longer than the engine reads at first. */
const LONGEST_STATEMENT_BYTES = '16000000';

/** Names a scope: whose sums are the same. */
export const scopeName = (scope: Scope): string =>
  scope.kind === 'all'
    ? 'all'
    : `${scope.kind} ${scope.kind === 'organisation' ? scope.organisationID : scope.accountId}`;

/** PV power of the plants in scope over the last full hours, without those of which days until today are still to come. */
export async function fleetWeek(
  { db, telemetry, nowMs }: Uses<'db' | 'telemetry' | 'nowMs'>,
  scope: Scope,
): Promise<FleetWeek> {
  const asOfMs = nowMs();
  const endMs = Math.floor(asOfMs / HOUR_MS) * HOUR_MS;
  const startMs = endMs - WEEK_HOURS * HOUR_MS;
  const sites = await db
    .selectFrom('site_latest')
    .where(await listedSiteIsVisible(db, scope))
    .where(
      sql<boolean>`(site_latest.history_percent is null or site_latest.local_day
        >= (${new Date(asOfMs)}::timestamptz at time zone site_latest.site_zone)::date)`,
    )
    .select('site_latest.site_key as key')
    .execute();
  const powerW = new Array<number | null>(WEEK_HOURS).fill(null);
  const plants = new Array<number>(WEEK_HOURS).fill(0);
  if (sites.length > 0) {
    const answer = await telemetry.query({
      query: `SELECT intDiv(toUnixTimestamp(ts) - ${startMs / 1_000}, 3600) AS hour, sum(pv_wh) AS wh, count() AS plants
        FROM site_hour FINAL
        WHERE ts >= toDateTime(${startMs / 1_000}, 'UTC') AND ts < toDateTime(${endMs / 1_000}, 'UTC')
          AND isFinite(pv_wh) AND site IN (${sites.map(({ key }) => key).join(',')})
        GROUP BY hour SETTINGS do_not_merge_across_partitions_select_final = 1, max_threads = 1`,
      format: 'JSONCompactEachRow',
      clickhouse_settings: { max_query_size: LONGEST_STATEMENT_BYTES },
    });
    for (const [hour, wh, count] of await answer.json<[number | string, number, number | string]>()) {
      powerW[Number(hour)] = Math.round(wh);
      plants[Number(hour)] = Number(count);
    }
  }
  return { startMs, powerW, plants, asOfMs };
}
