import { type Kysely, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

export interface ChosenSite {
  readonly id: string;
  readonly name: string;
  readonly city: string;
  readonly organisation_id: string;
  readonly path: string[];
}

const chosen = (db: Db, scope: Scope, ids: readonly string[]) =>
  db
    .selectFrom('sites')
    .innerJoin('organisations as places', 'places.id', 'sites.organisation_id')
    .select([
      'sites.id',
      'sites.name',
      'sites.city',
      'sites.organisation_id',
      sql<string[]>`places.path::text[]`.as('path'),
    ])
    .where(siteIsVisible(scope))
    .where(sql<boolean>`sites.id = any(${ids}::uuid[])`)
    .orderBy('sites.id');

/** Those of some plants that are in scope. */
export const chosenSites = (db: Db, scope: Scope, ids: readonly string[]): Promise<ChosenSite[]> =>
  chosen(db, scope, ids).execute();

/** The same, held until the transaction ends. */
export const holdChosenSites = (tx: Tx, scope: Scope, ids: readonly string[]): Promise<ChosenSite[]> =>
  chosen(tx, scope, ids).forUpdate('sites').execute();

export interface Hanging {
  readonly devices: number;
  readonly dataloggers: number;
  readonly shares: number;
}

/** What hangs on plants. */
export async function hangingOn(db: Db, ids: readonly string[]): Promise<Hanging> {
  const { rows } = await sql<Hanging>`
    select (select count(*)::int from devices where site_id = any(${ids}::uuid[]) and deleted_at is null) as devices,
      (select count(*)::int from loggers where site_id = any(${ids}::uuid[]) and revoked_at is null) as dataloggers,
      (select count(distinct account_id)::int from site_shares where site_id = any(${ids}::uuid[]) and ended_at is null) as shares`.execute(
    db,
  );
  return rows[0] ?? { devices: 0, dataloggers: 0, shares: 0 };
}

/** How many plants an account has deleted since; those of one account are deleted one after another. */
export async function deletedLately(tx: Tx, accountId: string, since: Date): Promise<number> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom('deletions')
    .select(sql<number>`coalesce(sum((summary ->> 'sites')::int), 0)::int`.as('count'))
    .where('kind', '=', 'site')
    .where('deleted_by', '=', accountId)
    .where('deleted_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

export const markDeleted = (tx: Tx, ids: readonly string[], at: Date) =>
  tx.updateTable('sites').set({ deleted_at: at }).where(sql<boolean>`id = any(${ids}::uuid[])`).execute();
