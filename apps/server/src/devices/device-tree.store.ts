import { type Kysely, type SqlBool, sql } from 'kysely';
import { listedDeviceIsVisible, type Scope } from '../access/scope.ts';
import { dataloggerIsOnlineAt, listedStateAt, stateRank } from '../current-state/current-state.ts';
import { type ListedDeviceRow, listedDeviceRows } from '../device-rows/device-rows.store.ts';
import type { Database } from '../stores/schema.ts';
import { type DeviceCondition, matchingDevices } from './device-lists.store.ts';

type Db = Kysely<Database>;

export interface AskedTree {
  readonly kind: ListedDeviceRow['kind'];
  readonly condition: DeviceCondition;
  readonly pageSize: number;
  readonly currentPage: number;
}

/** After every rank of a state. */
const LAST_RANK = 9;

/** A page of the dataloggers of which a device passes the filters, the worst first, and how many there are. */
export async function loggersOfTree(
  db: Db,
  scope: Scope,
  { kind, condition, pageSize, currentPage }: AskedTree,
  nowMs: number,
) {
  const ranked = (await matchingDevices(db, scope, kind, condition, nowMs))
    .select(['device_listed.logger_id as id', sql<number>`min(${stateRank(listedStateAt(nowMs))})`.as('rank')])
    .groupBy('device_listed.logger_id');
  const offset = (currentPage - 1) * pageSize;
  // No datalogger that is better than the last one of the page needs to be put in order by its serial number.
  const found = await db
    .with(
      (cte) => cte('worst').materialized(),
      () => ranked,
    )
    .selectFrom('worst')
    .innerJoin('loggers', 'loggers.id', 'worst.id')
    .select(['worst.id', sql<number>`(select count(*)::int from worst)`.as('total')])
    .where(
      sql<SqlBool>`worst.rank <= coalesce((select rank from worst order by rank limit 1 offset ${offset + pageSize - 1}::int), ${LAST_RANK}::int)`,
    )
    .orderBy('worst.rank')
    .orderBy('loggers.sn')
    .limit(pageSize)
    .offset(offset)
    .execute();
  return { ids: found.map(({ id }) => id), total: found[0]?.total ?? 0 };
}

/** What is told of dataloggers that `loggersOfTree` found in scope. */
export const loggerRows = (db: Db, ids: readonly string[], nowMs: number) =>
  db
    .selectFrom('loggers')
    .leftJoin('sites', 'sites.id', 'loggers.site_id')
    .select([
      'loggers.id',
      'loggers.sn',
      'loggers.type',
      'loggers.model',
      'loggers.firmware',
      'loggers.rssi_dbm',
      'loggers.last_seen_at',
      'loggers.report_interval_s',
      'loggers.site_id',
      'sites.name as site_name',
      dataloggerIsOnlineAt(nowMs).as('is_online'),
    ])
    .where(sql<boolean>`loggers.id = any(${ids}::uuid[])`)
    .execute();

/** Devices in scope below dataloggers, the first so many of each, and how many each has. */
export async function devicesBelow(db: Db, scope: Scope, loggerIds: readonly string[], most: number, nowMs: number) {
  const kinds = sql`array['inverter', 'battery', 'meter', 'ems', 'gateway', 'pile', 'station']`;
  const ranked = db
    .selectFrom('device_listed')
    .where(await listedDeviceIsVisible(db, scope))
    .where(sql<boolean>`device_listed.logger_id = any(${loggerIds}::uuid[])`)
    .select([
      'device_listed.device_id as id',
      'device_listed.logger_id',
      sql<number>`row_number() over (partition by device_listed.logger_id
        order by array_position(${kinds}, device_listed.kind), device_listed.sn)::int`.as('place'),
      sql<number>`count(*) over (partition by device_listed.logger_id)::int`.as('of_logger'),
    ]);
  const found = await db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('ranked.place', '<=', most)
    .orderBy('ranked.place')
    .execute();
  const rows = await listedDeviceRows(
    db,
    scope,
    found.map(({ id }) => id),
    nowMs,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap(({ id, logger_id, of_logger }) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ loggerId: logger_id, ofLogger: of_logger, row }];
  });
}
