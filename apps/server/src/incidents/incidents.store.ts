import { standingStates } from '@sonnenwarte/contract/incidents/incident-moves';
import {
  type IncidentView,
  type incidentFields,
  type list,
  MOST_COUNTED,
} from '@sonnenwarte/contract/incidents/incidents';
import {
  type Expression,
  expressionBuilder,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { incidentIsVisible, incidentStandsAlone, type Scope } from '../access/scope.ts';
import { type Asked, containing, pageOf, type SortKeys, upTo, withRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Input = Asked<typeof list>;
type Incidents = SelectQueryBuilder<Database, 'incidents', object>;

/** Over since so long ago is no news. */
const MENDED_WITHIN_MS = 86_400_000;

const visible = (scope: Scope): Expression<SqlBool> =>
  incidentIsVisible(scope)(expressionBuilder<Database, 'incidents'>());
const standsAlone = (scope: Scope): Expression<SqlBool> =>
  incidentStandsAlone(scope)(expressionBuilder<Database, 'incidents'>());

/** Who asks, and what a view depends on. */
export interface Asker {
  readonly scope: Scope;
  readonly accountId: string;
  readonly nowMs: number;
}

const stands = sql<SqlBool>`incidents.state in ('open', 'acknowledged')`;
const isMuted = (nowMs: number) => sql<SqlBool>`coalesce(incidents.muted_until > ${new Date(nowMs)}, false)`;

const isStanding = (view: IncidentView): boolean => view === 'open' || view === 'unacknowledged' || view === 'muted';

/** Which incidents a part of the list has. */
export function inView(view: IncidentView, { accountId, nowMs }: Asker): Expression<SqlBool> {
  switch (view) {
    case 'open':
      return sql<SqlBool>`${stands} and not ${isMuted(nowMs)}`;
    case 'unacknowledged':
      return sql<SqlBool>`incidents.state = 'open' and not ${isMuted(nowMs)}`;
    case 'mine':
      return sql<SqlBool>`incidents.assignee_id = ${accountId} and incidents.state <> 'closed'`;
    case 'muted':
      return sql<SqlBool>`${stands} and ${isMuted(nowMs)}`;
    case 'mended':
      return sql<SqlBool>`incidents.state in ('cleared', 'closed')`;
    case 'all':
      return sql<SqlBool>`true`;
  }
}

const at = (ms: number): Date => new Date(ms);

async function matching(
  db: Db,
  asker: Asker,
  condition: Input['condition'],
  codes: readonly number[],
): Promise<Incidents> {
  const { content, view = 'open', levels, code, stationID, deviceID, causeID, fromMs, toMs } = condition;
  let query = db.selectFrom('incidents').where(visible(asker.scope)) as Incidents;
  // Of one cause all that it explains, whatever has become of it.
  query =
    causeID === undefined
      ? query.where(inView(view, asker)).where(standsAlone(asker.scope))
      : query.where('incidents.cause_id', '=', causeID);
  if (levels !== undefined && levels.length > 0) query = query.where('incidents.level', 'in', levels);
  if (code !== undefined) query = query.where('incidents.code', '=', code);
  if (stationID !== undefined) query = query.where('incidents.site_id', '=', stationID);
  if (deviceID !== undefined) query = query.where('incidents.device_id', '=', deviceID);
  if (fromMs !== undefined) query = query.where('incidents.since', '>=', at(fromMs));
  if (toMs !== undefined) query = query.where('incidents.since', '<', at(toMs));
  return content === ''
    ? query
    : query.where(await containsText(db, content, codes, causeID === undefined && isStanding(view)));
}

/** Codes that so many incidents have are sooner found by reading in order than by looking for all of theirs. */
const MANY = 5_000;

async function areMany(db: Db, codes: readonly number[]): Promise<boolean> {
  if (codes.length === 0) return false;
  const some = db.selectFrom('incidents').select('id').where(sql<SqlBool>`code = any(${codes}::int[])`).limit(MANY);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${some}) as seen`.execute(db);
  return rows[0]?.count === MANY;
}

/** The ids themselves where they are few, which the planner then looks up one by one; else what finds them. */
async function fewOrQuery(db: Db, ids: Expression<{ id: string }>): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ id: string }>`select id from (${ids}) as found limit ${MANY + 1}`.execute(db);
  return rows.length > MANY ? sql`in (${ids})` : sql`= any(${rows.map(({ id }) => id)}::uuid[])`;
}

/**
 * The text is in the name of the plant, in a serial number or in the region, or names a code: as a list of ids and not as one of several conditions, for
 * which each incident would be read.
 */
async function containsText(
  db: Db,
  content: string,
  codes: readonly number[],
  ofStanding: boolean,
): Promise<Expression<SqlBool>> {
  const pattern = containing(content);
  const [sites, devices, dataloggers, hasManyOfCode] = await Promise.all([
    fewOrQuery(
      db,
      db.selectFrom('sites').select('sites.id').where('sites.name', 'ilike', pattern).where('deleted_at', 'is', null),
    ),
    fewOrQuery(
      db,
      db
        .selectFrom('devices')
        .select('devices.id')
        .where('devices.sn', 'ilike', pattern)
        .where('deleted_at', 'is', null),
    ),
    fewOrQuery(
      db,
      db
        .selectFrom('loggers')
        .select('loggers.id')
        .where('loggers.sn', 'ilike', pattern)
        .where('revoked_at', 'is', null),
    ),
    areMany(db, codes),
  ]);
  const found = db
    .selectFrom('incidents as found')
    .select('found.id')
    .$if(ofStanding, (query) => query.where('found.state', 'in', [...standingStates]));
  const ofCode = (column: 'found.code' | 'incidents.code') => sql<SqlBool>`${sql.ref(column)} = any(${codes}::int[])`;
  const ids = found
    .where(sql<SqlBool>`found.site_id ${sites}`)
    .unionAll(found.where(sql<SqlBool>`found.device_id ${devices}`))
    .unionAll(found.where(sql<SqlBool>`found.logger_id ${dataloggers}`))
    .unionAll(found.where('found.organisation_id', 'is not', null).where('found.region', 'ilike', pattern));
  if (hasManyOfCode) return sql<SqlBool>`(${ofCode('incidents.code')} or incidents.id in (${ids}))`;
  const all = ids.unionAll(found.where(ofCode('found.code')));
  // Few are named to the planner, which then reads these alone.
  const few = await sql<{ id: string }>`select distinct id from (${all}) as found limit ${MANY + 1}`.execute(db);
  // Many are soon met by who reads in order.
  if (few.rows.length > MANY)
    return sql<SqlBool>`(incidents.site_id ${sites} or incidents.device_id ${devices} or incidents.logger_id ${dataloggers}
      or incidents.organisation_id is not null and incidents.region ilike ${pattern} or ${ofCode('incidents.code')})`;
  return sql<SqlBool>`incidents.id = any(${few.rows.map(({ id }) => id)}::uuid[])`;
}

const sortKeys = {
  level: sql`incidents.level`,
  sinceMs: sql`incidents.since`,
  times: sql`incidents.times`,
  lostWh: sql`incidents.lost_wh`,
} satisfies SortKeys<typeof incidentFields>;

/** A page of incidents, or what follows a place of them. */
export async function incidentsFound(
  db: Db,
  asker: Asker,
  { condition, sort, ...span }: Input,
  codes: readonly number[],
) {
  const isKnown = sort.field !== 'lostWh';
  const apart = [sql`incidents.level`, sql`incidents.number`];
  const found = await pageOf(
    (await matching(db, asker, condition, codes)).select('incidents.id'),
    { key: sortKeys[sort.field], apart, order: sort.order, isKnown },
    span as Input,
    { counts: upTo(db, MOST_COUNTED + 1) },
  );
  return withRows(found, (ids) => incidentsById(db, asker.scope, ids));
}

export type IncidentFound = Awaited<ReturnType<typeof incidentsById>>[number];

/** Incidents in scope, of those named, with what is shown of them. */
export const incidentsById = (db: Db, scope: Scope, ids: readonly string[]) =>
  db
    .selectFrom('incidents')
    .leftJoin('sites', 'sites.id', 'incidents.site_id')
    .leftJoin('devices', 'devices.id', 'incidents.device_id')
    .leftJoin('loggers', 'loggers.id', 'incidents.logger_id')
    .leftJoin('accounts', 'accounts.id', 'incidents.assignee_id')
    .selectAll('incidents')
    .select([
      'sites.name as site_name',
      'sites.city',
      'sites.time_zone',
      'sites.organisation_id as site_organisation_id',
      'sites.owner_account_id',
      'devices.sn as device_sn',
      'devices.kind',
      'loggers.sn as logger_sn',
      sql<string>`coalesce(nullif(accounts.name, ''), accounts.username, '')`.as('assignee'),
    ])
    .where(sql<SqlBool>`incidents.id = any(${ids}::uuid[])`)
    .where(visible(scope))
    .execute();

export interface Counts {
  open: number;
  unacknowledged: number;
  mine: number;
  muted: number;
  mended: number;
  brief: number;
  oldest: Date | null;
}

const countOf = (condition: Expression<SqlBool>) => sql<number>`(count(*) filter (where ${condition}))::int`;

/** How many incidents each part of the list has; of what is over, since a day. */
export async function countsOf(db: Db, asker: Asker): Promise<Counts> {
  const since = at(asker.nowMs - MENDED_WITHIN_MS);
  const incidents = db.selectFrom('incidents').where(visible(asker.scope)).where(standsAlone(asker.scope));
  const [standing, over, mine] = await Promise.all([
    incidents
      .where(stands)
      .select([
        countOf(inView('open', asker)).as('open'),
        countOf(inView('unacknowledged', asker)).as('unacknowledged'),
        countOf(inView('muted', asker)).as('muted'),
        sql<Date | null>`min(incidents.since) filter (where ${inView('unacknowledged', asker)})`.as('oldest'),
      ])
      .executeTakeFirstOrThrow(),
    incidents
      .where(inView('mended', asker))
      .where('incidents.until', '>=', since)
      .select([
        sql<number>`count(*)::int`.as('mended'),
        countOf(sql<SqlBool>`incidents.until < incidents.since + interval '10 minutes'`).as('brief'),
      ])
      .executeTakeFirstOrThrow(),
    incidents.where(inView('mine', asker)).select(sql<number>`count(*)::int`.as('mine')).executeTakeFirstOrThrow(),
  ]);
  return { ...standing, ...over, ...mine };
}

export interface LossSum {
  currency: string;
  wh: number | null;
  money: string | null;
  /** Of how many it is not known. */
  unknown: number;
}

/** What the rows of the open ones have cost since they began, by currency. */
export const lostWhileOpen = (db: Db, asker: Asker): Promise<LossSum[]> =>
  db
    .selectFrom('incidents')
    .where(visible(asker.scope))
    .where(inView('open', asker))
    .where(standsAlone(asker.scope))
    .groupBy('incidents.currency')
    .select([
      'incidents.currency',
      sql<number | null>`sum(incidents.lost_wh)`.as('wh'),
      sql<string | null>`sum(incidents.lost_money)`.as('money'),
      countOf(sql<SqlBool>`incidents.lost_wh is null`).as('unknown'),
    ])
    .execute();

/** What was lost on the running local day of each plant, by currency. */
export const lostToday = (db: Db, asker: Asker): Promise<Omit<LossSum, 'unknown'>[]> =>
  db
    .selectFrom('incident_losses')
    .innerJoin('incidents', 'incidents.id', 'incident_losses.incident_id')
    .innerJoin('sites', 'sites.id', 'incidents.site_id')
    .where(visible(asker.scope))
    .where(
      sql<SqlBool>`incident_losses.day between ${at(asker.nowMs - 86_400_000)}::date and ${at(asker.nowMs + 86_400_000)}::date`,
    )
    .where(sql<SqlBool>`incident_losses.day = (${at(asker.nowMs)}::timestamptz at time zone sites.time_zone)::date`)
    .groupBy('incident_losses.currency')
    .select([
      'incident_losses.currency',
      sql<number | null>`sum(incident_losses.wh)`.as('wh'),
      sql<string | null>`sum(incident_losses.money)`.as('money'),
    ])
    .execute();

/** How many alarms stand of which incidents in scope are made, and the number of the newest incident. */
export async function toldNow(db: Db, asker: Asker): Promise<{ told: number; newest: number }> {
  const { told } = await db
    .selectFrom('alarms')
    .innerJoin('incidents', 'incidents.id', 'alarms.incident_id')
    .where('alarms.until', 'is', null)
    .where(stands)
    .where(visible(asker.scope))
    .select(sql<number>`count(*)::int`.as('told'))
    .executeTakeFirstOrThrow();
  const row = await db
    .selectFrom('incidents')
    .where(visible(asker.scope))
    .where(standsAlone(asker.scope))
    .where(stands)
    .select(sql<string>`coalesce(max(incidents.number), 0)`.as('newest'))
    .executeTakeFirstOrThrow();
  return { told, newest: Number(row.newest) };
}
