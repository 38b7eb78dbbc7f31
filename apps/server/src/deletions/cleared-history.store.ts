import type { DeviceKind } from '@sonnenwarte/device-protocol/points/points';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** What of a device counts again from another time on. */
export interface Reckoned {
  readonly siteId: string;
  readonly deviceId: string;
  readonly depth: 'samples' | 'corrected';
  readonly from: Date;
  readonly to: Date | null;
}

/** Asks for figures of a plant to be made anew. */
export async function askToReckon(tx: Tx, { siteId, deviceId, depth, from, to }: Reckoned): Promise<void> {
  await sql`insert into recalculations (site_id, device_id, depth, from_at, to_at)
    values (${siteId}, ${deviceId}, ${depth}, ${from}, ${to})`.execute(tx);
}

export interface SetAside {
  readonly formerKey: number;
  readonly key: number;
  readonly siteId: string | null;
}

/** Lets a device record under a new key, of which nothing is stored; its series begin with what it tells next. */
export async function setHistoryAside(
  tx: Tx,
  of: { deletionID: string; deviceId: string; from: Date; at: Date },
): Promise<SetAside> {
  const { deletionID, deviceId, from, at } = of;
  const { rows } = await sql<{ former_key: number; key: number; site_id: string | null }>`
    with former as (
      select id, key, site_id, opening, coalesce(learned -> 'firstReadMs', '{}') as first_read from devices
      where id = ${deviceId} for update
    ), begun as (
      update devices set key = default, opening = '{}', learned = devices.learned - 'firstReadMs'
      from former where devices.id = former.id returning devices.id, devices.key
    )
    insert into cleared_histories (deletion_id, device_id, former_key, key, opening, first_read, recorded_from, cleared_at)
    select ${deletionID}, former.id, former.key, begun.key, former.opening, former.first_read, ${from}, ${at}
    from former join begun on begun.id = former.id
    returning former_key, key, (select site_id from former)`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('the device whose history is cleared is not there');
  await forgetToday(tx, deviceId);
  await sql`update device_corrections set undone_at = ${at}, cleared_by = ${deletionID}
    where device_id = ${deviceId} and undone_at is null`.execute(tx);
  return { formerKey: row.former_key, key: row.key, siteId: row.site_id };
}

/** What it generated today is told again by who accounts it. */
const forgetToday = (tx: Tx, deviceId: string) =>
  sql`update device_latest set today_wh = null, today_marks = 0 where device_id = ${deviceId}`.execute(tx);

export interface ClearedHistory {
  readonly device_id: string;
  readonly former_key: number;
  readonly key: number;
  readonly recorded_from: Date;
  readonly cleared_at: Date;
  /** Under which the device records now. */
  readonly present_key: number;
  readonly site_id: string | null;
}

/** A history that was cleared, with its device, both held until the transaction ends. */
export const holdClearedHistory = (tx: Tx, deletionID: string): Promise<ClearedHistory | undefined> =>
  tx
    .selectFrom('cleared_histories')
    .innerJoin('devices', 'devices.id', 'cleared_histories.device_id')
    .select(['device_id', 'former_key', 'cleared_histories.key', 'recorded_from', 'cleared_at'])
    .select(['devices.key as present_key', 'devices.site_id'])
    .where('deletion_id', '=', deletionID)
    .forUpdate()
    .executeTakeFirst();

/** Whether what a device recorded since was cleared as well, and can come back. */
export async function isClearedAgain(tx: Tx, deviceId: string, since: Date): Promise<boolean> {
  const later = await tx
    .selectFrom('cleared_histories')
    .innerJoin('deletions', 'deletions.id', 'cleared_histories.deletion_id')
    .select('deletion_id')
    .where('device_id', '=', deviceId)
    .where('cleared_at', '>', since)
    .where('cleared_histories.undone_at', 'is', null)
    .where('deletions.cutting_at', 'is', null)
    .where('deletions.cut_off_at', 'is', null)
    .executeTakeFirst();
  return later !== undefined;
}

/** Gives a device back the key under which it recorded before, with the beginning of its series and its corrections. */
export async function takeHistoryBack(tx: Tx, deletionID: string, deviceId: string, at: Date): Promise<void> {
  await sql`update devices set key = cleared.former_key, opening = cleared.opening,
      learned = devices.learned || jsonb_build_object('firstReadMs', cleared.first_read)
    from cleared_histories cleared where cleared.deletion_id = ${deletionID} and devices.id = cleared.device_id`.execute(
    tx,
  );
  await forgetToday(tx, deviceId);
  await tx.updateTable('cleared_histories').set({ undone_at: at }).where('deletion_id', '=', deletionID).execute();
  // What was said meanwhile of a time that comes back was said of other figures.
  await sql`update device_corrections made set undone_at = ${at} from device_corrections former
    where made.device_id = ${deviceId} and made.undone_at is null and former.cleared_by = ${deletionID}
      and former.device_id = made.device_id and former.channel = made.channel
      and former.from_at < made.to_at and former.to_at > made.from_at`.execute(tx);
  await sql`update device_corrections set undone_at = null, cleared_by = null where cleared_by = ${deletionID}`.execute(
    tx,
  );
}

/** Notes that what was set aside is to be removed for good. */
export const cutOffHistory = (tx: Tx, deletionID: string) =>
  sql`insert into telemetry_to_clear (kind, key)
    select 'device', former_key from cleared_histories where deletion_id = ${deletionID}
    on conflict do nothing`.execute(tx);

export interface Joining extends ClearedHistory {
  readonly deletion_id: string;
  readonly kind: DeviceKind;
  readonly undone_at: Date;
  readonly joined: string;
}

/** Histories that came back, and of which what was recorded meanwhile is still to be joined to them. */
export async function historiesToJoin(db: Db): Promise<Joining[]> {
  const { rows } = await sql<Joining>`
    select deletion_id, device_id, former_key, c.key, recorded_from, cleared_at, undone_at, joined,
      d.key as present_key, d.site_id, d.kind
    from cleared_histories c join devices d on d.id = c.device_id
    where undone_at is not null and joined_at is null order by undone_at`.execute(db);
  return rows;
}

export const noteJoined = (tx: Tx, deletionID: string, joined: string) =>
  tx.updateTable('cleared_histories').set({ joined }).where('deletion_id', '=', deletionID).execute();

/** All is joined: what stands twice goes. */
export async function endJoining(tx: Tx, { deletion_id, key }: Joining, at: Date): Promise<void> {
  await sql`insert into telemetry_to_clear (kind, key) values ('device', ${key}) on conflict do nothing`.execute(tx);
  await tx.updateTable('cleared_histories').set({ joined_at: at }).where('deletion_id', '=', deletion_id).execute();
}
