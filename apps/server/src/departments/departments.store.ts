import type { OrganisationKind } from '@sonnenwarte/contract/organisations/organisations';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Scope, visibleOrganisations } from '../access/scope.ts';
import { onPage, totalOf } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

export interface OrganisationRow {
  id: string;
  name: string;
  kind: OrganisationKind;
  path: string[];
  above: string[];
}

const organisations = (db: Db, scope: Scope) =>
  db
    .selectFrom('organisations')
    .select([
      'organisations.id',
      'organisations.name',
      'organisations.kind',
      'organisations.path',
      sql<string[]>`array(
        select above.name from organisations above
        where above.id = any(organisations.path) and above.id <> organisations.id and above.kind <> 'platform'
        order by cardinality(above.path))`.as('above'),
    ])
    .where(visibleOrganisations(scope));

/** An organisation in scope. */
export const visibleOrganisation = (db: Db, scope: Scope, id: string): Promise<OrganisationRow | undefined> =>
  organisations(db, scope).where('organisations.id', '=', id).executeTakeFirst();

export interface DepartmentRow {
  id: string;
  parent_id: string | null;
  name: string;
  description: string;
  members: number;
  groups: number;
}

/** Departments of an organisation that was found in scope. */
export const departmentsOf = (db: Db, organisation: OrganisationRow): Promise<DepartmentRow[]> =>
  db
    .selectFrom('departments')
    .select([
      'departments.id',
      'departments.parent_id',
      'departments.name',
      'departments.description',
      sql<number>`(select count(*)::int from accounts
        where accounts.department_id = departments.id and accounts.deleted_at is null)`.as('members'),
      sql<number>`(select count(*)::int from permission_groups g where g.department_id = departments.id)`.as('groups'),
    ])
    .where('departments.organisation_id', '=', organisation.id)
    .orderBy(sql`lower(departments.name)`)
    .execute();

/** A department of an organisation in scope. */
export const visibleDepartment = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('departments')
    .innerJoin('organisations', 'organisations.id', 'departments.organisation_id')
    .select([
      'departments.id',
      'departments.organisation_id',
      'departments.parent_id',
      'departments.name',
      'departments.description',
      'organisations.path',
    ])
    .where(visibleOrganisations(scope))
    .where('departments.id', '=', id)
    .executeTakeFirst();

export type Department = NonNullable<Awaited<ReturnType<typeof visibleDepartment>>>;

/** Names of departments from the top of the organisation down to each. */
export async function departmentPaths(db: Db, organisationID: string): Promise<{ id: string; path: string[] }[]> {
  const { rows } = await sql<{ id: string; path: string[] }>`
    with recursive walk as (
      select id, array[name] as path from departments where organisation_id = ${organisationID} and parent_id is null
      union all
      select d.id, walk.path || d.name from departments d join walk on d.parent_id = walk.id
    )
    select id, path from walk order by path`.execute(db);
  return rows;
}

/** Members of a department that was found in scope. */
export async function membersOf(db: Db, department: Department, page: { pageSize: number; currentPage: number }) {
  const all = db
    .selectFrom('accounts')
    .where('accounts.department_id', '=', department.id)
    .where('accounts.deleted_at', 'is', null);
  const [total, members] = await Promise.all([
    totalOf(all),
    all.select(['id', 'username', 'name', 'disabled_at']).orderBy(sql`lower(username)`).$call(onPage(page)).execute(),
  ]);
  return { total, members };
}

/** Lets one change of an organisation's departments happen after the other. */
export const lockDepartments = (tx: Tx, organisationID: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('departments ' || ${organisationID}::text, 0))`.execute(tx);

export async function insertDepartment(
  tx: Tx,
  department: { organisation_id: string; parent_id: string | null; name: string; description: string },
): Promise<string> {
  const { id } = await tx.insertInto('departments').values(department).returning('id').executeTakeFirstOrThrow();
  return id;
}

export const updateDepartment = (
  tx: Tx,
  id: string,
  change: { name?: string; description?: string; parent_id?: string | null },
) => tx.updateTable('departments').set(change).where('id', '=', id).execute();

/** Whether a department is another one or stands above it. */
export async function holdsDepartment(tx: Tx, id: string, otherId: string): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`
    with recursive up as (
      select id, parent_id from departments where id = ${otherId}
      union all
      select d.id, d.parent_id from departments d join up on d.id = up.parent_id
    )
    select exists (select from up where id = ${id}) as holds`.execute(tx);
  return rows[0]?.holds ?? false;
}

/** How much is in a department: living members, and departments right below it. */
export async function contentOf(tx: Tx, id: string): Promise<{ members: number; below: number }> {
  const { rows } = await sql<{ members: number; below: number }>`
    select (select count(*)::int from accounts where department_id = ${id} and deleted_at is null) as members,
           (select count(*)::int from departments where parent_id = ${id}) as below`.execute(tx);
  return rows[0] ?? { members: 0, below: 0 };
}

/** Puts what is in a department into another or none; deleted members into none, for they would not know of it. */
export async function emptyInto(tx: Tx, id: string, to: string | null): Promise<void> {
  await tx.updateTable('departments').set({ parent_id: to }).where('parent_id', '=', id).execute();
  await tx
    .updateTable('accounts')
    .set({ department_id: sql`case when deleted_at is null then ${to}::uuid end` })
    .where('department_id', '=', id)
    .execute();
}

/** Groups that hold for a department. */
export const groupsOfDepartment = (db: Db, id: string) =>
  db.selectFrom('permission_groups').select(['id', 'name', 'codes']).where('department_id', '=', id).execute();

export async function deleteDepartment(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('permission_groups').where('department_id', '=', id).execute();
  await tx.deleteFrom('departments').where('id', '=', id).execute();
}
