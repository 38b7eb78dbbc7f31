import { type Kysely, sql } from 'kysely';
import { listedSiteIsVisible, type Scope } from '../access/scope.ts';
import { siteStateAt, stateRank } from '../current-state/current-state.ts';
import { holdsBack, isForOwner, type Pause, toldPause } from '../insight/pauses.store.ts';
import type { Database } from '../stores/schema.ts';
import type { SiteState } from '../stores/schema-plants.ts';

type Db = Kysely<Database>;

const isTroubled: readonly SiteState[] = ['alarm', 'fault', 'offline'];

/** Plants of a scope that lose energy or are not normal, each with all that orders, counts and sums them. */
const troubled = async (db: Db, scope: Scope, nowMs: number) =>
  db
    .selectFrom('site_latest')
    .leftJoin('site_insights', (join) =>
      join.onRef('site_insights.site_id', '=', 'site_latest.site_id').on('site_insights.needs_attention', '=', true),
    )
    .leftJoin('insight_pauses', (join) =>
      join
        .onRef('insight_pauses.site_id', '=', 'site_latest.site_id')
        .on('insight_pauses.for_owner', '=', isForOwner(scope))
        .on(holdsBack(nowMs, sql`site_latest.site_zone`)),
    )
    .where(await listedSiteIsVisible(db, scope))
    .where((eb) => eb.or([eb('site_insights.site_id', 'is not', null), eb(siteStateAt(nowMs), 'in', isTroubled)]))
    .select([
      'site_latest.site_id as id',
      'site_latest.site_name as name',
      stateRank(siteStateAt(nowMs)).as('state_rank'),
      sql<boolean>`site_insights.site_id is not null`.as('is_losing'),
      sql<boolean>`insight_pauses.site_id is not null`.as('is_paused'),
      sql<Pause | null>`case when insight_pauses.site_id is not null then ${toldPause} end`.as('pause'),
      sql<number | null>`case when site_insights.loss_wh > 0 then site_insights.rank_value end`.as('rank_value'),
      'site_insights.loss_wh',
      'site_insights.loss_money',
      'site_insights.currency',
    ]);

export interface TroubledPlant {
  id: string;
  isLosing: boolean;
  pause: Pause | null;
}

/** Plants whose loss is of one currency, or not known in money (null), and whether they were put off. */
export interface TroubledSum {
  isPaused: boolean;
  currency: string | null;
  plants: number;
  lossWh: number;
  lossMoney: string;
}

/**
 * A page of them in order: what is known in money first, the greatest first; then the others, the worst state first. With it how many
 * there are and what they lost. All plants in scope are looked at once for both.
 */
export async function troubledPlants(
  db: Db,
  scope: Scope,
  nowMs: number,
  { isPaused, page, pageSize }: { isPaused: boolean; page: number; pageSize: number },
): Promise<{ page: TroubledPlant[]; sums: TroubledSum[] }> {
  const found = await troubled(db, scope, nowMs);
  const {
    rows: [told],
  } = await sql<{ page: TroubledPlant[] | null; sums: TroubledSum[] | null }>`
    with troubled as materialized (${found}),
    page as (
      select id, is_losing, pause, row_number() over () as place from (
        select id, is_losing, pause from troubled where is_paused = ${isPaused}
        order by rank_value desc nulls last, state_rank, loss_wh desc nulls last, name, id
        limit ${pageSize} offset ${(page - 1) * pageSize}) ordered),
    sums as (
      select is_paused, case when loss_money is not null then currency end as currency, count(*) as plants,
        coalesce(sum(loss_wh), 0) as loss_wh, coalesce(sum(loss_money), 0)::text as loss_money
      from troubled group by 1, 2)
    select
      (select jsonb_agg(jsonb_build_object('id', id, 'isLosing', is_losing, 'pause', pause) order by place) from page) as page,
      (select jsonb_agg(jsonb_build_object('isPaused', is_paused, 'currency', currency, 'plants', plants, 'lossWh', loss_wh,
        'lossMoney', loss_money)) from sums) as sums`.execute(db);
  return { page: told?.page ?? [], sums: told?.sums ?? [] };
}
