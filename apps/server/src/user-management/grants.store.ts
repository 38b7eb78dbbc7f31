import type { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import { type Asked, containing, pageOf, totalOf } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type ListInput = Asked<typeof userManagementEndpoints.grantList>;

const isGranted = (accountId: string) => sql<boolean>`exists (select from device_grants
  where device_grants.device_id = devices.id and device_grants.account_id = ${accountId})`;

const devicesFor = (db: Db, scope: Scope, accountId: string) =>
  db
    .selectFrom('devices')
    .leftJoin('sites', 'sites.id', 'devices.site_id')
    .leftJoin('organisations', 'organisations.id', 'sites.organisation_id')
    .where(visibleDevices(scope))
    .select([
      'devices.id',
      'devices.sn',
      'devices.kind',
      'devices.model',
      'sites.name as site',
      'organisations.name as organisation',
      isGranted(accountId).as('granted'),
    ]);

/** Devices by serial number, plant or model: those granted, or all. */
export async function listGrantable(db: Db, scope: Scope, { id, condition, ...span }: ListInput) {
  let query = devicesFor(db, scope, id);
  if (condition.granted) query = query.where(isGranted(id));
  if (condition.content !== '') {
    const pattern = containing(condition.content);
    query = query.where(
      sql<SqlBool>`(devices.sn ilike ${pattern} or devices.model ilike ${pattern} or sites.name ilike ${pattern})`,
    );
  }
  const [found, grantedTotal] = await Promise.all([
    pageOf(query, { key: sql`devices.sn`, apart: [sql`devices.id`], order: 'asc', isKnown: true }, span),
    totalOf(devicesFor(db, scope, id).where(isGranted(id))),
  ]);
  return { ...found, grantedTotal };
}

/** Devices in scope by serial number in any case. */
export const grantableBySn = (db: Db, scope: Scope, accountId: string, sns: readonly string[]) =>
  devicesFor(db, scope, accountId)
    .where(sql<SqlBool>`upper(devices.sn) = any(${sns.map((sn) => sn.toUpperCase())}::text[])`)
    .execute();

/** Grants devices in scope; answers the serial numbers of those that were not granted before. */
export async function grantDevices(tx: Tx, scope: Scope, accountId: string, deviceIds: readonly string[]) {
  const devices = await devicesFor(tx, scope, accountId)
    .where(sql<SqlBool>`devices.id = any(${deviceIds}::uuid[])`)
    .execute();
  const added = devices.filter((device) => !device.granted);
  if (added.length > 0)
    await tx
      .insertInto('device_grants')
      .values(added.map(({ id }) => ({ account_id: accountId, device_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return { found: devices.length, sns: added.map(({ sn }) => sn) };
}

/** Takes devices away; answers the serial numbers of those that were granted before. */
export async function revokeDevices(tx: Tx, accountId: string, deviceIds: readonly string[]): Promise<string[]> {
  const removed = await tx
    .deleteFrom('device_grants')
    .using('devices')
    .whereRef('devices.id', '=', 'device_grants.device_id')
    .where('device_grants.account_id', '=', accountId)
    .where(sql<SqlBool>`device_grants.device_id = any(${deviceIds}::uuid[])`)
    .returning('devices.sn')
    .execute();
  return removed.map(({ sn }) => sn);
}
