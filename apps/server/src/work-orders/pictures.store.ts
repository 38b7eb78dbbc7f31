import { MOST_PICTURES_OF_ORDER } from '@sonnenwarte/contract/work-orders/work-order';
import { expressionBuilder, type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { CallError } from '../http/call-error.ts';
import type { MadePicture } from '../pictures/picture-maker.ts';
import type { Database } from '../stores/schema.ts';
import { internalIsRead, type Reader } from './internal.ts';
import { visibleOrders } from './orders.store.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const count = sql<number>`count(*)::int`.as('count');

/** No other picture of the account is kept until the end of the transaction. */
export const holdPictures = (tx: Tx, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`pictures ${accountId}`}, 0))`.execute(tx);

/** Pictures that an account has sent and not used. */
export async function unusedPictures(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('work_order_pictures')
    .select(count)
    .where('account_id', '=', accountId)
    .where('entry_id', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function keepPicture(tx: Tx, accountId: string, made: MadePicture, at: Date): Promise<string> {
  const { id } = await tx
    .insertInto('work_order_pictures')
    .values({
      order_id: null,
      entry_id: null,
      account_id: accountId,
      sent_at: at,
      width: made.width,
      height: made.height,
      content: Buffer.from(made.content),
      thumb: Buffer.from(made.thumb),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Puts pictures that the account has sent into an entry; each is in one alone. */
export async function usePictures(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
  { orderId, entryId }: { readonly orderId: string; readonly entryId: string },
): Promise<void> {
  if (ids.length === 0) return;
  const used = await tx
    .updateTable('work_order_pictures')
    .set({ order_id: orderId, entry_id: entryId })
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .where('account_id', '=', accountId)
    .where('entry_id', 'is', null)
    .returning('id')
    .execute();
  if (used.length < new Set(ids).size) throw new CallError('pictureNotFound');
  const all = await tx
    .selectFrom('work_order_pictures')
    .select(count)
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  if (all.count > MOST_PICTURES_OF_ORDER) throw new CallError('tooManyPictures');
}

/** A picture in an entry that the caller may read, or one that it has sent itself. */
export async function pictureBytes(
  db: Db,
  reader: Reader,
  id: string,
  size: 'thumb' | 'full',
): Promise<Buffer | undefined> {
  const readable = expressionBuilder<Database, 'work_order_pictures'>()
    .selectFrom('work_orders')
    .innerJoin('work_order_entries', 'work_order_entries.order_id', 'work_orders.id')
    .select('work_order_entries.id')
    .whereRef('work_order_entries.id', '=', 'work_order_pictures.entry_id')
    .where(visibleOrders(reader.scope))
    .where((eb) => eb.or([eb('work_order_entries.internal', '=', false), internalIsRead(reader)]));
  const row = await db
    .selectFrom('work_order_pictures')
    .select(size === 'thumb' ? 'work_order_pictures.thumb as bytes' : 'work_order_pictures.content as bytes')
    .where('work_order_pictures.id', '=', id)
    .where((eb) =>
      eb.or([
        eb.exists(readable),
        eb.and([
          eb('work_order_pictures.entry_id', 'is', null),
          eb('work_order_pictures.account_id', '=', reader.accountId),
        ]),
      ]),
    )
    .executeTakeFirst();
  return row?.bytes;
}

export async function dropUnused(db: Db, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('work_order_pictures')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('entry_id', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export const forgetUnused = (db: Db, sentBefore: Date) =>
  db.deleteFrom('work_order_pictures').where('entry_id', 'is', null).where('sent_at', '<', sentBefore).execute();
