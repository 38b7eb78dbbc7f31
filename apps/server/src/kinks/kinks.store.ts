import type { ClickHouseClient } from '@clickhouse/client';
import type { AlarmSpan, KinkChange } from '@sonnenwarte/energy/kinks/kink-evidence';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { type SiteFrame, visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Span = Readonly<{ startMs: number; endMs: number }>;

const BUCKET_MS = 300_000;
const NEAR_KM = 50;
const MOST_NEIGHBOURS = 20;
const MOST_ALARMS = 50;
const KM_PER_DEGREE = 111.2;
const NEWEST_ONLY = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

/** Five-minute means of some keys within a span, by key: null where nothing is known. Keys and times are numbers of ours. */
async function meansOf(
  telemetry: ClickHouseClient,
  { table, key, column }: { table: 'device_5m' | 'site_5m'; key: 'device' | 'site'; column: string },
  keys: readonly number[],
  { startMs, endMs }: Span,
): Promise<Map<number, (number | null)[]>> {
  const length = Math.ceil((endMs - startMs) / BUCKET_MS);
  const found = new Map(keys.map((each) => [each, new Array<number | null>(length).fill(null)]));
  if (keys.length === 0) return found;
  const answer = await telemetry.query({
    query: `SELECT ${key}, toUnixTimestamp(ts), ${column} FROM ${table} FINAL
      WHERE ${key} IN (${keys.join(', ')}) AND ts >= toDateTime(${startMs / 1_000}, 'UTC') AND ts < toDateTime(${endMs / 1_000}, 'UTC')
      ${NEWEST_ONLY}`,
    format: 'JSONCompactEachRow',
  });
  for (const [each, second, value] of await answer.json<[number, number, number | null]>()) {
    const series = found.get(each);
    if (series !== undefined) series[Math.floor((second * 1_000 - startMs) / BUCKET_MS)] = value;
  }
  return found;
}

/** PV power of inverters, W, by their keys. The devices are of a plant that the caller may see. */
export const pvOfDevices = (telemetry: ClickHouseClient, keys: readonly number[], span: Span) =>
  meansOf(telemetry, { table: 'device_5m', key: 'device', column: 'pv_w' }, keys, span);

/** PV power of plants, W, by their keys, which a query with a scope gave. */
export const pvOfPlants = (telemetry: ClickHouseClient, keys: readonly number[], span: Span) =>
  meansOf(telemetry, { table: 'site_5m', key: 'site', column: 'pv_w' }, keys, span);

/** Keys of the nearest plants in scope within 50 km, 20 at most. */
export async function neighbourKeys(
  db: Db,
  scope: Scope,
  { id, latitude, longitude }: Pick<SiteFrame, 'id' | 'latitude' | 'longitude'>,
): Promise<number[]> {
  if (latitude === null || longitude === null) return [];
  const upDeg = NEAR_KM / KM_PER_DEGREE;
  const sideDeg = upDeg / Math.max(0.05, Math.cos((latitude * Math.PI) / 180));
  const km = sql<number>`${KM_PER_DEGREE}::float8 * sqrt((sites.latitude - ${latitude}) ^ 2
    + ((sites.longitude - ${longitude}) * cos(radians(${latitude}::float8))) ^ 2)`;
  const rows = await db
    .selectFrom('sites')
    .where(visibleSites(scope))
    .where('sites.id', '!=', id)
    .where('sites.latitude', '>=', latitude - upDeg)
    .where('sites.latitude', '<=', latitude + upDeg)
    .where('sites.longitude', '>=', longitude - sideDeg)
    .where('sites.longitude', '<=', longitude + sideDeg)
    .where(sql<SqlBool>`${km} <= ${NEAR_KM}`)
    .select('sites.key')
    .orderBy(km)
    .limit(MOST_NEIGHBOURS)
    .execute();
  return rows.map(({ key }) => key);
}

/** Alarms of a plant that began within a span, the oldest first. The plant is one that the caller may see. */
export async function alarmsBegun(db: Db, siteId: string, { startMs, endMs }: Span): Promise<AlarmSpan[]> {
  const rows = await db
    .selectFrom('alarms')
    .where('site_id', '=', siteId)
    .where('since', '>=', new Date(startMs))
    .where('since', '<=', new Date(endMs))
    .select(['device_id', 'code', 'level', 'since', 'until'])
    .orderBy('since')
    .orderBy('id')
    .limit(MOST_ALARMS)
    .execute();
  return rows.flatMap(({ device_id: device, code, level, since, until }) =>
    device === null ? [] : [{ device, code, level, fromMs: since.getTime(), untilMs: until?.getTime() ?? null }],
  );
}

/** Corrections of PV energy that stand within a span. The plant is one that the caller may see. */
export async function correctionsWithin(db: Db, siteId: string, { startMs, endMs }: Span): Promise<KinkChange[]> {
  const rows = await db
    .selectFrom('device_corrections')
    .innerJoin('devices', 'devices.id', 'device_corrections.device_id')
    .where('devices.site_id', '=', siteId)
    .where('devices.deleted_at', 'is', null)
    .where('undone_at', 'is', null)
    .where('channel', '=', 'pv')
    .where('from_at', '<', new Date(endMs))
    .where('to_at', '>', new Date(startMs))
    .select(['device_id', 'from_at', 'to_at'])
    .limit(MOST_ALARMS)
    .execute();
  return rows.map(({ device_id: device, from_at: from, to_at: to }) => ({
    what: 'correction',
    device,
    fromMs: from.getTime(),
    toMs: to.getTime(),
  }));
}
