import type { PauseReason } from '@sonnenwarte/contract/insight/pauses';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

export interface Pause {
  reason: PauseReason;
  until: string;
  by: string;
}

/** What an owner puts off is put off for the owner alone. */
export const isForOwner = (scope: Scope): boolean => scope.kind === 'owner';

/** Whether a row of `insight_pauses` still holds its plant back: until its day, unless it needs attention and loses twice as much by now. */
export const holdsBack = (nowMs: number, zone: RawBuilder<string>): RawBuilder<SqlBool> =>
  sql<SqlBool>`insight_pauses.until_day > (${new Date(nowMs)}::timestamptz at time zone ${zone})::date
    and (site_insights.needs_attention is not true or site_insights.loss_wh is null
      or site_insights.loss_wh < 2 * coalesce(nullif(insight_pauses.loss_wh, 0), 'infinity'))`;

/** Such a row as JSON. */
export const toldPause = sql<Pause>`jsonb_build_object(
  'reason', insight_pauses.reason, 'until', insight_pauses.until_day::text, 'by', insight_pauses.paused_by_name)`;

/** The pause that holds back a row of `sites` left joined to `site_insights`, as JSON; null where none does. */
export const pauseAt = (scope: Scope, nowMs: number) =>
  sql<Pause | null>`(select ${toldPause}
    from insight_pauses where insight_pauses.site_id = sites.id and insight_pauses.for_owner = ${isForOwner(scope)}
      and ${holdsBack(nowMs, sql`sites.time_zone`)})`;

/** The plant of a pause, in scope, with what it lost last. */
export const siteToPause = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('sites')
    .leftJoin('site_insights', 'site_insights.site_id', 'sites.id')
    .select([
      'sites.id',
      'sites.name',
      'sites.time_zone as timeZone',
      'sites.organisation_id',
      'sites.owner_account_id',
      'site_insights.loss_wh',
    ])
    .where(visibleSites(scope))
    .where('sites.id', '=', id)
    .executeTakeFirst();

/** Puts a plant off, in place of what was said of it before. */
export const putPause = (
  db: Db,
  pause: {
    siteId: string;
    forOwner: boolean;
    reason: PauseReason;
    until: string;
    lossWh: number | null;
    by: string;
    at: Date;
  },
) =>
  db
    .insertInto('insight_pauses')
    .values({
      site_id: pause.siteId,
      for_owner: pause.forOwner,
      reason: pause.reason,
      until_day: pause.until,
      loss_wh: pause.lossWh,
      paused_by_name: pause.by,
      paused_at: pause.at,
    })
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'for_owner']).doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        until_day: eb.ref('excluded.until_day'),
        loss_wh: eb.ref('excluded.loss_wh'),
        paused_by_name: eb.ref('excluded.paused_by_name'),
        paused_at: eb.ref('excluded.paused_at'),
      })),
    )
    .execute();

/** Takes it back; the pause that was, if any. */
export const dropPause = (db: Db, siteId: string, forOwner: boolean) =>
  db
    .deleteFrom('insight_pauses')
    .where('site_id', '=', siteId)
    .where('for_owner', '=', forOwner)
    .returning(['reason', sql<string>`until_day::text`.as('until')])
    .executeTakeFirst();
