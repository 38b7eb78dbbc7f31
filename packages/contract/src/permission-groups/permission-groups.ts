import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line } from '../fields.ts';
import { fieldsOf, is } from '../kinds.ts';
import { limits } from '../limits.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { organisationKind } from '../organisations/organisations.ts';
import { permissionCode } from '../permissions/permissions.ts';

const admin = [255] as const;
const id = z.uuid();
const name = line(limits.siteName.max, limits.siteName.min);
const description = line(128);
const codes = z.array(permissionCode).check(
  z.maxLength(permissionCode.options.length),
  z.refine((chosen) => new Set(chosen).size === chosen.length, { error: 'duplicate' }),
);

/** Of type department: holds for all members of one department; of type role: for the members that were given it. */
export const groupType = z.enum(['department', 'role']);

/** Permission group, specification section 3. */
export const permissionGroupRow = z.object({
  permissionGroupID: id,
  name: z.string(),
  description: z.string(),
  type: groupType,
  organisationID: id,
  organisation: z.string(),
  organisationKind: organisationKind,
  departmentID: z.nullable(id),
  department: z.string(),
  codes: z.int(),
  members: z.int(),
  updatedAtMs: z.int(),
});
export type PermissionGroupRow = z.infer<typeof permissionGroupRow>;

export const permissionGroupFields = fieldsOf(permissionGroupRow)({
  name: is.text,
  description: is.text,
  type: is.choice('permission-groups.type', groupType.options),
  organisation: is.text,
  department: is.text,
  codes: is.count,
  members: is.count,
  updatedAtMs: is.time,
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/role/list',
  feature: 'permission-groups',
  summary: 'Permission groups, by page, filter and order.',
  callers: admin,
  code: 'role:query',
  reads: true,
  list: { rows: 'groups', key: 'permissionGroupID', fields: permissionGroupFields },
  input: z.object({
    ...paging,
    condition: filteredBy({
      organisationID: z.optional(id),
      type: z.optional(groupType),
    }),
    sort: sortedBy(permissionGroupFields, 'name'),
  }),
  result: z.object({ ...paged, groups: z.array(permissionGroupRow) }),
});

export const exportList = exportOf(list);

export const detail = endpoint({
  method: 'GET',
  path: '/c/v0/role/detail',
  feature: 'permission-groups',
  summary: 'One permission group with its codes and the first of the members whom it concerns.',
  callers: admin,
  code: 'role:query',
  input: z.object({ permissionGroupID: id }),
  result: z.object({
    ...permissionGroupRow.shape,
    granted: z.array(permissionCode),
    memberAccounts: z.array(z.string()),
  }),
  names: { permissionGroupID: 'permissionGroup' },
});

export const choices = endpoint({
  method: 'GET',
  path: '/c/v0/role/choices',
  feature: 'permission-groups',
  summary: 'Departments of an organisation that a permission group can hold for.',
  callers: admin,
  code: 'role:query',
  input: z.object({ organisationID: id }),
  result: z.object({
    kind: organisationKind,
    departments: z.array(z.object({ departmentID: id, path: z.array(z.string()) })),
  }),
  names: { organisationID: 'organisation' },
});

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/role/add',
  feature: 'permission-groups',
  summary: 'Add a permission group to an organisation.',
  callers: admin,
  code: 'role:add',
  changes: ['permission-groups', 'departments', 'members'],
  input: z.object({
    organisationID: id,
    name,
    description: z._default(description, ''),
    type: groupType,
    /** The department that a group of type department holds for. */
    departmentID: z._default(z.nullable(id), null),
    codes,
  }),
  result: z.object({ permissionGroupID: id }),
  names: { organisationID: 'organisation' },
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/role/edit',
  feature: 'permission-groups',
  summary: 'Change a permission group; it takes effect with the next call of its members.',
  callers: admin,
  code: 'role:edit',
  changes: ['permission-groups', 'members'],
  input: z.object({ permissionGroupID: id, name, description: z._default(description, ''), codes }),
  result: z.object({}),
  names: { permissionGroupID: 'permissionGroup' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/role/delete',
  feature: 'permission-groups',
  summary: 'Delete a permission group; its members lose what only it granted.',
  callers: admin,
  code: 'role:delete',
  changes: ['permission-groups', 'departments', 'members'],
  input: z.object({ permissionGroupID: id }),
  result: z.object({}),
  names: { permissionGroupID: 'permissionGroup' },
});

export const permissionGroupEndpoints = { list, exportList, detail, choices, add, edit, remove };
