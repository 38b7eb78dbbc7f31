import type { ShareRight } from '@sonnenwarte/contract/site-shares/site-shares';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

export interface SharedSite {
  readonly id: string;
  readonly name: string;
  readonly owner_account_id: string | null;
  readonly path: string[];
}

const sites = (db: Db, scope: Scope, ids: readonly string[]) =>
  db
    .selectFrom('sites')
    .innerJoin('organisations as places', 'places.id', 'sites.organisation_id')
    .select(['sites.id', 'sites.name', 'sites.owner_account_id', sql<string[]>`places.path::text[]`.as('path')])
    .where(siteIsVisible(scope))
    .where(sql<boolean>`sites.id = any(${ids}::uuid[])`);

export const siteInScope = (db: Db, scope: Scope, id: string): Promise<SharedSite | undefined> =>
  sites(db, scope, [id]).executeTakeFirst();

/** Plants in scope, held so that they stay whose they are. */
export const holdSites = (tx: Tx, scope: Scope, ids: readonly string[]): Promise<SharedSite[]> =>
  sites(tx, scope, ids).orderBy('sites.id').forUpdate('sites').execute();

const shares = (db: Db) =>
  db
    .selectFrom('site_shares')
    .innerJoin('sites', 'sites.id', 'site_shares.site_id')
    .innerJoin('accounts as holders', 'holders.id', 'site_shares.account_id')
    .leftJoin('accounts as givers', 'givers.id', 'site_shares.given_by')
    .select([
      'site_shares.id',
      'site_shares.site_id',
      'site_shares.account_id',
      'site_shares.sets_work_mode',
      'site_shares.named_as',
      'site_shares.given_by',
      'site_shares.given_by_owner',
      'site_shares.given_at',
      'sites.owner_account_id',
      sql<string>`coalesce(nullif(givers.name, ''), givers.username, '')`.as('giver'),
    ])
    .where('site_shares.ended_at', 'is', null)
    .where('holders.deleted_at', 'is', null);

export type Share = Awaited<ReturnType<ReturnType<typeof shares>['executeTakeFirstOrThrow']>>;

/** Shares of a plant in scope. */
export const sharesOf = (db: Db, scope: Scope, siteId: string): Promise<Share[]> =>
  shares(db)
    .where(siteIsVisible(scope))
    .where('site_shares.site_id', '=', siteId)
    .orderBy('site_shares.given_at')
    .orderBy('site_shares.id')
    .execute();

/** A share of a plant in scope, held until the transaction ends. */
export const holdShare = (tx: Tx, scope: Scope, id: string): Promise<Share | undefined> =>
  shares(tx).where(siteIsVisible(scope)).where('site_shares.id', '=', id).forUpdate('site_shares').executeTakeFirst();

/** An end user by user name or confirmed e-mail, who can sign in; nobody deletes it before the transaction ends. */
export const holdEndUser = (tx: Tx, called: string) =>
  tx
    .selectFrom('accounts')
    .select(['id', 'username'])
    .where('level', '=', 1)
    .where('deleted_at', 'is', null)
    .where('disabled_at', 'is', null)
    .where((eb) =>
      eb.or([
        sql<boolean>`lower(username) = lower(${called})`,
        eb.and([sql<boolean>`lower(email) = lower(${called})`, eb('email_confirmed_at', 'is not', null)]),
      ]),
    )
    .orderBy(sql`lower(username) = lower(${called})`, 'desc')
    .limit(1)
    .forShare()
    .executeTakeFirst();

/** The plant among some that is shared with so many already. */
export async function fullSite(tx: Tx, siteIds: readonly string[], accountId: string, most: number): Promise<boolean> {
  const { rows } = await sql`select from site_shares
    where site_id = any(${siteIds}::uuid[]) and ended_at is null and account_id <> ${accountId}
    group by site_id having count(*) >= ${most} limit 1`.execute(tx);
  return rows.length > 0;
}

export interface NewShare {
  readonly accountId: string;
  readonly calledAs: string;
  readonly right: ShareRight;
  readonly givenBy: string;
  readonly at: Date;
}

/** Shares plants; where one is shared with the account already, that becomes what is given now. */
export async function putShares(tx: Tx, siteIds: readonly string[], share: NewShare): Promise<void> {
  const { accountId, calledAs, right, givenBy, at } = share;
  await sql`
    insert into site_shares (site_id, account_id, sets_work_mode, named_as, given_by, given_by_owner, given_at)
    select sites.id, ${accountId}, ${right === 'workMode'}, ${calledAs}, ${givenBy}, sites.owner_account_id is not distinct from ${givenBy}::uuid, ${at}
    from sites where sites.id = any(${siteIds}::uuid[]) order by sites.id
    on conflict (site_id, account_id) where ended_at is null do update set sets_work_mode = excluded.sets_work_mode`.execute(
    tx,
  );
}

export const setRight = (tx: Tx, id: string, right: ShareRight) =>
  tx
    .updateTable('site_shares')
    .set({ sets_work_mode: right === 'workMode' })
    .where('id', '=', id)
    .execute();

/** What people ended is gone for good; the log tells of it. */
export const dropShare = (tx: Tx, id: string) => tx.deleteFrom('site_shares').where('id', '=', id).execute();
