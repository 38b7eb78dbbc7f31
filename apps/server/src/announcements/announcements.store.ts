import type { announcementFields, list } from '@sonnenwarte/contract/announcements/announcements';
import { type Expression, type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** All announcements: whoever may keep them sees all of the platform. */
const announcements = (db: Db) =>
  db
    .selectFrom('announcements')
    .leftJoin('accounts', 'accounts.id', 'announcements.created_by')
    .selectAll('announcements')
    .select([
      sql<string>`coalesce(nullif(accounts.name, ''), accounts.username, '')`.as('by'),
      sql<number>`(select count(*)::int from announcement_reads as reads where reads.announcement_id = announcements.id and reads.read_at is not null)`.as(
        'reads',
      ),
      sql<{ organisationID: string; name: string }[]>`coalesce((
        select json_agg(json_build_object('organisationID', organisations.id, 'name', organisations.name) order by organisations.name)
        from organisations where organisations.id = any(announcements.organisation_ids)), '[]')`.as('organisations'),
    ]);

export type StoredAnnouncement = Awaited<ReturnType<ReturnType<typeof announcements>['execute']>>[number];

const inState = (now: Date): Record<'planned' | 'shown' | 'over', Expression<SqlBool>> => ({
  planned: sql<SqlBool>`announcements."from" > ${now}`,
  shown: sql<SqlBool>`announcements."from" <= ${now} and announcements.until > ${now}`,
  over: sql<SqlBool>`announcements.until <= ${now}`,
});

const sortKeys = {
  fromMs: sql`announcements."from"`,
  untilMs: sql`announcements.until`,
} satisfies SortKeys<typeof announcementFields>;

export function announcementsFound(db: Db, { condition, sort, ...span }: Asked<typeof list>, now: Date) {
  const { content, states = [] } = condition;
  const query = announcements(db)
    .$if(content !== '', (some) =>
      some.where(sql<SqlBool>`exists (select from jsonb_each(announcements.words) as said
        where said.value ->> 'title' ilike ${containing(content)} or said.value ->> 'text' ilike ${containing(content)})`),
    )
    .$if(states.length > 0, (some) => some.where((eb) => eb.or(states.map((state) => inState(now)[state]))));
  const ordering = { key: sortKeys[sort.field], apart: [sql`announcements.id`], order: sort.order, isKnown: true };
  return pageOf(query, ordering, span as Asked<typeof list>);
}

export const announcementById = (tx: Transaction<Database>, id: string) =>
  tx.selectFrom('announcements').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export const countAnnouncements = async (db: Db): Promise<number> =>
  (await db.selectFrom('announcements').select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()).count;

export interface NewAnnouncement {
  readonly from: Date;
  readonly until: Date;
  readonly levels: number[];
  readonly organisation_ids: string[];
  readonly words: Record<string, { title: string; text: string }>;
}

const stored = ({ words, ...others }: NewAnnouncement) => ({
  ...others,
  words: sql<never>`${JSON.stringify(words)}::jsonb`,
});

export async function insertAnnouncement(tx: Db, announcement: NewAnnouncement, accountId: string): Promise<string> {
  const { id } = await tx
    .insertInto('announcements')
    .values({ ...stored(announcement), created_by: accountId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const updateAnnouncement = (tx: Db, id: string, announcement: NewAnnouncement) =>
  tx.updateTable('announcements').set(stored(announcement)).where('id', '=', id).execute();

export const deleteAnnouncement = (tx: Db, id: string) => tx.deleteFrom('announcements').where('id', '=', id).execute();

/** How many of some organisations there are. */
export const organisationsThere = async (db: Db, ids: readonly string[]): Promise<number> =>
  (
    await db
      .selectFrom('organisations')
      .select(sql<number>`count(*)::int`.as('count'))
      .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
  ).count;
