import type { OrderState } from '@sonnenwarte/contract/work-orders/order-states';
import type { HeldValue, OrderEntryKind } from '@sonnenwarte/contract/work-orders/work-order';
import { type Kysely, type SqlBool, sql, type Transaction, type Updateable } from 'kysely';
import { type Scope, visibleAccounts } from '../access/scope.ts';
import { LIVE_CHANNEL, notedPayload, ORDERS_CHANGED } from '../changes/live-bus.ts';
import { containing } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { type AskingSide, keptFrom } from './internal.ts';
import { ordersById, visibleOrders } from './orders.store.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** Levels whose people work on orders. */
export const OPERATORS = [2, 3, 4, 255];

/** An order in scope; nobody else changes it until the end of the transaction. */
export async function heldOrder(tx: Tx, scope: Scope, id: string) {
  const held = await tx
    .selectFrom('work_orders')
    .select('work_orders.id')
    .where('work_orders.id', '=', id)
    .where(visibleOrders(scope))
    .forUpdate('work_orders')
    .executeTakeFirst();
  return held && (await ordersById(tx, scope, [id]))[0];
}

/** Whoever does something, as entries name them. */
export interface Person {
  readonly accountId: string;
  readonly name: string;
  readonly organisation: string;
}

/** As they are called at this moment. */
export async function personById(db: Db, accountId: string): Promise<Person & { contact: string }> {
  const row = await db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .select([
      sql<string>`coalesce(nullif(accounts.name, ''), accounts.username)`.as('name'),
      sql<string>`coalesce(nullif(accounts.phone, ''), accounts.email)`.as('contact'),
      'organisations.name as organisation',
    ])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  return { accountId, name: row?.name ?? '', organisation: row?.organisation ?? '', contact: row?.contact ?? '' };
}

export interface NewEntry {
  readonly orderId: string;
  readonly at: Date;
  readonly kind: OrderEntryKind;
  /** Without anybody the portal did it. */
  readonly by?: Person | undefined;
  readonly isAsker?: boolean;
  readonly internal?: boolean;
  readonly text?: string | undefined;
  readonly to?: string | undefined;
  readonly state?: OrderState | undefined;
  readonly stars?: number | undefined;
  readonly values?: readonly HeldValue[];
}

export async function writeEntry(tx: Tx, entry: NewEntry): Promise<string> {
  const { orderId, at, kind, by, isAsker = false, internal = false, text, to, state, stars, values } = entry;
  const { id } = await tx
    .insertInto('work_order_entries')
    .values({
      order_id: orderId,
      at,
      kind,
      internal,
      account_id: by?.accountId ?? null,
      actor: by?.name ?? '',
      actor_organisation: by?.organisation ?? '',
      side: by === undefined ? 'portal' : isAsker ? 'asker' : 'staff',
      text: text ?? '',
      given_to: to ?? '',
      state: state ?? null,
      stars: stars ?? null,
      ...(values !== undefined && { held_values: JSON.stringify(values) }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const entriesWritten = async (tx: Tx, orderId: string): Promise<number> =>
  (
    await tx
      .selectFrom('work_order_entries')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
  ).count;

export const writeOrder = (tx: Tx, id: string, set: Updateable<Database['work_orders']>) =>
  tx.updateTable('work_orders').set(set).where('id', '=', id).execute();

/** Open pages read anew what is another now. */
export const tellOrders = (db: Db) => sql`select pg_notify(${LIVE_CHANNEL}, ${ORDERS_CHANGED})`.execute(db);

/** The same of what is internal, of which those alone hear who may read it. */
export const tellNoted = (db: Db, order: AskingSide) =>
  sql`select pg_notify(${LIVE_CHANNEL}, ${notedPayload(keptFrom(order))})`.execute(db);

export const ordersAskedSince = async (tx: Tx, accountId: string, since: Date): Promise<number> =>
  (
    await tx
      .selectFrom('work_orders')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('asked_by', '=', accountId)
      .where('asked_at', '>', since)
      .executeTakeFirstOrThrow()
  ).count;

/** People of an organisation who can be given its orders. */
const peopleOf = (db: Db, scope: Scope, organisationId: string) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .where(visibleAccounts(scope))
    .where('accounts.organisation_id', '=', organisationId)
    .where('accounts.level', 'in', OPERATORS)
    .where('accounts.disabled_at', 'is', null)
    .select([
      'accounts.id',
      'accounts.username',
      sql<string>`coalesce(nullif(accounts.name, ''), accounts.username)`.as('name'),
    ]);

export function peopleToChoose(
  db: Db,
  scope: Scope,
  organisationId: string,
  { search, ids }: { search: string; ids?: readonly string[] | undefined },
  most: number,
) {
  const pattern = containing(search.toLowerCase());
  return peopleOf(db, scope, organisationId)
    .$if(ids !== undefined, (query) => query.where(sql<SqlBool>`accounts.id = any(${ids ?? []}::uuid[])`))
    .$if(ids === undefined && search !== '', (query) => query.where('accounts.searched', 'ilike', pattern))
    .orderBy(sql`lower(accounts.username)`)
    .limit(most)
    .execute();
}

export const personOfHolder = (db: Db, scope: Scope, organisationId: string, accountId: string) =>
  peopleOf(db, scope, organisationId).where('accounts.id', '=', accountId).executeTakeFirst();
