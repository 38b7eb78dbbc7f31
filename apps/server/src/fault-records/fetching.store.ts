import type { RecordFailure } from '@sonnenwarte/contract/fault-records/fault-record';
import { statesBefore } from '@sonnenwarte/contract/fault-records/record-moves';
import type { FaultRecord } from '@sonnenwarte/device-protocol/fault-records/fault-record';
import { type Kysely, sql, type Transaction } from 'kysely';
import { FAULT_RECORDS_CHANGED, LIVE_CHANNEL } from '../changes/live-bus.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** Tells whoever looks that fault records are others now. */
export const tellOfRecords = (db: Db) => sql`select pg_notify(${LIVE_CHANNEL}, ${FAULT_RECORDS_CHANGED})`.execute(db);

const held = (tx: Tx) =>
  tx
    .selectFrom('fault_records')
    .innerJoin('devices', 'devices.id', 'fault_records.device_id')
    .select([
      'fault_records.id',
      'fault_records.device_id',
      'devices.logger_id',
      'fault_records.record_index',
      'fault_records.occurred_at',
      'fault_records.code',
      'fault_records.size',
      'fault_records.state',
      'fault_records.rounds',
      'fault_records.sha256',
      'fault_records.part_count',
      'fault_records.asked_by',
      'fault_records.batch_id',
    ])
    .forUpdate('fault_records');

export type HeldRecord = Awaited<ReturnType<ReturnType<typeof held>['executeTakeFirstOrThrow']>>;

/** The record of a device that is being fetched under a number of the device, held until the transaction ends. */
export const holdFetched = (tx: Tx, deviceId: string, index: number): Promise<HeldRecord | undefined> =>
  held(tx)
    .where('fault_records.device_id', '=', deviceId)
    .where('fault_records.record_index', '=', index)
    .where('fault_records.state', 'in', statesBefore('part'))
    .orderBy('fault_records.occurred_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Records of which something should have come by now, held; others that somebody holds are left to them. */
export const holdOverdue = (tx: Tx, now: Date, most: number): Promise<HeldRecord[]> =>
  held(tx).where('fault_records.due_at', '<=', now).orderBy('fault_records.due_at').limit(most).skipLocked().execute();

/** Records by their ids, held. */
export const holdRecords = (tx: Tx, ids: readonly string[]): Promise<HeldRecord[]> =>
  held(tx).where(sql<boolean>`fault_records.id = any(${ids}::uuid[])`).orderBy('fault_records.id').execute();

/** What the first part says of the whole. */
export const noteWhole = (tx: Tx, id: string, sha256: string, count: number) =>
  tx.updateTable('fault_records').set({ sha256, part_count: count }).where('id', '=', id).execute();

export async function addPart(tx: Tx, id: string, number: number, data: Uint8Array): Promise<void> {
  await tx
    .insertInto('fault_record_parts')
    .values({ record_id: id, number, data: Buffer.from(data) })
    .onConflict((conflict) => conflict.columns(['record_id', 'number']).doNothing())
    .execute();
}

export const partNumbers = async (tx: Db, id: string): Promise<number[]> =>
  (
    await tx.selectFrom('fault_record_parts').select('number').where('record_id', '=', id).orderBy('number').execute()
  ).map(({ number }) => number);

export const partsOfRecord = async (tx: Tx, id: string): Promise<Uint8Array[]> =>
  (
    await tx.selectFrom('fault_record_parts').select('data').where('record_id', '=', id).orderBy('number').execute()
  ).map(({ data }) => data);

export const dropParts = (tx: Tx, id: string) =>
  tx.deleteFrom('fault_record_parts').where('record_id', '=', id).execute();

export const receive = (tx: Tx, id: string, parts: number, dueAt: Date) =>
  tx.updateTable('fault_records').set({ state: 'receiving', parts, due_at: dueAt }).where('id', '=', id).execute();

/** The device has said that it sends: by then something must have come. */
export const receiveBy = (tx: Tx, id: string, dueAt: Date) =>
  tx
    .updateTable('fault_records')
    .set({ due_at: dueAt })
    .where('id', '=', id)
    .where('state', 'in', statesBefore('gap'))
    .execute();

export async function store(tx: Tx, id: string, bytes: Uint8Array, record: FaultRecord, at: Date): Promise<void> {
  await dropParts(tx, id);
  await tx
    .updateTable('fault_records')
    .set({
      state: 'stored',
      content: Buffer.from(bytes),
      stored_at: at,
      due_at: null,
      batch_id: null,
      parts: sql`part_count`,
      trigger_name: record.trigger?.name ?? '',
      trigger_value: record.trigger?.value ?? null,
      trigger_limit: record.trigger?.limit ?? null,
    })
    .where('id', '=', id)
    .execute();
}

/** It is asked for under a new command. Of what is there already nothing is lost unless it was damaged. */
export const askAgain = (
  tx: Tx,
  id: string,
  { rounds, batchId, dueAt, parts }: { rounds: number; batchId: string; dueAt: Date; parts: number },
) =>
  tx
    .updateTable('fault_records')
    .set({
      state: 'asked',
      rounds,
      batch_id: batchId,
      due_at: dueAt,
      failure: '',
      device_code: null,
      parts,
      ...(parts === 0 && { sha256: '', part_count: null }),
    })
    .where('id', '=', id)
    .execute();

export async function fail(tx: Tx, id: string, failure: RecordFailure, code: number | null): Promise<void> {
  await dropParts(tx, id);
  await tx
    .updateTable('fault_records')
    .set({
      state: 'failed',
      failure,
      device_code: code,
      due_at: null,
      batch_id: null,
      sha256: '',
      part_count: null,
      parts: 0,
      ...(failure === 'gone' && { on_device: false }),
    })
    .where('id', '=', id)
    .execute();
}

/** Only the newest of a device are kept. */
export const forgetBeyond = (tx: Tx, deviceId: string, most: number) =>
  tx
    .deleteFrom('fault_records')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('fault_records as old')
        .select('old.id')
        .where('old.device_id', '=', deviceId)
        .where('old.state', '=', 'stored')
        .orderBy('old.occurred_at', 'desc')
        .orderBy('old.id', 'desc')
        .offset(most),
    )
    .execute();

