import { type Expression, expressionBuilder, type Kysely, type SqlBool } from 'kysely';
import { dataloggerIsVisible, type Scope } from '../access/scope.ts';
import { dataloggerIsOnlineAt } from '../current-state/current-state.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

const visibleDataloggers = (scope: Scope): Expression<SqlBool> =>
  dataloggerIsVisible(scope)(expressionBuilder<Database, 'loggers'>());

/** Dataloggers of a plant. */
export const dataloggersOfSite = (db: Db, scope: Scope, siteId: string, nowMs: number) =>
  db
    .selectFrom('loggers')
    .select([
      'loggers.sn',
      'loggers.type',
      'loggers.model',
      'loggers.firmware',
      'loggers.rssi_dbm',
      'loggers.last_seen_at',
      'loggers.report_interval_s',
      'loggers.quarantined',
      'loggers.site_id',
    ])
    .select(dataloggerIsOnlineAt(nowMs).as('is_online'))
    .where(visibleDataloggers(scope))
    .where('loggers.site_id', '=', siteId)
    .orderBy('loggers.sn')
    .execute();
