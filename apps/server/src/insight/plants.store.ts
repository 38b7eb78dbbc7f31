import type { AlarmSpan } from '@sonnenwarte/energy/insight/plant-day';
import type { PlantProfile } from '@sonnenwarte/energy/insight/profile';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Scope, systemScope } from '../access/scope.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';
import type { SiteArray } from '../stores/schema-plants.ts';

type Db = Kysely<Database>;

/** A device whose values tell what its plant did. */
export interface InsightDevice {
  id: string;
  key: number;
  kind: 'inverter' | 'station' | 'ems';
  sn: string;
  ratedPowerW: number | null;
  /** When its counters were read first, epoch ms; null = it has none. */
  firstMs: number | null;
  /** What it was told last to feed in at most, W, and to give at most, percent of its rating. */
  exportLimitW: number | null;
  powerLimitPercent: number | null;
}

/** A number that a device told last. */
const lastTold = (point: string) =>
  sql<number | null>`case when jsonb_typeof(device_latest.values -> ${point} -> 0) = 'number'
    then (device_latest.values -> ${point} ->> 0)::float8 end`;

/** What has to be known of a plant to hold a day of it against what it could have given. */
export interface InsightPlant {
  id: string;
  /** Key in the telemetry store. */
  key: number;
  timeZone: string;
  latitude: number | null;
  longitude: number | null;
  altitudeM: number;
  systemSizeKwp: number;
  ratedPowerW: number | null;
  arrays: SiteArray[];
  builtOn: string | null;
  createdAt: Date;
  batteryCapacityWh: number | null;
  currency: string;
  /** What was learned of it from its days. */
  profile: PlantProfile | null;
  /** What is known of it by now, where a former day is judged by what was known then. */
  newest?: PlantProfile | null;
  devices: InsightDevice[];
}

const plants = (db: Db, scope: Scope) =>
  db
    .selectFrom('sites')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .leftJoin('site_insights', 'site_insights.site_id', 'sites.id')
    .where(visibleSites(scope))
    .select([
      'sites.id',
      'sites.key',
      'sites.time_zone as timeZone',
      'sites.latitude',
      'sites.longitude',
      sql<number>`coalesce(sites.altitude_m, 0)`.as('altitudeM'),
      'sites.system_size_kwp as systemSizeKwp',
      'sites.rated_power_w as ratedPowerW',
      'sites.arrays',
      sql<string | null>`coalesce(sites.grid_connected_on, sites.commissioned_on)::text`.as('builtOn'),
      'sites.created_at as createdAt',
      'sites.currency',
      'site_latest.battery_capacity_wh as batteryCapacityWh',
      sql<PlantProfile | null>`site_insights.profile`.as('profile'),
    ]);

async function withDevices(db: Db, rows: Omit<InsightPlant, 'devices'>[]): Promise<InsightPlant[]> {
  if (rows.length === 0) return [];
  const devices = await db
    .selectFrom('devices')
    .leftJoin('device_latest', 'device_latest.device_id', 'devices.id')
    .select([
      'id',
      'site_id',
      'key',
      'kind',
      'sn',
      'rated_power_w as ratedPowerW',
      sql<number | null>`(select min((told.value ->> 0)::float8) from jsonb_each(opening) as told)`.as('firstMs'),
      lastTold('Setting/ExportLimit').as('exportLimitW'),
      lastTold('Setting/ActivePowerLimit').as('powerLimitPercent'),
    ])
    .where(sql<SqlBool>`site_id = any(${rows.map(({ id }) => id)}::uuid[])`)
    .where('kind', 'in', ['inverter', 'station', 'ems'])
    .where('deleted_at', 'is', null)
    .orderBy('key')
    .execute();
  const bySite = new Map<string, InsightDevice[]>();
  for (const { site_id, ...device } of devices)
    if (site_id !== null) entryOf(bySite, site_id, () => []).push(device as InsightDevice);
  return rows.map((row) => ({ ...row, devices: bySite.get(row.id) ?? [] }));
}

const isOneOf = (ids: readonly string[]): RawBuilder<SqlBool> => sql<SqlBool>`sites.id = any(${ids}::uuid[])`;

/** Some plants by their ids. */
export const insightPlants = async (db: Db, scope: Scope, ids: readonly string[]): Promise<InsightPlant[]> =>
  withDevices(db, await plants(db, scope).where(isOneOf(ids)).execute());

/** Where a plant stands, for who looks for neighbours. */
export interface PlacedPlant {
  id: string;
  latitude: number;
  longitude: number;
  altitudeM: number;
}

export interface Box {
  south: number;
  north: number;
  west: number;
  east: number;
}

/** Plants of a scope within a box. */
export const placedPlants = (db: Db, scope: Scope, { south, north, west, east }: Box) =>
  db
    .selectFrom('sites')
    .where(visibleSites(scope))
    .where('sites.latitude', '>=', south)
    .where('sites.latitude', '<=', north)
    .where('sites.longitude', '>=', west)
    .where('sites.longitude', '<=', east)
    .where('sites.system_size_kwp', '>', 0)
    .select([
      'sites.id',
      sql<number>`sites.latitude`.as('latitude'),
      sql<number>`sites.longitude`.as('longitude'),
      sql<number>`coalesce(sites.altitude_m, 0)`.as('altitudeM'),
    ]);

/** Plants within a box, whoever they belong to: no more is told of them than what many of them had in common. */
export const plantsWithin = (db: Db, box: Box, most: number): Promise<PlacedPlant[]> =>
  placedPlants(db, systemScope, box).limit(most).execute();

/** Alarms that stood within a span, by the id of the plant. */
export async function alarmsWithin(
  db: Db,
  ids: readonly string[],
  { startMs, endMs }: { startMs: number; endMs: number },
): Promise<Map<string, AlarmSpan[]>> {
  const found = new Map<string, AlarmSpan[]>();
  const rows = await db
    .selectFrom('alarms')
    .innerJoin('devices', 'devices.id', 'alarms.device_id')
    .select(['alarms.site_id', 'alarms.code', 'alarms.level', 'alarms.since', 'alarms.until', 'devices.sn'])
    .where(sql<SqlBool>`alarms.site_id = any(${ids}::uuid[])`)
    // What the portal concluded from days is no reason of theirs.
    .where('alarms.source', '=', 'device')
    .where('alarms.since', '<', new Date(endMs))
    .where(sql<SqlBool>`coalesce(alarms.until, 'infinity') > ${new Date(startMs)}`)
    .orderBy('alarms.since')
    .execute();
  for (const { site_id, code, level, since, until, sn } of rows) {
    if (site_id === null) continue;
    entryOf(found, site_id, () => []).push({
      device: sn,
      code,
      level: Math.min(4, Math.max(1, level)) as AlarmSpan['level'],
      fromMs: since.getTime(),
      untilMs: until?.getTime() ?? null,
    });
  }
  return found;
}
