import { type AttachedKind, attachedKinds } from '@sonnenwarte/device-protocol/points/points';
import { type Expression, expressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { deviceIsVisible, type Scope } from '../access/scope.ts';
import {
  deviceNowAt,
  deviceStateAt,
  deviceTodayWhAt,
  listedBatteryStatusAt,
  listedEnergyAt,
  listedTodayAt,
} from '../current-state/current-state.ts';
import { plantIsOnGridAt } from '../current-state/on-grid.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** The scope's condition on `devices`, for a query of any further tables. */
export const visibleDevices = (scope: Scope): Expression<SqlBool> =>
  deviceIsVisible(scope)(expressionBuilder<Database, 'devices'>());

/** Devices with their logger, plant and newest values. Unused left joins cost nothing. */
export const joinedDevices = (db: Db) =>
  db
    .selectFrom('devices')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .leftJoin('sites', 'sites.id', 'devices.site_id')
    .leftJoin('site_latest', 'site_latest.site_id', 'devices.site_id')
    .leftJoin('device_latest', 'device_latest.device_id', 'devices.id');

interface AlarmColumn {
  code: number;
  level: number;
  sinceMs: number;
}

const worstAlarm: RawBuilder<AlarmColumn | null> = sql<AlarmColumn | null>`(
  select json_build_object('code', alarms.code, 'level', alarms.level,
    'sinceMs', round(extract(epoch from alarms.since) * 1000)::bigint)
  from alarms where alarms.device_id = devices.id and alarms.until is null
  order by alarms.level desc, alarms.since desc limit 1)`;

const hasPv: RawBuilder<boolean> = sql<boolean>`(devices.kind = 'inverter'
  and coalesce(device_latest.values ?| array['DC/Power', 'DC/Mppt1/Power', 'DC/Mppt1/Voltage'], false))`;

const hasBattery: RawBuilder<boolean> = sql<boolean>`(devices.kind = 'battery' or (devices.kind = 'inverter'
  and exists (select from devices as batteries where batteries.logger_id = devices.logger_id
    and batteries.kind = 'battery' and batteries.deleted_at is null)))`;

/** A list tells what is now; where newest values stand with their times, the last ones may be old. */
type Told = 'now' | 'last';

const rows = (db: Db, scope: Scope, nowMs: number, told: Told) => {
  const value = (column: 'power_w' | 'soc_percent') =>
    told === 'now' ? deviceNowAt(column, nowMs) : sql<number | null>`device_latest.${sql.ref(column)}`;
  return joinedDevices(db)
    .where(visibleDevices(scope))
    .select([
      'devices.id',
      'devices.key',
      'devices.sn',
      'devices.odm_sn',
      'devices.kind',
      'devices.role',
      'devices.model',
      'devices.site_id',
      'devices.version_master',
      'devices.version_slave',
      'devices.version_manager',
      'devices.version_afci',
      'loggers.sn as logger_sn',
      'loggers.report_interval_s',
      'sites.name as site_name',
      'sites.time_zone as site_time_zone',
      'device_latest.ts',
      value('power_w').as('power_w'),
      value('soc_percent').as('soc_percent'),
      'device_latest.total_wh',
      deviceStateAt(nowMs).as('state'),
      deviceTodayWhAt(nowMs).as('today_wh'),
      'device_latest.today_marks',
      worstAlarm.as('alarm'),
      hasPv.as('has_pv'),
      hasBattery.as('has_battery'),
    ]);
};

export type DeviceListRow = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

/** Rows of these devices, as far as they are in scope, in no certain order. */
export async function deviceRows(
  db: Db,
  scope: Scope,
  ids: readonly string[],
  nowMs: number,
): Promise<DeviceListRow[]> {
  if (ids.length === 0) return [];
  return rows(db, scope, nowMs, 'now').where(sql<boolean>`devices.id = any(${ids}::uuid[])`).execute();
}

/** The same with what lists of their kinds tell. */
export async function listedDeviceRows(db: Db, scope: Scope, ids: readonly string[], nowMs: number) {
  if (ids.length === 0) return [];
  const bmsFirmware = sql<string | null>`case when device_listed.kind = 'battery'
    then nullif(device_latest.values -> 'Bat/BmsFirmware' ->> 0, '') end`;
  return rows(db, scope, nowMs, 'now')
    .innerJoin('device_listed', 'device_listed.device_id', 'devices.id')
    .select([
      'devices.logger_id',
      'device_listed.rated_power_w',
      'device_listed.drifts',
      'device_listed.energy_marks',
      listedEnergyAt('yesterday', nowMs).as('yesterday_wh'),
      listedEnergyAt('month', nowMs).as('month_wh'),
      listedEnergyAt('year', nowMs).as('year_wh'),
      sql<boolean>`coalesce(device_listed.today_ends_at = device_listed.day_ends_at, false)`.as('holds_today'),
      sql<boolean>`coalesce(device_listed.day_ends_at > ${new Date(nowMs)}::timestamptz, false)`.as('knows_yesterday'),
      'device_listed.soh_percent',
      'device_listed.spread_mv',
      'device_listed.cycles',
      'device_listed.phases',
      'device_listed.ct_ratio',
      listedTodayAt('import_today_wh', nowMs).as('import_today_wh'),
      listedTodayAt('export_today_wh', nowMs).as('export_today_wh'),
      'device_listed.import_wh',
      'device_listed.export_wh',
      'device_listed.device_count',
      'device_listed.devices_online',
      'device_listed.export_limit_w',
      'device_listed.peak_limit_w',
      'device_listed.heat_pump_w',
      'device_listed.relay1',
      'device_listed.relay2',
      'device_listed.sg_ready',
      'device_listed.strategy',
      listedBatteryStatusAt(nowMs).as('battery_status'),
      bmsFirmware.as('bms_firmware'),
      sql<boolean | null>`case when device_listed.kind = 'gateway'
        then ${plantIsOnGridAt(nowMs, sql`device_listed.site_id`)} end`.as('plant_is_on_grid'),
    ])
    .where(sql<boolean>`devices.id = any(${ids}::uuid[])`)
    .execute();
}

export type ListedDeviceRow = Awaited<ReturnType<typeof listedDeviceRows>>[number];

/** The same with all newest values. */
export async function devicesNow(db: Db, scope: Scope, ids: readonly string[], nowMs: number) {
  if (ids.length === 0) return [];
  return rows(db, scope, nowMs, 'last')
    .select('device_latest.values')
    .where(sql<boolean>`devices.id = any(${ids}::uuid[])`)
    .execute();
}

export type DeviceNow = Awaited<ReturnType<typeof devicesNow>>[number];

/** Devices of some kinds of a plant with all newest values, by kind and serial number. */
export const devicesNowOfSite = (
  db: Db,
  scope: Scope,
  siteId: string,
  kinds: readonly AttachedKind[],
  nowMs: number,
): Promise<DeviceNow[]> =>
  rows(db, scope, nowMs, 'last')
    .select('device_latest.values')
    .where('devices.site_id', '=', siteId)
    .where('devices.kind', 'in', kinds)
    .orderBy('devices.kind')
    .orderBy('devices.sn')
    .execute();

/** All devices of a plant, by kind and serial number. */
export const devicesOfSite = (db: Db, scope: Scope, siteId: string, nowMs: number): Promise<DeviceListRow[]> =>
  rows(db, scope, nowMs, 'now')
    .where('devices.site_id', '=', siteId)
    .orderBy(sql`array_position(array[${sql.join(attachedKinds)}], devices.kind)`)
    .orderBy('devices.sn')
    .execute();
