import { type Expression, expressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { dataloggerIsVisible, type Scope, visibleAccounts } from '../access/scope.ts';
import { dataloggerIsOnlineAt, siteStateAt } from '../current-state/current-state.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import { visibleSites } from '../sites/sites.store.ts';
import { containing } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import type { Candidate } from './ranking.ts';

type Db = Kysely<Database>;

/** Of fragments, so many are looked at before the best are chosen; with a common one there are always enough. */
const FRAGMENTS = 60;
/** Shorter ones are in no index of fragments. */
const SHORTEST_FRAGMENT = 3;

const visibleDataloggers = (scope: Scope): Expression<SqlBool> =>
  dataloggerIsVisible(scope)(expressionBuilder<Database, 'loggers'>());

/** Below so many plants or accounts a scope is read whole; above, matches in it come soon in the order of any index. */
const SMALL = 2_000;

interface Searched {
  readonly select: RawBuilder<unknown>;
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
}

/** A fence makes the database read what is in scope before it looks for a text, instead of all that has the text. */
const rowsOf = ({ select, from, where }: Searched, isSmall: boolean): RawBuilder<unknown> =>
  isSmall
    ? sql`select ${select} from (select ${from}.* from ${from} where ${where} offset 0) ${from} where true`
    : sql`select ${select} from ${from} where ${where}`;

/** Rows whose text begins so, in the order of an index, which ends after the first few. */
const beginning = (rows: RawBuilder<unknown>, indexed: RawBuilder<unknown>, text: string, most: number) =>
  sql`(${rows} and ${indexed} collate "C" like ${containing(text).slice(1)}
    order by ${indexed} collate "C" limit ${most})`;

const fragment = (rows: RawBuilder<unknown>, column: RawBuilder<unknown>, text: string) =>
  text.length < SHORTEST_FRAGMENT ? [] : [sql`(${rows} and ${column} ilike ${containing(text)} limit ${FRAGMENTS})`];

async function anyOf<C extends Candidate>(db: Db, parts: readonly RawBuilder<unknown>[]): Promise<C[]> {
  return (await sql<C>`${sql.join(parts, sql` union all `)}`.execute(db)).rows;
}

const sites = sql`sites`;
const devices = sql`devices`;
const dataloggers = sql`loggers`;
const accounts = sql`accounts`;

/** The plants of a scope that has few; undefined for one that has many. */
export type FewPlants = readonly string[] | undefined;

/** Read once for all that is searched in them. */
export async function fewPlantsOf(db: Db, scope: Scope): Promise<FewPlants> {
  if (scope.kind === 'all') return undefined;
  const found = await db.selectFrom('sites').select('sites.id').where(visibleSites(scope)).limit(SMALL).execute();
  return found.length < SMALL ? found.map(({ id }) => id) : undefined;
}

const among = (column: RawBuilder<unknown>, ids: readonly string[]): RawBuilder<unknown> =>
  sql`${column} = any(${ids}::uuid[])`;

/** Plants in scope with such a name: up to `most` that begin with it, and others. */
export function plantsNamed(db: Db, scope: Scope, few: FewPlants, text: string, most: number): Promise<Candidate[]> {
  const where = few ? sql`${among(sql`sites.id`, few)} and sites.deleted_at is null` : sql`${visibleSites(scope)}`;
  const rows = rowsOf({ select: sql`sites.id, sites.name as text`, from: sites, where }, few !== undefined);
  return anyOf(db, [
    beginning(rows, sql`lower(sites.name)`, text.toLowerCase(), most),
    ...fragment(rows, sql`sites.name`, text),
  ]);
}

export interface NumberedThing extends Candidate {
  readonly is_logger: boolean;
}

/** Devices and dataloggers in scope with such a serial number. */
export function numbered(db: Db, scope: Scope, few: FewPlants, text: string, most: number): Promise<NumberedThing[]> {
  const isSmall = few !== undefined;
  // What was granted hangs on no plant that its integrator sees.
  const byPlant = scope.kind === 'granted' ? undefined : few;
  const ofDevices = byPlant
    ? sql`${among(sql`devices.site_id`, byPlant)} and devices.deleted_at is null`
    : sql`${visibleDevices(scope)}`;
  const ofDataloggers = byPlant
    ? sql`${among(sql`loggers.site_id`, byPlant)} and loggers.revoked_at is null`
    : sql`${visibleDataloggers(scope)}`;
  const device = (column: RawBuilder<unknown>) => sql`devices.id, ${column} as text, false as is_logger`;
  const bySn = rowsOf({ select: device(sql`devices.sn`), from: devices, where: ofDevices }, isSmall);
  const byOdmSn = rowsOf(
    { select: device(sql`devices.odm_sn`), from: devices, where: sql`${ofDevices} and devices.odm_sn <> ''` },
    isSmall,
  );
  const bySnOfDatalogger = rowsOf(
    { select: sql`loggers.id, loggers.sn as text, true as is_logger`, from: dataloggers, where: ofDataloggers },
    isSmall,
  );
  return anyOf(db, [
    ...fragment(byOdmSn, sql`devices.odm_sn`, text),
    beginning(bySn, sql`upper(devices.sn)`, text.toUpperCase(), most),
    ...fragment(bySn, sql`devices.sn`, text),
    beginning(bySnOfDatalogger, sql`loggers.sn`, text, most),
    ...fragment(bySnOfDatalogger, sql`loggers.sn`, text),
  ]);
}

/** What stands in a plant: devices, inverters first, then dataloggers. */
export async function thingsOfSite(db: Db, scope: Scope, siteId: string, most: number): Promise<NumberedThing[]> {
  const { rows } = await sql<NumberedThing>`
    (select devices.id, devices.sn as text, false as is_logger from devices
      where ${visibleDevices(scope)} and devices.site_id = ${siteId}::uuid
      order by array_position(array['inverter', 'battery', 'meter'], devices.kind), devices.sn limit ${most})
    union all
    (select loggers.id, loggers.sn as text, true as is_logger from loggers
      where ${visibleDataloggers(scope)} and loggers.site_id = ${siteId}::uuid order by loggers.sn limit ${most})`.execute(
    db,
  );
  return rows;
}

/** Units that were never heard of, and of which no device or datalogger is there. */
const unheard = sql`u.seen_at is null and (u.thing_id is null or not (
  exists (select from devices d where d.id = u.thing_id and d.deleted_at is null)
  or exists (select from loggers l where l.id = u.thing_id and l.revoked_at is null)))`;

/** Of those the ones with such a serial number: that one, such as begin with it, and others. */
export function unheardNumbered(db: Db, text: string, most: number): Promise<Candidate[]> {
  const inside = containing(text.toUpperCase());
  const bySn = (condition: RawBuilder<unknown>, limit: number) =>
    sql`(select u.sn as id, u.sn as text from delivered_units u where ${unheard} and ${condition} limit ${limit})`;
  if (text.length < SHORTEST_FRAGMENT) return anyOf(db, [bySn(sql`u.sn = ${text.toUpperCase()}`, 1)]);
  return anyOf(db, [
    sql`(select u.sn as id, u.odm_sn as text from delivered_units u where ${unheard} and u.odm_sn ilike ${containing(text)} limit ${FRAGMENTS})`,
    bySn(sql`u.sn like ${inside}`, FRAGMENTS),
    bySn(sql`u.sn like ${inside.slice(1)}`, most),
    bySn(sql`u.sn = ${text.toUpperCase()}`, 1),
  ]);
}

/** Delivered units by their numbers, in no certain order. */
export const unitRows = (db: Db, sns: readonly string[]) =>
  db
    .selectFrom('delivered_units')
    .innerJoin('device_batches', 'device_batches.id', 'delivered_units.batch_id')
    .where(sql<SqlBool>`delivered_units.sn = any(${sns}::text[])`)
    .select([
      'delivered_units.sn as id',
      'delivered_units.model',
      'device_batches.kind',
      'device_batches.number as batch',
      sql<string | null>`delivered_units.delivered_on::text`.as('delivered_on'),
    ])
    .execute();

async function hasFewAccounts(db: Db, scope: Scope): Promise<boolean> {
  if (scope.kind === 'all') return false;
  const found = await db
    .selectFrom('accounts')
    .select('accounts.id')
    .where(visibleAccounts(scope))
    .limit(SMALL)
    .execute();
  return found.length < SMALL;
}

/** Accounts in scope whose user name, name, address or telephone number has the text in it. */
export async function peopleNamed(db: Db, scope: Scope, text: string, most: number): Promise<Candidate[]> {
  const visible = visibleAccounts(scope);
  const few = await hasFewAccounts(db, scope);
  const select = sql`accounts.id, case when accounts.name = '' then accounts.username else accounts.name end as text`;
  const rows = rowsOf({ select, from: accounts, where: sql`${visible}` }, few);
  const lowered = text.toLowerCase();
  return anyOf(db, [
    beginning(rows, sql`lower(accounts.username)`, lowered, most),
    beginning(rows, sql`lower(accounts.name)`, lowered, most),
    ...(text.length < SHORTEST_FRAGMENT
      ? []
      : [sql`(${rows} and accounts.searched like ${containing(lowered)} limit ${FRAGMENTS})`]),
  ]);
}

interface Alarm {
  code: number;
  sinceMs: number;
}

const worstAlarmOfSite = sql<Alarm | null>`(
  select json_build_object('code', alarms.code, 'sinceMs', round(extract(epoch from alarms.since) * 1000)::bigint)
  from alarms join devices on devices.id = alarms.device_id
  where devices.site_id = sites.id and devices.deleted_at is null and alarms.until is null
  order by alarms.level desc, alarms.since desc limit 1)`;

/** Plants in scope by their ids, in no certain order. */
export const plantRows = (db: Db, scope: Scope, ids: readonly string[], nowMs: number) =>
  db
    .selectFrom('sites')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .where(visibleSites(scope))
    .where(sql<SqlBool>`sites.id = any(${ids}::uuid[])`)
    .select([
      'sites.id',
      'sites.name',
      'sites.city',
      'sites.country',
      'sites.system_size_kwp',
      'site_latest.pv_w',
      siteStateAt(nowMs).as('state'),
      worstAlarmOfSite.as('alarm'),
    ])
    .execute();

export const dataloggerRows = (db: Db, scope: Scope, ids: readonly string[], nowMs: number) =>
  db
    .selectFrom('loggers')
    .leftJoin('sites', 'sites.id', 'loggers.site_id')
    .where(visibleDataloggers(scope))
    .where(sql<SqlBool>`loggers.id = any(${ids}::uuid[])`)
    .select([
      'loggers.id',
      'loggers.sn',
      'loggers.type',
      'loggers.model',
      'loggers.last_seen_at',
      'loggers.site_id',
      'sites.name as site_name',
      dataloggerIsOnlineAt(nowMs).as('is_online'),
    ])
    .execute();

export const personRows = (db: Db, scope: Scope, ids: readonly string[]) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .where(visibleAccounts(scope))
    .where(sql<SqlBool>`accounts.id = any(${ids}::uuid[])`)
    .select([
      'accounts.id',
      'accounts.username',
      'accounts.name',
      'accounts.level',
      'accounts.disabled_at',
      'organisations.name as organisation',
    ])
    .execute();
