import type { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { loggerIsVisible, type Scope } from '../access/scope.ts';
import { loggerIsOnlineAt } from '../live/current-state.ts';
import { containing, onPage, totalOf } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type ListInput = Parsed<typeof dataloggerEndpoints.list>;

const visibleLoggers = (scope: Scope): Expression<SqlBool> =>
  loggerIsVisible(scope)(expressionBuilder<Database, 'loggers'>());

const columns = [
  'loggers.sn',
  'loggers.type',
  'loggers.model',
  'loggers.firmware',
  'loggers.rssi_dbm',
  'loggers.last_seen_at',
  'loggers.report_interval_s',
  'loggers.quarantined',
  'loggers.site_id',
] as const;

/** Dataloggers of a plant. */
export const loggersOfSite = (db: Db, scope: Scope, siteId: string, nowMs: number) =>
  db
    .selectFrom('loggers')
    .select(columns)
    .select(loggerIsOnlineAt(nowMs).as('is_online'))
    .where(visibleLoggers(scope))
    .where('loggers.site_id', '=', siteId)
    .orderBy('loggers.sn')
    .execute();

/** A page of the dataloggers in scope, by serial number, and how many match altogether. */
export async function listLoggers(db: Db, scope: Scope, input: ListInput, nowMs: number) {
  const { communication, moduleSN, moduleType } = input.condition;
  const matching = () => {
    let query = db.selectFrom('loggers').leftJoin('sites', 'sites.id', 'loggers.site_id').where(visibleLoggers(scope));
    if (communication !== 0) query = query.where(sql<SqlBool>`${loggerIsOnlineAt(nowMs)} = ${communication === 1}`);
    if (moduleSN !== '') query = query.where('loggers.sn', 'ilike', containing(moduleSN));
    if (moduleType !== '') query = query.where('loggers.type', 'ilike', containing(moduleType));
    return query;
  };
  const [loggers, total] = await Promise.all([
    matching()
      .select(columns)
      .select(['sites.name as site_name', loggerIsOnlineAt(nowMs).as('is_online')])
      .orderBy('loggers.sn')
      .$call(onPage(input))
      .execute(),
    totalOf(matching()),
  ]);
  return { total, loggers };
}
