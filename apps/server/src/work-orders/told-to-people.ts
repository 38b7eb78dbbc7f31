import type { OrderEntryKind } from '@sonnenwarte/contract/work-orders/work-order';
import type { Kysely } from 'kysely';
import { tellMessages } from '../messages/tell-messages.ts';
import type { Database } from '../stores/schema.ts';
import { OPERATORS } from './acts.store.ts';
import { keptFrom } from './internal.ts';

/** Something that happened to a work order. */
export interface OrderEvent {
  readonly orderId: string;
  readonly event: 'created' | 'assigned' | 'answered' | 'handedUp' | 'solved' | 'closed' | 'reopened';
  /** Who did it, and needs not be told; null where the portal did. */
  readonly byAccountId: string | null;
  /** For those who work on it alone. */
  readonly isInternal?: boolean;
}

export interface ToldPerson {
  readonly accountId: string;
  readonly as: 'asker' | 'assignee' | 'holder';
}

/** Of an organisation whose order is nobody's, so many are told at most. */
const MOST_OF_HOLDER = 50;

/** Whom an event is for: who asked, who was given the order, and, as long as nobody was, the people of the organisation that has it. Each once. */
export async function toldToPeople(
  tx: Kysely<Database>,
  { orderId, byAccountId, isInternal = false }: OrderEvent,
): Promise<ToldPerson[]> {
  const order = await tx
    .selectFrom('work_orders')
    .select(['asked_by', 'asked_from', 'left_asker', 'assignee_id', 'holder_id'])
    .where('id', '=', orderId)
    .executeTakeFirst();
  if (order === undefined) return [];
  const { asked_by, assignee_id, holder_id } = order;
  const kept = keptFrom(order);
  const holders =
    assignee_id !== null
      ? []
      : await tx
          .selectFrom('accounts')
          .select('id')
          .where('organisation_id', '=', holder_id)
          .where('level', 'in', OPERATORS)
          .where('disabled_at', 'is', null)
          .where('deleted_at', 'is', null)
          .orderBy('id')
          .limit(MOST_OF_HOLDER)
          .execute();
  const people: ToldPerson[] = [
    ...(assignee_id === null ? [] : [{ accountId: assignee_id, as: 'assignee' as const }]),
    ...(asked_by === null ? [] : [{ accountId: asked_by, as: 'asker' as const }]),
    ...holders.map(({ id }) => ({ accountId: id, as: 'holder' as const })),
  ];
  const isFirst = ({ accountId }: ToldPerson, place: number): boolean =>
    people.findIndex((each) => each.accountId === accountId) === place;
  // Holders and assignee are all people of the holding organisation.
  const isKeptOut = ({ accountId }: ToldPerson): boolean =>
    isInternal && (accountId === kept.accountId || holder_id === kept.organisationID);
  return people.filter((each, place) => each.accountId !== byAccountId && !isKeptOut(each) && isFirst(each, place));
}

const events: Readonly<Partial<Record<OrderEntryKind, OrderEvent['event']>>> = {
  message: 'answered',
  note: 'answered',
  assigned: 'assigned',
  handedUp: 'handedUp',
  handedDown: 'assigned',
  solved: 'solved',
  closed: 'closed',
  reopened: 'reopened',
};

/** What an entry of a thread is to those who are told; undefined for what nobody has to hear of. */
export const eventOfEntry = (kind: OrderEntryKind): OrderEvent['event'] | undefined => events[kind];

/** Tells people of an event in their inboxes, within the transaction in which it happened. */
export async function tellPeople(
  tx: Kysely<Database>,
  event: OrderEvent,
  { title, number, at }: { readonly title: string; readonly number: string; readonly at: Date },
): Promise<void> {
  const people = await toldToPeople(tx, event);
  await tellMessages(
    tx,
    people.map(({ accountId }) => ({
      accountId,
      kind: 'workOrder' as const,
      event: event.event,
      at,
      subject: title,
      text: number,
      recordId: event.orderId,
    })),
  );
}
