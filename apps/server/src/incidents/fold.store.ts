import type { IncidentState } from '@sonnenwarte/contract/incidents/incident-moves';
import { type Kysely, sql, type Transaction } from 'kysely';
import { INCIDENTS_CHANGED, LIVE_CHANNEL } from '../changes/live-bus.ts';
import type { Database } from '../stores/schema.ts';

type Tx = Transaction<Database>;

/** Tells who looks at incidents that some are others now; once the transaction commits. */
export const tellChanged = (db: Kysely<Database>) =>
  sql`select pg_notify(${LIVE_CHANNEL}, ${INCIDENTS_CHANGED})`.execute(db);

/** One folds at a time, whichever process of the server it is; false where another does. */
export async function holdFolding(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('incidents.fold')) as held`.execute(tx);
  return rows[0]?.held === true;
}

export interface ToldSpell {
  id: string;
  subject: string;
  code: number;
  since: Date;
  until: Date | null;
  incident_id: string | null;
  device_id: string | null;
  logger_id: string | null;
  site_id: string | null;
  country: string | null;
  postcode: string | null;
  is_gone: boolean;
}

/** Spells of which the newest is not in their incident yet, the oldest first. */
export async function unfoldedSpells(tx: Tx, most: number): Promise<ToldSpell[]> {
  const { rows } = await sql<ToldSpell>`
    select alarms.id, coalesce(alarms.device_id, alarms.logger_id, alarms.site_id) as subject, alarms.code, alarms.since, alarms.until,
      alarms.incident_id, alarms.device_id, coalesce(alarms.logger_id, devices.logger_id) as logger_id, sites.id as site_id,
      sites.country, sites.postcode, devices.deleted_at is not null as is_gone
    from (select * from alarms where not folded order by since limit ${most} for update skip locked) as alarms
      left join devices on devices.id = alarms.device_id
      left join loggers on loggers.id = alarms.logger_id
      left join sites on sites.id = coalesce(devices.site_id, alarms.site_id, loggers.site_id)
    order by alarms.since, alarms.id`.execute(tx);
  return rows;
}

export interface GoingOnRow {
  id: string;
  subject: string;
  code: number;
  since: Date;
  until: Date | null;
}

/** What goes on at some subjects under some codes; nobody works on it until the end of the transaction. */
export async function goingOn(tx: Tx, keys: readonly { subject: string; code: number }[]): Promise<GoingOnRow[]> {
  const { rows } = await sql<GoingOnRow>`
    select id, subject, code, since, until from incidents
    where state <> 'closed' and (subject, code) in (
      select * from unnest(${keys.map(({ subject }) => subject)}::uuid[], ${keys.map(({ code }) => code)}::int[]))
    order by id for update`.execute(tx);
  return rows;
}

export interface MadeIncident {
  id: string;
  code: number;
  subject: string;
  site_id: string | null;
  device_id: string | null;
  logger_id: string | null;
  region: string;
  organisation_id: string | null;
  since: Date;
  until: Date | null;
  /** null while it may come back. */
  closed_at: Date | null;
}

export async function addIncidents(tx: Tx, incidents: readonly MadeIncident[]): Promise<void> {
  if (incidents.length === 0) return;
  await sql`
    insert into incidents (id, code, level, subject, site_id, device_id, logger_id, region, organisation_id, state, since, last_since, until, closed_at)
    select id, code, 2, subject, site_id, device_id, logger_id, region, organisation_id,
      case when until is null then 'open' when closed_at is null then 'cleared' else 'closed' end, since, since, until, closed_at
    from json_to_recordset(${JSON.stringify(incidents)}::json) as t (id uuid, code int, subject uuid, site_id uuid, device_id uuid,
      logger_id uuid, region text, organisation_id uuid, since timestamptz, until timestamptz, closed_at timestamptz)`.execute(
    tx,
  );
}

/** Closes what is done with. */
export async function closeIncidents(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update incidents set state = 'closed', until = coalesce(until, ${at}), closed_at = greatest(${at}::timestamptz, coalesce(until, ${at}))
    where id = any(${ids}::uuid[]) and state <> 'closed'`.execute(tx);
}

