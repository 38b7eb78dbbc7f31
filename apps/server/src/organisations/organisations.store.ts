import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import type { choices, list, organisationListFields } from '@sonnenwarte/contract/organisations/organisations';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Scope, visibleOrganisations } from '../access/scope.ts';
import { type Asked, containing, pageOf, type SortKeys, withRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type ListInput = Asked<typeof list>;

const kindRank = sql`array_position(array['platform', 'distributor', 'agent', 'installer'], organisations.kind)`;

const sortKeys = {
  number: sql`organisations.number`,
  name: sql`lower(organisations.name)`,
  kind: kindRank,
  country: sql`nullif(organisations.country, '')`,
  email: sql`lower(nullif(organisations.email, ''))`,
  parent: sql`lower(parents.name)`,
  state: sql`organisations.disabled_at is not null`,
  createdAtMs: sql`organisations.created_at`,
} satisfies SortKeys<typeof organisationListFields>;

const joined = (db: Db) =>
  db.selectFrom('organisations').leftJoin('organisations as parents', 'parents.id', 'organisations.parent_id');

function matching(db: Db, scope: Scope, condition: ListInput['condition']) {
  let query = joined(db).where(visibleOrganisations(scope));
  const { content, kind, state, country, parent } = condition;
  if (content !== '') {
    const pattern = containing(content.toLowerCase());
    const number = /^\d{1,9}$/.test(content) ? Number(content) : -1;
    query = query.where(
      sql<SqlBool>`(lower(organisations.name || ' ' || organisations.email) like ${pattern} or organisations.number = ${number})`,
    );
  }
  if (kind !== undefined) query = query.where('organisations.kind', '=', kind);
  if (state !== undefined)
    query = query.where('organisations.disabled_at', state === 'disabled' ? 'is not' : 'is', null);
  if (country !== undefined) query = query.where('organisations.country', '=', country);
  if (parent !== undefined)
    query = query
      .where('organisations.id', '<>', parent)
      .where(sql<SqlBool>`organisations.path @> array[${parent}::uuid]`);
  return query;
}

const sitesBelow = sql<number>`(select count(*)::int from organisations below
  join sites on sites.organisation_id = below.id and sites.deleted_at is null
  where below.path @> array[organisations.id])`;

const rows = (db: Db, scope: Scope) =>
  joined(db)
    .where(visibleOrganisations(scope))
    .select([
      'organisations.id',
      'organisations.number',
      'organisations.name',
      'organisations.kind',
      'organisations.country',
      'organisations.email',
      'organisations.phone',
      'organisations.note',
      'organisations.parent_id',
      'organisations.disabled_at',
      'organisations.sign_up_code',
      'organisations.created_at',
      'parents.name as parent',
      sql<number>`(select count(*)::int from organisations below
        where below.path @> array[organisations.id] and below.id <> organisations.id and below.deleted_at is null)`.as(
        'organisations',
      ),
      sql<number>`(select count(*)::int from accounts
        where accounts.organisation_id = organisations.id and accounts.deleted_at is null)`.as('accounts'),
      sitesBelow.as('sites'),
    ]);

export type OrganisationListRow = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

/** Organisations in scope. Unknown values come last in either order. */
export async function listOrganisations(db: Db, scope: Scope, input: ListInput) {
  const { condition, sort } = input;
  const page = await pageOf(
    matching(db, scope, condition).select('organisations.id'),
    { key: sortKeys[sort.field], apart: [sql`organisations.number`], order: sort.order },
    input,
  );
  return withRows(page, (ids) => rows(db, scope).where(sql<SqlBool>`organisations.id = any(${ids}::uuid[])`).execute());
}

export const organisationRow = (db: Db, scope: Scope, id: string): Promise<OrganisationListRow | undefined> =>
  rows(db, scope).where('organisations.id', '=', id).executeTakeFirst();

/** By a part of the name, or by the number. */
function named(text: string) {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  return sql<SqlBool>`(organisations.name ilike ${containing(text)} or organisations.number = ${number})`;
}

/** All organisations in scope, parents first, with the plants at or below each. */
export async function organisationTree(db: Db, scope: Scope) {
  const [nodes, counts] = await Promise.all([
    db
      .selectFrom('organisations')
      .select(['id', 'parent_id', 'number', 'name', 'kind', 'disabled_at'])
      .where(visibleOrganisations(scope))
      .orderBy(sql`cardinality(path)`)
      .orderBy(sql`lower(name)`)
      .execute(),
    db
      .selectFrom('organisations')
      .innerJoin('sites', 'sites.organisation_id', 'organisations.id')
      .where(visibleOrganisations(scope))
      .where('sites.deleted_at', 'is', null)
      .select(['organisations.id', sql<number>`count(*)::int`.as('sites')])
      .groupBy('organisations.id')
      .execute(),
  ]);
  const sites = new Map(counts.map((row) => [row.id, row.sites]));
  for (const { id, parent_id } of nodes.toReversed()) {
    if (parent_id !== null) sites.set(parent_id, (sites.get(parent_id) ?? 0) + (sites.get(id) ?? 0));
  }
  return nodes.map((node) => ({ ...node, sites: sites.get(node.id) ?? 0 }));
}

/** Organisations that a picker asks for, of the kinds named in their order. */
export function organisationsToChoose(db: Db, scope: Scope, { search, ids, kinds, state }: Parsed<typeof choices>) {
  const wanted = ids === undefined ? named(search) : sql<SqlBool>`organisations.id = any(${ids}::uuid[])`;
  const order = kinds === undefined ? kindRank : sql`array_position(${kinds}::text[], organisations.kind)`;
  let query = joined(db)
    .select([
      'organisations.id',
      'organisations.name',
      'organisations.kind',
      'organisations.number',
      sql<string>`case when parents.kind = 'platform' then '' else coalesce(parents.name, '') end`.as('detail'),
    ])
    .where(visibleOrganisations(scope))
    .where(wanted);
  if (kinds !== undefined) query = query.where('organisations.kind', 'in', kinds);
  if (state !== undefined)
    query = query.where('organisations.disabled_at', state === 'disabled' ? 'is not' : 'is', null);
  return query
    .orderBy(order)
    .orderBy(sql`lower(organisations.name)`)
    .orderBy('organisations.number')
    .limit(ids === undefined ? MOST_CHOICES : ids.length)
    .execute();
}

/** An organisation in scope, its row locked until the transaction ends. */
export const holdForChange = (tx: Tx, scope: Scope, id: string) =>
  tx
    .selectFrom('organisations')
    .select([
      'organisations.id',
      'organisations.parent_id',
      'organisations.kind',
      'organisations.name',
      'organisations.number',
      'organisations.country',
      'organisations.email',
      'organisations.phone',
      'organisations.note',
      'organisations.sign_up_code',
      'organisations.disabled_at',
      sql<string[]>`organisations.path::text[]`.as('path'),
    ])
    .where(visibleOrganisations(scope))
    .where('organisations.id', '=', id)
    .forUpdate('organisations')
    .executeTakeFirst();

export type HeldOrganisation = NonNullable<Awaited<ReturnType<typeof holdForChange>>>;

/** Locks an organisation in scope and all below it, the deleted ones too, in the order in which removals lock: from below upwards. */
export const holdSubtree = (tx: Tx, scope: Scope, id: string) =>
  tx
    .selectFrom('organisations')
    .select('organisations.id')
    .where((eb) => eb.or([visibleOrganisations(scope), eb('organisations.deleted_at', 'is not', null)]))
    .where(sql<SqlBool>`organisations.path @> array[${id}::uuid]`)
    .orderBy(kindRank, 'desc')
    .orderBy('organisations.id')
    .forUpdate('organisations')
    .execute();

export interface NewOrganisation {
  readonly kind: Database['organisations']['kind'];
  readonly parentID: string;
  readonly parentPath: readonly string[];
  readonly name: string;
  readonly country: string;
  readonly email: string;
  readonly phone: string;
  readonly note: string;
}

export async function insertOrganisation(
  tx: Tx,
  { kind, parentID, parentPath, name, country, email, phone, note }: NewOrganisation,
): Promise<{ id: string; number: number; path: string[] }> {
  const id = crypto.randomUUID();
  const path = [...parentPath, id];
  const { number } = await tx
    .insertInto('organisations')
    .values({
      id,
      parent_id: parentID,
      kind,
      name,
      country,
      email,
      phone,
      note,
      path,
      disabled_at: null,
      deleted_at: null,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  return { id, number, path };
}

/** Writes the fields that people enter. */
export const updateOrganisation = (
  tx: Tx,
  id: string,
  change: Partial<Pick<HeldOrganisation, 'name' | 'country' | 'email' | 'phone' | 'note' | 'disabled_at'>>,
) =>
  tx
    .updateTable('organisations')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .execute();

/** Hangs an organisation elsewhere and rewrites the paths of all below it, the deleted ones too. */
export async function rehang(tx: Tx, id: string, parentID: string): Promise<void> {
  await tx
    .updateTable('organisations')
    .set({ parent_id: parentID, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
  await sql`
    update organisations set path = (select path from organisations where id = ${parentID})
      || path[array_position(path, ${id}::uuid):]
    where path @> array[${id}::uuid]`.execute(tx);
}

/** Accounts that a disabled organisation shuts out: its own, but for the owners of plants. */
export async function accountsShutOut(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('accounts')
    .select('id')
    .where('organisation_id', '=', id)
    .where('level', '<>', 1)
    .execute();
  return rows.map((row) => row.id);
}
