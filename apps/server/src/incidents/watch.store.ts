import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { DATALOGGER_OFFLINE, DEVICE_OFFLINE } from './explains.ts';

type Db = Kysely<Database>;

export const CLOCK_WRONG = 5005;
export const WEAK_SIGNAL = 5006;
export const COUNTER_REPAIRED = 7002;
export const SETTING_DIFFERS = 7003;

/** Kinds of devices that are fed at night. */
const NIGHT_KINDS = ['battery', 'meter', 'ems', 'gateway', 'pile'];

/** A datalogger or device of which it is time to look whether it is silent. */
export interface Looked {
  id: string;
  logger_id: string;
  device_id: string | null;
  /** It has a plant, and neither is deleted or shut out. */
  is_there: boolean;
  /** That it is silent is told already. */
  is_told: boolean;
  last_seen_at: Date | null;
  report_interval_s: number;
  latitude: number | null;
  longitude: number | null;
  /** Is fed at night, or a datalogger of something that is. */
  is_fed: boolean;
  rssi_dbm: number | null;
}

/** Dataloggers that are to be looked at, those that wait longest first; nobody else looks at them until the end of the transaction. */
export async function dataloggersToLookAt(tx: Db, now: Date, most: number): Promise<Looked[]> {
  const { rows } = await sql<Looked>`
    with due as (select logger_id from silence_of_loggers where judge_at <= ${now} order by judge_at limit ${most} for update skip locked)
    select l.id, l.id as logger_id, null as device_id, s.id is not null and s.deleted_at is null and l.revoked_at is null and not l.quarantined as is_there,
      exists (select from alarms a where a.logger_id = l.id and a.device_id is null and a.code = ${DATALOGGER_OFFLINE} and a.until is null) as is_told,
      l.last_seen_at, l.report_interval_s, s.latitude, s.longitude, l.rssi_dbm,
      exists (select from devices d where d.logger_id = l.id and d.deleted_at is null and d.kind = any(${NIGHT_KINDS}::text[])) as is_fed
    from due join loggers l on l.id = due.logger_id left join sites s on s.id = l.site_id`.execute(tx);
  return rows;
}

/** The same of devices, which may be silent because their datalogger is. */
export async function devicesToLookAt(tx: Db, now: Date, most: number): Promise<Looked[]> {
  const { rows } = await sql<Looked>`
    with due as (select device_id from silence_of_devices where judge_at <= ${now} order by judge_at limit ${most} for update skip locked)
    select d.id, d.logger_id, d.id as device_id,
      s.id is not null and s.deleted_at is null and d.deleted_at is null and l.revoked_at is null and not l.quarantined as is_there,
      exists (select from alarms a where a.device_id = d.id and a.code = ${DEVICE_OFFLINE} and a.until is null) as is_told,
      d.last_seen_at, l.report_interval_s, s.latitude, s.longitude, null as rssi_dbm, d.kind = any(${NIGHT_KINDS}::text[]) as is_fed
    from due join devices d on d.id = due.device_id join loggers l on l.id = d.logger_id left join sites s on s.id = d.site_id`.execute(
    tx,
  );
  return rows;
}

export interface Again {
  id: string;
  at: Date;
}

export async function lookAgain(tx: Db, what: 'dataloggers' | 'devices', again: readonly Again[]): Promise<void> {
  const json = JSON.stringify(again);
  await (what === 'devices'
    ? sql`update silence_of_devices s set judge_at = t.at from json_to_recordset(${json}::json) as t (id uuid, at timestamptz) where s.device_id = t.id`
    : sql`update silence_of_loggers s set judge_at = t.at from json_to_recordset(${json}::json) as t (id uuid, at timestamptz) where s.logger_id = t.id`
  ).execute(tx);
}

/** The devices of dataloggers that have become silent are looked at next. */
export async function lookAtDevicesOf(tx: Db, loggerIds: readonly string[], now: Date): Promise<void> {
  if (loggerIds.length === 0) return;
  await sql`
    update silence_of_devices s set judge_at = ${now} from devices d
    where d.id = s.device_id and d.logger_id = any(${loggerIds}::uuid[]) and s.judge_at > ${now}`.execute(tx);
}

