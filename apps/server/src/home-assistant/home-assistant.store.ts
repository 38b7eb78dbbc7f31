import { type Kysely, type SqlBool, sql } from 'kysely';
import { dataloggerIsVisible, type Scope } from '../access/scope.ts';
import { dataloggerIsOnlineAt } from '../current-state/current-state.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Devices in scope that have told something, the first ones by serial number. */
export const devicesToTell = (db: Db, scope: Scope, most: number) =>
  db
    .selectFrom('devices')
    .select(['devices.id', 'devices.key'])
    .where(visibleDevices(scope))
    .orderBy('devices.sn')
    .limit(most)
    .execute();

/** Dataloggers in scope with these serial numbers, as they are now. */
export const dataloggersNow = (db: Db, scope: Scope, sns: readonly string[], nowMs: number) =>
  db
    .selectFrom('loggers')
    .leftJoin('sites', 'sites.id', 'loggers.site_id')
    .select(['loggers.sn', 'loggers.model', 'loggers.firmware', 'loggers.rssi_dbm', 'sites.name as site_name'])
    .select(dataloggerIsOnlineAt(nowMs).as('is_online'))
    .where(dataloggerIsVisible(scope))
    .where(sql<SqlBool>`loggers.sn = any(${sns}::text[])`)
    .execute();

export type DataloggerNow = Awaited<ReturnType<typeof dataloggersNow>>[number];

export const languageOf = async (db: Db, accountId: string): Promise<string | null | undefined> =>
  (await db.selectFrom('accounts').select('language').where('id', '=', accountId).executeTakeFirst())?.language;

/** Serial numbers that were announced to a program of an account and not taken back since. */
export async function announcedTo(db: Db, accountId: string): Promise<string[]> {
  const rows = await db.selectFrom('home_assistant_devices').select('sn').where('account_id', '=', accountId).execute();
  return rows.map(({ sn }) => sn);
}

export async function noteAnnounced(db: Db, accountId: string, sns: readonly string[]): Promise<void> {
  await sql`insert into home_assistant_devices (account_id, sn) select ${accountId}::uuid, sn
    from unnest(${sns}::text[]) as sn order by sn on conflict do nothing`.execute(db);
}

export const forgetAnnounced = (db: Db, accountId: string, sn: string) =>
  db.deleteFrom('home_assistant_devices').where('account_id', '=', accountId).where('sn', '=', sn).execute();
