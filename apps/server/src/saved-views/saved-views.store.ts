import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Views of a list, of one account alone. */
export const viewsOf = (db: Db, accountId: string, list: string) =>
  db
    .selectFrom('saved_views')
    .select(['id', 'name', 'query'])
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();

interface NewView {
  readonly accountId: string;
  readonly list: string;
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Keeps a view; one of the name becomes it. Nothing where there are so many already; those of an account come one after another. */
export async function putView(
  tx: Transaction<Database>,
  view: NewView,
  most: { readonly ofList: number; readonly inAll: number },
): Promise<string | undefined> {
  const { accountId, list, name, query } = view;
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const { rows } = await sql<{ id: string }>`
    insert into saved_views (account_id, list, name, query)
    select ${accountId}, ${list}, ${name}, ${JSON.stringify(query)}::jsonb
    from (select count(*) as in_all, count(*) filter (where list = ${list}) as of_list from saved_views
      where account_id = ${accountId} and (list <> ${list} or lower(name) <> lower(${name}))) kept
    where in_all < ${most.inAll} and of_list < ${most.ofList}
    on conflict (account_id, list, lower(name)) do update set name = excluded.name, query = excluded.query
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
