import type { list, memberFields } from '@sonnenwarte/contract/members/members';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Scope, visibleAccounts } from '../access/scope.ts';
import { groupCodesOf } from '../accounts/session-actors.ts';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type ListInput = Asked<typeof list>;

const memberLevels = [2, 3, 4, 255];

/** Members: further accounts of an organisation, beside the one that leads it. */
const visible = (db: Db, scope: Scope) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .leftJoin('departments', 'departments.id', 'accounts.department_id')
    .where(visibleAccounts(scope))
    .where('accounts.leads', '=', false)
    .where('accounts.level', 'in', memberLevels)
    .where('organisations.deleted_at', 'is', null);

export interface GivenGroup {
  id: string;
  name: string;
}

const columns = [
  'accounts.id',
  'accounts.username',
  'accounts.name',
  'accounts.email',
  'accounts.phone',
  'accounts.note',
  'accounts.level',
  'accounts.organisation_id',
  'accounts.department_id',
  'accounts.password_temporary',
  'accounts.last_sign_in_at',
  'accounts.created_at',
  'accounts.disabled_at',
  'organisations.name as organisation',
  'organisations.kind',
  'organisations.path',
  'departments.name as department',
  sql<GivenGroup[]>`coalesce((
    select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name))
    from account_groups ag join permission_groups g on g.id = ag.group_id where ag.account_id = accounts.id), '[]')`.as(
    'groups',
  ),
  groupCodesOf('accounts').as('granted'),
] as const;

const sortKeys = {
  account: sql`lower(accounts.username)`,
  name: sql`lower(nullif(accounts.name, ''))`,
  email: sql`lower(accounts.email)`,
  phone: sql`nullif(accounts.phone, '')`,
  organisation: sql`lower(organisations.name)`,
  department: sql`lower(departments.name)`,
  level: sql`accounts.level`,
  state: sql`accounts.disabled_at is not null`,
  lastSignInMs: sql`accounts.last_sign_in_at`,
  createdAtMs: sql`accounts.created_at`,
} satisfies SortKeys<typeof memberFields>;

function matching(db: Db, scope: Scope, condition: ListInput['condition']) {
  const { content, organisationID, departmentID, permissionGroupID, level, state } = condition;
  let query = visible(db, scope);
  if (content !== '') {
    const pattern = containing(content);
    query = query.where((eb) =>
      eb.or([
        eb('accounts.username', 'ilike', pattern),
        eb('accounts.name', 'ilike', pattern),
        eb('accounts.email', 'ilike', pattern),
        eb('accounts.phone', 'ilike', pattern),
        eb('organisations.name', 'ilike', pattern),
      ]),
    );
  }
  if (organisationID !== undefined) query = query.where('accounts.organisation_id', '=', organisationID);
  if (departmentID !== undefined) query = query.where('accounts.department_id', '=', departmentID);
  if (permissionGroupID !== undefined) {
    query = query.where(sql<SqlBool>`exists (select from permission_groups g where g.id = ${permissionGroupID} and (
      g.department_id = accounts.department_id
      or exists (select from account_groups ag where ag.account_id = accounts.id and ag.group_id = g.id)))`);
  }
  if (level !== undefined) query = query.where('accounts.level', '=', level);
  if (state !== undefined) query = query.where('accounts.disabled_at', state === 'enabled' ? 'is' : 'is not', null);
  return query;
}

/** Members in scope. Unknown values come last in either order. */
export const listMembers = (db: Db, scope: Scope, input: ListInput) =>
  pageOf(
    matching(db, scope, input.condition).select(columns),
    { key: sortKeys[input.sort.field], apart: [sql`accounts.id`], order: input.sort.order },
    input,
  );

/** A member in scope. */
export const visibleMember = (db: Db, scope: Scope, id: string) =>
  visible(db, scope).select(columns).where('accounts.id', '=', id).executeTakeFirst();

export type Member = NonNullable<Awaited<ReturnType<typeof visibleMember>>>;

/** Groups of type role of an organisation that was found in scope, with their codes. */
export const rolesOf = (db: Db, organisationID: string) =>
  db
    .selectFrom('permission_groups')
    .select(['id', 'name', 'codes'])
    .where('organisation_id', '=', organisationID)
    .where('type', '=', 'role')
    .orderBy(sql`lower(name)`)
    .execute();

/** Names of the groups of type department, by the department that they hold for. */
export async function groupNamesByDepartment(db: Db, organisationID: string): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('permission_groups')
    .select(['department_id', 'name'])
    .where('organisation_id', '=', organisationID)
    .where('department_id', 'is not', null)
    .orderBy(sql`lower(name)`)
    .execute();
  const names = new Map<string, string[]>();
  for (const { department_id, name } of rows) {
    if (department_id !== null) names.set(department_id, [...(names.get(department_id) ?? []), name]);
  }
  return names;
}

export const lockMember = (tx: Tx, id: string) =>
  tx.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().executeTakeFirst();

export interface MemberFields {
  username: string;
  name: string;
  email: string;
  phone: string;
  note: string;
  level: number;
  department_id: string | null;
}

/** A new account of an organisation, with a temporary password and an address that is not yet confirmed. */
export async function insertMember(
  tx: Tx,
  member: MemberFields & { organisation_id: string; password_hash: string },
): Promise<string> {
  const { id } = await tx
    .insertInto('accounts')
    .values({ ...member, leads: false, password_temporary: true, email_confirmed_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Another address than before is not yet confirmed. */
export const updateMember = (tx: Tx, id: string, fields: MemberFields) =>
  tx
    .updateTable('accounts')
    .set({
      ...fields,
      email_confirmed_at: sql`case when lower(email) = ${fields.email.toLowerCase()} then email_confirmed_at end`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute();

/** Gives a member exactly these groups. */
export async function setGroups(tx: Tx, accountId: string, groupIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('account_groups').where('account_id', '=', accountId).execute();
  if (groupIds.length === 0) return;
  await tx
    .insertInto('account_groups')
    .values(groupIds.map((group_id) => ({ account_id: accountId, group_id })))
    .execute();
}

export const setDisabled = (tx: Tx, id: string, disabled: boolean) =>
  tx
    .updateTable('accounts')
    .set({ disabled_at: disabled ? new Date() : null, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();

export const markDeleted = (tx: Tx, id: string) =>
  tx.updateTable('accounts').set({ deleted_at: new Date(), updated_at: sql`now()` }).where('id', '=', id).execute();