/** What was stored, or last told of, before; as many at a time. */
export async function forgetBefore(db: Db, before: Date, most: number): Promise<number> {
  const old = db
    .selectFrom('fault_records as old')
    .select('old.id')
    .where((eb) =>
      eb.or([
        eb('old.stored_at', '<', before),
        eb.and([eb('old.stored_at', 'is', null), eb('old.listed_at', '<', before)]),
      ]),
    )
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom('fault_records').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

/** When something is due next. */
export async function nextDue(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('fault_records')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at?.getTime();
}

/** Open records whose commands are among some, with how these stand. */
export const fetchedBy = (db: Db, commandIds: readonly string[]) =>
  db
    .selectFrom('commands')
    .innerJoin('fault_records', 'fault_records.batch_id', 'commands.batch_id')
    .where(sql<boolean>`commands.id = any(${commandIds}::text[])`)
    .where('fault_records.state', 'in', statesBefore('gap'))
    .select(['fault_records.id', 'commands.state', 'commands.code', 'commands.batch_id'])
    .execute();

/** The same of lists of devices. */
export const listedBy = (db: Db, commandIds: readonly string[]) =>
  db
    .selectFrom('commands')
    .innerJoin('fault_record_lists', 'fault_record_lists.batch_id', 'commands.batch_id')
    .where(sql<boolean>`commands.id = any(${commandIds}::text[])`)
    .select(['fault_record_lists.device_id', 'commands.state', 'commands.code', 'commands.batch_id'])
    .execute();
