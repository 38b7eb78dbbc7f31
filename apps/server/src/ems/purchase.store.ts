import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { type Kysely, sql } from 'kysely';
import { deviceStateAt } from '../current-state/current-state.ts';
import type { Database } from '../stores/schema.ts';
import { ownSetting } from './ems.store.ts';

type Db = Kysely<Database>;

export const WORK_MODE = 'Setting/WorkMode';
export const PURCHASE_LIMIT = 'Setting/PeakLimit';
export const DISCHARGE_LIMIT = 'Setting/DischargePower';
/** What is written for a limit of what is bought. */
export const purchaseSettings = [WORK_MODE, PURCHASE_LIMIT, DISCHARGE_LIMIT] as const;
export type PurchaseSetting = (typeof purchaseSettings)[number];

const MIN_SOC = 'Setting/MinSoc';
const PARALLEL_MODE = 'Setting/ParallelMode';
const readSettings = [...purchaseSettings, MIN_SOC, PARALLEL_MODE];

/** A setting as a device has it, and who made it so. */
interface PurchaseSettingState {
  readonly told: SettingValue | null;
  /** What somebody has set, or the device had, beside the controller. */
  readonly own: SettingValue | null;
  readonly source: string | null;
  readonly sinceMs: number | null;
  readonly isDrifted: boolean;
  readonly low: number | null;
  readonly high: number | null;
  readonly isReadOnly: boolean;
}

export interface PurchaseDevice {
  readonly id: string;
  readonly loggerId: string;
  readonly sn: string;
  readonly kind: 'inverter' | 'battery' | 'ems';
  readonly model: string;
  readonly firmware: string;
  readonly state: 'normal' | 'alarm' | 'fault' | 'offline';
  readonly ratedW: number | null;
  readonly capacityWh: number | null;
  /** Of an inverter at its AC terminals, of a battery + given. */
  readonly powerW: number | null;
  readonly socPercent: number | null;
  readonly tsMs: number | null;
  readonly settings: Readonly<Record<string, PurchaseSettingState>>;
  /** What open commands write last, by name, and whether the controller ordered it. */
  readonly pending: Readonly<Record<string, { readonly value: SettingValue; readonly isOurs: boolean }>>;
  /** When it refused the controller last. */
  readonly refusedMs: number | null;
}

export const minSocOf = ({ settings }: PurchaseDevice): number => numberOf(settings[MIN_SOC]?.told) ?? 10;
const parallelOf = ({ settings }: PurchaseDevice): number | null => numberOf(settings[PARALLEL_MODE]?.told);
export const isSecondary = (device: PurchaseDevice): boolean => parallelOf(device) === 2;
export const isPrimary = (device: PurchaseDevice): boolean => parallelOf(device) === 1;

export const numberOf = (value: SettingValue | null | undefined): number | null =>
  typeof value === 'number' ? value : null;

/** Inverters, batteries and EMS units of a plant, with what they tell, were told, and had before. */
export async function purchaseDevices(db: Db, siteId: string, nowMs: number): Promise<PurchaseDevice[]> {
  const rows = await db
    .selectFrom('devices')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .leftJoin('device_latest', 'device_latest.device_id', 'devices.id')
    .where('devices.site_id', '=', siteId)
    .where('devices.deleted_at', 'is', null)
    .where('devices.kind', 'in', ['inverter', 'battery', 'ems'])
    .orderBy('devices.sn')
    .select([
      'devices.id',
      'devices.logger_id as loggerId',
      'devices.sn',
      sql<PurchaseDevice['kind']>`devices.kind`.as('kind'),
      'devices.model',
      'devices.version_master as firmware',
      'devices.rated_power_w as ratedW',
      'devices.capacity_wh as capacityWh',
      'device_latest.power_w as powerW',
      'device_latest.soc_percent as socPercent',
      'device_latest.ts',
      deviceStateAt(nowMs).as('state'),
      sql<PurchaseDevice['settings'] | null>`(select json_object_agg(s.name, json_build_object('told', s.reported,
          'own', ${ownSetting},
          'source', s.desired_source, 'sinceMs', round(extract(epoch from s.desired_since) * 1000),
          'isDrifted', s.drifted_since is not null, 'low', s.told_low, 'high', s.told_high, 'isReadOnly', s.told_read_only))
        from device_settings s where s.subject_id = devices.id and s.name = any(${readSettings}::text[]))`.as(
        'settings',
      ),
      sql<PurchaseDevice['pending'] | null>`(select
          jsonb_object_agg(v.key, jsonb_build_object('value', v.value, 'isOurs', c.source = 'ems') order by c.created_at, c.id)
        from commands c, jsonb_each(c.content -> 'values') v where coalesce(c.device_id, c.logger_id) = devices.id
          and c.state in ('queued', 'sent', 'acknowledged') and v.key = any(${purchaseSettings}::text[]))`.as(
        'pending',
      ),
      sql<Date | null>`(select max(c.done_at) from commands c where c.device_id = devices.id and c.source = 'ems'
          and c.state in ('refused', 'differs') and c.content -> 'values' ?| ${purchaseSettings}::text[])`.as(
        'refused',
      ),
    ])
    .execute();
  return rows.map(({ ts, refused, settings, pending, ...row }) => ({
    ...row,
    tsMs: ts?.getTime() ?? null,
    settings: settings ?? {},
    pending: pending ?? {},
    refusedMs: refused?.getTime() ?? null,
  }));
}

/** Keeps what devices have as a limit begins: they may have been set otherwise since one ended. */
export async function keepOwnAnew(db: Db, deviceIds: readonly string[]): Promise<void> {
  await sql`update device_settings set own_limit = case
      when desired is null or drifted_since is not null then reported
      when desired_source = 'ems' then coalesce(own_limit, desired)
      else desired end
    where subject_id = any(${deviceIds}::uuid[]) and name = any(${purchaseSettings}::text[])`.execute(db);
}

const MOST_RELEASED = 200;

/**
 * Plants at whose devices something stands that was set for a limit of what is bought though nobody holds one there with them: it was deleted, they were
 * moved, or what gave it back did not arrive. Only those that are heard, are not told already, and have not refused of late.
 */
export async function leftHolding(db: Db, nowMs: number, refusedBeforeMs: number): Promise<string[]> {
  const { rows } = await sql<{ siteId: string }>`
    select distinct devices.site_id as "siteId" from device_settings s
      join devices on devices.id = s.subject_id
      join loggers on loggers.id = devices.logger_id
    where s.desired_source = 'ems' and s.name = any(${purchaseSettings}::text[]) and s.own_limit is not null
      and s.desired is distinct from s.own_limit and s.drifted_since is null and devices.site_id is not null and devices.deleted_at is null
      and ${deviceStateAt(nowMs)} <> 'offline'
      and not exists (select from grid_controls g join sites on sites.id = g.site_id
        where g.site_id = devices.site_id and sites.deleted_at is null and (g.peak_controller = 'portal'
          or (g.peak_controller = 'device' and s.name <> ${DISCHARGE_LIMIT} and (devices.kind = 'ems' or not exists (
            select from devices e where e.site_id = devices.site_id and e.kind = 'ems' and e.deleted_at is null)))))
      and not exists (select from commands c where coalesce(c.device_id, c.logger_id) = devices.id
        and (c.state in ('queued', 'sent', 'acknowledged') or (c.state in ('refused', 'differs') and c.source = 'ems'
          and c.done_at > ${new Date(refusedBeforeMs)})) and c.content -> 'values' ?| ${purchaseSettings}::text[])
    limit ${MOST_RELEASED}`.execute(db);
  return rows.map(({ siteId }) => siteId);
}
