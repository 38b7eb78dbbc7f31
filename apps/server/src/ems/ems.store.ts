import { openCommandStates } from '@sonnenwarte/contract/commands/command';
import type { DispatchReason, dispatches, dispatchFields, GridController } from '@sonnenwarte/contract/ems/ems';
import { type Kysely, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { deviceStateAt } from '../current-state/current-state.ts';
import { visibleSites } from '../sites/sites.store.ts';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** The limit in percent of its rating, and the greatest power it may sell by its own controller. */
const OUTPUT_LIMIT = 'Setting/ActivePowerLimit';
const EXPORT_LIMIT = 'Setting/ExportLimit';
const PEAK_LIMIT = 'Setting/PeakLimit';

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
      'grid_controls.set_at as setAt',
      sql<string>`coalesce(accounts.username, '')`.as('setBy'),
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
      deviceStateAt(nowMs).as('state'),
      setting(OUTPUT_LIMIT).as('limit'),
      sql<unknown>`(select coalesce(s.own_limit, case when s.desired_source is distinct from 'ems' then coalesce(s.desired, s.reported) end)
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
    limitPercent: number(row.limit),
    ownPercent: number(row.own),
    pendingPercent: number(row.pending),
    exportLimitW: number(row.export),
    peakLimitW: number(row.peak),
  }));
}

/** Keeps what limits inverters had before the portal limits them. */
export async function keepOwnLimits(db: Db, deviceIds: readonly string[]): Promise<void> {
  await sql`update device_settings set own_limit = coalesce(desired, reported)
    where subject_id = any(${deviceIds}::uuid[]) and name = ${OUTPUT_LIMIT} and own_limit is null
      and desired_source is distinct from 'ems'`.execute(db);
}

const AT_ONCE = 5_000;
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

/** Orders of the portal that limit inverters of a plant, or let them give all again, and were not sent yet. */
export async function unsentSteps(db: Db, siteId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('commands')
    .innerJoin('devices', 'devices.id', 'commands.device_id')
    .where('devices.site_id', '=', siteId)
    .where('commands.state', '=', 'queued')
    .where('commands.source', '=', 'ems')
    .where(sql<boolean>`commands.content -> 'values' ? ${OUTPUT_LIMIT}`)
    .select('commands.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Newest power at the grid point of a plant. */
export const gridPower = (db: Db, siteId: string) =>
  db.selectFrom('site_latest').where('site_id', '=', siteId).select(['grid_w as gridW', 'ts']).executeTakeFirst();

/** Plants whose limit the portal holds. */
export const controlledPlants = (db: Db) =>
  db
    .selectFrom('grid_controls')
    .innerJoin('sites', 'sites.id', 'grid_controls.site_id')
    .where('grid_controls.controller', '=', 'portal')
    .where('sites.deleted_at', 'is', null)
    .select(['sites.id', 'sites.key', 'grid_controls.export_limit_w as exportLimitW'])
    .execute();

/** The limit that the portal holds at a plant, locked until the transaction ends; undefined where it holds none by now. */
export const heldLimit = (db: Db, siteId: string) =>
  db
    .selectFrom('grid_controls')
    .innerJoin('sites', 'sites.id', 'grid_controls.site_id')
    .where('grid_controls.site_id', '=', siteId)
    .where('grid_controls.controller', '=', 'portal')
    .where('sites.deleted_at', 'is', null)
    .select('grid_controls.export_limit_w as exportLimitW')
    .forUpdate('grid_controls')
    .executeTakeFirst();

/** Locks the limit of a plant, whoever holds it, until the transaction ends. */
export const holdLimit = (db: Db, siteId: string) =>
  db.selectFrom('grid_controls').select('site_id').where('site_id', '=', siteId).forUpdate().executeTakeFirst();

export const putLimit = (
  db: Db,
  limit: { siteId: string; controller: GridController; exportLimitW: number; by: string; at: Date },
) =>
  db
    .insertInto('grid_controls')
    .values({
      site_id: limit.siteId,
      controller: limit.controller,
      export_limit_w: limit.exportLimitW,
      set_by: limit.by,
      set_at: limit.at,
    })
    .onConflict((conflict) =>
      conflict.column('site_id').doUpdateSet((eb) => ({
        controller: eb.ref('excluded.controller'),
        export_limit_w: eb.ref('excluded.export_limit_w'),
        set_by: eb.ref('excluded.set_by'),
        set_at: eb.ref('excluded.set_at'),
      })),
    )
    .execute();

export const dropLimit = (db: Db, siteId: string) =>
  db.deleteFrom('grid_controls').where('site_id', '=', siteId).returningAll().executeTakeFirst();

export interface Step {
  deviceId: string;
  reason: DispatchReason;
  gridW: number | null;
  capW: number | null;
  fromPercent: number | null;
  toPercent: number;
  commandId: string;
}

export const noteSteps = async (db: Db, siteId: string, atMs: number, steps: readonly Step[]): Promise<void> => {
  if (steps.length === 0) return;
  await db
    .insertInto('dispatches')
    .values(
      steps.map((step) => ({
        site_id: siteId,
        device_id: step.deviceId,
        at: new Date(atMs),
        reason: step.reason,
        grid_w: step.gridW,
        cap_w: step.capW,
        from_percent: step.fromPercent,
        to_percent: step.toPercent,
        command_id: step.commandId,
      })),
    )
    .execute();
};

const steps = (db: Db) =>
  db
    .selectFrom('dispatches')
    .innerJoin('devices', 'devices.id', 'dispatches.device_id')
    .innerJoin('sites', 'sites.id', 'dispatches.site_id')
    .leftJoin('commands', 'commands.id', 'dispatches.command_id')
    .select([
      'dispatches.id',
      'dispatches.at',
      'dispatches.device_id as deviceId',
      'devices.sn',
      'dispatches.reason',
      'dispatches.grid_w as gridW',
      'dispatches.cap_w as capW',
      'dispatches.from_percent as fromPercent',
      'dispatches.to_percent as toPercent',
      'commands.state',
      'sites.time_zone as timeZone',
    ]);
export type DispatchRow = Awaited<ReturnType<ReturnType<typeof steps>['executeTakeFirstOrThrow']>>;

const sortKeys: SortKeys<typeof dispatchFields> = {
  atMs: sql`dispatches.at`,
  deviceSN: sql`devices.sn`,
  toPercent: sql`dispatches.to_percent`,
  reason: sql`dispatches.reason`,
  gridW: sql`dispatches.grid_w`,
  capW: sql`dispatches.cap_w`,
};

/** Steps at the plants in scope. */
export function stepsInScope(db: Db, scope: Scope, { condition, sort, ...span }: Asked<typeof dispatches>) {
  let query = steps(db).where(visibleSites(scope));
  if (condition.stationID !== undefined) query = query.where('dispatches.site_id', '=', condition.stationID);
  if (condition.content !== '') query = query.where('devices.sn', 'ilike', containing(condition.content));
  const isKnown = sort.field !== 'gridW' && sort.field !== 'capW';
  return pageOf(query, { key: sortKeys[sort.field], apart: [sql`dispatches.id`], order: sort.order, isKnown }, span);
}

export const lastStep = (db: Db, siteId: string) =>
  steps(db)
    .where('dispatches.site_id', '=', siteId)
    .orderBy('dispatches.at', 'desc')
    .orderBy('dispatches.id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Takes away what is older, a part at a time; true while there may be more. */
export async function forgetSteps(db: Db, beforeMs: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('dispatches')
    .where('id', 'in', (eb) =>
      eb.selectFrom('dispatches').select('id').where('at', '<', new Date(beforeMs)).orderBy('at').limit(AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows) === AT_ONCE;
}

/**
 * Takes away orders of the controller that are older and over, with the changes that they made, a part at a time; true
 * while there may be more. What people, plans and devices changed stays.
 */
export async function forgetOrders(db: Db, beforeMs: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .with('old', (qb) =>
      qb
        .selectFrom('commands')
        .select('id')
        .where('source', '=', 'ems')
        .where('created_at', '<', new Date(beforeMs))
        .where('state', 'not in', openCommandStates)
        .orderBy('created_at')
        .limit(AT_ONCE),
    )
    .with('changes', (qb) =>
      qb.deleteFrom('setting_changes').where('command_id', 'in', (eb) => eb.selectFrom('old').select('old.id')),
    )
    .deleteFrom('commands')
    .where('id', 'in', (eb) => eb.selectFrom('old').select('old.id'))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows) === AT_ONCE;
}
