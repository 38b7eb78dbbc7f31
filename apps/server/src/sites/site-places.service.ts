import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { MAX_GROUPS, type PlaceGroup, type sitePlaceEndpoints } from '@sonnenwarte/contract/sites/site-places';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { gridOf } from './map-grid.ts';
import { silenceOf } from './site-alarms.service.ts';
import { heardDataloggers, worstAlarms } from './site-alarms.store.ts';
import {
  cellsOf,
  countPlaces,
  countriesIn,
  type GroupRow,
  placedCounts,
  placesOf,
  viewOf,
} from './site-places.store.ts';
import { losingWeeks } from './site-weeks.store.ts';
import { toRow } from './sites.service.ts';
import { sitesByIds } from './sites.store.ts';

type Places = typeof sitePlaceEndpoints;

const NO_COLUMNS = { count: 0, ids: '', latitudes: '', longitudes: '', states: '', losses: '' };
/** Of the plants that are told at once altogether, one part in so many is told one by one of a part of the map. */
const PART_IN_VIEW = 5;

/** Where the plants in scope are, in which state, and whether they lose. */
export async function sitePositions(
  { db, nowMs, config }: Uses<'db' | 'nowMs' | 'config'>,
  { condition }: Parsed<Places['positions']>,
  { scope }: Scoped,
): Promise<Result<Places['positions']>> {
  const { total, unplaced, south, ...others } = await countPlaces(db, scope, condition, nowMs());
  const grouped = total - unplaced > config.mapPlaces;
  const places = grouped ? undefined : await placesOf(db, scope, condition, { nowMs: nowMs(), most: config.mapPlaces });
  return { ...(places ?? NO_COLUMNS), total, unplaced, bounds: south === null ? null : { south, ...others }, grouped };
}

/** What a part of the map shows of the plants in scope. */
export async function siteMapView(
  { db, nowMs, config }: Uses<'db' | 'nowMs' | 'config'>,
  { condition, view, zoom, by }: Parsed<Places['mapView']>,
  { scope }: Scoped,
): Promise<Result<Places['mapView']>> {
  const grid = gridOf(view, zoom, MAX_GROUPS);
  const most = Math.ceil(config.mapPlaces / PART_IN_VIEW);
  const told = await viewOf(db, scope, condition, { view, grid, by, nowMs: nowMs(), most });
  if (told === undefined) return { inView: 0, first: [], places: NO_COLUMNS, groups: [] };
  const { inView, first, groups, ...places } = told;
  return { inView, first, places: groups.length > 0 ? null : places, groups: groups.map(toGroup) };
}

/** As exact as places are told: 1.1 m. */
const rounded = (degrees: number, towards: (steps: number) => number = Math.round): number =>
  towards(degrees * 1e5) / 1e5;

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0);

const toGroup = ({ count, id, latitude, longitude, states, losses, ...bounds }: GroupRow): PlaceGroup => ({
  count,
  stationID: count === 1 ? id : null,
  latitude: rounded(latitude),
  longitude: rounded(longitude > 180 ? longitude - 360 : longitude),
  // Outwards, so that whoever asks for them gets all of the group.
  bounds: {
    south: rounded(bounds.south, Math.floor),
    west: rounded(bounds.west, Math.floor),
    north: rounded(bounds.north, Math.ceil),
    east: rounded(bounds.east, Math.ceil),
  },
  states: [...states, count - sumOf(states)],
  losses: [...losses, count - sumOf(losses)],
});

/** Some plants, as the list tells of them, and why they need attention. */
export async function siteRows(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationIDs }: Parsed<Places['rows']>,
  { scope }: Scoped,
): Promise<Result<Places['rows']>> {
  const now = nowMs();
  const rows = await sitesByIds(db, scope, [...new Set(stationIDs)], now);
  const idsOf = (isMeant: (row: (typeof rows)[number]) => boolean) => rows.filter(isMeant).map(({ id }) => id);
  const [alarms, heard, weeks] = await Promise.all([
    worstAlarms(
      db,
      scope,
      idsOf(({ state }) => state !== 'normal'),
    ),
    heardDataloggers(
      db,
      scope,
      idsOf(({ state }) => state === 'offline'),
      now,
    ),
    losingWeeks(
      db,
      scope,
      idsOf(() => true),
    ),
  ]);
  return {
    plants: rows.map((row) => ({
      ...toRow(row, scope),
      alarm: alarms.get(row.id)?.alarm ?? null,
      silence: row.state === 'offline' ? silenceOf(row.ts?.getTime() ?? null, heard.get(row.id)) : null,
      week: weeks.get(row.id) ?? null,
    })),
  };
}

/** Where there are plants at all. */
export const siteCountries = async (
  { db }: Uses<'db'>,
  _: unknown,
  { scope }: Scoped,
): Promise<Result<Places['countriesOfSites']>> => ({
  countries: (await countriesIn(db, scope)).map(({ country }) => country),
});

/** How the plants in scope are spread. */
export async function siteCells(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  _: unknown,
  { scope }: Scoped,
): Promise<Result<Places['cells']>> {
  const [counts, cells] = await Promise.all([placedCounts(db, scope), cellsOf(db, scope, nowMs())]);
  return { ...counts, cells };
}
