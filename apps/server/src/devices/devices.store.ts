import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import { type Kysely, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { isRecalculated } from '../accounting/recalculations.store.ts';
import {
  dataloggerIsOnlineAt,
  deviceNowAt,
  deviceStateAt,
  listedNowAt,
  siteHeldDay,
} from '../current-state/current-state.ts';
import { joinedDevices, visibleDevices } from '../device-rows/device-rows.store.ts';
import type { FiguresSite } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
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
  sn: string;
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
      'devices.sn',
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
    sn: device.sn,
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

/** The datalogger of a device, the arrays of its plant, and the batteries beside an inverter that is alone on its datalogger. */
export async function surroundingsOf(db: Db, scope: Scope, id: string, nowMs: number) {
  const device = await joinedDevices(db)
    .where(visibleDevices(scope))
    .where('devices.id', '=', id)
    .select([
      'devices.kind',
      'devices.logger_id',
      'sites.arrays',
      dataloggerIsOnlineAt(nowMs).as('logger_is_online'),
      sql<number>`(select count(*)::int from devices as others where others.logger_id = devices.logger_id
        and others.kind = 'inverter' and others.deleted_at is null)`.as('inverters'),
    ])
    .executeTakeFirst();
  if (device === undefined) return undefined;
  const batteries =
    device.kind === 'inverter' && device.inverters === 1
      ? await db
          .selectFrom('device_listed')
          .select([
            'device_listed.ts',
            'device_listed.battery_state',
            listedNowAt(sql<number | null>`device_listed.power_w`, nowMs).as('power_w'),
            listedNowAt(sql<number | null>`device_listed.soc_percent`, nowMs).as('soc_percent'),
          ])
          .where('device_listed.logger_id', '=', device.logger_id)
          .where('device_listed.kind', '=', 'battery')
          .where('device_listed.deleted', '=', false)
          .execute()
      : [];
  return { ...device, batteries };
}
