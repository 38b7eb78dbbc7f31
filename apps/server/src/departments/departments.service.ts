import type { departmentEndpoints, OrganisationChoice } from '@sonnenwarte/contract/departments/departments';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { Kysely, Transaction } from 'kysely';
import { type AuditEntry, recordAudit, recordAudits } from '../audit/audit.ts';
import { changedFieldsOf } from '../audit/changed-fields.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { orTaken } from '../http/unique-violation.ts';
import { assertHeld } from '../permissions/held.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { holdOrganisation, tenancyChanged } from '../tenancy/moves.ts';
import {
  contentOf,
  type Department,
  deleteDepartment,
  departmentsOf,
  emptyInto,
  groupsOfDepartment,
  holdsDepartment,
  insertDepartment,
  lockDepartments,
  membersOf,
  type OrganisationRow,
  updateDepartment,
  visibleDepartment,
  visibleOrganisation,
} from './departments.store.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type Departments = typeof departmentEndpoints;

const nameIndex = { departments_name: 'name' };

const toChoice = ({ id, name, kind, above }: OrganisationRow): OrganisationChoice => ({
  organisationID: id,
  name,
  kind,
  above,
});

/** The departments of an organisation. */
export async function departmentTree(
  { db }: Uses<'db'>,
  { organisationID }: Parsed<Departments['tree']>,
  { scope }: Scoped,
): Promise<Result<Departments['tree']>> {
  const organisation = found(await visibleOrganisation(db, scope, organisationID), 'organisationNotFound');
  const departments = await departmentsOf(db, organisation);
  return {
    organisation: toChoice(organisation),
    departments: departments.map(({ id, parent_id, ...department }) => ({
      departmentID: id,
      parentID: parent_id,
      ...department,
    })),
  };
}

/** A page of a department's members. */
export async function departmentMembers(
  { db }: Uses<'db'>,
  input: Parsed<Departments['members']>,
  { scope }: Scoped,
): Promise<Result<Departments['members']>> {
  const { pageSize, currentPage } = input;
  const department = await findDepartment(db, input.departmentID, scope);
  const { total, members } = await membersOf(db, department, input);
  return {
    pageSize,
    currentPage,
    total,
    members: members.map(({ id, username, name, disabled_at }) => ({
      accountID: id,
      account: username,
      name,
      enabled: disabled_at === null,
    })),
  };
}

const findDepartment = async (db: Db, id: string, scope: CallContext['scope']): Promise<Department> =>
  found(await visibleDepartment(db, scope, id), 'departmentNotFound');

/** Refuses a place that is no department of the same organisation. */
async function assertPlace(
  db: Db,
  id: string,
  { organisationID, field, scope }: { organisationID: string; field: string; scope: CallContext['scope'] },
): Promise<void> {
  const department = await visibleDepartment(db, scope, id);
  if (department?.organisation_id !== organisationID)
    throw new CallError('refusedInput', { fields: [{ path: field, reason: 'unknown', params: {} }] });
}

const entry = (
  action: AuditEntry['action'],
  { id, name, path }: Pick<Department, 'id' | 'name' | 'path'>,
): AuditEntry => ({
  log: 'operation',
  action,
  recordKind: 'department',
  recordId: id,
  recordName: name,
  organisationPath: path,
});

/** Adds a department. */
export async function addDepartment(
  { db }: Uses<'db'>,
  { organisationID, parentID, name, description }: Parsed<Departments['add']>,
  context: CallContext,
): Promise<Result<Departments['add']>> {
  const { scope } = context;
  return orTaken(nameIndex, () =>
    inTransaction(db, async (tx) => {
      const organisation = found(await visibleOrganisation(tx, scope, organisationID), 'organisationNotFound');
      await holdOrganisation(tx, organisation.id);
      await lockDepartments(tx, organisation.id);
      if (parentID !== null)
        await assertPlace(tx, parentID, { organisationID: organisation.id, field: 'parentID', scope });
      const fields = { name, description, parent_id: parentID };
      const id = await insertDepartment(tx, { organisation_id: organisation.id, ...fields });
      await recordAudit(tx, context, {
        ...entry('departments.add', { id, name, path: organisation.path }),
        after: { name, description, parentID, organisationID },
      });
      return { departmentID: id };
    }),
  );
}

