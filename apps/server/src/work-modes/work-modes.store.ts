import type { CommandState } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible } from '../access/scope.ts';
import { deviceStateAt } from '../current-state/current-state.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import type { Database } from '../stores/schema.ts';
import { limitSettings, planSettings } from './plan-settings.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** Whether who has a plant shared may set its work mode. */
const mayByShare = (scope: Scope) =>
  scope.kind !== 'owner'
    ? sql<boolean>`false`
    : sql<boolean>`exists (select from site_shares where site_shares.site_id = sites.id and site_shares.ended_at is null
        and site_shares.account_id = ${scope.accountId} and site_shares.sets_work_mode)`;

const sites = (db: Db | Tx, scope: Scope, ids: readonly string[]) =>
  db
    .selectFrom('sites')
    .where(siteIsVisible(scope))
    .where(sql<boolean>`sites.id = any(${ids}::uuid[])`)
    .select([
      'sites.id',
      'sites.name',
      'sites.organisation_id',
      'sites.owner_account_id',
      mayByShare(scope).as('mayByShare'),
    ])
    .orderBy('sites.id');
export type PlanSite = Awaited<ReturnType<ReturnType<typeof sites>['execute']>>[number];

export const planSites = (db: Db, scope: Scope, ids: readonly string[]): Promise<PlanSite[]> =>
  sites(db, scope, ids).execute();

/** The same, held: plans of a plant are ordered one after the other. */
export const holdPlanSites = (tx: Tx, scope: Scope, ids: readonly string[]): Promise<PlanSite[]> =>
  sites(tx, scope, ids).forUpdate('sites').execute();

/** The plant of a device in scope. */
export const siteOfDevice = async (db: Db, scope: Scope, id: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('devices')
    .where(visibleDevices(scope))
    .where('devices.id', '=', id)
    .select('devices.site_id')
    .executeTakeFirst();
  return row?.site_id ?? undefined;
};

/** A device of a plant that may have to do with its battery. */
export interface PlanDevice {
  readonly id: string;
  readonly sn: string;
  readonly siteId: string;
  readonly loggerId: string;
  readonly kind: 'ems' | 'inverter' | 'battery';
  readonly online: boolean;
  /** As sums have it: it is silent since another of its kind was heard first, or for more than a week. */
  readonly isRetired: boolean;
  readonly ratedPowerW: number | null;
  readonly capacityWh: number | null;
  /** Settings of plans and their limits, as it told them, and as they are meant to be. */
  readonly reported: ReadonlyMap<string, SettingValue>;
  readonly reportedMs: number | null;
  readonly desired: ReadonlyMap<string, SettingValue>;
}

/** After so long a device is not waited for any more. */
const RETIRED_AFTER_MS = 7 * 86_400_000;

const isRetired = (nowMs: number) => sql<boolean>`${deviceStateAt(nowMs)} = 'offline' and exists (
  select from device_latest l where l.device_id = devices.id and (l.ts < ${new Date(nowMs - RETIRED_AFTER_MS)} or exists (
    select from devices o where o.site_id = devices.site_id and o.kind = devices.kind and o.id <> devices.id and o.deleted_at is null
      and o.first_seen_at > l.ts)))`;

const names = [...planSettings, ...limitSettings];

/** EMS units, inverters and batteries of plants in scope, with their settings. */
export async function planDevices(
  db: Db | Tx,
  scope: Scope,
  siteIds: readonly string[],
  nowMs: number,
): Promise<PlanDevice[]> {
  const devices = await db
    .selectFrom('devices')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .where(visibleDevices(scope))
    .where(sql<boolean>`devices.site_id = any(${siteIds}::uuid[])`)
    .where('devices.kind', 'in', ['ems', 'inverter', 'battery'])
    .select([
      'devices.id',
      'devices.sn',
      'devices.site_id',
      'devices.logger_id',
      'devices.kind',
      'devices.rated_power_w',
      'devices.capacity_wh',
      deviceStateAt(nowMs).as('state'),
      isRetired(nowMs).as('isRetired'),
    ])
    .orderBy('devices.sn')
    .execute();
  if (devices.length === 0) return [];
  const settings = await db
    .selectFrom('device_settings')
    .select(['subject_id', 'name', 'reported', 'reported_at', 'desired'])
    .where(sql<boolean>`subject_id = any(${devices.map(({ id }) => id)}::uuid[])`)
    .where('name', 'in', names)
    .execute();
  const bySubject = Map.groupBy(settings, ({ subject_id }) => subject_id);
  return devices.map((device) => {
    const own = bySubject.get(device.id) ?? [];
    const valuesOf = (column: 'reported' | 'desired') =>
      new Map(own.flatMap((row) => (row[column] === null ? [] : [[row.name, row[column]] as const])));
    const times = own.flatMap(({ reported_at }) => (reported_at === null ? [] : [reported_at.getTime()]));
    return {
      id: device.id,
      sn: device.sn,
      siteId: device.site_id ?? '',
      loggerId: device.logger_id,
      kind: device.kind as PlanDevice['kind'],
      online: device.state !== 'offline',
      isRetired: device.isRetired,
      ratedPowerW: device.rated_power_w,
      capacityWh: device.capacity_wh,
      reported: valuesOf('reported'),
      reportedMs: times.length === 0 ? null : Math.max(...times),
      desired: valuesOf('desired'),
    };
  });
}

export interface PlanCommand {
  readonly id: string;
  readonly deviceId: string;
  readonly deviceSn: string;
  readonly state: CommandState;
  readonly code: number | null;
  readonly message: string;
  readonly createdMs: number;
  readonly online: boolean;
}

/** Commands that write a part of a plan to devices in scope: those that are open, and those given since a time; the newest first. */
export async function planCommands(
  db: Db | Tx,
  scope: Scope,
  deviceIds: readonly string[],
  since: Date,
): Promise<PlanCommand[]> {
  const rows = await db
    .selectFrom('commands')
    .innerJoin('devices', 'devices.id', 'commands.device_id')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .where(visibleDevices(scope))
    .where(sql<boolean>`coalesce(commands.device_id, commands.logger_id) = any(${deviceIds}::uuid[])`)
    .where('commands.kind', '=', 'write')
    .where(sql<boolean>`(commands.content -> 'values') ?| ${[...planSettings]}::text[]`)
    .where((eb) =>
      eb.or([eb('commands.created_at', '>=', since), eb('commands.state', 'in', ['queued', 'sent', 'acknowledged'])]),
    )
    .select([
      'commands.id',
      'commands.device_id',
      'devices.sn',
      'commands.state',
      'commands.code',
      'commands.message',
      'commands.created_at',
      'loggers.online',
    ])
    .orderBy('commands.created_at', 'desc')
    .orderBy('commands.id', 'desc')
    .limit(100)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    deviceId: row.device_id ?? '',
    deviceSn: row.sn,
    state: row.state,
    code: row.code,
    message: row.message,
    createdMs: row.created_at.getTime(),
    online: row.online,
  }));
}
