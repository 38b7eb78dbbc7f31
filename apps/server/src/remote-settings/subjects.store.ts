import type { State } from '@sonnenwarte/contract/status';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { dataloggerIsVisible, type Scope } from '../access/scope.ts';
import { dataloggerIsOnlineAt, deviceStateAt } from '../current-state/current-state.ts';
import { joinedDevices, visibleDevices } from '../device-rows/device-rows.store.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Whose settings they are: a device, or a datalogger itself. */
export interface Subject {
  readonly id: string;
  readonly sn: string;
  readonly kind: Database['setting_presets']['kind'];
  readonly model: string;
  readonly firmware: string;
  readonly loggerId: string;
  /** Null for a datalogger itself. */
  readonly deviceId: string | null;
  readonly moduleSN: string;
  readonly siteId: string | null;
  readonly siteName: string;
  readonly siteKey: number | null;
  readonly timeZone: string | null;
  readonly organisationId: string | null;
  readonly ratedPowerW: number | null;
  /** In the telemetry store; null for a datalogger. */
  readonly deviceKey: number | null;
  readonly state: State;
}

const deviceSubjects = (db: Db, scope: Scope, nowMs: number) =>
  joinedDevices(db)
    .where(visibleDevices(scope))
    .select([
      'devices.id',
      'devices.sn',
      'devices.kind',
      'devices.model',
      'devices.version_master as firmware',
      'devices.logger_id as loggerId',
      'devices.id as deviceId',
      'loggers.sn as moduleSN',
      'sites.id as siteId',
      sql<string>`coalesce(sites.name, '')`.as('siteName'),
      'sites.key as siteKey',
      'sites.time_zone as timeZone',
      'sites.organisation_id as organisationId',
      'devices.rated_power_w as ratedPowerW',
      'devices.key as deviceKey',
      deviceStateAt(nowMs).as('state'),
    ]);

/** Devices by their ids, as far as they are in scope, in no certain order. */
export async function subjectsOf(db: Db, scope: Scope, ids: readonly string[], nowMs: number): Promise<Subject[]> {
  if (ids.length === 0) return [];
  return deviceSubjects(db, scope, nowMs).where(sql<SqlBool>`devices.id = any(${ids}::uuid[])`).execute();
}

/** Devices of a kind by serial number. */
export const subjectsBySn = (db: Db, scope: Scope, kind: AttachedKind, sns: readonly string[], nowMs: number) =>
  deviceSubjects(db, scope, nowMs)
    .where('devices.kind', '=', kind)
    .where(sql<SqlBool>`devices.sn = any(${sns}::text[])`)
    .orderBy('devices.sn')
    .execute();

const visibleDataloggers = (scope: Scope): Expression<SqlBool> =>
  dataloggerIsVisible(scope)(expressionBuilder<Database, 'loggers'>());

/** A device of this id, or a datalogger. */
export async function subjectOf(db: Db, scope: Scope, id: string, nowMs: number): Promise<Subject | undefined> {
  const [device] = await subjectsOf(db, scope, [id], nowMs);
  if (device !== undefined) return device;
  const datalogger = await db
    .selectFrom('loggers')
    .leftJoin('sites', 'sites.id', 'loggers.site_id')
    .where(visibleDataloggers(scope))
    .where('loggers.id', '=', id)
    .select([
      'loggers.id',
      'loggers.sn',
      'loggers.model',
      'loggers.firmware',
      'loggers.id as loggerId',
      'loggers.sn as moduleSN',
      'sites.id as siteId',
      sql<string>`coalesce(sites.name, '')`.as('siteName'),
      'sites.key as siteKey',
      'sites.time_zone as timeZone',
      sql<string | null>`coalesce(sites.organisation_id, loggers.organisation_id)`.as('organisationId'),
      sql<State>`case when ${dataloggerIsOnlineAt(nowMs)} then 'normal' else 'offline' end`.as('state'),
    ])
    .executeTakeFirst();
  return datalogger && { ...datalogger, kind: 'logger', deviceId: null, ratedPowerW: null, deviceKey: null };
}

/** Lets those who write to subjects come one after another; in one order, so that no two wait for each other. Before anything is recorded in the audit log. */
export const holdSubjects = (tx: Transaction<Database>, ids: readonly string[]) =>
  sql`
    select pg_advisory_xact_lock(held.key) from (
      select distinct hashtextextended('settings ' || id, 0) as key from unnest(${ids}::text[]) as id order by key) as held`.execute(
    tx,
  );

export const holdSubject = (tx: Transaction<Database>, id: string) => holdSubjects(tx, [id]);