export interface Raised {
  device_id: string | null;
  logger_id: string | null;
  code: number;
  level: number;
  since: Date;
}

/** Begins alarms that the portal found; one that stands already stays. */
export async function raise(db: Db, found: readonly Raised[]): Promise<void> {
  if (found.length === 0) return;
  await sql`
    insert into alarms (device_id, logger_id, site_id, code, level, since, source)
    select t.device_id, case when t.device_id is null then t.logger_id end, coalesce(d.site_id, l.site_id), t.code, t.level, t.since, 'portal'
    from json_to_recordset(${JSON.stringify(found)}::json) as t (device_id uuid, logger_id uuid, code int, level int, since timestamptz)
      left join devices d on d.id = t.device_id left join loggers l on l.id = t.logger_id
    on conflict do nothing`.execute(db);
}

/** Ends what is silent no more. */
export async function endSilence(db: Db): Promise<void> {
  await sql`
    update alarms set until = greatest(alarms.since, loggers.last_seen_at), folded = false from loggers
    where alarms.logger_id = loggers.id and alarms.device_id is null and alarms.code = ${DATALOGGER_OFFLINE} and alarms.source = 'portal'
      and alarms.until is null and loggers.last_seen_at > alarms.since`.execute(db);
  await sql`
    update alarms set until = greatest(alarms.since, devices.last_seen_at), folded = false from devices
    where alarms.device_id = devices.id and alarms.code = ${DEVICE_OFFLINE} and alarms.source = 'portal'
      and alarms.until is null and devices.last_seen_at > alarms.since`.execute(db);
}

/** Notes since when dataloggers have hardly any signal, and forgets those that have one again. */
export async function noteSignals(
  db: Db,
  now: Date,
  { weak, good }: { weak: readonly string[]; good: readonly string[] },
): Promise<void> {
  await sql`
    insert into watched_conditions (subject, code, since) select id, ${WEAK_SIGNAL}, ${now} from unnest(${weak}::uuid[]) as id
    on conflict do nothing`.execute(db);
  await sql`delete from watched_conditions where code = ${WEAK_SIGNAL} and subject = any(${good}::uuid[])`.execute(db);
}

/** Dataloggers whose signal has been weak since before a time, of which that is not told. */
export async function weakSince(db: Db, before: Date): Promise<{ id: string; since: Date }[]> {
  const { rows } = await sql<{ id: string; since: Date }>`
    select w.subject as id, w.since from watched_conditions w
    where w.code = ${WEAK_SIGNAL} and w.since < ${before} and not exists (
      select from alarms a where a.logger_id = w.subject and a.device_id is null and a.code = ${WEAK_SIGNAL} and a.until is null)`.execute(
    db,
  );
  return rows;
}

/** Ends the alarms of signals that are good again. */
export async function endWeakSignals(db: Db, now: Date): Promise<void> {
  await sql`
    update alarms set until = greatest(since, ${now}::timestamptz), folded = false
    where code = ${WEAK_SIGNAL} and source = 'portal' and device_id is null and until is null
      and not exists (select from watched_conditions w where w.subject = alarms.logger_id and w.code = ${WEAK_SIGNAL})`.execute(
    db,
  );
}

