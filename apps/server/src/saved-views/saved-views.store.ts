import type { Level } from '@sonnenwarte/contract/levels';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Who shares views: end users and integrators have no colleagues among whom they stand. */
export const sharingLevels: readonly Level[] = [2, 3, 4, 255];

/** Views of others that one answer names. */
const MOST_SHARED = 100;

/** Views of a list, of one account alone. */
export const viewsOf = (db: Db, accountId: string, list: string) =>
  db
    .selectFrom('saved_views')
    .select(['id', 'name', 'query', 'shared'])
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();

/** Views of a list that colleagues share: others who work in the same organisation, end users never among them. */
export const sharedViewsOf = (db: Db, by: { accountId: string; organisationID: string }, list: string) =>
  db
    .selectFrom('saved_views')
    .innerJoin('accounts', 'accounts.id', 'saved_views.account_id')
    .select(['saved_views.id', 'saved_views.name', 'saved_views.query'])
    .where('saved_views.shared', '=', true)
    .where('saved_views.list', '=', list)
    .where('saved_views.account_id', '<>', by.accountId)
    .where('accounts.organisation_id', '=', by.organisationID)
    .where('accounts.level', 'in', sharingLevels)
    .where('accounts.deleted_at', 'is', null)
    .orderBy(sql`lower(saved_views.name)`)
    .orderBy('saved_views.id')
    .limit(MOST_SHARED)
    .execute();

interface NewView {
  readonly accountId: string;
  readonly list: string;
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
  readonly isShared: boolean;
}

/** Keeps a view; one of the name becomes it. Nothing where there are so many already; those of an account come one after another. */
export async function putView(
  tx: Transaction<Database>,
  view: NewView,
  most: { readonly ofList: number; readonly inAll: number },
): Promise<string | undefined> {
  const { accountId, list, name, query, isShared } = view;
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const { rows } = await sql<{ id: string }>`
    insert into saved_views (account_id, list, name, query, shared)
    select ${accountId}, ${list}, ${name}, ${JSON.stringify(query)}::jsonb, ${isShared}
    from (select count(*) as in_all, count(*) filter (where list = ${list}) as of_list from saved_views
      where account_id = ${accountId} and (list <> ${list} or lower(name) <> lower(${name}))) kept
    where in_all < ${most.inAll} and of_list < ${most.ofList}
    on conflict (account_id, list, lower(name)) do update set name = excluded.name, query = excluded.query, shared = excluded.shared
    returning id`.execute(tx);
  return rows[0]?.id;
}

export const renameView = (db: Db, accountId: string, id: string, name: string) =>
  db
    .updateTable('saved_views')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst();

export const dropView = (db: Db, accountId: string, id: string) =>
  db
    .deleteFrom('saved_views')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
