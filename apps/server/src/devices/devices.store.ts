import type { deviceFields } from '@sonnenwarte/contract/devices/device';
import type { list } from '@sonnenwarte/contract/devices/devices';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { listedSiteIsVisible, type Scope } from '../access/scope.ts';
import { isRecalculated } from '../accounting/recalculations.store.ts';
import { deviceNowAt, deviceStateAt, deviceTodayWhAt, siteHeldDay, stateRank } from '../current-state/current-state.ts';
import { type DeviceListRow, deviceRows, joinedDevices, visibleDevices } from '../device-rows/device-rows.store.ts';
import type { FiguresSite } from '../sites/sites.store.ts';
import { type Asked, containing, type Found, pageOf, type SortKeys, withRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type ListInput = Asked<typeof list>;
type Condition = ListInput['condition'];

const sortKeys = (nowMs: number) =>
  ({
    deviceSN: sql`devices.sn`,
    deviceType: sql`lower(nullif(devices.model, ''))`,
    plantName: sql`lower(sites.name)`,
    state: stateRank(deviceStateAt(nowMs)),
    powerW: deviceNowAt('power_w', nowMs),
    todayWh: deviceTodayWhAt(nowMs),
    totalWh: sql`device_latest.total_wh`,
    updatedAtMs: sql`device_latest.ts`,
  }) satisfies SortKeys<typeof deviceFields>;

function matching(db: Db, scope: Scope, condition: Condition, nowMs: number) {
  let query = joinedDevices(db)
    .where(visibleDevices(scope))
    .where('devices.kind', '=', condition.kind ?? 'inverter');
  for (const among of [condition.state && [condition.state], condition.states]) {
    if (among) query = query.where(sql<SqlBool>`${deviceStateAt(nowMs)} in (${sql.join(among)})`);
  }
  if (condition.stationID !== undefined) query = query.where('devices.site_id', '=', condition.stationID);
  if (condition.content !== '') {
    const pattern = containing(condition.content);
    query = query.where(sql<SqlBool>`(devices.sn ilike ${pattern} or devices.odm_sn ilike ${pattern}
      or devices.model ilike ${pattern} or sites.name ilike ${pattern})`);
  }
  return query;
}

/** Devices in scope. Unknown values come last in either order, devices of an equal value by serial number. */
export async function listDevices(
  db: Db,
  scope: Scope,
  input: ListInput,
  nowMs: number,
): Promise<Found<DeviceListRow>> {
  const { condition, sort } = input;
  const keys = sortKeys(nowMs);
  const apart = sort.field === 'deviceSN' ? [sql`devices.id`] : [keys.deviceSN, sql`devices.id`];
  const page = await pageOf(
    matching(db, scope, condition, nowMs).select('devices.id'),
    { key: keys[sort.field], apart, order: sort.order },
    input,
    { countsWithin: condition.content !== '' || condition.state !== undefined || condition.states !== undefined },
  );
  return withRows(page, (ids) => deviceRows(db, scope, ids, nowMs));
}

/** Number of inverters in scope by state. */
export async function countInvertersByState(db: Db, scope: Scope, nowMs: number) {
  const counted = db
    .selectFrom('devices')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .where('devices.kind', '=', 'inverter')
    .select([deviceStateAt(nowMs).as('state'), sql<number>`count(*)::int`.as('count')])
    .groupBy(sql`1`);
  if (scope.kind !== 'organisation') return counted.where(visibleDevices(scope)).execute();
  // The planner knows of one table of plants how many are an organisation's.
  return counted
    .innerJoin('site_latest', 'site_latest.site_id', 'devices.site_id')
    .where('devices.deleted_at', 'is', null)
    .where(await listedSiteIsVisible(db, scope))
    .execute();
}

/** Identity of a device: its plant, datalogger, place and versions. */
export const deviceIdentity = (db: Db, scope: Scope, id: string, nowMs: number) =>
  joinedDevices(db)
    .where(visibleDevices(scope))
    .where('devices.id', '=', id)
    .select([
      'devices.sn',
      'devices.model',
      'devices.hardware',
      'devices.version_master',
      'devices.version_slave',
      'devices.version_manager',
      'devices.version_afci',
      'loggers.sn as logger_sn',
      'loggers.profile',
      'sites.name as site_name',
      'sites.country',
      'sites.city',
      'sites.address',
      'sites.created_at as site_created_at',
      'sites.time_zone',
      sql<string | null>`sites.grid_connected_on::text`.as('grid_connected_on'),
      deviceStateAt(nowMs).as('state'),
    ])
    .executeTakeFirst();

export interface DeviceFrame {
  id: string;
  /** Key in the telemetry store. */
  key: number;
  kind: AttachedKind;
  timeZone: string;
  /** Now; null where it does not report. */
  powerW: number | null;
  /** Names of the points with a newest value. */
  points: string[];
  site: FiguresSite | null;
}

/** What history and earnings of a device need to know of it. */
export async function deviceFrame(db: Db, scope: Scope, id: string, nowMs: number): Promise<DeviceFrame | undefined> {
  const device = await joinedDevices(db)
    .where(visibleDevices(scope))
    .where('devices.id', '=', id)
    .select([
      'devices.id',
      'devices.key',
      'devices.kind',
      deviceNowAt('power_w', nowMs).as('power_w'),
      'sites.id as site_id',
      'sites.key as site_key',
      'sites.time_zone',
      'sites.system_size_kwp',
      'sites.country',
      isRecalculated.as('is_recalculated'),
      siteHeldDay.as('held_day'),
      sql<string[]>`array(select jsonb_object_keys(device_latest.values))`.as('points'),
    ])
    .executeTakeFirst();
  if (device === undefined) return undefined;
  const { site_id: siteId, site_key: key, time_zone: timeZone } = device;
  return {
    id: device.id,
    key: device.key,
    kind: device.kind,
    timeZone: timeZone ?? 'UTC',
    powerW: device.power_w,
    points: device.points,
    site:
      siteId === null || key === null || timeZone === null
        ? null
        : {
            id: siteId,
            key,
            timeZone,
            systemSizeKwp: device.system_size_kwp ?? 0,
            country: device.country ?? '',
            isRecalculated: device.is_recalculated === true,
            heldDay: device.held_day,
          },
  };
}

/** Active alarms of a device, the worst first. */
export const activeAlarms = (db: Db, deviceId: string) =>
  db
    .selectFrom('alarms')
    .select(['code', 'level', 'since'])
    .where('device_id', '=', deviceId)
    .where('until', 'is', null)
    .orderBy('level', 'desc')
    .orderBy('since', 'desc')
    .execute();
