import {
  CELL_DEGREES,
  LARGE_LOSS_WH,
  MAX_CELLS,
  MAX_FIRST,
  PLACE_STEP,
  type PlaceBounds,
  type PlaceColumns,
  placedStates,
  type Ranking,
} from '@sonnenwarte/contract/sites/site-places';
import type { State } from '@sonnenwarte/contract/status';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { listedSiteIsVisible, type Scope } from '../access/scope.ts';
import { siteStateAt, stateRank } from '../current-state/current-state.ts';
import type { Database } from '../stores/schema.ts';
import type { MapGrid } from './map-grid.ts';
import { type Condition, isPlaced, matching, visibleSites } from './sites.store.ts';

type Db = Kysely<Database>;

/** Place of a plant among `placedLosses`, from 1. */
const lossRank = sql<number>`case when site_latest.needs_attention
    then case when site_latest.week_loss_wh >= ${LARGE_LOSS_WH}::float8 then 1 else 2 end
  when site_latest.week_loss_wh is null then 3 else 4 end`;

/** Plants that a filter lets through, with their place and ranks, of which the map is told. */
const placing = async (db: Db, scope: Scope, condition: Condition, nowMs: number) =>
  (await matching(db, scope, condition, nowMs)).select([
    'site_latest.site_latitude as latitude',
    'site_latest.site_longitude as longitude',
    stateRank(siteStateAt(nowMs)).as('state_rank'),
    lossRank.as('loss_rank'),
  ]);

const steps = (degrees: 'latitude' | 'longitude') =>
  sql`coalesce(string_agg(round(${sql.ref(degrees)} / ${PLACE_STEP}::float8)::int::text, ','), '')`;
const digits = (rank: 'state_rank' | 'loss_rank') => sql`coalesce(string_agg((${sql.ref(rank)} - 1)::text, ''), '')`;

/** Places of plants as columns that the database has put together, so that nothing is done here for each of thousands. */
const columns = sql`count(*)::int as count,
  coalesce(string_agg(rtrim(encode(uuid_send(id), 'base64'), '='), ''), '') as ids,
  ${steps('latitude')} as latitudes, ${steps('longitude')} as longitudes,
  ${digits('state_rank')} as states, ${digits('loss_rank')} as losses`;

interface Counted {
  total: number;
  unplaced: number;
  south: number | null;
  west: number;
  north: number;
  east: number;
}

const outermost = (which: 'min' | 'max', degrees: 'latitude' | 'longitude') =>
  sql<number>`${sql.raw(which)}(site_latest.${sql.ref(`site_${degrees}`)}) filter (where ${isPlaced})`;

