import type { LossWeek } from '@sonnenwarte/contract/losses/week';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';
import { visibleSites } from './sites.store.ts';

type Db = Kysely<Database>;

const weeks = (db: Db, scope: Scope, ids: readonly string[]) =>
  db
    .selectFrom('site_insights')
    .innerJoin('sites', 'sites.id', 'site_insights.site_id')
    .where(visibleSites(scope))
    .where(sql<SqlBool>`sites.id = any(${ids}::uuid[])`)
    .select(['sites.id', sql<LossWeek>`site_insights.week`.as('week')]);

const byId = (rows: readonly { id: string; week: LossWeek }[]): Map<string, LossWeek> =>
  new Map(rows.map(({ id, week }) => [id, week]));

/** The newest weeks of some plants in scope, by their ids. */
export async function weeksOf(db: Db, scope: Scope, ids: readonly string[]): Promise<Map<string, LossWeek>> {
  return ids.length === 0 ? new Map() : byId(await weeks(db, scope, ids).execute());
}

/** The same of those alone that lost so much that somebody should look at them. */
export async function losingWeeks(db: Db, scope: Scope, ids: readonly string[]): Promise<Map<string, LossWeek>> {
  if (ids.length === 0) return new Map();
  return byId(await weeks(db, scope, ids).where('site_insights.needs_attention', '=', true).execute());
}
