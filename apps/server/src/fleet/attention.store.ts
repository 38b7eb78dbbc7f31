import type { PauseReason } from '@sonnenwarte/contract/insight/evidence';
import type { LossWeek } from '@sonnenwarte/contract/insight/week';
import { type Kysely, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { siteStateAt, stateRank } from '../current-state/current-state.ts';
import { pauseAt } from '../insight/pauses.store.ts';
import { visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';
import type { SiteState } from '../stores/schema-plants.ts';

type Db = Kysely<Database>;

/** A plant that is looked at: it loses energy, or is not normal. */
interface Troubled {
  id: string;
  state: SiteState;
  isLosing: boolean;
  lossWh: number | null;
  lossMoney: string | null;
  currency: string | null;
  pause: { reason: PauseReason; until: string; by: string } | null;
}

/** Those of a scope, in order: what is known in money first, the greatest first; then the others, the worst state first. */
export const troubledSites = (db: Db, scope: Scope, nowMs: number): Promise<Troubled[]> =>
  db
    .selectFrom('sites')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .leftJoin('site_insights', 'site_insights.site_id', 'sites.id')
    .where(visibleSites(scope))
    .where((eb) =>
      eb.or([
        eb('site_insights.needs_attention', '=', true),
        eb(siteStateAt(nowMs), 'in', ['alarm', 'fault', 'offline']),
      ]),
    )
    .select([
      'sites.id',
      siteStateAt(nowMs).as('state'),
      sql<boolean>`coalesce(site_insights.needs_attention, false)`.as('isLosing'),
      'site_insights.loss_wh as lossWh',
      'site_insights.loss_money as lossMoney',
      'site_insights.currency',
      pauseAt(scope, nowMs).as('pause'),
    ])
    .orderBy(
      sql`case when site_insights.needs_attention and site_insights.loss_wh > 0 then site_insights.rank_value end desc nulls last`,
    )
    .orderBy(sql`${stateRank(siteStateAt(nowMs))}`)
    .orderBy(sql`case when site_insights.needs_attention then site_insights.loss_wh end desc nulls last`)
    .orderBy(sql`lower(sites.name)`)
    .orderBy('sites.id')
    .execute();

/** The weeks of some plants in scope, by their ids. */
export async function weeksOf(db: Db, scope: Scope, ids: readonly string[]): Promise<Map<string, LossWeek>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('site_insights')
    .innerJoin('sites', 'sites.id', 'site_insights.site_id')
    .where(visibleSites(scope))
    .where(sql<boolean>`sites.id = any(${ids}::uuid[])`)
    .select(['sites.id', sql<LossWeek>`site_insights.week`.as('week')])
    .execute();
  return new Map(rows.map(({ id, week }) => [id, week]));
}
