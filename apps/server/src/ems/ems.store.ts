import type { GridController } from '@sonnenwarte/contract/ems/ems';
import { type Kysely, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { deviceStateAt } from '../current-state/current-state.ts';
import { visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** The limit in percent of its rating, and the greatest power it may sell by its own controller. */
export const OUTPUT_LIMIT = 'Setting/ActivePowerLimit';
export const EXPORT_LIMIT = 'Setting/ExportLimit';
const PEAK_LIMIT = 'Setting/PeakLimit';

/** What a setting `s` is beside the controller: as somebody has set it, else as the device tells it, whatever it told before. */
const besideController = sql`case when s.desired_source = 'told' then s.reported else coalesce(s.desired, s.reported) end`;

/** The same where the controller may have set it: what was kept as it began. */
export const ownSetting = sql<unknown>`coalesce(s.own_limit, case when s.desired_source is distinct from 'ems' then ${besideController} end)`;

/** Keeps settings of devices as they are, where the controller has not set them yet. */
export async function keepOwnSettings(db: Db, deviceIds: readonly string[], names: readonly string[]): Promise<void> {
  await sql`update device_settings s set own_limit = ${besideController}
    where s.subject_id = any(${deviceIds}::uuid[]) and s.name = any(${names}::text[]) and s.own_limit is null
      and s.desired_source is distinct from 'ems'`.execute(db);
}

const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** A plant in scope with what holds its limit. */
export const plantWithLimit = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('sites')
    .leftJoin('grid_controls', 'grid_controls.site_id', 'sites.id')
    .leftJoin('accounts', 'accounts.id', 'grid_controls.set_by')
    .where(visibleSites(scope))
    .where('sites.id', '=', id)
    .select([
      'sites.id',
      'sites.key',
      'sites.name',
      'sites.time_zone as timeZone',
      'sites.organisation_id',
      'sites.owner_account_id',
      'grid_controls.controller',
      'grid_controls.export_limit_w as exportLimitW',
      'grid_controls.peak_controller as purchaseController',
      'grid_controls.peak_limit_w as purchaseLimitW',
      'grid_controls.peak_set_at as purchaseSetAt',
      'grid_controls.set_at as setAt',
      sql<string>`coalesce(accounts.username, '')`.as('setBy'),
      sql<boolean>`exists (select from followed_plans f where f.site_id = sites.id)`.as('followsPlan'),
    ])
    .executeTakeFirst();
export type PlantWithLimit = NonNullable<Awaited<ReturnType<typeof plantWithLimit>>>;

export interface GridDevice {
  id: string;
  loggerId: string;
  sn: string;
  kind: string;
  role: string;
  model: string;
  state: 'normal' | 'alarm' | 'fault' | 'offline';
  ratedW: number | null;
  powerW: number | null;
  tsMs: number | null;
  /** When its power was so; what it answers to orders tells nothing of that. */
  powerMs: number | null;
  /** So often its datalogger tells of it, as that says. */
  reportIntervalS: number;
  limitPercent: number | null;
  /** The limit that somebody has set, or the device had, beside the control of the portal; null: none. */
  ownPercent: number | null;
  pendingPercent: number | null;
  exportLimitW: number | null;
  peakLimitW: number | null;
}

/** Inverters, meters and EMS units of a plant, with what they tell and what they were told. */
export async function gridDevices(db: Db, siteId: string, nowMs: number): Promise<GridDevice[]> {
  const setting = (name: string) =>
    sql<unknown>`(select told.reported from device_settings told where told.subject_id = devices.id and told.name = ${name})`;
  const rows = await db
    .selectFrom('devices')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .leftJoin('device_latest', 'device_latest.device_id', 'devices.id')
    .where('devices.site_id', '=', siteId)
    .where('devices.deleted_at', 'is', null)
    .where('devices.kind', 'in', ['inverter', 'meter', 'ems'])
    .orderBy('devices.sn')
    .select([
      'devices.id',
      'devices.logger_id as loggerId',
      'devices.sn',
      'devices.kind',
      'devices.role',
      'devices.model',
      'devices.rated_power_w as ratedW',
      'device_latest.power_w as powerW',
      'device_latest.ts',
      sql<
        number | null
      >`(coalesce(device_latest.values -> 'AC/ActivePower', device_latest.values -> 'DC/Power') ->> 1)::float8`.as(
        'powerMs',
      ),
      'loggers.report_interval_s as reportIntervalS',
      deviceStateAt(nowMs).as('state'),
      setting(OUTPUT_LIMIT).as('limit'),
      sql<unknown>`(select ${ownSetting}
        from device_settings s where s.subject_id = devices.id and s.name = ${OUTPUT_LIMIT})`.as('own'),
      setting(EXPORT_LIMIT).as('export'),
      setting(PEAK_LIMIT).as('peak'),
      sql<unknown>`(select c.content -> 'values' -> ${OUTPUT_LIMIT}::text from commands c where coalesce(c.device_id, c.logger_id) = devices.id
        and c.state in ('queued', 'sent', 'acknowledged') and c.content -> 'values' ? ${OUTPUT_LIMIT}
        order by c.created_at desc, c.id desc limit 1)`.as('pending'),
    ])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    loggerId: row.loggerId,
    sn: row.sn,
    kind: row.kind,
    role: row.role,
    model: row.model,
    state: row.state,
    ratedW: row.ratedW,
    powerW: row.powerW,
    tsMs: row.ts?.getTime() ?? null,
    powerMs: row.powerMs ?? row.ts?.getTime() ?? null,
    reportIntervalS: row.reportIntervalS,
    limitPercent: number(row.limit),
    ownPercent: number(row.own),
    pendingPercent: number(row.pending),
    exportLimitW: number(row.export),
    peakLimitW: number(row.peak),
  }));
}

