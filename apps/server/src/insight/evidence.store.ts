import type { LossWeek } from '@sonnenwarte/contract/losses/week';
import { type Kysely, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { siteStateAt } from '../current-state/current-state.ts';
import { visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';
import { pauseAt } from './pauses.store.ts';

/** What is told of a plant beside its day. */
export const evidenceSite = (db: Kysely<Database>, scope: Scope, id: string, nowMs: number) =>
  db
    .selectFrom('sites')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .leftJoin('site_insights', 'site_insights.site_id', 'sites.id')
    .where(visibleSites(scope))
    .where('sites.id', '=', id)
    .select([
      'sites.name',
      'sites.city',
      'sites.country',
      'sites.owner_account_id',
      siteStateAt(nowMs).as('state'),
      sql<LossWeek | null>`site_insights.week`.as('week'),
      pauseAt(scope, nowMs).as('pause'),
    ])
    .executeTakeFirst();
