import { type Kysely, sql } from 'kysely';
import type { Database } from '../../stores/schema.ts';
import type { DataloggerEntry, DeviceEntry } from './plant-model.ts';

export interface WrittenDevice {
  id: string;
  key: number;
  sn: string;
  kind: DeviceEntry['kind'];
  kind_guessed: boolean;
  site_id: string | null;
  role: string;
  /** It was there before. */
  is_found: boolean;
}

/** Writes what births of dataloggers tell, in the order of ids as all who write several. */
export async function updateDataloggers(db: Kysely<Database>, dataloggers: readonly DataloggerEntry[]): Promise<void> {
  const rows = dataloggers.map(({ id, properties: p, reportIntervalS, bornMs, clockWrongSinceMs }) => ({
    id,
    model: p.model,
    type: p.type,
    firmware: p.firmware,
    hardware: p.hardware,
    profile: p.profile,
    time_zone: p.timeZone,
    ip: p.ip,
    rssi_dbm: p.rssiDbm,
    uplink: p.uplink,
    report_interval_s: reportIntervalS,
    born_at: bornMs > 0 ? new Date(bornMs) : null,
    tells_clock: clockWrongSinceMs !== undefined,
    clock_wrong_since: typeof clockWrongSinceMs === 'number' ? new Date(clockWrongSinceMs) : null,
  }));
  await sql`
    with r as materialized (
      select r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r (
        id uuid, model text, type text, firmware text, hardware text, profile text, time_zone text, ip text,
        rssi_dbm float8, uplink text, report_interval_s int, born_at timestamptz,
        tells_clock boolean, clock_wrong_since timestamptz)
      join loggers locked on locked.id = r.id order by locked.id for no key update of locked)
    update loggers set
      model = coalesce(r.model, loggers.model), type = coalesce(r.type, loggers.type),
      firmware = coalesce(r.firmware, loggers.firmware), hardware = coalesce(r.hardware, loggers.hardware),
      profile = coalesce(r.profile, loggers.profile), time_zone = coalesce(r.time_zone, loggers.time_zone),
      ip = coalesce(r.ip, loggers.ip), rssi_dbm = coalesce(r.rssi_dbm, loggers.rssi_dbm),
      uplink = coalesce(r.uplink, loggers.uplink), report_interval_s = r.report_interval_s, born_at = coalesce(r.born_at, loggers.born_at),
      clock_wrong_since = case when not r.tells_clock then loggers.clock_wrong_since
        when r.clock_wrong_since is not null then coalesce(loggers.clock_wrong_since, r.clock_wrong_since) end
    from r where loggers.id = r.id`.execute(db);
}

/** Devices without a plant go to that of their datalogger. */
export async function linkToSites(db: Kysely<Database>, devices: readonly DeviceEntry[]): Promise<void> {
  await sql`
    with due as materialized (
      select id from devices where site_id is null and deleted_at is null
        and id = any(${devices.map(({ id }) => id)}::uuid[]) order by sn for no key update)
    update devices set site_id = loggers.site_id from loggers, due
    where devices.id = due.id and loggers.id = devices.logger_id
      and devices.site_id is null and devices.deleted_at is null`.execute(db);
}

/**
 * Writes what births tell, in the order of serial numbers: whoever writes several devices locks them so, also those that are not
 * there yet. Devices whose number another logger's device has are left out of the answer; in no plant, and with a
 * silent logger, it goes with the one that names it, unless it was burnt in, as in `mayTakeOver`. What is held has been judged by that.
 */
