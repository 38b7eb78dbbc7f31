import type { OrderEntry, OrderStep } from '@sonnenwarte/contract/work-orders/work-order';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** What of a thread is read: those who do not read what is internal get nothing of it, nor a count of it. */
export interface ThreadReader {
  readonly accountId: string;
  readonly readsInternal: boolean;
}

const entriesOf = (db: Db, orderId: string, { readsInternal }: ThreadReader) =>
  db
    .selectFrom('work_order_entries')
    .where('work_order_entries.order_id', '=', orderId)
    .$if(!readsInternal, (query) => query.where('work_order_entries.internal', '=', false));

export interface ThreadPart {
  /** Oldest first. */
  readonly entries: OrderEntry[];
  readonly earlier: number;
}

/** The newest entries, or those before one of them, of an order that is in scope. */
export async function threadPart(
  db: Db,
  orderId: string,
  reader: ThreadReader,
  most: number,
  before?: string,
): Promise<ThreadPart> {
  let query = entriesOf(db, orderId, reader);
  if (before !== undefined) {
    query = query.where('sequence', '<', (eb) =>
      eb
        .selectFrom('work_order_entries as from')
        .select('from.sequence')
        .where('from.id', '=', before)
        .where('from.order_id', '=', orderId),
    );
  }
  const [rows, { total }] = await Promise.all([
    query.selectAll().orderBy('sequence', 'desc').limit(most).execute(),
    query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ]);
  const pictures = await picturesOf(
    db,
    rows.map(({ id }) => id),
  );
  const entries = rows.toReversed().map(
    (row): OrderEntry => ({
      entryID: row.id,
      kind: row.kind,
      isInternal: row.internal,
      atMs: row.at.getTime(),
      by: row.actor,
      byOrganisation: row.actor_organisation,
      side: row.side,
      isOwn: row.account_id === reader.accountId,
      text: row.text,
      to: row.given_to,
      stars: row.stars,
      pictures: pictures
        .filter(({ entry_id }) => entry_id === row.id)
        .map(({ id, width, height }) => ({ pictureID: id, width, height })),
      values: row.held_values,
    }),
  );
  return { entries, earlier: total - rows.length };
}

const picturesOf = (db: Db, entryIds: readonly string[]) =>
  db
    .selectFrom('work_order_pictures')
    .select(['id', 'entry_id', 'width', 'height'])
    .where(sql<SqlBool>`entry_id = any(${entryIds}::uuid[])`)
    .orderBy('sequence')
    .execute();

export const internalEntries = async (db: Db, orderId: string): Promise<number> =>
  (
    await db
      .selectFrom('work_order_entries')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('order_id', '=', orderId)
      .where('internal', '=', true)
      .executeTakeFirstOrThrow()
  ).count;

/** The newest states of an order, each with who brought it there and until when it was. */
export async function wayOf(db: Db, orderId: string, most: number): Promise<OrderStep[]> {
  const rows = await db
    .selectFrom('work_order_entries')
    .select(['state', 'at', 'actor'])
    .where('order_id', '=', orderId)
    .where('state', 'is not', null)
    .where('internal', '=', false)
    .orderBy('sequence', 'desc')
    .limit(most)
    .execute();
  const steps = rows
    .toReversed()
    .flatMap(({ state, at, actor }) => (state === null ? [] : [{ state, atMs: at.getTime(), by: actor }]));
  return steps.map((step, place) => ({ ...step, untilMs: steps[place + 1]?.atMs ?? null }));
}

/** The values that were held when it was asked. */
export const heldValuesOf = async (db: Db, orderId: string) =>
  (
    await db
      .selectFrom('work_order_entries')
      .select('held_values')
      .where('order_id', '=', orderId)
      .where('kind', '=', 'snapshot')
      .orderBy('sequence')
      .executeTakeFirst()
  )?.held_values ?? [];
