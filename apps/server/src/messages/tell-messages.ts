import type { MessageEvent } from '@sonnenwarte/contract/messages/messages';
import { type Kysely, sql } from 'kysely';
import { LIVE_CHANNEL, messagesPayloads } from '../changes/live-bus.ts';
import type { Database } from '../stores/schema.ts';

type ToldKind = 'alarm' | 'workOrder' | 'report';

/** A message to an account; see the contract for what each field is. */
export type ToldMessage = {
  readonly [Kind in ToldKind]: {
    readonly accountId: string;
    readonly kind: Kind;
    readonly event: MessageEvent<Kind>;
    readonly at: Date;
    readonly subject: string;
    readonly text?: string;
    readonly recordId?: string | null;
    readonly code?: number | null;
    readonly level?: number | null;
    readonly count?: number;
  };
}[ToldKind];

const LONGEST_SUBJECT = 200;
const LONGEST_TEXT = 2_000;

/** Says to whoever looks that messages to accounts are others; within a transaction only once that commits. */
export async function tellMessagesChanged(tx: Kysely<Database>, accountIds: readonly string[]): Promise<void> {
  for (const payload of messagesPayloads([...new Set(accountIds)].toSorted()))
    await sql`select pg_notify(${LIVE_CHANNEL}, ${payload})`.execute(tx);
}

/** Renews what of a work order is unread: of one there is one such message for each account, which counts what has happened. */
async function renewOfOrder(tx: Kysely<Database>, { accountId, ...told }: ToldMessage): Promise<boolean> {
  if (told.kind !== 'workOrder' || told.recordId === undefined) return false;
  const { numUpdatedRows } = await tx
    .updateTable('messages')
    .set(({ ref }) => ({
      event: told.event,
      at: told.at,
      subject: told.subject.slice(0, LONGEST_SUBJECT),
      text: (told.text ?? '').slice(0, LONGEST_TEXT),
      count: sql<number>`${ref('count')} + 1`,
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('messages as unread')
        .select('unread.id')
        .where('unread.account_id', '=', accountId)
        .where('unread.kind', '=', told.kind)
        .where('unread.record_id', '=', told.recordId ?? null)
        .where('unread.read_at', 'is', null)
        .orderBy('unread.at', 'desc')
        .limit(1),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Puts messages into inboxes. Who tells of a work order holds it meanwhile. */
export async function tellMessages(tx: Kysely<Database>, messages: readonly ToldMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const added: ToldMessage[] = [];
  for (const message of messages) if (!(await renewOfOrder(tx, message))) added.push(message);
  if (added.length > 0) await addMessages(tx, added);
  await tellMessagesChanged(
    tx,
    messages.map(({ accountId }) => accountId),
  );
}

const addMessages = (tx: Kysely<Database>, messages: readonly ToldMessage[]) =>
  tx
    .insertInto('messages')
    .values(
      messages.map(({ accountId, kind, event, at, subject, text = '', recordId = null, code, level, count = 1 }) => ({
        account_id: accountId,
        kind,
        event,
        at,
        subject: subject.slice(0, LONGEST_SUBJECT),
        text: text.slice(0, LONGEST_TEXT),
        record_id: recordId,
        code: code ?? null,
        level: level ?? null,
        count,
      })),
    )
    .execute();