const MOST_RELEASED = 200;

/**
 * Plants at whose inverters a limit of the portal stands though nobody holds one there: it was deleted, or they were moved to it. Only those that are
 * heard, and are not told already.
 */
export async function leftLimited(db: Db, nowMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom('device_settings as s')
    .innerJoin('devices', 'devices.id', 's.subject_id')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .where('s.desired_source', '=', 'ems')
    .where('s.name', '=', OUTPUT_LIMIT)
    .where(sql<boolean>`(s.desired #>> '{}')::float8 < coalesce((s.own_limit #>> '{}')::float8, 100)`)
    .where('devices.deleted_at', 'is', null)
    .where(deviceStateAt(nowMs), '<>', 'offline')
    .where(
      sql<boolean>`not exists (select from grid_controls g join sites on sites.id = g.site_id
        where g.site_id = devices.site_id and g.controller = 'portal' and sites.deleted_at is null)`,
    )
    .where(
      sql<boolean>`not exists (select from commands c where coalesce(c.device_id, c.logger_id) = devices.id
        and c.state in ('queued', 'sent', 'acknowledged') and c.content -> 'values' ? ${OUTPUT_LIMIT})`,
    )
    .select('devices.site_id as siteId')
    .distinct()
    .limit(MOST_RELEASED)
    .execute();
  return rows.flatMap(({ siteId }) => siteId ?? []);
}

/** Orders of the controller at a plant that were not sent yet, whatever they are about. */
export async function unsentSteps(db: Db, siteId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('commands')
    .innerJoin('devices', 'devices.id', 'commands.device_id')
    .where('devices.site_id', '=', siteId)
    .where('commands.state', '=', 'queued')
    .where('commands.source', '=', 'ems')
    .select('commands.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Newest power at the grid point of a plant. */
export const gridPower = (db: Db, siteId: string) =>
  db.selectFrom('site_latest').where('site_id', '=', siteId).select(['grid_w as gridW', 'ts']).executeTakeFirst();

const byPortal = sql<boolean>`(grid_controls.controller = 'portal' or grid_controls.peak_controller = 'portal')`;

/** Plants of which the portal holds a limit. */
export const controlledPlants = (db: Db) =>
  db
    .selectFrom('grid_controls')
    .innerJoin('sites', 'sites.id', 'grid_controls.site_id')
    .where(byPortal)
    .where('sites.deleted_at', 'is', null)
    .select(['sites.id', 'sites.key'])
    .execute();

/** What the portal holds at a plant, null for a limit that it does not; locked until the transaction ends. */
export const heldLimits = (db: Db, siteId: string) =>
  db
    .selectFrom('grid_controls')
    .innerJoin('sites', 'sites.id', 'grid_controls.site_id')
    .where('grid_controls.site_id', '=', siteId)
    .where('sites.deleted_at', 'is', null)
    .select([
      sql<number | null>`case when grid_controls.controller = 'portal' then grid_controls.export_limit_w end`.as(
        'exportLimitW',
      ),
      sql<number | null>`case when grid_controls.peak_controller = 'portal' then grid_controls.peak_limit_w end`.as(
        'purchaseLimitW',
      ),
      'grid_controls.peak_controller as purchaseController',
      'grid_controls.peak_set_at as purchaseSetAt',
    ])
    .forUpdate('grid_controls')
    .executeTakeFirst();

/** Locks the limit of a plant, whoever holds it, until the transaction ends. */
export const holdLimit = (db: Db, siteId: string) =>
  db.selectFrom('grid_controls').select('site_id').where('site_id', '=', siteId).forUpdate().executeTakeFirst();

export interface PutLimit {
  readonly siteId: string;
  readonly controller: GridController | null;
  readonly exportLimitW: number | null;
  readonly purchaseController: GridController | null;
  readonly purchaseLimitW: number | null;
  readonly purchaseSetAt: Date | null;
  readonly by: string;
  readonly at: Date;
}

export const putLimit = (db: Db, limit: PutLimit) =>
  db
    .insertInto('grid_controls')
    .values({
      site_id: limit.siteId,
      controller: limit.controller,
      export_limit_w: limit.exportLimitW,
      peak_controller: limit.purchaseController,
      peak_limit_w: limit.purchaseLimitW,
      peak_set_at: limit.purchaseSetAt,
      set_by: limit.by,
      set_at: limit.at,
    })
    .onConflict((conflict) =>
      conflict.column('site_id').doUpdateSet((eb) => ({
        controller: eb.ref('excluded.controller'),
        export_limit_w: eb.ref('excluded.export_limit_w'),
        peak_controller: eb.ref('excluded.peak_controller'),
        peak_limit_w: eb.ref('excluded.peak_limit_w'),
        peak_set_at: eb.ref('excluded.peak_set_at'),
        set_by: eb.ref('excluded.set_by'),
        set_at: eb.ref('excluded.set_at'),
      })),
    )
    .execute();

export const dropLimit = (db: Db, siteId: string) =>
  db.deleteFrom('grid_controls').where('site_id', '=', siteId).returningAll().executeTakeFirst();
