import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { sitePlaceEndpoints } from '@sonnenwarte/contract/sites/site-places';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { cellsOf, countriesIn, placedCounts, placesOf } from './site-places.store.ts';
import { toRow } from './sites.service.ts';
import { sitesByIds } from './sites.store.ts';

type Places = typeof sitePlaceEndpoints;

/** Where the plants in scope are, and in which state. */
export const sitePositions = (
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { condition }: Parsed<Places['positions']>,
  { scope }: Scoped,
): Promise<Result<Places['positions']>> => placesOf(db, scope, condition, nowMs());

/** Some plants, as the list tells of them. */
export const siteRows = async (
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationIDs }: Parsed<Places['rows']>,
  { scope }: Scoped,
): Promise<Result<Places['rows']>> => ({
  plants: (await sitesByIds(db, scope, [...new Set(stationIDs)], nowMs())).map((row) => toRow(row, scope)),
});

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
