import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { FALLBACK_LANGUAGE, type Language } from '@sonnenwarte/contract/languages';
import {
  type MessageEvent,
  type MessageRow,
  type messageEndpoints,
  messageKinds,
} from '@sonnenwarte/contract/messages/messages';
import { CallError } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import {
  announcementsNow,
  deleteMessages,
  type InboxRow,
  markAllMessages,
  markAnnouncements,
  markMessages,
  messagesFound,
  standingIn,
  unreadOf,
} from './messages.store.ts';
import { tellMessagesChanged } from './tell-messages.ts';

type Calls = typeof messageEndpoints;
type Used = Uses<'db' | 'nowMs'>;
type Words = Readonly<Record<string, { readonly title: string; readonly text: string }>>;

/** In a language, else in English, else in the first that there is. */
export const wordsIn = (words: Words, language: Language): { title: string; text: string } =>
  words[language] ?? words[FALLBACK_LANGUAGE] ?? Object.values(words)[0] ?? { title: '', text: '' };

function toMessage(row: InboxRow, language: Language): MessageRow {
  const words = row.words === null ? { title: row.subject, text: row.text } : wordsIn(row.words, language);
  return {
    messageID: row.id,
    kind: row.kind,
    event: row.event as MessageEvent,
    atMs: row.at.getTime(),
    isRead: row.read_at !== null,
    code: row.code,
    level: row.level,
    count: row.count,
    subject: words.title,
    text: words.text,
    recordID: row.record_id ?? '',
  };
}

/** Messages to the caller, for a page as for a file. */
export async function messageList({ db, nowMs }: Used, input: Asked<Calls['list']>, { actor, language }: CallContext) {
  const found = await messagesFound(db, actor, input, new Date(nowMs()));
  return toRows(found, (row) => toMessage(row, language));
}

export async function unreadMessages(
  { db, nowMs }: Used,
  _: unknown,
  { actor }: CallContext,
): Promise<Result<Calls['unread']>> {
  const counts = new Map((await unreadOf(db, actor, new Date(nowMs()))).map(({ kind, count }) => [kind, count]));
  const byKind = Object.fromEntries(messageKinds.map((kind) => [kind, counts.get(kind) ?? 0])) as Result<
    Calls['unread']
  >['byKind'];
  return { total: [...counts.values()].reduce((sum, count) => sum + count, 0), byKind };
}

/** Does something with named messages of the caller's inbox; refuses where one is not there. */
function withNamed(
  { db, nowMs }: Used,
  ids: readonly string[],
  { actor }: CallContext,
  act: (
    named: Awaited<ReturnType<typeof standingIn>>,
    tx: Parameters<typeof standingIn>[0],
    now: Date,
  ) => Promise<number>,
): Promise<{ done: number }> {
  return inTransaction(db, async (tx) => {
    const now = new Date(nowMs());
    const named = await standingIn(tx, actor, ids, now);
    if (named.announcements.length + named.messages.length < new Set(ids).size)
      throw new CallError('inboxMessageNotFound');
    const done = await act(named, tx, now);
    await tellMessagesChanged(tx, [actor.accountId]);
    return { done };
  });
}

export const markInbox = (used: Used, { ids, isRead }: Parsed<Calls['mark']>, context: CallContext) =>
  withNamed(used, ids, context, async ({ announcements, messages }, tx, now) => {
    const { accountId } = context.actor;
    const readAt = isRead ? now : null;
    return (
      (await markMessages(tx, accountId, messages, readAt)) +
      (await markAnnouncements(tx, accountId, announcements, { readAt }))
    );
  });

export const markAllRead = ({ db, nowMs }: Used, { untilMs }: Parsed<Calls['markAll']>, { actor }: CallContext) =>
  inTransaction(db, async (tx) => {
    const [now, until] = [new Date(nowMs()), new Date(untilMs)];
    const announcements = await announcementsNow(tx, actor, until, now);
    const done =
      (await markAllMessages(tx, actor.accountId, until, now)) +
      (await markAnnouncements(tx, actor.accountId, announcements, { readAt: now }));
    await tellMessagesChanged(tx, [actor.accountId]);
    return { done };
  });

export const removeMessages = (used: Used, { ids }: Parsed<Calls['remove']>, context: CallContext) =>
  withNamed(used, ids, context, async ({ announcements, messages }, tx, now) => {
    const { accountId } = context.actor;
    return (
      (await deleteMessages(tx, accountId, messages)) +
      (await markAnnouncements(tx, accountId, announcements, { readAt: now, hidden: true }))
    );
  });