/** Notes to which incidents spells belong; null: to none. */
export async function noteFolded(tx: Tx, spells: readonly { id: string; incident: string | null }[]): Promise<void> {
  await sql`
    update alarms set incident_id = coalesce(t.incident, alarms.incident_id), folded = true
    from json_to_recordset(${JSON.stringify(spells)}::json) as t (id uuid, incident uuid) where alarms.id = t.id`.execute(
    tx,
  );
}

export interface SummedIncident {
  id: string;
  state: IncidentState;
  is_known: boolean;
  site_id: string | null;
  region: string;
  code: number;
  was_times: number;
  times: number;
  stands: boolean;
  since: Date;
  last_since: Date;
  until: Date;
  level: number;
  extra: string;
}

/** Incidents with what their spells come to: each looked up by index, however many they are. */
export async function summedIncidents(tx: Tx, ids: readonly string[]): Promise<SummedIncident[]> {
  const { rows } = await sql<SummedIncident>`
    select i.id, i.state, i.acknowledged_at is not null as is_known, i.site_id, i.region, i.code, i.times as was_times, i.times,
      exists (select from alarms a where a.incident_id = i.id and a.until is null) as stands, first.since, last.since as last_since,
      coalesce(ended.until, last.since) as until, last.level, last.extra
    from incidents i
      join lateral (select since from alarms a where a.incident_id = i.id order by since limit 1) first on true
      join lateral (select since, level, extra from alarms a where a.incident_id = i.id order by since desc limit 1) last on true
      left join lateral (select until from alarms a where a.incident_id = i.id and a.until is not null order by until desc limit 1) ended on true
    where i.id = any(${ids}::uuid[])`.execute(tx);
  return rows;
}

export interface WrittenIncident {
  id: string;
  state: IncidentState;
  level: number;
  since: Date;
  last_since: Date;
  until: Date | null;
  times: number;
  extra: string;
}

export async function writeIncidents(tx: Tx, incidents: readonly WrittenIncident[]): Promise<void> {
  if (incidents.length === 0) return;
  await sql`
    update incidents set state = t.state, level = t.level, since = t.since, last_since = t.last_since, until = t.until, times = t.times, extra = t.extra
    from json_to_recordset(${JSON.stringify(incidents)}::json) as t (id uuid, state text, level int, since timestamptz,
      last_since timestamptz, until timestamptz, times int, extra text)
    where incidents.id = t.id`.execute(tx);
}

export interface WrittenEntry {
  incident_id: string;
  at: Date;
  kind: string;
}

export async function addEntries(tx: Tx, entries: readonly WrittenEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await sql`
    insert into incident_entries (incident_id, at, kind)
    select incident_id, at, kind from json_to_recordset(${JSON.stringify(entries)}::json) as t (incident_id uuid, at timestamptz, kind text)`.execute(
    tx,
  );
}

export interface StandingRow {
  id: string;
  code: number;
  site_id: string;
  device_id: string | null;
  logger_id: string | null;
  region: string;
  cause_id: string | null;
  /** What explains it is at several plants. */
  is_of_region: boolean;
  since: Date;
}

/** All that stands at some plants. */
export async function standingAt(tx: Tx, siteIds: readonly string[]): Promise<StandingRow[]> {
  const { rows } = await sql<StandingRow>`
    select i.id, i.code, i.site_id, i.device_id, i.logger_id, i.region, i.cause_id, i.cause_organisation_id is not null as is_of_region, i.since
    from incidents i where i.site_id = any(${siteIds}::uuid[]) and i.state in ('open', 'acknowledged')
    order by i.id`.execute(tx);
  return rows;
}

export async function writeCauses(
  tx: Tx,
  causes: readonly { id: string; cause: string | null; organisation: string | null }[],
): Promise<void> {
  if (causes.length === 0) return;
  await sql`
    update incidents set cause_id = t.cause, cause_organisation_id = t.organisation
    from json_to_recordset(${JSON.stringify(causes)}::json) as t (id uuid, cause uuid, organisation uuid) where incidents.id = t.id`.execute(
    tx,
  );
}

export interface RegionalRow {
  id: string;
  region: string;
  code: number;
  site_id: string;
  cause_id: string | null;
  cause_organisation_id: string | null;
  since: Date;
  path: string[];
}

