import { CELL_DEGREES, MAX_CELLS, MAX_PLACES, PLACE_STEP, placedStates } from '@sonnenwarte/contract/sites/site-places';
import type { State } from '@sonnenwarte/contract/status';
import { type Kysely, sql } from 'kysely';
import { listedSiteIsVisible, type Scope } from '../access/scope.ts';
import { siteStateAt, stateRank } from '../current-state/current-state.ts';
import type { Database } from '../stores/schema.ts';
import { type Condition, isPlaced, matching, visibleSites } from './sites.store.ts';

type Db = Kysely<Database>;

interface PlaceColumns {
  total: number;
  unplaced: number;
  count: number;
  ids: string;
  latitudes: string;
  longitudes: string;
  states: string;
}

const steps = (degrees: 'latitude' | 'longitude') =>
  sql`coalesce(string_agg(round(${sql.ref(degrees)} / ${PLACE_STEP}::float8)::int::text, ','), '')`;

/** Places of plants as columns that the database has put together, so that nothing is done here for each of a hundred thousand. */
export async function placesOf(db: Db, scope: Scope, condition: Condition, nowMs: number): Promise<PlaceColumns> {
  const found = (await matching(db, scope, condition, nowMs)).select([
    'site_latest.site_latitude as latitude',
    'site_latest.site_longitude as longitude',
    isPlaced.as('is_placed'),
    stateRank(siteStateAt(nowMs)).as('rank'),
  ]);
  const { rows } = await sql<PlaceColumns>`with found as materialized (${found}),
      placed as materialized (select id, latitude, longitude, rank from found where is_placed limit ${MAX_PLACES})
    select counted.total, counted.unplaced, told.* from
      (select count(*)::int as total, (count(*) filter (where not is_placed))::int as unplaced from found) as counted,
      (select count(*)::int as count,
        coalesce(string_agg(rtrim(encode(uuid_send(id), 'base64'), '='), ''), '') as ids,
        ${steps('latitude')} as latitudes,
        ${steps('longitude')} as longitudes,
        coalesce(string_agg((rank - 1)::text, ''), '') as states
      from placed) as told`.execute(db);
  return rows[0] ?? { total: 0, unplaced: 0, count: 0, ids: '', latitudes: '', longitudes: '', states: '' };
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
