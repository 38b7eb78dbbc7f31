import type { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { dataloggerIsVisible, type Scope } from '../access/scope.ts';
import { dataloggerIsOnlineAt } from '../current-state/current-state.ts';
import { containing, onPage, totalOf } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type ListInput = Parsed<typeof dataloggerEndpoints.list>;

const visibleDataloggers = (scope: Scope): Expression<SqlBool> =>
  dataloggerIsVisible(scope)(expressionBuilder<Database, 'loggers'>());

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
export const dataloggersOfSite = (db: Db, scope: Scope, siteId: string, nowMs: number) =>
  db
    .selectFrom('loggers')
    .select(columns)
    .select(dataloggerIsOnlineAt(nowMs).as('is_online'))
    .where(visibleDataloggers(scope))
    .where('loggers.site_id', '=', siteId)
    .orderBy('loggers.sn')
    .execute();

/** A page of the dataloggers in scope, by serial number, and how many match altogether. */
export async function listDataloggers(db: Db, scope: Scope, input: ListInput, nowMs: number) {
  const { communication, moduleSN, moduleType } = input.condition;
  const matching = () => {
    let query = db
      .selectFrom('loggers')
      .leftJoin('sites', 'sites.id', 'loggers.site_id')
      .where(visibleDataloggers(scope));
    if (communication !== 0) query = query.where(sql<SqlBool>`${dataloggerIsOnlineAt(nowMs)} = ${communication === 1}`);
    if (moduleSN !== '') query = query.where('loggers.sn', 'ilike', containing(moduleSN));
    if (moduleType !== '') query = query.where('loggers.type', 'ilike', containing(moduleType));
    return query;
  };
  const [dataloggers, total] = await Promise.all([
    matching()
      .select(columns)
      .select(['sites.name as site_name', dataloggerIsOnlineAt(nowMs).as('is_online')])
      .orderBy('loggers.sn')
      .$call(onPage(input))
      .execute(),
    totalOf(matching()),
  ]);
  return { total, dataloggers };
}