/** Alarms of devices and dataloggers of which a setting has been another than was ordered since before a time; and ends those of which none is. */
export async function watchDrifts(db: Db, now: Date, before: Date): Promise<void> {
  await sql`
    insert into alarms (device_id, logger_id, site_id, code, level, since, source)
    select d.id, case when d.id is null then l.id end, coalesce(d.site_id, l.site_id), ${SETTING_DIFFERS}, 2, t.since, 'portal'
    from (select subject_id, min(drifted_since) as since from device_settings where drifted_since is not null group by subject_id) as t
      left join devices d on d.id = t.subject_id and d.deleted_at is null
      left join loggers l on l.id = t.subject_id and l.revoked_at is null
    where t.since < ${before} and coalesce(d.site_id, l.site_id) is not null
      and not exists (select from alarms a where a.code = ${SETTING_DIFFERS} and a.until is null
        and (a.device_id = d.id or (d.id is null and a.device_id is null and a.logger_id = l.id)))
    on conflict do nothing`.execute(db);
  await sql`
    update alarms set until = greatest(since, ${now}::timestamptz), folded = false
    where code = ${SETTING_DIFFERS} and source = 'portal' and until is null and not exists (
      select from device_settings s where s.subject_id = coalesce(alarms.device_id, alarms.logger_id) and s.drifted_since is not null)`.execute(
    db,
  );
}

/** Alarms of dataloggers whose clock has been wrong since before a time; and ends those of which it is right again. */
export async function watchClocks(db: Db, now: Date, before: Date): Promise<void> {
  await sql`
    insert into alarms (logger_id, site_id, code, level, since, source)
    select l.id, l.site_id, ${CLOCK_WRONG}, 1, l.clock_wrong_since, 'portal' from loggers l
    where l.clock_wrong_since < ${before} and l.site_id is not null and l.revoked_at is null and not l.quarantined
      and not exists (select from alarms a where a.logger_id = l.id and a.device_id is null and a.code = ${CLOCK_WRONG} and a.until is null)
    on conflict do nothing`.execute(db);
  await sql`
    update alarms set until = greatest(since, ${now}::timestamptz), folded = false
    where code = ${CLOCK_WRONG} and source = 'portal' and device_id is null and until is null and not exists (
      select from loggers l where l.id = alarms.logger_id and l.clock_wrong_since is not null)`.execute(db);
}

/** Notes the joints of counters since a time: each is told once, and over at once. */
export async function noteRepairedCounters(db: Db, from: Date): Promise<void> {
  await sql`
    insert into alarms (device_id, site_id, code, level, since, until, extra, source)
    select d.id, d.site_id, ${COUNTER_REPAIRED}, 1, e.ts, e.ts, coalesce(e.detail ->> 'channel', ''), 'portal'
    from (select distinct on (device_id, ts) device_id, ts, detail from device_events
        where ts > ${from} and kind in ('counter-reset', 'counter-replaced', 'counter-wrap') order by device_id, ts) as e
      join devices d on d.id = e.device_id
    where d.site_id is not null and d.deleted_at is null
      and not exists (select from alarms a where a.device_id = d.id and a.code = ${COUNTER_REPAIRED} and a.since = e.ts)`.execute(
    db,
  );
}

/** Closes what has been over for long enough, and what goes on at devices that were deleted; answers how many these are. */
export async function closeDone(db: Db, now: Date, overBefore: Date, most: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with over as (
      (select id from incidents where state = 'cleared' and until <= ${overBefore} order by until limit ${most})
      union
      (select i.id from incidents i join devices d on d.id = i.device_id where i.state <> 'closed' and d.deleted_at is not null limit ${most})
    ), locked as (
      select i.id from incidents i where i.id in (select id from over) order by i.id for update
    ), closed as (
      update incidents set state = 'closed', until = coalesce(until, ${now}), closed_at = ${now}, cause_id = case when until is null then null else cause_id end
      where id in (select id from locked) and state <> 'closed' returning id
    ), entered as (
      insert into incident_entries (incident_id, at, kind) select id, ${now}, 'closed' from closed
    )
    select id from closed`.execute(db);
  return rows.length;
}

/** Removes incidents that were closed before a time, with what was told; answers how many. */
export async function forgetIncidents(db: Db, closedBefore: Date, most: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with old as (select id from incidents where state = 'closed' and closed_at < ${closedBefore} and until < ${closedBefore} order by until limit ${most}),
      told as (delete from alarms where incident_id in (select id from old) and until is not null)
    delete from incidents where id in (select id from old) returning id`.execute(db);
  return rows.length;
}
