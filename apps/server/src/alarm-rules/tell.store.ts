import type { IncidentState } from '@sonnenwarte/contract/incidents/incident-moves';
import { expressionBuilder, type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { incidentIsVisible, incidentStandsAlone, type Scope } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';
import { keeps } from './match.store.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

export interface DueTelling {
  id: string;
  rule_id: string;
  incident_id: string;
  account_id: string;
  channel: 'inbox' | 'email' | 'push' | 'webhook';
  event: 'began' | 'escalated' | 'ended';
  due_at: Date;
  rule_name: string;
  enabled: boolean;
  levels: number[];
  codes: number[];
  delay_minutes: number;
  mode: 'atOnce' | 'daily';
  digest_at: string;
  quiet_from: string;
  quiet_to: string;
  critical_always: boolean;
  channels: string[];
  escalate_minutes: number | null;
  /** The receiver is there, told by the rule, and the rule is its keeper's to keep. */
  is_told: boolean;
  only_site: string | null;
  only_organisation: string | null;
  level: 1 | 2 | 3 | 4 | 10 | 255;
  organisation_id: string;
  time_zone: string | null;
}

/** Most that is told to one account in one round. */
const MOST_OF_ROUND = 20_000;

/** Accounts that are to be told something by now, those that wait longest first. */
export async function dueAccounts(db: Db, now: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from (
      select account_id, due_at from alarm_tellings where state = 'waiting' and due_at <= ${now} order by due_at limit ${most}
    ) as oldest group by account_id order by min(due_at)`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/** All that is to be told by now to an account, so that what comes in many comes as one. */
export async function dueTellings(tx: Tx, accountId: string, now: Date): Promise<DueTelling[]> {
  const { rows } = await sql<DueTelling>`
    select t.id, t.rule_id, t.incident_id, t.account_id, t.channel, t.event, t.due_at,
      r.name as rule_name, r.enabled, r.levels, r.codes, r.delay_minutes, r.mode, r.digest_at, r.quiet_from, r.quiet_to,
      r.critical_always, r.channels, r.escalate_minutes, r.site_id as only_site, r.organisation_id as only_organisation,
      (a.deleted_at is null and a.disabled_at is null and ao.disabled_at is null and ${keeps} and exists (
        select from alarm_rule_receivers rr where rr.rule_id = r.id and rr.account_id = a.id
          and (t.event = 'ended' or rr.escalates = (t.event = 'escalated')))) as is_told,
      a.level, a.organisation_id, a.time_zone
    from alarm_tellings t
    join alarm_rules r on r.id = t.rule_id
    join accounts a on a.id = t.account_id
    join organisations ao on ao.id = a.organisation_id
    join accounts keeper on keeper.id = r.account_id
    where t.account_id = ${accountId} and t.state = 'waiting' and t.due_at <= ${now}
    order by t.due_at, t.id
    limit ${MOST_OF_ROUND}`.execute(tx);
  return rows;
}

export interface ToldIncident {
  id: string;
  code: number;
  level: number;
  state: IncidentState;
  since: Date;
  until: Date | null;
  muted_until: Date | null;
  region: string;
  plants: number;
  site_name: string | null;
  time_zone: string | null;
  device_sn: string | null;
  stands_alone: boolean;
  site_id: string | null;
  /** Organisations above the plant, of the platform down. */
  path: string[];
}

/** Of some incidents those that a receiver sees, with what is told of them. */
export function incidentsSeen(db: Db, scope: Scope, ids: readonly string[]): Promise<ToldIncident[]> {
  const on = expressionBuilder<Database, 'incidents'>();
  return db
    .selectFrom('incidents')
    .leftJoin('sites', 'sites.id', 'incidents.site_id')
    .leftJoin('devices', 'devices.id', 'incidents.device_id')
    .leftJoin('loggers', 'loggers.id', 'incidents.logger_id')
    .select([
      'incidents.id',
      'incidents.site_id',
      'incidents.code',
      'incidents.level',
      'incidents.state',
      'incidents.since',
      'incidents.until',
      'incidents.muted_until',
      'incidents.region',
      'incidents.child_plants as plants',
      'sites.name as site_name',
      'sites.time_zone',
      sql<string | null>`coalesce(devices.sn, loggers.sn)`.as('device_sn'),
      sql<
        string[]
      >`(select path::text[] from organisations where id = coalesce(sites.organisation_id, incidents.organisation_id))`.as(
        'path',
      ),
      sql<boolean>`${incidentStandsAlone(scope)(on)}`.as('stands_alone'),
    ])
    .where(sql<SqlBool>`incidents.id = any(${ids}::uuid[])`)
    .where(incidentIsVisible(scope)(on))
    .execute();
}

/** `incident event` of what was told to an account by a channel before, by whichever rule. */
export async function toldBefore(
  tx: Tx,
  { account_id, channel }: Pick<DueTelling, 'account_id' | 'channel'>,
  incidents: readonly string[],
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('alarm_tellings')
    .select(['incident_id', 'event'])
    .where('account_id', '=', account_id)
    .where('channel', '=', channel)
    .where('state', '=', 'told')
    .where(sql<SqlBool>`incident_id = any(${incidents}::uuid[])`)
    .execute();
  return new Set(rows.map(({ incident_id, event }) => `${incident_id} ${event}`));
}

/** When deliveries went to an account by a channel within the last hour. */
export async function sentLately(
  tx: Tx,
  { account_id, channel }: Pick<DueTelling, 'account_id' | 'channel'>,
  now: Date,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('alarm_deliveries')
    .select(sql<Date>`min(at)`.as('at'))
    .where('account_id', '=', account_id)
    .where('channel', '=', channel)
    .where('event', '<>', 'test')
    .where('at', '>', new Date(now.getTime() - 3_600_000))
    .groupBy('batch_id')
    .execute();
  return rows.map(({ at }) => at.getTime());
}

const named = (ids: readonly string[]) => sql<SqlBool>`id = any(${ids}::bigint[]) and state = 'waiting'`;

export const markTold = (tx: Tx, ids: readonly string[], batchId: string, now: Date) =>
  tx.updateTable('alarm_tellings').set({ state: 'told', batch_id: batchId, told_at: now }).where(named(ids)).execute();

export const markDropped = (tx: Tx, ids: readonly string[], reason: string) =>
  tx.updateTable('alarm_tellings').set({ state: 'dropped', reason }).where(named(ids)).execute();

export const putOff = (tx: Tx, ids: readonly string[], due: Date) =>
  tx.updateTable('alarm_tellings').set({ due_at: due }).where(named(ids)).execute();

/** Puts off all of a way that waits and is due, so that no more of it is looked at until then. */
export const putOffWay = (tx: Tx, way: Pick<DueTelling, 'account_id' | 'channel'>, now: Date, due: Date) =>
  tx
    .updateTable('alarm_tellings')
    .set({ due_at: due })
    .where('account_id', '=', way.account_id)
    .where('channel', '=', way.channel)
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now)
    .execute();

export interface NewDelivery {
  readonly batch_id: string;
  readonly account_id: string;
  readonly rule_id: string | null;
  readonly rule_name: string;
  readonly channel: string;
  readonly channel_id: string | null;
  readonly target: string;
  readonly event: string;
  readonly incidents: number;
  readonly incident_id: string | null;
  readonly code: number | null;
  readonly plant: string;
  readonly at: Date;
  readonly state?: 'queued' | 'sent' | 'failed';
  readonly sent_at?: Date | null;
  readonly failure?: string;
  readonly mail_id?: string | null;
}

export async function addDelivery(tx: Db, delivery: NewDelivery): Promise<string> {
  const { id } = await tx.insertInto('alarm_deliveries').values(delivery).returning('id').executeTakeFirstOrThrow();
  return id;
}

export const deliveryById = (db: Db, id: string) =>
  db.selectFrom('alarm_deliveries').selectAll().where('id', '=', id).executeTakeFirst();

/** Notes the end of a delivery that is still on its way, or another try. */
export const noteAttempt = (
  db: Db,
  id: string,
  outcome: { readonly state: 'queued' | 'sent' | 'failed'; readonly failure: string; readonly at: Date },
) =>
  db
    .updateTable('alarm_deliveries')
    .set({
      state: outcome.state,
      failure: outcome.failure,
      attempts: sql`attempts + 1`,
      ...(outcome.state === 'sent' && { sent_at: outcome.at }),
    })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute();

const KEPT_DAYS = 90;

/** Forgets deliveries of before; answers how many went, at most so many at once. */
export async function forgetDeliveries(db: Db, now: Date, most: number): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  const { rows } = await sql<{ id: string }>`
    delete from alarm_deliveries where id in (select id from alarm_deliveries where at < ${before} order by at limit ${most}) returning id`.execute(
    db,
  );
  return rows.length;
}

/**
 * Forgets what was told, or dropped, of before, as deliveries are; of what went on since then it is kept that it was told, so that it is not told again.
 * Answers how many went, at most so many at once.
 */
export async function forgetTellings(db: Db, now: Date, most: number): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  const { rows } = await sql<{ id: string }>`
    delete from alarm_tellings where id in (
      select t.id from alarm_tellings t join incidents i on i.id = t.incident_id
      where t.state <> 'waiting' and t.due_at < ${before} and (t.told_at is null or t.told_at < ${before})
        and i.state = 'closed' and i.closed_at < ${before}
      order by t.due_at limit ${most})
    and state <> 'waiting' returning id`.execute(db);
  return rows.length;
}

/** Puts off all that is due to an account. */
export const putOffAccount = (db: Db, accountId: string, now: Date, due: Date) =>
  db
    .updateTable('alarm_tellings')
    .set({ due_at: due })
    .where('account_id', '=', accountId)
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now)
    .execute();

/** Keeps what became of mails, which are forgotten before their deliveries. */
export const keepOutcomes = (db: Db, mostTries: number) =>
  sql`
    update alarm_deliveries d set sent_at = m.sent_at, attempts = m.attempts,
      state = case when m.sent_at is null then 'failed' else 'sent' end,
      failure = case when m.sent_at is null then 'unreachable' else '' end
    from mails m where m.id = d.mail_id and d.state = 'queued' and (m.sent_at is not null or m.attempts >= ${mostTries})`.execute(
    db,
  );
