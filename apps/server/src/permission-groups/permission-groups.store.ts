import type { list, permissionGroupFields } from '@sonnenwarte/contract/permission-groups/permission-groups';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Scope, visibleOrganisations } from '../access/scope.ts';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type ListInput = Asked<typeof list>;

const MOST_NAMED = 20;

/** Living members whom a group concerns: who was given it, or who is in its department. First accounts need no group. */
const concerned = sql`accounts where accounts.deleted_at is null and not accounts.leads and (
    exists (select from account_groups ag where ag.account_id = accounts.id and ag.group_id = permission_groups.id)
    or accounts.department_id = permission_groups.department_id)`;

const memberCount = sql<number>`(select count(*)::int from ${concerned})`;
const codeCount = sql<number>`cardinality(permission_groups.codes)`;

const visible = (db: Db, scope: Scope) =>
  db
    .selectFrom('permission_groups')
    .innerJoin('organisations', 'organisations.id', 'permission_groups.organisation_id')
    .leftJoin('departments', 'departments.id', 'permission_groups.department_id')
    .where(visibleOrganisations(scope));

const columns = [
  'permission_groups.id',
  'permission_groups.name',
  'permission_groups.description',
  'permission_groups.type',
  'permission_groups.organisation_id',
  'permission_groups.department_id',
  'permission_groups.codes',
  'permission_groups.updated_at',
  'organisations.name as organisation',
  'organisations.kind',
  'organisations.path',
  'departments.name as department',
  memberCount.as('members'),
] as const;

const sortKeys = {
  name: sql`lower(permission_groups.name)`,
  description: sql`lower(nullif(permission_groups.description, ''))`,
  type: sql`permission_groups.type`,
  organisation: sql`lower(organisations.name)`,
  department: sql`lower(departments.name)`,
  codes: codeCount,
  members: memberCount,
  updatedAtMs: sql`permission_groups.updated_at`,
} satisfies SortKeys<typeof permissionGroupFields>;

function matching(db: Db, scope: Scope, { content, organisationID, type }: ListInput['condition']) {
  let query = visible(db, scope);
  if (content !== '') {
    const pattern = containing(content);
    query = query.where((eb) =>
      eb.or([
        eb('permission_groups.name', 'ilike', pattern),
        eb('permission_groups.description', 'ilike', pattern),
        eb('organisations.name', 'ilike', pattern),
      ]),
    );
  }
  if (organisationID !== undefined) query = query.where('permission_groups.organisation_id', '=', organisationID);
  if (type !== undefined) query = query.where('permission_groups.type', '=', type);
  return query;
}

/** Groups in scope. Unknown values come last in either order. */
export const listGroups = (db: Db, scope: Scope, input: ListInput) =>
  pageOf(
    matching(db, scope, input.condition).select(columns),
    { key: sortKeys[input.sort.field], apart: [sql`permission_groups.id`], order: input.sort.order },
    input,
  );

/** A group of an organisation in scope. */
export const visibleGroup = (db: Db, scope: Scope, id: string) =>
  visible(db, scope).select(columns).where('permission_groups.id', '=', id).executeTakeFirst();

export type GroupRow = NonNullable<Awaited<ReturnType<typeof visibleGroup>>>;

/** Account names of the first members whom a group that was found in scope concerns. */
export async function accountsConcerned(db: Db, group: GroupRow): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    select accounts.username from permission_groups, ${concerned} and permission_groups.id = ${group.id}
    order by lower(accounts.username) limit ${MOST_NAMED}`.execute(db);
  return rows.map(({ username }) => username);
}

export const lockGroup = (tx: Tx, id: string) =>
  tx.selectFrom('permission_groups').select('id').where('id', '=', id).forUpdate().executeTakeFirst();

export async function insertGroup(
  tx: Tx,
  group: {
    organisation_id: string;
    name: string;
    description: string;
    type: 'department' | 'role';
    department_id: string | null;
    codes: string[];
  },
): Promise<string> {
  const { id } = await tx.insertInto('permission_groups').values(group).returning('id').executeTakeFirstOrThrow();
  return id;
}

export const updateGroup = (tx: Tx, id: string, change: { name: string; description: string; codes: string[] }) =>
  tx
    .updateTable('permission_groups')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();

export const deleteGroup = (tx: Tx, id: string) => tx.deleteFrom('permission_groups').where('id', '=', id).execute();