/** How many plants in scope a filter lets through, and between which places they lie. */
export const countPlaces = async (db: Db, scope: Scope, condition: Condition, nowMs: number): Promise<Counted> =>
  (await matching(db, scope, condition, nowMs))
    .clearSelect()
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (where not ${isPlaced}))::int`.as('unplaced'),
      sql<number | null>`${outermost('min', 'latitude')}`.as('south'),
      outermost('min', 'longitude').as('west'),
      outermost('max', 'latitude').as('north'),
      outermost('max', 'longitude').as('east'),
    ])
    .executeTakeFirstOrThrow();

/** Places of the plants in scope that a filter lets through, `most` of them at most. */
export async function placesOf(
  db: Db,
  scope: Scope,
  condition: Condition,
  { nowMs, most }: { nowMs: number; most: number },
): Promise<PlaceColumns | undefined> {
  const found = (await placing(db, scope, condition, nowMs)).where(isPlaced).limit(most);
  const { rows } = await sql<PlaceColumns>`with found as materialized (${found}) select ${columns} from found`.execute(
    db,
  );
  return rows[0];
}

const isWithin = ({ south, west, north, east }: PlaceBounds): RawBuilder<SqlBool> => {
  const isBetween =
    west > east
      ? sql`(site_latest.site_longitude >= ${west}::float8 or site_latest.site_longitude <= ${east}::float8)`
      : sql`site_latest.site_longitude between ${west}::float8 and ${east}::float8`;
  return sql<SqlBool>`(site_latest.site_latitude between ${south}::float8 and ${north}::float8 and ${isBetween})`;
};

/** How many plants there are of each rank but the last, which all others have. */
const rankCounts = (rank: 'state_rank' | 'loss_rank') =>
  sql`json_build_array(${sql.join([1, 2, 3].map((each) => sql`count(*) filter (where ${sql.ref(rank)} = ${sql.lit(each)})`))})`;

type Counts = [number, number, number];

export interface GroupRow {
  count: number;
  id: string;
  latitude: number;
  longitude: number;
  south: number;
  west: number;
  north: number;
  east: number;
  states: Counts;
  losses: Counts;
}

interface ViewRow extends PlaceColumns {
  inView: number;
  first: string[];
  groups: GroupRow[];
}

interface Looking {
  readonly view: PlaceBounds;
  readonly grid: MapGrid;
  readonly by: Ranking;
  readonly nowMs: number;
  /** Plants that are told one by one at most. */
  readonly most: number;
}

/** Plants of a part of the map: each of them, or groups by its squares where they are more than `most`. */
export async function viewOf(
  db: Db,
  scope: Scope,
  condition: Condition,
  { view, grid, by, nowMs, most }: Looking,
): Promise<ViewRow | undefined> {
  const { covered } = grid;
  // East of the antimeridian they count on, so that the middle of a group lies where it does.
  const eastward =
    covered.west > covered.east
      ? sql`case when longitude < ${covered.west}::float8 then longitude + 360 else longitude end`
      : sql`longitude`;
  const found = (await placing(db, scope, condition, nowMs))
    .where(isWithin(covered))
    .select(isWithin(view).as('is_in_view'));
  const { rows } = await sql<ViewRow>`with found as materialized (${found}),
      counted as (select count(*) as count, (count(*) filter (where is_in_view))::int as in_view from found),
      grouped as (
        select count(*)::int as count, any_value(id) as id, avg(latitude) as latitude, avg(${eastward}) as longitude,
          min(latitude) as south, min(longitude) as west, max(latitude) as north, max(longitude) as east,
          ${rankCounts('state_rank')} as states, ${rankCounts('loss_rank')} as losses
        from found where (select count > ${most} from counted)
        group by width_bucket(latitude, ${grid.rows}::float8[]), width_bucket(${eastward}, ${grid.columns}::float8[]))
    select told.*, counted.in_view as "inView",
      array(select id from found where is_in_view order by ${sql.ref(by === 'loss' ? 'loss_rank' : 'state_rank')}, id limit ${MAX_FIRST})
        as first,
      (select coalesce(json_agg(grouped), '[]') from grouped) as groups
    from counted, lateral (select ${columns} from found where (select count <= ${most} from counted)) as told`.execute(
    db,
  );
  return rows[0];
}

interface CellRow {
  latitude: number;
  longitude: number;
  count: number;
  state: State;
}

const middle = (degrees: 'latitude' | 'longitude') =>
  sql<number>`(floor(site_latest.${sql.ref(`site_${degrees}`)} / ${CELL_DEGREES}::float8) + 0.5) * ${CELL_DEGREES}::float8`;

/** Cells that hold plants, the fullest first. */
export async function cellsOf(db: Db, scope: Scope, nowMs: number): Promise<CellRow[]> {
  const rows = await db
    .selectFrom('site_latest')
    .where(await listedSiteIsVisible(db, scope))
    .where(isPlaced)
    .select([
      middle('latitude').as('latitude'),
      middle('longitude').as('longitude'),
      sql<number>`count(*)::int`.as('count'),
      sql<number>`min(${stateRank(siteStateAt(nowMs))})`.as('rank'),
    ])
    .groupBy(sql`1, 2`)
    .orderBy(sql`3`, 'desc')
    .limit(MAX_CELLS)
    .execute();
  return rows.map(({ rank, ...cell }) => ({ ...cell, state: placedStates[rank - 1] ?? 'normal' }));
}

/** Countries of the plants in scope, each once. */
export const countriesIn = (db: Db, scope: Scope) =>
  db
    .selectFrom('sites')
    .where(visibleSites(scope))
    .where('country', '<>', '')
    .select('country')
    .distinct()
    .orderBy('country')
    .execute();

/** How many plants in scope have a position, and how many have none. */
export const placedCounts = async (db: Db, scope: Scope) =>
  db
    .selectFrom('site_latest')
    .where(await listedSiteIsVisible(db, scope))
    .select([
      sql<number>`(count(*) filter (where ${isPlaced}))::int`.as('placed'),
      sql<number>`(count(*) filter (where not ${isPlaced}))::int`.as('unplaced'),
    ])
    .executeTakeFirstOrThrow();
