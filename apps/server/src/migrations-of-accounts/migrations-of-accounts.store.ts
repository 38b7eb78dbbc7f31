import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import type { Level } from '@sonnenwarte/contract/levels';
import type { list, migrationFields } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { accountIsVisible, type Scope, siteIsVisible } from '../access/scope.ts';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
export type MigrationListInput = Asked<typeof list>;

/** Plants that leave with an account: what an end user owns, what an installer's organisation has. */
const leavesWith = sql<SqlBool>`(sites.deleted_at is null and case accounts.level
  when 1 then sites.owner_account_id = accounts.id else sites.organisation_id = accounts.organisation_id end)`;

const parties = (db: Db, scope: Scope) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .select([
      'accounts.id',
      'accounts.username',
      'accounts.name',
      'accounts.email',
      'accounts.organisation_id',
      'organisations.name as organisation',
      'organisations.kind',
      sql<Level>`accounts.level`.as('level'),
      sql<string[]>`organisations.path::text[]`.as('path'),
      sql<boolean>`(accounts.disabled_at is not null or organisations.disabled_at is not null)`.as('disabled'),
      sql<string[]>`array(select above.name from organisations above
        where above.id = any(organisations.path) and above.kind in ('distributor', 'agent')
        order by cardinality(above.path))`.as('parent_agents'),
      sql<number>`(select count(*)::int from sites where ${leavesWith})`.as('sites'),
    ])
    .where(accountIsVisible(scope))
    .where('organisations.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([eb('accounts.level', '=', 1), eb.and([eb('accounts.level', '=', 2), eb('accounts.leads', '=', true)])]),
    );

export type Party = Awaited<ReturnType<ReturnType<typeof parties>['executeTakeFirstOrThrow']>>;

/** An account that can take part in a migration. */
export const partyById = (db: Db, scope: Scope, id: string): Promise<Party | undefined> =>
  parties(db, scope).where('accounts.id', '=', id).executeTakeFirst();

interface Wanted {
  search: string;
  ids: readonly string[] | undefined;
}

/** Accounts by a part of their user name, name, e-mail or organisation; as targets only of the source's kind and not shut out. */
export function findParties(
  db: Db,
  scope: Scope,
  { search, ids }: Wanted,
  source: Party | undefined,
): Promise<Party[]> {
  const pattern = containing(search);
  let query = parties(db, scope).where((eb) =>
    ids
      ? sql<SqlBool>`accounts.id = any(${ids}::uuid[])`
      : eb.or([
          eb('accounts.username', 'ilike', pattern),
          eb('accounts.name', 'ilike', pattern),
          eb('accounts.email', 'ilike', pattern),
          eb('organisations.name', 'ilike', pattern),
        ]),
  );
  // Who has no plants has none to leave.
  if (source === undefined) query = query.where(sql<SqlBool>`exists (select from sites where ${leavesWith})`);
  else {
    query = query
      .where('accounts.level', '=', source.level)
      .where('accounts.id', '<>', source.id)
      .where('accounts.disabled_at', 'is', null)
      .where('organisations.disabled_at', 'is', null);
  }
  return query
    .orderBy(sql`lower(accounts.username)`)
    .orderBy('accounts.id')
    .limit(ids?.length ?? MOST_CHOICES)
    .execute();
}

const nameOf = (table: string): RawBuilder<string> =>
  sql<string>`coalesce(nullif(${sql.ref(`${table}.name`)}, ''), ${sql.ref(`${table}.username`)}, '')`;

/** What a transfer tells of a plant. */
export const siteColumns = (db: Db) =>
  db
    .selectFrom('sites')
    .innerJoin('organisations as places', 'places.id', 'sites.organisation_id')
    .leftJoin('accounts as owners', 'owners.id', 'sites.owner_account_id')
    .select([
      'sites.id',
      'sites.name',
      'sites.city',
      'sites.organisation_id',
      'sites.owner_account_id',
      'places.name as organisation',
      nameOf('owners').as('owner'),
      sql<number>`(select count(*)::int from devices
        where devices.site_id = sites.id and devices.deleted_at is null)`.as('devices'),
      sql<number>`(select count(*)::int from loggers
        where loggers.site_id = sites.id and loggers.revoked_at is null)`.as('dataloggers'),
    ])
    .orderBy(sql`lower(sites.name)`)
    .orderBy('sites.id');

export type SiteToMove = Awaited<ReturnType<ReturnType<typeof siteColumns>['executeTakeFirstOrThrow']>>;

/** The plants that leave with an account, in scope. */
export const sitesOf = (db: Db, scope: Scope, party: Party): Promise<SiteToMove[]> =>
  siteColumns(db)
    .where(siteIsVisible(scope))
    .where((eb) =>
      party.level === 1
        ? eb('sites.owner_account_id', '=', party.id)
        : eb('sites.organisation_id', '=', party.organisation_id),
    )
    .execute();