export async function insertDevices(db: Kysely<Database>, devices: readonly DeviceEntry[]): Promise<WrittenDevice[]> {
  const judged = devices.filter(({ key }) => key > 0).map(({ sn }) => sn);
  const rows = devices.map(({ sn, toldSn, isClaim, kind, isKindGuessed, datalogger, properties: p }) => ({
    sn,
    told_sn: toldSn,
    is_claim: isClaim,
    kind,
    kind_guessed: isKindGuessed,
    logger_id: datalogger.id,
    role: p.role,
    model: p.model,
    odm_sn: p.odmSn,
    rated_power_w: p.ratedPowerW,
    capacity_wh: p.capacityWh,
    version_master: p.versionMaster,
    version_slave: p.versionSlave,
    version_manager: p.versionManager,
    version_afci: p.versionAfci,
    hardware: p.hardware,
  }));
  const { rows: written } = await sql<WrittenDevice>`
    insert into devices as d (sn, told_sn, deleted_at, kind, kind_guessed, logger_id, site_id, role, model, odm_sn,
      rated_power_w, capacity_wh, version_master, version_slave, version_manager, version_afci, hardware)
    select r.sn, r.told_sn, case when r.is_claim then now() end, r.kind, r.kind_guessed, r.logger_id,
      case when r.is_claim then null else l.site_id end, coalesce(r.role, ''), coalesce(r.model, ''),
      coalesce(r.odm_sn, ''),
      r.rated_power_w, r.capacity_wh, coalesce(r.version_master, ''), coalesce(r.version_slave, ''),
      coalesce(r.version_manager, ''), coalesce(r.version_afci, ''), coalesce(r.hardware, '')
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      sn text, told_sn text, is_claim boolean, kind text, kind_guessed boolean, logger_id uuid, role text,
      model text, odm_sn text, rated_power_w float8, capacity_wh float8, version_master text, version_slave text, version_manager text, version_afci text,
      hardware text)
    join loggers l on l.id = r.logger_id order by r.sn
    on conflict (sn) do update set
      kind = case when d.kind_guessed then excluded.kind else d.kind end,
      kind_guessed = d.kind_guessed and excluded.kind_guessed,
      logger_id = excluded.logger_id, site_id = coalesce(d.site_id, excluded.site_id),
      role = case when excluded.role = '' then d.role else excluded.role end,
      model = case when excluded.model = '' then d.model else excluded.model end,
      odm_sn = case when excluded.odm_sn = '' then d.odm_sn else excluded.odm_sn end,
      rated_power_w = coalesce(excluded.rated_power_w, d.rated_power_w),
      capacity_wh = coalesce(excluded.capacity_wh, d.capacity_wh),
      version_master = case when excluded.version_master = '' then d.version_master else excluded.version_master end,
      version_slave = case when excluded.version_slave = '' then d.version_slave else excluded.version_slave end,
      version_manager =
        case when excluded.version_manager = '' then d.version_manager else excluded.version_manager end,
      version_afci = case when excluded.version_afci = '' then d.version_afci else excluded.version_afci end,
      hardware = case when excluded.hardware = '' then d.hardware else excluded.hardware end
    where d.logger_id = excluded.logger_id or d.site_id = excluded.site_id or (d.site_id is null and d.burn_in is distinct from 'over' and (
      d.sn = any(${judged}::text[])
      or not exists (select from loggers holder where holder.id = d.logger_id and holder.online)))
    returning d.id, d.key, d.sn, d.kind, d.kind_guessed, d.site_id, d.role, d.xmax <> 0 as is_found`.execute(db);
  return written;
}

/** Of these numbers those whose devices give them up, as in `givesNumberUp`. */
export async function numbersGivenUp(db: Kysely<Database>, sns: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('devices')
    .select('sn')
    .where(sql<boolean>`sn = any(${sns}::text[])`)
    .where('burn_in', '=', 'over')
    .where('site_id', 'is', null)
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map(({ sn }) => sn));
}

/** The device that had the number is gone: who claimed it has it. */
export async function freeClaims(db: Kysely<Database>, ids: readonly string[]): Promise<void> {
  await sql`
    with due as materialized (
      select id from devices where id = any(${ids}::uuid[]) order by sn for update)
    update devices set sn = told_sn, told_sn = null, deleted_at = null, site_id = loggers.site_id from loggers, due
    where devices.id = due.id and loggers.id = devices.logger_id
      and not exists (select from devices other where other.sn = devices.told_sn)
      and not exists (select from device_claims where claimant_id = devices.id)`.execute(db);
}

/** Notes that a second logger names these numbers; answers the ids of devices for which that is new. */
export async function insertClaims(db: Kysely<Database>, devices: readonly DeviceEntry[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    insert into device_claims (sn, holder_id, claimant_id)
    select claimant.told_sn, holder.id, claimant.id from devices claimant
    join devices holder on holder.sn = claimant.told_sn
    where claimant.id = any(${devices.map(({ id }) => id)}::uuid[]) and holder.id <> claimant.id
    on conflict (claimant_id) do nothing
    returning claimant_id as id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Whether PostgreSQL refuses what the row holds, so that the same row would be refused again. */
export function isRowRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(22|23)/.test(String(error.code));
}
