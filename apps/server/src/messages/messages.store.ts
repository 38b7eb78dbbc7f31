import {
  type list,
  type MessageKind,
  MOST_MESSAGES,
  type messageFields,
} from '@sonnenwarte/contract/messages/messages';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Reader = Pick<Actor, 'accountId' | 'level' | 'organisationPath' | 'viewAs'>;

/** What stands in an inbox: messages, and announcements that hold for its account now. */
export interface InboxRow {
  id: string;
  kind: MessageKind;
  event: string;
  at: Date;
  read_at: Date | null;
  code: number | null;
  level: number | null;
  count: number;
  subject: string;
  text: string;
  record_id: string | null;
  words: Record<string, { title: string; text: string }> | null;
}

interface WithInbox extends Database {
  inbox: InboxRow;
}

const announced = ({ level, organisationPath }: Reader, now: Date) => sql<SqlBool>`
  announcements."from" <= ${now} and announcements.until > ${now} and ${level}::smallint = any(announcements.levels)
  and (announcements.organisation_ids = '{}' or announcements.organisation_ids && ${organisationPath}::uuid[])`;

/** Whose inbox it is: a level or a group that is looked at as such has none, beside what is announced to all of them. */
const ownerOf = ({ accountId, viewAs }: Reader): string | null =>
  viewAs === null || viewAs.accountName !== null ? accountId : null;

function inboxOf(db: Db, reader: Reader, now: Date) {
  const owner = ownerOf(reader);
  const inbox = sql<InboxRow>`(
    select id, kind, event, at, read_at, code, level, count, subject, text, record_id, null::jsonb as words
    from messages where account_id = ${owner}::uuid
    union all
    select announcements.id, 'announcement', 'announced', announcements."from", reads.read_at, null, null, 1, '', '', null, announcements.words
    from announcements
    left join announcement_reads as reads on reads.announcement_id = announcements.id and reads.account_id = ${owner}::uuid
    where ${announced(reader, now)} and not coalesce(reads.hidden, false)
  )`;
  return (db as unknown as Kysely<WithInbox>).selectFrom(inbox.as('inbox'));
}

const sortKeys = { atMs: sql`inbox.at` } satisfies SortKeys<typeof messageFields>;

/** A page of an inbox, or what follows a place of it. */
export function messagesFound(db: Db, reader: Reader, { condition, sort, ...span }: Asked<typeof list>, now: Date) {
  const { content, view = 'all', kinds = [] } = condition;
  const pattern = containing(content);
  const query = inboxOf(db, reader, now)
    .selectAll('inbox')
    .$if(view === 'unread', (some) => some.where('inbox.read_at', 'is', null))
    .$if(kinds.length > 0, (some) => some.where('inbox.kind', 'in', kinds))
    .$if(content !== '', (some) =>
      some.where(
        sql<SqlBool>`inbox.subject ilike ${pattern} or inbox.text ilike ${pattern} or exists (select from jsonb_each(inbox.words) as said where said.value ->> 'title' ilike ${pattern} or said.value ->> 'text' ilike ${pattern})`,
      ),
    );
  const ordering = { key: sortKeys[sort.field], apart: [sql`inbox.id`], order: sort.order, isKnown: true };
  return pageOf(query, ordering, span as Asked<typeof list>);
}

export const unreadOf = (db: Db, reader: Reader, now: Date) =>
  inboxOf(db, reader, now)
    .where('inbox.read_at', 'is', null)
    .groupBy('inbox.kind')
    .select(['inbox.kind', sql<number>`count(*)::int`.as('count')])
    .execute();

/** Which of some ids stand in the inbox. */
export async function standingIn(db: Db, reader: Reader, ids: readonly string[], now: Date) {
  const rows = await inboxOf(db, reader, now)
    .select(['inbox.id', 'inbox.kind'])
    .where(sql<SqlBool>`inbox.id = any(${ids}::uuid[])`)
    .execute();
  const [announcements, messages] = [true, false].map((is) =>
    rows.filter(({ kind }) => (kind === 'announcement') === is).map(({ id }) => id),
  );
  return { announcements: announcements ?? [], messages: messages ?? [] };
}

export const announcementsNow = async (db: Db, reader: Reader, until: Date, now: Date): Promise<string[]> =>
  (
    await inboxOf(db, reader, now)
      .select('inbox.id')
      .where('inbox.kind', '=', 'announcement')
      .where('inbox.read_at', 'is', null)
      .where('inbox.at', '<=', until)
      .execute()
  ).map(({ id }) => id);

export async function markMessages(
  tx: Db,
  accountId: string,
  ids: readonly string[],
  readAt: Date | null,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('messages')
    .set({ read_at: readAt })
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .where('read_at', readAt === null ? 'is not' : 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function markAllMessages(tx: Db, accountId: string, until: Date, readAt: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('messages')
    .set({ read_at: readAt })
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .where('at', '<=', until)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Notes what an account has done with announcements. */
export async function markAnnouncements(
  tx: Db,
  accountId: string,
  ids: readonly string[],
  marks: { readonly readAt: Date | null; readonly hidden?: boolean },
): Promise<number> {
  if (ids.length === 0) return 0;
  const { readAt, hidden = false } = marks;
  await tx
    .insertInto('announcement_reads')
    .values(ids.map((id) => ({ announcement_id: id, account_id: accountId, read_at: readAt, hidden })))
    .onConflict((conflict) =>
      conflict.columns(['announcement_id', 'account_id']).doUpdateSet({ read_at: readAt, hidden }),
    )
    .execute();
  return ids.length;
}

export async function deleteMessages(tx: Db, accountId: string, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('messages')
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const KEPT_DAYS = 365;

/** Deletes what is older than a year; answers how many there were, at most so many at once. */
export async function forgetOldMessages(db: Db, now: Date, most: number): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  const { rows } = await sql<{ id: string }>`
    delete from messages where id in (select id from messages where at < ${before} order by at limit ${most}) returning id`.execute(
    db,
  );
  return rows.length;
}

/**
 * Deletes the oldest of accounts that have more than they may keep, of the kinds of which there are most: countless messages of one kind push out none
 * of those of which there are few.
 */
export async function forgetSurplus(db: Db): Promise<void> {
  await sql`
    delete from messages using (
      select id, row_number() over (partition by account_id order by place, at desc, id) as kept from (
        select id, account_id, at, row_number() over (partition by account_id, kind order by at desc, id) as place from messages
        where account_id in (select account_id from messages group by account_id having count(*) > ${MOST_MESSAGES})
      ) as placed
    ) as ranked
    where messages.id = ranked.id and ranked.kept > ${MOST_MESSAGES}`.execute(db);
}
