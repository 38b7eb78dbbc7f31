import type { siteFields } from '@sonnenwarte/contract/sites/site';
import type { list } from '@sonnenwarte/contract/sites/sites';
import type { State } from '@sonnenwarte/contract/status';
import {
  type Expression,
  expressionBuilder,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import { listedSiteIsVisible, type Scope, sharedWith, siteIsVisible } from '../access/scope.ts';
import { isRecalculated } from '../accounting/recalculations.store.ts';
import {
  siteHeldDay,
  siteMonthWhAt,
  siteNowAt,
  sitePvMarksAt,
  siteStateAt,
  siteTodayWhAt,
  stateRank,
} from '../current-state/current-state.ts';
import { type Asked, containing, type Found, inOrderOf, pageOf, type SortKeys, withRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import type { SiteArray } from '../stores/schema-plants.ts';
import { laterPricesAt } from './prices.store.ts';

type Db = Kysely<Database>;
type ListInput = Asked<typeof list>;
export type Condition = ListInput['condition'];

/** The scope's condition on `sites`, for a query of any further tables. */
export const visibleSites = (scope: Scope): Expression<SqlBool> =>
  siteIsVisible(scope)(expressionBuilder<Database, 'sites'>());

const specificYield = (nowMs: number): RawBuilder<number | null> =>
  sql`${siteTodayWhAt(nowMs)} / 1000 / nullif(site_latest.site_kwp, 0)`;

const ownerName = sql<string>`coalesce(nullif(owners.name, ''), owners.username, '')`;

const sortKeys = (nowMs: number) =>
  ({
    name: sql`site_latest.site_name`,
    state: stateRank(siteStateAt(nowMs)),
    type: sql`site_latest.site_type`,
    country: sql`site_latest.site_country`,
    city: sql`site_latest.site_city`,
    systemCapacity: sql`site_latest.site_kwp`,
    pvPowerW: siteNowAt('pv_w', nowMs),
    socPercent: siteNowAt('soc_percent', nowMs),
    todayWh: siteTodayWhAt(nowMs),
    totalWh: sql`site_latest.total_wh`,
    specificYieldToday: specificYield(nowMs),
    weekLossWh: sql`site_latest.week_loss_wh`,
    installer: sql`lower(installers.name)`,
    owner: sql`lower(nullif(${ownerName}, ''))`,
    updatedAtMs: sql`site_latest.ts`,
  }) satisfies SortKeys<typeof siteFields>;

/** Who is called so, as SQL that finds their ids. */
const calledSql = (pattern: string) => ({
  site_organisation_id: sql<{ id: string }>`select id from organisations where name ilike ${pattern}`,
  site_owner_id: sql<{ id: string }>`select owners.id from accounts as owners
    where owners.deleted_at is null and owners.searched ilike ${pattern} and ${ownerName} ilike ${pattern}`,
});
type Party = keyof ReturnType<typeof calledSql>;

const MOST_NAMED = 1_000;

/** Plants of parties that are called so. Few are named to the planner, which then knows how few plants are theirs. */
async function isOf(db: Db, party: Party, pattern: string): Promise<RawBuilder<SqlBool>> {
  const called = calledSql(pattern)[party];
  const { rows: few } = await sql<{ id: string }>`${called} limit ${MOST_NAMED + 1}`.execute(db);
  const ids = few.length > MOST_NAMED ? sql`array(${called})` : sql`${few.map(({ id }) => id)}::uuid[]`;
  return sql`site_latest.${sql.ref(party)} = any(${ids})`;
}

const searched: readonly ((db: Db, pattern: string) => RawBuilder<SqlBool> | Promise<RawBuilder<SqlBool>>)[] = [
  (db, pattern) => isOf(db, 'site_organisation_id', pattern),
  (_, pattern) => sql`site_latest.site_name like lower(${pattern})`,
  (_, pattern) => sql`site_latest.site_city like lower(${pattern})`,
  (db, pattern) => isOf(db, 'site_owner_id', pattern),
];

/** Whether a plant has a position. */
export const isPlaced = sql<SqlBool>`(site_latest.site_latitude is not null and site_latest.site_longitude is not null)`;

async function isSearched(db: Db, contentType: number, content: string): Promise<RawBuilder<SqlBool>> {
  const columns = contentType === 0 ? searched : searched.slice(contentType - 1, contentType);
  const tests = await Promise.all(columns.map((asks) => asks(db, containing(content))));
  return sql<SqlBool>`(${sql.join(tests, sql` or `)})`;
}

const statesOfCode: Readonly<Record<number, readonly State[]>> = {
  1: ['normal'],
  2: ['alarm', 'fault'],
  3: ['offline'],
};

const stateIsOneOf = (states: readonly State[], nowMs: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`${siteStateAt(nowMs)} in (${sql.join(states)})`;

/** Ids of the plants in scope that a filter lets through, for orders of `sortKeys`. */
export async function matching(db: Db, scope: Scope, condition: Condition, nowMs: number) {
  // Unused left joins on unique columns cost nothing: the planner removes them.
  let query = db
    .selectFrom('site_latest')
    .leftJoin('organisations as installers', 'installers.id', 'site_latest.site_organisation_id')
    .leftJoin('accounts as owners', 'owners.id', 'site_latest.site_owner_id')
    .where(await listedSiteIsVisible(db, scope))
    .select('site_latest.site_id as id');
  const states = statesOfCode[condition.status];
  if (states !== undefined) query = query.where(stateIsOneOf(states, nowMs));
  if (condition.state !== undefined) query = query.where(stateIsOneOf([condition.state], nowMs));
  if (condition.states !== undefined) query = query.where(stateIsOneOf(condition.states, nowMs));
  if (condition.content !== '') query = query.where(await isSearched(db, condition.contentType, condition.content));
  if (condition.country !== undefined) query = query.where('site_latest.site_country', '=', condition.country);
  if (condition.type !== undefined) query = query.where('site_latest.site_type', '=', condition.type);
  if (condition.placed !== undefined)
    query = query.where(condition.placed === 'yes' ? isPlaced : sql<SqlBool>`not ${isPlaced}`);
  if (condition.losing !== undefined)
    query = query.where('site_latest.needs_attention', '=', condition.losing === 'yes');
  return query;
}

/** By whom a plant is shared with an end user, and whether its work mode may be changed; null where it is not. */
const shareOf = (db: Db, scope: Scope) =>
  db
    .selectFrom('site_shares')
    .leftJoin('accounts as givers', 'givers.id', 'site_shares.given_by')
    .select(
      sql<{
        by: string;
        sets_work_mode: boolean;
      } | null>`jsonb_build_object('sets_work_mode', site_shares.sets_work_mode,
        'by', coalesce(nullif(givers.name, ''), givers.username, nullif(${ownerName}, ''), installers.name, ''))`.as(
        'share',
      ),
    )
    .where(sharedWith(scope)(expressionBuilder<Database, 'site_shares'>()))
    .whereRef('site_shares.site_id', '=', sql.ref('sites.id'));

const LEAST_PEERS = 5;

/** Median of the specific yields that the neighbours of a plant have today, of those whose values are of now; null where these are too few. */
const peersYield = (nowMs: number) => sql<number | null>`(
  select case when count(*) >= ${LEAST_PEERS} then percentile_cont(0.5) within group (order by peers.today_wh / 1000 / peers.kwp) end
  from (select near.system_size_kwp as kwp, near_latest.today_wh
    from unnest(site_insights.peers) as peer (id)
    join sites as near on near.id = peer.id and near.deleted_at is null and near.system_size_kwp > 0
    join site_latest as near_latest on near_latest.site_id = near.id
    where near_latest.today_wh is not null and near_latest.history_percent is null and near.time_zone = sites.time_zone
      and near_latest.local_day = (${new Date(nowMs)}::timestamptz at time zone sites.time_zone)::date
      and near_latest.ts >= ${new Date(nowMs)}::timestamptz - interval '30 minutes') as peers)`;

const rows = (db: Db, scope: Scope, nowMs: number) =>
  db
    .selectFrom('sites')
    .innerJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .leftJoin('organisations as installers', 'installers.id', 'sites.organisation_id')
    .leftJoin('accounts as owners', 'owners.id', 'sites.owner_account_id')
    .leftJoin('site_insights', 'site_insights.site_id', 'sites.id')
    .select([
      'sites.id',
      'sites.key',
      'sites.name',
      'sites.type',
      'sites.country',
      'sites.city',
      'sites.time_zone',
      'sites.system_size_kwp',
      'sites.owner_account_id',
      'sites.demo',
      'site_latest.total_wh',
      'site_latest.ts',
      'installers.name as installer',
      ownerName.as('owner'),
      siteStateAt(nowMs).as('state'),
      siteNowAt('pv_w', nowMs).as('pv_w'),
      siteNowAt('soc_percent', nowMs).as('soc_percent'),
      siteTodayWhAt(nowMs).as('today_wh'),
      siteMonthWhAt(nowMs).as('month_wh'),
      sitePvMarksAt(nowMs).as('pv_marks'),
      'site_latest.history_percent',
      'site_insights.loss_wh as week_loss_wh',
      peersYield(nowMs).as('peers_yield_today'),
      isRecalculated.$castTo<boolean>().as('is_recalculated'),
      'site_latest.interval_s',
      sql<{
        by: string;
        sets_work_mode: boolean;
      } | null>`${scope.kind === 'owner' ? shareOf(db, scope) : sql`null`}`.as('share'),
    ]);

export type SiteListRow = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

/** Plants in scope. Unknown values come last in either order, plants of an equal value by name. */
export async function listSites(db: Db, scope: Scope, input: ListInput, nowMs: number): Promise<Found<SiteListRow>> {
  const { condition, sort } = input;
  const keys = sortKeys(nowMs);
  const isByName = sort.field === 'name';
  const id = sql`site_latest.site_id`;
  const page = await pageOf(
    await matching(db, scope, condition, nowMs),
    { key: keys[sort.field], apart: isByName ? [id] : [keys.name, id], order: sort.order, isKnown: isByName },
    input,
  );
  return withRows(page, (ids) =>
    rows(db, scope, nowMs).where(visibleSites(scope)).where(sql<SqlBool>`sites.id = any(${ids}::uuid[])`).execute(),
  );
}

/** Those of some plants that are in scope. */
export const sitesByIds = async (db: Db, scope: Scope, ids: readonly string[], nowMs: number): Promise<SiteListRow[]> =>
  inOrderOf(
    ids,
    await rows(db, scope, nowMs)
      .where(visibleSites(scope))
      .where(sql<SqlBool>`sites.id = any(${ids}::uuid[])`)
      .execute(),
  );

/** Number of plants in scope by state. */
export const countSitesByState = async (db: Db, scope: Scope, nowMs: number) =>
  db
    .selectFrom('site_latest')
    .where(await listedSiteIsVisible(db, scope))
    .select([siteStateAt(nowMs).as('state'), sql<number>`count(*)::int`.as('count')])
    .groupBy(sql`1`)
    .execute();

const hasKind = (kind: string): RawBuilder<boolean> => sql<boolean>`exists (select from devices
  where devices.site_id = sites.id and devices.kind = ${kind} and devices.deleted_at is null)`;

type PriceColumn = 'feed_in_price' | 'purchase_price' | 'feed_in_periods' | 'purchase_periods' | 'purchase_market';
const validNow = <C extends PriceColumn>(column: C) =>
  sql<
    Selectable<Database['sites']>[C]
  >`case when later.site_id is null then sites.${sql.ref(column)} else later.${sql.ref(column)} end`;

/** Everything that the page of one plant shows of the plant itself. */
export const siteDetail = (db: Db, scope: Scope, id: string, nowMs: number) =>
  rows(db, scope, nowMs)
    .leftJoinLateral(laterPricesAt(nowMs).as('later'), (join) => join.onTrue())
    .select([
      'sites.address',
      'sites.postcode',
      'sites.latitude',
      'sites.longitude',
      validNow('feed_in_price').as('feed_in_price'),
      validNow('purchase_price').as('purchase_price'),
      validNow('feed_in_periods').as('feed_in_periods'),
      validNow('purchase_periods').as('purchase_periods'),
      validNow('purchase_market').as('purchase_market'),
      sql<string>`coalesce(later.currency, sites.currency)`.as('currency'),
      'sites.rated_power_w',
      'sites.installer_contact',
      'sites.user_contact',
      'sites.created_at',
      'installers.email as installer_email',
      'installers.phone as installer_phone',
      'owners.email as owner_email',
      'owners.phone as owner_phone',
      'site_latest.battery_capacity_wh',
      sql<string | null>`sites.commissioned_on::text`.as('commissioned_on'),
      sql<string | null>`sites.grid_connected_on::text`.as('grid_connected_on'),
      hasKind('battery').as('has_battery'),
    ])
    .where(visibleSites(scope))
    .where('sites.id', '=', id)
    .executeTakeFirst();

export interface SiteFrame {
  name: string;
  id: string;
  /** Key in the telemetry store. */
  key: number;
  timeZone: string;
  systemSizeKwp: number;
  country: string;
  isRecalculated: boolean;
  /** While history is coming, the local day up to which sums hold. */
  heldDay: string | null;
  latitude: number | null;
  longitude: number | null;
  altitudeM: number | null;
  arrays: SiteArray[];
}

/** What the key figures of a plant need to know of it. */
export type FiguresSite = Pick<
  SiteFrame,
  'id' | 'key' | 'timeZone' | 'systemSizeKwp' | 'country' | 'isRecalculated' | 'heldDay'
>;

/** Whether the sums of a plant hold a local day. */
export const isHeld = ({ heldDay }: Pick<SiteFrame, 'heldDay'>, day: string): boolean =>
  heldDay === null || day <= heldDay;

const frames = (db: Db) =>
  db
    .selectFrom('sites')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .select([
      'id',
      'key',
      'name',
      'time_zone as timeZone',
      'system_size_kwp as systemSizeKwp',
      'country',
      isRecalculated.$castTo<boolean>().as('isRecalculated'),
      siteHeldDay.as('heldDay'),
      'latitude',
      'longitude',
      'altitude_m as altitudeM',
      'arrays',
    ]);

/** What figures and curves of a plant need to know of it. */
export const siteFrame = (db: Db, scope: Scope, id: string): Promise<SiteFrame | undefined> =>
  frames(db).where(visibleSites(scope)).where('sites.id', '=', id).executeTakeFirst();

/** What the alarms of a plant need to know of it. */
export const siteNowFrame = (db: Db, scope: Scope, id: string, nowMs: number) =>
  db
    .selectFrom('sites')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .select(['sites.id', 'sites.time_zone as timeZone', 'site_latest.ts', siteStateAt(nowMs).as('state')])
    .where(visibleSites(scope))
    .where('sites.id', '=', id)
    .executeTakeFirst();