/** Holds the accounts of a transfer and its plants as they are until the transaction ends. */
export async function holdParties(db: Db, source: Party, targetId: string): Promise<void> {
  await sql`select id from accounts where id in (${source.id}, ${targetId}) order by id for update`.execute(db);
  await sql`select sites.id from sites join accounts on accounts.id = ${source.id}
    where ${leavesWith} order by sites.id for update of sites`.execute(db);
}

export async function countTransfers(db: Db, sourceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('account_migrations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('source_account_id', '=', sourceId)
    .executeTakeFirstOrThrow();
  return count;
}

export const putCode = (
  db: Db,
  code: {
    accountId: string;
    sourceId: string;
    targetId: string;
    code: string;
    seen: string;
    siteIds: string[];
    expiresAt: Date;
  },
) =>
  db
    .insertInto('migration_codes')
    .values({
      account_id: code.accountId,
      source_account_id: code.sourceId,
      target_account_id: code.targetId,
      code: code.code,
      seen: code.seen,
      site_ids: code.siteIds,
      expires_at: code.expiresAt,
      used_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

/** Codes that can be entered no more. */
export const dropOldCodes = (db: Db, now: Date) =>
  db.deleteFrom('migration_codes').where('expires_at', '<', now).execute();

/** A code that this administrator was shown and has not used, held until the transaction ends. */
export const takeCode = (db: Db, id: string, accountId: string, now: Date) =>
  db
    .selectFrom('migration_codes')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();

export const useCode = (db: Db, id: string, now: Date) =>
  db.updateTable('migration_codes').set({ used_at: now }).where('id', '=', id).execute();

const sortKeys = {
  transferredAtMs: sql`transferred_at`,
  source: sql`lower(source_account)`,
  target: sql`lower(target_account)`,
  sites: sql`sites`,
  transferCount: sql`transfer_count`,
  operatedBy: sql`lower(operated_by_name)`,
} satisfies SortKeys<typeof migrationFields>;

const rowColumns = [
  'id',
  'kind',
  'source_account',
  'target_account',
  'source_account_id',
  'target_account_id',
  'parent_agents',
  'sites',
  'transfer_count',
  'operated_by_name',
  'transferred_at',
  'undo_until',
  'undone_at',
  'undone_by_name',
] as const;

function matching(db: Db, { content, state }: MigrationListInput['condition']) {
  let query = db.selectFrom('account_migrations');
  if (content !== '') {
    const pattern = containing(content);
    query = query.where((eb) =>
      eb.or([
        eb('source_account', 'ilike', pattern),
        eb('target_account', 'ilike', pattern),
        eb('operated_by_name', 'ilike', pattern),
        sql<SqlBool>`array_to_string(parent_agents, ' ') ilike ${pattern}`,
      ]),
    );
  }
  if (state !== undefined) query = query.where('undone_at', state === 'undone' ? 'is not' : 'is', null);
  return query;
}

/** Rows of the history. Only the platform migrates, so that its scope has all of it and no other any. */
export function listMigrations(db: Db, scope: Scope, input: MigrationListInput) {
  const { condition, sort } = input;
  const query = matching(db, condition).select(rowColumns);
  return pageOf(
    scope.kind === 'all' ? query : query.where(sql<SqlBool>`false`),
    { key: sortKeys[sort.field], apart: [sql`id`], order: sort.order },
    input,
  );
}

export type StoredMigration = Awaited<ReturnType<typeof listMigrations>>['rows'][number];

export const migrationById = async (db: Db, scope: Scope, id: string) =>
  scope.kind !== 'all'
    ? undefined
    : db.selectFrom('account_migrations').select(rowColumns).where('id', '=', id).executeTakeFirst();

/** The same, held until the transaction ends. */
export const holdMigration = async (db: Db, scope: Scope, id: string) =>
  scope.kind !== 'all'
    ? undefined
    : db.selectFrom('account_migrations').select(rowColumns).where('id', '=', id).forUpdate().executeTakeFirst();

export const setUndone = (db: Db, id: string, at: Date, by: string) =>
  db.updateTable('account_migrations').set({ undone_at: at, undone_by_name: by }).where('id', '=', id).execute();

/** Names of organisations and accounts by id, those deleted since as well. */
export async function namesOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from organisations where id = any(${ids}::uuid[])
    union all select id, coalesce(nullif(name, ''), username) from accounts where id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Path of an organisation. */
export async function pathOf(db: Db, organisationID: string): Promise<string[]> {
  const row = await db
    .selectFrom('organisations')
    .select(sql<string[]>`path::text[]`.as('path'))
    .where('id', '=', organisationID)
    .executeTakeFirst();
  return row?.path ?? [];
}

/** Path of the organisation of an account, one that is deleted by now as well. */
export async function pathOfAccount(db: Db, id: string): Promise<string[]> {
  const row = await db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .select(sql<string[]>`organisations.path::text[]`.as('path'))
    .where('accounts.id', '=', id)
    .executeTakeFirst();
  return row?.path ?? [];
}