/** Changes name and description. */
export async function editDepartment(
  { db }: Uses<'db'>,
  { departmentID, name, description }: Parsed<Departments['edit']>,
  context: CallContext,
): Promise<Result<Departments['edit']>> {
  return orTaken(nameIndex, () =>
    changing(db, departmentID, context, async (tx, department) => {
      const changed = changedFieldsOf(department, { name, description });
      if (changed === undefined) return {};
      await updateDepartment(tx, departmentID, { name, description });
      await recordAudit(tx, context, { ...entry('departments.edit', department), ...changed });
      return {};
    }),
  );
}

/** Puts a department elsewhere in its organisation's tree. */
export async function moveDepartment(
  { db }: Uses<'db'>,
  { departmentID, parentID }: Parsed<Departments['move']>,
  context: CallContext,
): Promise<Result<Departments['move']>> {
  return orTaken(nameIndex, () =>
    changing(db, departmentID, context, async (tx, department) => {
      if (parentID === department.parent_id) return {};
      if (parentID !== null) {
        await assertPlace(tx, parentID, {
          organisationID: department.organisation_id,
          field: 'parentID',
          scope: context.scope,
        });
        if (await holdsDepartment(tx, departmentID, parentID)) throw new CallError('departmentWithinItself');
      }
      await updateDepartment(tx, departmentID, { parent_id: parentID });
      await recordAudit(tx, context, {
        ...entry('departments.move', department),
        before: { parentID: department.parent_id },
        after: { parentID },
      });
      return {};
    }),
  );
}

/** Deletes a department: an empty one, or one whose content has a place to go. */
export async function removeDepartment(
  { db }: Uses<'db'>,
  { departmentID, moveTo }: Parsed<Departments['remove']>,
  context: CallContext,
): Promise<Result<Departments['remove']>> {
  return orTaken({ departments_name: 'moveTo' }, () =>
    changing(db, departmentID, context, async (tx, department) => {
      const content = await contentOf(tx, departmentID);
      if (moveTo === undefined && content.members + content.below > 0)
        throw new CallError('departmentNotEmpty', content);
      if (typeof moveTo === 'string') {
        await assertPlace(tx, moveTo, {
          organisationID: department.organisation_id,
          field: 'moveTo',
          scope: context.scope,
        });
        if (await holdsDepartment(tx, departmentID, moveTo)) throw new CallError('departmentWithinItself');
        const gained = await groupsOfDepartment(tx, moveTo);
        if (content.members > 0)
          assertHeld(
            context.actor,
            gained.flatMap(({ codes }) => codes),
          );
      }
      const groups = await groupsOfDepartment(tx, departmentID);
      await emptyInto(tx, departmentID, moveTo ?? null);
      await deleteDepartment(tx, departmentID);
      await tenancyChanged(tx);
      await recordAudits(tx, context, [
        ...groups.map(
          ({ id, name, codes }): AuditEntry => ({
            ...entry('permission-groups.delete', { id, name, path: department.path }),
            recordKind: 'permissionGroup',
            before: { name, departmentID, codes },
          }),
        ),
        {
          ...entry('departments.delete', department),
          before: { name: department.name, description: department.description, parentID: department.parent_id },
          after: { moveTo: moveTo ?? null, ...content },
        },
      ]);
      return {};
    }),
  );
}

/** Runs a change of a department while no other changes its organisation's departments. */
const changing = <T>(
  db: Db,
  id: string,
  { scope }: Scoped,
  change: (tx: Tx, department: Department) => Promise<T>,
): Promise<T> =>
  inTransaction(db, async (tx) => {
    const { organisation_id } = await findDepartment(tx, id, scope);
    await lockDepartments(tx, organisation_id);
    return change(tx, await findDepartment(tx, id, scope));
  });
