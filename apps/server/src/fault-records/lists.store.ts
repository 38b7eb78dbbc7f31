import { MOST_STORED, type RecordFailure } from '@sonnenwarte/contract/fault-records/fault-record';
import type { ListedRecord } from '@sonnenwarte/device-protocol/fault-records/record-parts';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** Keeps what a device says it keeps; what is not fetched and no longer there is forgotten. */
export async function keepList(tx: Tx, deviceId: string, records: readonly ListedRecord[], now: Date): Promise<void> {
  const told = records.slice(0, MOST_STORED);
  await tx
    .updateTable('fault_records')
    .set({ on_device: false })
    .where('device_id', '=', deviceId)
    .where('on_device', '=', true)
    .execute();
  if (told.length > 0) {
    await tx
      .insertInto('fault_records')
      .values(
        told.map(({ index, timeMs, code, size }) => ({
          device_id: deviceId,
          record_index: index,
          occurred_at: new Date(timeMs),
          code,
          size,
          listed_at: now,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['device_id', 'record_index', 'occurred_at']).doUpdateSet({ on_device: true, listed_at: now }),
      )
      .execute();
  }
  await tx
    .deleteFrom('fault_records')
    .where('device_id', '=', deviceId)
    .where('on_device', '=', false)
    .where('state', 'in', ['kept', 'failed'])
    .execute();
  const newest = told.reduce((most, { index }) => Math.max(most, index), 0);
  const said = { newest, listed: told.length, listed_at: now, batch_id: null, asked_until: null, failure: '' as const };
  await tx
    .insertInto('fault_record_lists')
    .values({ device_id: deviceId, ...said })
    .onConflict((conflict) => conflict.column('device_id').doUpdateSet({ ...said, device_code: null }))
    .execute();
}

/** The newest records of a device that nobody has fetched, begun after a time. */
export const newestKept = (tx: Tx, deviceId: string, since: Date, most: number): Promise<{ id: string }[]> =>
  tx
    .selectFrom('fault_records')
    .select('id')
    .where('device_id', '=', deviceId)
    .where('state', '=', 'kept')
    .where('occurred_at', '>=', since)
    .orderBy('occurred_at', 'desc')
    .orderBy('record_index', 'desc')
    .limit(most)
    .execute();

/** A device is being asked for its list. */
export async function noteListAsked(tx: Tx, deviceId: string, batchId: string, until: Date): Promise<void> {
  const asked = { batch_id: batchId, asked_until: until, failure: '' as const, device_code: null };
  await tx
    .insertInto('fault_record_lists')
    .values({ device_id: deviceId, ...asked })
    .onConflict((conflict) => conflict.column('device_id').doUpdateSet(asked))
    .execute();
}

export const noteListFailed = (
  db: Db,
  deviceId: string,
  batchId: string,
  failure: RecordFailure,
  code: number | null,
) =>
  db
    .updateTable('fault_record_lists')
    .set({ batch_id: null, asked_until: null, failure, device_code: code })
    .where('device_id', '=', deviceId)
    .where('batch_id', '=', batchId)
    .execute();

export const listOf = (db: Db, deviceId: string) =>
  db.selectFrom('fault_record_lists').selectAll().where('device_id', '=', deviceId).executeTakeFirst();

/** What is known of some devices, with the dataloggers that they are behind. */
export const listsOf = (db: Db, deviceIds: readonly string[]) =>
  db
    .selectFrom('devices')
    .leftJoin('fault_record_lists', 'fault_record_lists.device_id', 'devices.id')
    .where(sql<boolean>`devices.id = any(${deviceIds}::uuid[])`)
    .where('devices.deleted_at', 'is', null)
    .where('devices.site_id', 'is not', null)
    .select([
      'devices.id',
      'devices.logger_id',
      'fault_record_lists.newest',
      'fault_record_lists.listed_at',
      'fault_record_lists.asked_until',
    ])
    .execute();
