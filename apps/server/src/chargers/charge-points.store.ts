import { type Kysely, sql } from 'kysely';
import { hashToken } from '../broker/credentials.ts';
import type { Database } from '../stores/schema.ts';
import type { FirmwareState } from './pile-events.ts';

type Db = Kysely<Database>;

const points = (db: Db) =>
  db
    .selectFrom('charge_points')
    .innerJoin('devices', 'devices.id', 'charge_points.device_id')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .innerJoin('sites', 'sites.id', 'devices.site_id')
    .where('devices.deleted_at', 'is', null)
    .where('sites.deleted_at', 'is', null)
    .select([
      'charge_points.device_id as deviceId',
      'charge_points.identity',
      'charge_points.phases',
      'charge_points.most_current_a as mostCurrentA',
      'charge_points.mode',
      'charge_points.limit_a as limitA',
      'charge_points.times',
      'charge_points.stopped as isStopped',
      'devices.sn as deviceSn',
      'devices.rated_power_w as ratedPowerW',
      'loggers.sn as dataloggerSn',
      'sites.id as siteId',
      'sites.key as siteKey',
      'sites.time_zone as timeZone',
    ]);

/** A pile as its connection works with it. The portal itself reads it, for the pile. */
export type ChargePoint = Awaited<ReturnType<ReturnType<typeof points>['executeTakeFirstOrThrow']>>;

/** The pile of an identity whose password fits; undefined for all others alike. */
export async function admitted(db: Db, identity: string, password: Buffer): Promise<ChargePoint | undefined> {
  return points(db)
    .where('charge_points.identity', '=', identity)
    .where('charge_points.secret_hash', '=', hashToken(password))
    .executeTakeFirst();
}

/** Piles as they are now; those that are gone are missing. */
export const chargePoints = (db: Db, deviceIds: readonly string[]): Promise<ChargePoint[]> =>
  deviceIds.length === 0
    ? Promise.resolve([])
    : points(db).where(sql<boolean>`charge_points.device_id = any(${deviceIds}::uuid[])`).execute();

export interface ToldOfItself {
  protocol?: string;
  vendor?: string;
  model?: string;
  firmware?: string;
  firmware_state?: FirmwareState;
  connected_at?: Date;
}

/** Keeps what a pile tells of itself, with its device too. */
export async function keepTold(db: Db, deviceId: string, told: ToldOfItself): Promise<void> {
  await db.updateTable('charge_points').set(told).where('device_id', '=', deviceId).execute();
  const model = [told.vendor, told.model].filter((part) => part !== undefined && part !== '').join(' ');
  if (model === '' && told.firmware === undefined) return;
  await db
    .updateTable('devices')
    .set({
      ...(model !== '' && { model }),
      ...(told.firmware !== undefined && { version_master: told.firmware }),
    })
    .where('id', '=', deviceId)
    .execute();
}

export const setStopped = (db: Db, deviceId: string, stopped: boolean) =>
  db
    .updateTable('charge_points')
    .set({ stopped })
    .where('device_id', '=', deviceId)
    .where('stopped', '<>', stopped)
    .execute();

/** Newest powers of plants, and the time of what others than piles told. */
export async function plantPowers(db: Db, siteIds: readonly string[]) {
  if (siteIds.length === 0) return [];
  return db
    .selectFrom('site_latest')
    .where(sql<boolean>`site_latest.site_id = any(${siteIds}::uuid[])`)
    .select([
      'site_latest.site_id as siteId',
      'site_latest.grid_w as gridW',
      'site_latest.battery_w as batteryW',
      'site_latest.charger_w as chargerW',
      sql<Date | null>`(select max(newest.ts) from devices d join device_latest newest on newest.device_id = d.id
        where d.site_id = site_latest.site_id and d.deleted_at is null and d.kind <> 'pile')`.as('ts'),
    ])
    .execute();
}
export type PlantPowers = Awaited<ReturnType<typeof plantPowers>>[number];
