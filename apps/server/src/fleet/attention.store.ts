import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { siteStateAt, stateRank } from '../current-state/current-state.ts';
import { isPausedAt, pauseAt } from '../insight/pauses.store.ts';
import { visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';
import type { SiteState } from '../stores/schema-plants.ts';

type Db = Kysely<Database>;

const isLosing = sql<boolean>`coalesce(site_insights.needs_attention, false)`;
const isTroubled: readonly SiteState[] = ['alarm', 'fault', 'offline'];

/** Plants of a scope that lose energy or are not normal. */
const troubled = (db: Db, scope: Scope, nowMs: number) =>
  db
    .selectFrom('sites')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .leftJoin('site_insights', 'site_insights.site_id', 'sites.id')
    .where(visibleSites(scope))
    .where((eb) => eb.or([eb('site_insights.needs_attention', '=', true), eb(siteStateAt(nowMs), 'in', isTroubled)]));

const putOff = (scope: Scope, nowMs: number, isPaused: boolean) =>
  isPaused ? isPausedAt(scope, nowMs) : sql<SqlBool>`not ${isPausedAt(scope, nowMs)}`;

/** A page of them in order: what is known in money first, the greatest first; then the others, the worst state first. */
export const troubledPage = (
  db: Db,
  scope: Scope,
  nowMs: number,
  { isPaused, page, pageSize }: { isPaused: boolean; page: number; pageSize: number },
) =>
  troubled(db, scope, nowMs)
    .where(putOff(scope, nowMs, isPaused))
    .select(['sites.id', isLosing.as('isLosing'), pauseAt(scope, nowMs).as('pause')])
    .orderBy(
      sql`case when site_insights.needs_attention and site_insights.loss_wh > 0 then site_insights.rank_value end desc nulls last`,
    )
    .orderBy(sql`${stateRank(siteStateAt(nowMs))}`)
    .orderBy(sql`case when site_insights.needs_attention then site_insights.loss_wh end desc nulls last`)
    .orderBy(sql`lower(sites.name)`)
    .orderBy('sites.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();

/** How many there are and what they lost in money, by currency and by whether they were put off; null: not known in money. */
export const troubledSums = (db: Db, scope: Scope, nowMs: number) => {
  const valued = sql<
    string | null
  >`case when ${isLosing} and site_insights.loss_money is not null then site_insights.currency end`;
  return troubled(db, scope, nowMs)
    .select([
      sql<boolean>`${isPausedAt(scope, nowMs)}`.as('isPaused'),
      valued.as('currency'),
      sql<number>`count(*)::int`.as('plants'),
      sql<number>`coalesce(sum(site_insights.loss_wh), 0)`.as('lossWh'),
      sql<string>`coalesce(sum(site_insights.loss_money), 0)::text`.as('lossMoney'),
    ])
    .groupBy([sql`1`, sql`2`])
    .execute();
};
