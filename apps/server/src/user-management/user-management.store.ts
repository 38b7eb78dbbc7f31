import type { Parsed } from '@sonnenwarte/contract/endpoint';
import type { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible, visibleAccounts } from '../access/scope.ts';
import { groupCodesOf } from '../accounts/session-actors.ts';
import { containing, inOrderOf, onPage, totalOf, unknownLast } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type ListInput = Parsed<typeof userManagementEndpoints.list>;
type SortField = ListInput['sort']['field'];

/** Each is the expression of an index, which needs no row of the table. */
function sortKey(field: SortField): RawBuilder<unknown> {
  switch (field) {
    case 'user':
      return sql`lower(accounts.username)`;
    case 'name':
      return sql`nullif(lower(accounts.name), '')`;
    case 'email':
      return sql`lower(accounts.email)`;
    case 'phone':
      return sql`nullif(accounts.phone, '')`;
    case 'level':
      return sql`accounts.level`;
    case 'organisation':
      return sql`lower(organisations.name)`;
    case 'country':
      return sql`nullif(accounts.country, '')`;
    case 'state':
      return sql`(accounts.disabled_at is not null)`;
    case 'lastSignInMs':
      return sql`accounts.last_sign_in_at`;
    case 'createdMs':
      return sql`accounts.created_at`;
  }
}

const mayBeUnknown: readonly SortField[] = ['name', 'phone', 'country', 'lastSignInMs'];

const joined = (db: Db) =>
  db.selectFrom('accounts').innerJoin('organisations', 'organisations.id', 'accounts.organisation_id');

function matching(db: Db, scope: Scope, condition: ListInput['condition']) {
  const { content, level, state, country, organisation } = condition;
  let query = db.selectFrom('accounts').where(visibleAccounts(scope));
  if (content !== '') query = query.where('accounts.searched', 'like', containing(content.toLowerCase()));
  if (level !== undefined) query = query.where('accounts.level', '=', level);
  if (state !== undefined) query = query.where('accounts.disabled_at', state === 'disabled' ? 'is not' : 'is', null);
  if (country !== undefined) query = query.where('accounts.country', '=', country);
  if (organisation !== undefined)
    query = query.where(
      sql<SqlBool>`accounts.organisation_id in (select below.id from organisations below
        where below.path @> array[${organisation}::uuid])`,
    );
  return query;
}

/** Plants that an account owns, or that hang at or below its organisation. */
const siteCount = sql<number>`case
  when accounts.level = 1 then (select count(*)::int from sites
    where sites.owner_account_id = accounts.id and sites.deleted_at is null)
  when accounts.level in (2, 3, 4) then (select count(*)::int from organisations below
    join sites on sites.organisation_id = below.id and sites.deleted_at is null
    where below.path @> array[accounts.organisation_id])
  else 0 end`;

const rows = (db: Db, scope: Scope) =>
  joined(db)
    .where(visibleAccounts(scope))
    .select([
      'accounts.id',
      'accounts.username',
      'accounts.name',
      'accounts.email',
      'accounts.phone',
      'accounts.level',
      'accounts.leads',
      'accounts.organisation_id',
      'organisations.name as organisation',
      'organisations.disabled_at as organisation_disabled_at',
      'accounts.country',
      'accounts.city',
      'accounts.address',
      'accounts.postcode',
      'accounts.note',
      'accounts.disabled_at',
      'accounts.password_temporary',
      'accounts.last_sign_in_at',
      'accounts.created_at',
      groupCodesOf('accounts').as('granted'),
      siteCount.as('sites'),
    ]);

export type AccountListRow = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

/** A page of the accounts in scope. Unknown values come last in either order. */
export async function listAccounts(db: Db, scope: Scope, input: ListInput) {
  const { condition, sort } = input;
  const { field, order } = sort;
  const [page, total] = await Promise.all([
    matching(db, scope, condition)
      .select('accounts.id')
      .$if(field === 'organisation', (query) =>
        query.innerJoin('organisations', 'organisations.id', 'accounts.organisation_id'),
      )
      .orderBy(sortKey(field), mayBeUnknown.includes(field) ? unknownLast(order) : order)
      .orderBy('accounts.id', order)
      .$call(onPage(input))
      .execute(),
    totalOf(matching(db, scope, condition)),
  ]);
  const ids = page.map(({ id }) => id);
  const found = await rows(db, scope).where(sql<SqlBool>`accounts.id = any(${ids}::uuid[])`).execute();
  return { total, accounts: inOrderOf(ids, found) };
}

export const accountRow = (db: Db, scope: Scope, id: string): Promise<AccountListRow | undefined> =>
  rows(db, scope).where('accounts.id', '=', id).executeTakeFirst();

/** Plants that an end user owns, with what hangs on them. */
export const ownedSites = (db: Db, scope: Scope, accountId: string) =>
  db
    .selectFrom('sites')
    .select([
      'sites.id as stationID',
      'sites.name',
      'sites.city',
      'sites.organisation_id',
      sql<number>`(select count(*)::int from devices
        where devices.site_id = sites.id and devices.deleted_at is null)`.as('devices'),
      sql<number>`(select count(*)::int from loggers
        where loggers.site_id = sites.id and loggers.revoked_at is null)`.as('dataloggers'),
    ])
    .where(siteIsVisible(scope))
    .where('sites.owner_account_id', '=', accountId)
    .orderBy(sql`lower(sites.name)`)
    .orderBy('sites.id')
    .execute();

const inScope = (tx: Tx, scope: Scope, id: string) =>
  joined(tx).where(visibleAccounts(scope)).where('accounts.id', '=', id);

const held = (tx: Tx, scope: Scope, id: string) =>
  inScope(tx, scope, id)
    .select([
      'accounts.id',
      'accounts.username',
      'accounts.level',
      'accounts.leads',
      'accounts.organisation_id',
      'accounts.disabled_at',
      'accounts.name',
      'accounts.email',
      'accounts.phone',
      'accounts.country',
      'accounts.city',
      'accounts.address',
      'accounts.postcode',
      'accounts.note',
      groupCodesOf('accounts').as('granted'),
      sql<string[]>`organisations.path::text[]`.as('path'),
    ])
    .executeTakeFirst();

export type HeldAccount = NonNullable<Awaited<ReturnType<typeof held>>>;

/** An account in scope, its row locked until the transaction ends; only then read, as whoever held it before left it. */
export async function holdAccount(tx: Tx, scope: Scope, id: string): Promise<HeldAccount | undefined> {
  await inScope(tx, scope, id).select('accounts.id').forUpdate('accounts').execute();
  return held(tx, scope, id);
}

type AccountChange = Partial<
  Pick<HeldAccount, 'name' | 'email' | 'phone' | 'country' | 'city' | 'address' | 'postcode' | 'note' | 'disabled_at'>
> & { email_confirmed_at?: null };

export const updateAccount = (tx: Tx, id: string, change: AccountChange) =>
  tx
    .updateTable('accounts')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
