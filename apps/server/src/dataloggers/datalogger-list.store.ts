import {
  type DataloggerState,
  type dataloggerFields,
  type list,
  MANY_PENDING,
  WEAK_SIGNAL_DBM,
} from '@sonnenwarte/contract/dataloggers/dataloggers';
import { type Expression, expressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { dataloggerIsVisible, type Scope } from '../access/scope.ts';
import { dataloggerIsOnlineAt, deviceStateAt } from '../current-state/current-state.ts';
import { type Asked, containing, type Found, pageOf, type SortKeys, withRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** What somebody may see of dataloggers. */
export interface Sight {
  readonly scope: Scope;
  /** Those in quarantine too. */
  readonly seesUncreated: boolean;
}

const stateAt = (nowMs: number): RawBuilder<DataloggerState> => sql<DataloggerState>`case
  when loggers.quarantined then 'quarantined' when loggers.site_id is null then 'free'
  when not ${dataloggerIsOnlineAt(nowMs)} then 'offline'
  when coalesce(loggers.rssi_dbm < ${WEAK_SIGNAL_DBM}, false) or coalesce(loggers.pending >= ${MANY_PENDING}, false) then 'struggling'
  else 'online' end`;

const rankOf = (state: RawBuilder<DataloggerState>): RawBuilder<number> =>
  sql<number>`case ${state} when 'offline' then 1 when 'quarantined' then 2 when 'struggling' then 3 when 'free' then 4 else 5 end`;

const known = (column: 'type' | 'model' | 'ip' | 'firmware' | 'hardware') =>
  sql`nullif(loggers.${sql.ref(column)}, '')`;

const sortKeys = (nowMs: number) =>
  ({
    moduleSN: sql`loggers.sn`,
    state: rankOf(stateAt(nowMs)),
    moduleType: known('type'),
    model: known('model'),
    plantName: sql`sites.name`,
    signal: sql`loggers.rssi_dbm`,
    ip: known('ip'),
    version: known('firmware'),
    hardware: known('hardware'),
    uplink: sql`nullif(loggers.uplink, '')`,
    lastSeenMs: sql`loggers.last_seen_at`,
    pending: sql`loggers.pending`,
  }) satisfies SortKeys<typeof dataloggerFields>;

/** Charging piles that speak OCPP have one as their connection, which is none of its own. */
const isConnectionOfPile = sql<SqlBool>`(loggers.type = 'OCPP' and loggers.uplink = '' and not loggers.quarantined)`;

/** Condition on `loggers` of a query. */
export function seenBy({ scope, seesUncreated }: Sight): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'loggers'>();
  const visible = eb.and([dataloggerIsVisible(scope)(eb), eb.not(isConnectionOfPile)]);
  return seesUncreated ? visible : eb.and([visible, eb.not(eb.ref('loggers.quarantined'))]);
}

type Condition = Asked<typeof list>['condition'];

function matching(db: Db, sight: Sight, condition: Condition, nowMs: number) {
  const { communication, moduleSN, moduleType, content, state, states, stationID } = condition;
  let query = db
    .selectFrom('loggers')
    .leftJoin('sites', 'sites.id', 'loggers.site_id')
    .where(seenBy(sight))
    .select('loggers.id as id');
  if (communication !== 0) query = query.where(sql<SqlBool>`${dataloggerIsOnlineAt(nowMs)} = ${communication === 1}`);
  if (moduleSN !== '') query = query.where('loggers.sn', 'ilike', containing(moduleSN));
  if (moduleType !== '') query = query.where('loggers.type', 'ilike', containing(moduleType));
  if (stationID !== undefined) query = query.where('loggers.site_id', '=', stationID);
  const wanted = state === undefined ? states : [state];
  if (wanted !== undefined) query = query.where(sql<SqlBool>`${stateAt(nowMs)} = any(${wanted}::text[])`);
  if (content !== '') {
    const pattern = containing(content);
    query = query.where(sql<SqlBool>`(loggers.sn like ${pattern} or sites.name ilike ${pattern}
      or loggers.model ilike ${pattern} or loggers.ip like ${pattern})`);
  }
  return query;
}

const rows = (db: Db, nowMs: number) =>
  db
    .selectFrom('loggers')
    .leftJoin('sites', 'sites.id', 'loggers.site_id')
    .leftJoin('organisations', 'organisations.id', 'loggers.organisation_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('devices')
          .whereRef('devices.logger_id', '=', 'loggers.id')
          .where('devices.deleted_at', 'is', null)
          .select([
            sql<number>`count(*)::int`.as('children'),
            sql<number>`(count(*) filter (where ${deviceStateAt(nowMs)} <> 'offline'))::int`.as('children_heard'),
          ])
          .as('behind'),
      (join) => join.onTrue(),
    )
    .select([
      'loggers.id',
      'loggers.key',
      'loggers.sn',
      'loggers.type',
      'loggers.model',
      'loggers.firmware',
      'loggers.hardware',
      'loggers.profile',
      'loggers.time_zone',
      'loggers.ip',
      'loggers.uplink',
      'loggers.rssi_dbm',
      'loggers.pending',
      'loggers.report_interval_s',
      'loggers.quarantined',
      'loggers.born_at',
      'loggers.last_seen_at',
      'loggers.created_at',
      'loggers.provisioned_by',
      'loggers.former_token_until',
      'loggers.site_id',
      'loggers.organisation_id',
      sql<boolean>`loggers.token_hash is not null`.as('has_password'),
      sql<string | null>`sites.name`.as('site_name'),
      sql<string | null>`sites.time_zone`.as('site_zone'),
      sql<string | null>`organisations.name`.as('organisation'),
      dataloggerIsOnlineAt(nowMs).as('is_online'),
      stateAt(nowMs).as('state'),
      sql<number>`behind.children`.as('children'),
      sql<number>`behind.children_heard`.as('children_heard'),
    ]);

export type DataloggerDetailRow = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

/** Dataloggers that somebody sees, those of an equal value by serial number. */
export async function listDataloggers(
  db: Db,
  sight: Sight,
  { condition, sort, ...span }: Asked<typeof list>,
  nowMs: number,
): Promise<Found<DataloggerDetailRow>> {
  const keys = sortKeys(nowMs);
  const isBySn = sort.field === 'moduleSN';
  const page = await pageOf(
    matching(db, sight, condition, nowMs),
    {
      key: keys[sort.field],
      apart: isBySn ? [] : [keys.moduleSN],
      order: sort.order,
      isKnown: isBySn || sort.field === 'state',
    },
    span,
  );
  return withRows(page, (ids) =>
    rows(db, nowMs).where(seenBy(sight)).where(sql<SqlBool>`loggers.id = any(${ids}::uuid[])`).execute(),
  );
}

/** Number of dataloggers that somebody sees, by state. */
export const countByState = (db: Db, sight: Sight, nowMs: number) =>
  db
    .selectFrom('loggers')
    .where(seenBy(sight))
    .select([stateAt(nowMs).as('state'), sql<number>`count(*)::int`.as('count')])
    .groupBy(sql`1`)
    .execute();

/** One of them. */
export const dataloggerDetail = (db: Db, sight: Sight, id: string, nowMs: number) =>
  rows(db, nowMs).where(seenBy(sight)).where('loggers.id', '=', id).executeTakeFirst();

const MOST_BEHIND = 250;

/** Devices behind a datalogger that its own query found. */
export const devicesBehindOne = (db: Db, id: string, nowMs: number) =>
  db
    .selectFrom('devices')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .select(['devices.id', 'devices.sn', 'devices.kind', 'devices.model', 'devices.last_seen_at'])
    .select(deviceStateAt(nowMs).as('state'))
    .where('devices.logger_id', '=', id)
    .where('devices.deleted_at', 'is', null)
    .orderBy('devices.kind')
    .orderBy('devices.sn')
    .limit(MOST_BEHIND)
    .execute();

/** Alarms of the datalogger itself that stand. */
export const alarmsOfDatalogger = (db: Db, id: string) =>
  db
    .selectFrom('alarms')
    .select(['code', 'level', 'since'])
    .where('logger_id', '=', id)
    .where('device_id', 'is', null)
    .where('until', 'is', null)
    .orderBy('level', 'desc')
    .orderBy('since', 'desc')
    .limit(50)
    .execute();

const MOST_PAST = 50;

/** What was done with it within the scope, the newest first. */
export const pastOfDatalogger = (db: Db, visible: Expression<SqlBool>, id: string) =>
  db
    .selectFrom('audit_log')
    .select(['at', 'action', 'actor', 'before', 'after'])
    .where(visible)
    .where('record_id', '=', id)
    .where('record_kind', '=', 'datalogger')
    .orderBy('id', 'desc')
    .limit(MOST_PAST)
    .execute();
