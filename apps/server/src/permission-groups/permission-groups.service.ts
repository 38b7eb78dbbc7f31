import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { levelOfKind } from '@sonnenwarte/contract/members/member-levels';
import type { OrganisationKind } from '@sonnenwarte/contract/organisations/organisations';
import type {
  PermissionGroupRow,
  permissionGroupEndpoints,
} from '@sonnenwarte/contract/permission-groups/permission-groups';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import { codesOfGroups, codesOfLevel } from '../access/codes.ts';
import { type AuditEntry, recordAudit } from '../audit/audit.ts';
import { changedFieldsOf } from '../audit/changed-fields.ts';
import { departmentPaths, visibleDepartment, visibleOrganisation } from '../departments/departments.store.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { orTaken } from '../http/unique-violation.ts';
import { assertHeld } from '../permissions/held.ts';
import type { Uses } from '../services.ts';
import { type Asked, type Found, toRows } from '../stores/lists.ts';
import { holdOrganisation } from '../tenancy/moves.ts';
import {
  accountsConcerned,
  deleteGroup,
  type GroupRow,
  insertGroup,
  listGroups,
  lockGroup,
  updateGroup,
  visibleGroup,
} from './permission-groups.store.ts';

type Groups = typeof permissionGroupEndpoints;

const nameIndex = { permission_groups_name: 'name' };

const toRow = (group: GroupRow): PermissionGroupRow => ({
  permissionGroupID: group.id,
  name: group.name,
  description: group.description,
  type: group.type,
  organisationID: group.organisation_id,
  organisation: group.organisation,
  organisationKind: group.kind,
  departmentID: group.department_id,
  department: group.department ?? '',
  codes: group.codes.length,
  members: group.members,
  updatedAtMs: group.updated_at.getTime(),
});

/** A page of permission groups. */
export const groupList = async (
  { db }: Uses<'db'>,
  input: Asked<Groups['list']>,
  { scope }: Scoped,
): Promise<Found<PermissionGroupRow>> => toRows(await listGroups(db, scope, input), toRow);

/** One permission group. */
export async function groupOf(
  { db }: Uses<'db'>,
  { permissionGroupID }: Parsed<Groups['detail']>,
  { scope }: Scoped,
): Promise<Result<Groups['detail']>> {
  const group = found(await visibleGroup(db, scope, permissionGroupID), 'permissionGroupNotFound');
  return {
    ...toRow(group),
    granted: [...codesOfGroups(levelOfKind(group.kind), group.codes)],
    memberAccounts: await accountsConcerned(db, group),
  };
}

/** What a group of an organisation can be about. */
export async function groupChoices(
  { db }: Uses<'db'>,
  { organisationID }: Parsed<Groups['choices']>,
  { scope }: Scoped,
): Promise<Result<Groups['choices']>> {
  const organisation = found(await visibleOrganisation(db, scope, organisationID), 'organisationNotFound');
  const departments = await departmentPaths(db, organisation.id);
  return { kind: organisation.kind, departments: departments.map(({ id, path }) => ({ departmentID: id, path })) };
}

function refuseBeyondLevel(kind: OrganisationKind, codes: readonly PermissionCode[]): void {
  const holdable = codesOfLevel(levelOfKind(kind));
  const beyond = codes.filter((code) => !holdable.has(code));
  if (beyond.length > 0)
    throw new CallError('refusedInput', { fields: [{ path: 'codes', reason: 'invalid', params: { codes: beyond } }] });
}

const entry = (
  action: AuditEntry['action'],
  { id, name, path }: Pick<GroupRow, 'id' | 'name' | 'path'>,
): AuditEntry => ({
  log: 'operation',
  action,
  recordKind: 'permissionGroup',
  recordId: id,
  recordName: name,
  organisationPath: path,
});

/** Adds a permission group, with codes that its author holds and the organisation's level can hold. */
export async function addGroup(
  { db }: Uses<'db'>,
  { organisationID, departmentID, codes, ...fields }: Parsed<Groups['add']>,
  context: CallContext,
): Promise<Result<Groups['add']>> {
  const { scope, actor } = context;
  return orTaken(nameIndex, () =>
    db.transaction().execute(async (tx) => {
      const organisation = found(await visibleOrganisation(tx, scope, organisationID), 'organisationNotFound');
      await holdOrganisation(tx, organisation.id);
      if ((fields.type === 'department') !== (departmentID !== null))
        throw new CallError('refusedInput', {
          fields: [{ path: 'departmentID', reason: departmentID === null ? 'required' : 'invalid', params: {} }],
        });
      if (departmentID !== null) {
        const department = found(await visibleDepartment(tx, scope, departmentID), 'departmentNotFound');
        if (department.organisation_id !== organisation.id) throw new CallError('departmentNotFound');
      }
      refuseBeyondLevel(organisation.kind, codes);
      assertHeld(actor, codes);
      const id = await insertGroup(tx, {
        organisation_id: organisation.id,
        department_id: departmentID,
        codes: codes.toSorted(),
        ...fields,
      });
      await recordAudit(tx, context, {
        ...entry('permission-groups.add', { id, name: fields.name, path: organisation.path }),
        after: { ...fields, organisationID, departmentID, codes: codes.toSorted() },
      });
      return { permissionGroupID: id };
    }),
  );
}

/** Changes a permission group; codes that its author lacks can be taken from it, not added. */
export async function editGroup(
  { db }: Uses<'db'>,
  { permissionGroupID, name, description, codes }: Parsed<Groups['edit']>,
  context: CallContext,
): Promise<Result<Groups['edit']>> {
  return orTaken(nameIndex, () =>
    db.transaction().execute(async (tx) => {
      await lockGroup(tx, permissionGroupID);
      const group = found(await visibleGroup(tx, context.scope, permissionGroupID), 'permissionGroupNotFound');
      refuseBeyondLevel(group.kind, codes);
      assertHeld(
        context.actor,
        codes.filter((code) => !group.codes.includes(code)),
      );
      const change = { name, description, codes: codes.toSorted() };
      const changed = changedFieldsOf({ ...group, codes: group.codes.toSorted() }, change);
      if (changed === undefined) return {};
      await updateGroup(tx, group.id, change);
      await recordAudit(tx, context, { ...entry('permission-groups.edit', group), ...changed });
      return {};
    }),
  );
}

/** Deletes a permission group. */
export async function removeGroup(
  { db }: Uses<'db'>,
  { permissionGroupID }: Parsed<Groups['remove']>,
  context: CallContext,
): Promise<Result<Groups['remove']>> {
  return db.transaction().execute(async (tx) => {
    await lockGroup(tx, permissionGroupID);
    const group = found(await visibleGroup(tx, context.scope, permissionGroupID), 'permissionGroupNotFound');
    await deleteGroup(tx, group.id);
    await recordAudit(tx, context, {
      ...entry('permission-groups.delete', group),
      before: {
        name: group.name,
        description: group.description,
        type: group.type,
        departmentID: group.department_id,
        codes: group.codes,
        members: group.members,
      },
    });
    return {};
  });
}