/** What stands in some regions and may be one trouble: what nothing at its plant explains. */
export async function standingIn(tx: Tx, regions: readonly string[], codes: readonly number[]): Promise<RegionalRow[]> {
  const { rows } = await sql<RegionalRow>`
    select i.id, i.region, i.code, i.site_id, i.cause_id, i.cause_organisation_id, i.since, organisations.path::text[] as path
    from incidents i join sites on sites.id = i.site_id join organisations on organisations.id = sites.organisation_id
    where i.region = any(${regions}::text[]) and i.code = any(${codes}::int[]) and i.state in ('open', 'acknowledged')
      and (i.cause_id is null or i.cause_organisation_id is not null)
    order by i.since, i.id`.execute(tx);
  return rows;
}

export interface RegionRow {
  id: string;
  region: string;
  code: number;
  since: Date;
  last_since: Date;
}

/** Troubles of regions that go on. */
export async function regionsGoingOn(tx: Tx, regions: readonly string[]): Promise<RegionRow[]> {
  const { rows } = await sql<RegionRow>`
    select id, region, code, since, last_since from incidents
    where region = any(${regions}::text[]) and site_id is null and state <> 'closed' order by id for update`.execute(
    tx,
  );
  return rows;
}

export interface SummedRegion extends SummedIncident {
  /** Of the organisations to which its plants belong. */
  paths: string[][];
}

/** What the incidents that a trouble of a region explains come to. */
export async function summedRegions(tx: Tx, ids: readonly string[]): Promise<SummedRegion[]> {
  const { rows } = await sql<SummedRegion>`
    select p.id, p.state, p.acknowledged_at is not null as is_known, null::uuid as site_id, p.region, p.code, p.times as was_times, t.*
    from incidents p, lateral (
      select 1 as times, bool_or(c.until is null) as stands, min(c.since) as since, max(c.since) as last_since,
        coalesce(max(c.until), max(c.since)) as until, max(c.level) as level, '' as extra, jsonb_agg(distinct to_jsonb(o.path)) as paths
      from incidents c join sites s on s.id = c.site_id join organisations o on o.id = s.organisation_id
      where c.cause_id = p.id
    ) t
    where p.id = any(${ids}::uuid[]) and t.since is not null`.execute(tx);
  return rows;
}

export async function writeOrganisations(
  tx: Tx,
  regions: readonly { id: string; organisation: string }[],
): Promise<void> {
  if (regions.length === 0) return;
  const json = JSON.stringify(regions);
  await sql`
    update incidents set organisation_id = t.organisation from json_to_recordset(${json}::json) as t (id uuid, organisation uuid)
    where incidents.id = t.id and incidents.organisation_id is distinct from t.organisation`.execute(tx);
  await sql`
    update incidents set cause_organisation_id = t.organisation from json_to_recordset(${json}::json) as t (id uuid, organisation uuid)
    where incidents.cause_id = t.id and incidents.cause_organisation_id is distinct from t.organisation`.execute(tx);
}

/** Writes how many others incidents explain, and at how many plants. */
export async function countChildren(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update incidents p set children = t.children, child_plants = t.plants,
      lost_wh = case when t.wh is null then p.own_wh else coalesce(p.own_wh, 0) + t.wh end,
      lost_money = case when t.is_unpriced or (p.own_wh > 0 and p.own_money is null) or (p.currency <> '' and t.currency <> p.currency) then null
        when t.money is null then p.own_money else coalesce(p.own_money, 0) + t.money end,
      currency = case when p.currency = '' then coalesce(t.currency, '') else p.currency end
    from (
      select p.id, count(c.id)::int as children, count(distinct c.site_id)::int as plants, sum(c.own_wh) as wh,
        sum(c.own_money) as money,
        coalesce(bool_or(c.own_wh > 0 and c.own_money is null), false) or count(distinct nullif(c.currency, '')) > 1 as is_unpriced,
        case when count(distinct nullif(c.currency, '')) = 1 then max(nullif(c.currency, '')) end as currency
      from incidents p left join incidents c on c.cause_id = p.id where p.id = any(${ids}::uuid[]) group by p.id
    ) t
    where p.id = t.id`.execute(tx);
}
