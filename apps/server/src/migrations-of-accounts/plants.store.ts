import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible, visibleAccounts } from '../access/scope.ts';
import { containing } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { siteColumns } from './migrations-of-accounts.store.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const owners = (db: Db, scope: Scope) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .select(['accounts.id', 'accounts.username', 'accounts.name', 'organisations.name as organisation'])
    .where(visibleAccounts(scope))
    .where('accounts.level', '=', 1)
    .where('accounts.disabled_at', 'is', null);

export type Owner = Awaited<ReturnType<ReturnType<typeof owners>['executeTakeFirstOrThrow']>>;

export const ownerById = (db: Db, scope: Scope, id: string): Promise<Owner | undefined> =>
  owners(db, scope).where('accounts.id', '=', id).executeTakeFirst();

/** End users by a part of their user name, name or e-mail, or by their ids. */
export function findOwners(
  db: Db,
  scope: Scope,
  { search, ids }: { search: string; ids?: readonly string[] | undefined },
): Promise<Owner[]> {
  const pattern = containing(search);
  return owners(db, scope)
    .where((eb) =>
      ids
        ? sql<SqlBool>`accounts.id = any(${ids}::uuid[])`
        : eb.or([
            eb('accounts.username', 'ilike', pattern),
            eb('accounts.name', 'ilike', pattern),
            eb('accounts.email', 'ilike', pattern),
          ]),
    )
    .orderBy(sql`lower(accounts.username)`)
    .orderBy('accounts.id')
    .limit(ids?.length ?? MOST_CHOICES)
    .execute();
}

/** Holds a target and plants as they are until the transaction ends. */
export async function holdPlants(
  tx: Tx,
  ids: readonly string[],
  { ownerID, organisationID }: { ownerID?: string | undefined; organisationID?: string | undefined },
): Promise<void> {
  if (organisationID !== undefined) {
    await sql`select id from organisations where id = ${organisationID} for share`.execute(tx);
  }
  if (ownerID !== undefined) await sql`select id from accounts where id = ${ownerID} for share`.execute(tx);
  await sql`select id from sites where id = any(${ids}::uuid[]) order by id for update`.execute(tx);
}

/** Those of some plants that are in scope. */
export const sitesByIds = (db: Db, scope: Scope, ids: readonly string[]) =>
  siteColumns(db).where(siteIsVisible(scope)).where(sql<SqlBool>`sites.id = any(${ids}::uuid[])`).execute();

/** How many shares stand of plants. */
export async function countShares(db: Db, ids: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom('site_shares')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(sql<SqlBool>`site_id = any(${ids}::uuid[])`)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Names of the distributors and agents above an organisation, from the top. */
export async function agentsAbove(db: Db, organisationID: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select above.name from organisations own join organisations above on above.id = any(own.path)
    where own.id = ${organisationID} and above.kind in ('distributor', 'agent') order by cardinality(above.path)`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}
