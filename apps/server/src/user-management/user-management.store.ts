import type { accountListFields, list } from '@sonnenwarte/contract/user-management/user-management';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible, visibleAccounts } from '../access/scope.ts';
import { groupCodesOf } from '../accounts/session-actors.ts';
import { type Asked, containing, pageOf, type SortKeys, withRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type ListInput = Asked<typeof list>;

/** Each is the expression of an index, which needs no row of the table. */
const sortKeys = {
  user: sql`lower(accounts.username)`,
  name: sql`nullif(lower(accounts.name), '')`,
  email: sql`lower(accounts.email)`,
  phone: sql`nullif(accounts.phone, '')`,
  level: sql`accounts.level`,
  organisation: sql`lower(organisations.name)`,
  country: sql`nullif(accounts.country, '')`,
  state: sql`(accounts.disabled_at is not null)`,
  lastSignInMs: sql`accounts.last_sign_in_at`,
  createdAtMs: sql`accounts.created_at`,
} satisfies SortKeys<typeof accountListFields>;

const mayBeUnknown: readonly (keyof typeof sortKeys)[] = ['name', 'phone', 'country', 'lastSignInMs'];

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

/** Accounts in scope. Unknown values come last in either order. */
export async function listAccounts(db: Db, scope: Scope, input: ListInput) {
  const { condition, sort } = input;
  const { field, order } = sort;
  const page = await pageOf(
    matching(db, scope, condition)
      .select('accounts.id')
      .$if(field === 'organisation', (query) =>
        query.innerJoin('organisations', 'organisations.id', 'accounts.organisation_id'),
      ),
    { key: sortKeys[field], apart: [sql`accounts.id`], order, isKnown: !mayBeUnknown.includes(field) },
    input,
  );
  return withRows(page, (ids) => rows(db, scope).where(sql<SqlBool>`accounts.id = any(${ids}::uuid[])`).execute());
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
