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

/** Puts messages into inboxes. */
export async function tellMessages(tx: Kysely<Database>, messages: readonly ToldMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx
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
  await tellMessagesChanged(
    tx,
    messages.map(({ accountId }) => accountId),
  );
}
