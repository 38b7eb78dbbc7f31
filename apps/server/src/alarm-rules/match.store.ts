import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Tx = Transaction<Database>;

/** One looks for who is told at a time, whichever process of the server it is; false where another does. */
export async function holdTelling(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('alarm-rules.tell')) as held`.execute(tx);
  return rows[0]?.held === true;
}

/** Takes incidents of which it is to be found who is told; the first first. */
export async function takeIncidents(tx: Tx, most: number): Promise<string[]> {
  const { rows } = await sql<{ incident_id: string }>`
    delete from incidents_to_tell where incident_id in (
      select incident_id from incidents_to_tell order by at, incident_id limit ${most} for update skip locked)
    returning incident_id`.execute(tx);
  return rows.map(({ incident_id }) => incident_id);
}

/** A rule that meets an incident, and whom it tells. */
export interface Met {
  incident_id: string;
  level: number;
  /** When it began, this time; of one that is over, when it ended. */
  at: Date;
  rule_id: string;
  account_id: string;
  time_zone: string | null;
  channels: string[];
  delay_minutes: number;
  mode: 'atOnce' | 'daily';
  digest_at: string;
  quiet_from: string;
  quiet_to: string;
  critical_always: boolean;
}

/** A rule holds for its keeper, and for others as long as they are at or below the keeper's organisation (`ao` = that of the receiver). */
export const keeps = sql`keeper.deleted_at is null and keeper.disabled_at is null
  and (keeper.id = a.id or (keeper.level <> 1 and keeper.organisation_id = any(ao.path)))`;

const times = sql`r.channels, r.delay_minutes, r.mode, r.digest_at, r.quiet_from, r.quiet_to, r.critical_always`;

/**
 * Rules that meet some incidents which go on. It begins with who may see the plant (who looks after it in its organisation and those above, who owns it, with
 * whom it is shared), so that the cost follows them and not the rules of the platform.
 */
export async function rulesMet(db: Kysely<Database>, incidents: readonly string[]): Promise<Met[]> {
  const { rows } = await sql<Met>`
    select i.id as incident_id, i.level, i.last_since as at, r.id as rule_id, a.id as account_id, a.time_zone, ${times}
    from incidents i
    left join sites s on s.id = i.site_id
    join organisations o on o.id = coalesce(s.organisation_id, i.organisation_id)
    cross join lateral (
      select operators.id from accounts operators
        where operators.level in (2, 3, 4, 255) and operators.organisation_id = any(o.path)
      union select s.owner_account_id where s.owner_account_id is not null
      union select site_shares.account_id from site_shares where site_shares.site_id = i.site_id and site_shares.ended_at is null
    ) as sees
    join accounts a on a.id = sees.id and a.deleted_at is null and a.disabled_at is null
    join organisations ao on ao.id = a.organisation_id and ao.disabled_at is null
    join alarm_rule_receivers rr on rr.account_id = a.id and not rr.escalates
    join alarm_rules r on r.id = rr.rule_id and r.enabled
      and i.level = any(r.levels) and (r.codes = '{}' or i.code = any(r.codes))
      and (r.site_id is null or r.site_id = i.site_id)
      and (r.organisation_id is null or r.organisation_id = any(o.path))
    join accounts keeper on keeper.id = r.account_id and ${keeps}
    where i.id = any(${incidents}::uuid[]) and i.state = 'open' and s.deleted_at is null`.execute(db);
  return rows;
}

/** Told by this rule, or by another at the same time. */
const isKnown = sql`(t.state = 'told' or t.reason = 'toldAlready')`;

/** Has escalations wait again that were dropped while an incident was over: it goes on once more. */
export async function renewEscalations(tx: Tx, incidents: readonly string[]): Promise<void> {
  await sql`
    update alarm_tellings t set state = 'waiting', reason = '', due_at = i.last_since + make_interval(mins => r.escalate_minutes)
    from incidents i, alarm_rules r
    where i.id = t.incident_id and r.id = t.rule_id and t.event = 'escalated' and t.state = 'dropped' and t.reason = 'over'
      and i.state = 'open' and r.enabled and r.escalate_minutes is not null and i.id = any(${incidents}::uuid[])`.execute(
    tx,
  );
}

/** Whom some incidents that are over were told to, by rules that also tell the end. */
export async function endsToTell(db: Kysely<Database>, incidents: readonly string[]): Promise<Met[]> {
  const { rows } = await sql<Met>`
    select distinct on (t.incident_id, t.rule_id, t.account_id)
      t.incident_id, i.level, i.until as at, r.id as rule_id, a.id as account_id, a.time_zone, ${times}
    from alarm_tellings t
    join incidents i on i.id = t.incident_id
    join alarm_rules r on r.id = t.rule_id and r.enabled and r.tells_end
    join accounts a on a.id = t.account_id and a.deleted_at is null and a.disabled_at is null
    where t.incident_id = any(${incidents}::uuid[]) and ${isKnown} and t.event <> 'ended'
      and i.state in ('cleared', 'closed')`.execute(db);
  return rows;
}

export interface NewTelling {
  readonly rule_id: string;
  readonly incident_id: string;
  readonly account_id: string;
  readonly channel: string;
  readonly event: 'began' | 'escalated' | 'ended';
  readonly due_at: Date;
}

/** Has somebody be told; what was dropped waits again, what is told stays told. */
export async function addTellings(tx: Tx, tellings: readonly NewTelling[]): Promise<void> {
  if (tellings.length === 0) return;
  await sql`
    insert into alarm_tellings as t (rule_id, incident_id, account_id, channel, event, due_at)
    select rule_id, incident_id, account_id, channel, event, due_at
    from json_to_recordset(${JSON.stringify(tellings)}::json)
      as n (rule_id uuid, incident_id uuid, account_id uuid, channel text, event text, due_at timestamptz)
    on conflict (incident_id, rule_id, account_id, channel, event)
      do update set state = 'waiting', reason = '', due_at = excluded.due_at where t.state = 'dropped'`.execute(tx);
}

/** Of rules, whom they tell of what nobody has acknowledged. */
export async function escalationsOf(db: Kysely<Database>, rules: readonly string[]) {
  const { rows } = await sql<Omit<Met, 'incident_id' | 'level' | 'at'> & { escalate_minutes: number }>`
    select r.id as rule_id, r.escalate_minutes, a.id as account_id, a.time_zone, ${times}
    from alarm_rules r
    join alarm_rule_receivers rr on rr.rule_id = r.id and rr.escalates
    join accounts a on a.id = rr.account_id and a.deleted_at is null and a.disabled_at is null
    where r.id = any(${rules}::uuid[]) and r.escalate_minutes is not null`.execute(db);
  return rows;
}
