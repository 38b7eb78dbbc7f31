import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { line } from '../fields.ts';
import { limits } from '../limits.ts';
import { paged, paging } from '../lists.ts';
import { organisationKind } from '../organisations/organisations.ts';

const admin = [255] as const;
const id = z.uuid();
const name = line(limits.siteName.max, limits.siteName.min);
const description = line(128);

const organisationChoice = z.object({
  organisationID: id,
  name: z.string(),
  kind: organisationKind,
  /** Names from below the platform down to the organisation that it hangs under. */
  above: z.array(z.string()),
});
export type OrganisationChoice = z.infer<typeof organisationChoice>;

const department = z.object({
  departmentID: id,
  parentID: z.nullable(id),
  name: z.string(),
  description: z.string(),
  /** Members in the department itself, not in those below it. */
  members: z.int(),
  /** Permission groups that hold for the department. */
  groups: z.int(),
});
export type Department = z.infer<typeof department>;

export const tree = endpoint({
  method: 'GET',
  path: '/c/v0/department/tree',
  feature: 'departments',
  summary: 'All departments of an organisation.',
  callers: admin,
  code: 'organization:query',
  input: z.object({ organisationID: id }),
  result: z.object({ organisation: organisationChoice, departments: z.array(department) }),
  names: { organisationID: 'organisation' },
});

export const members = endpoint({
  method: 'POST',
  path: '/c/v0/department/members',
  feature: 'departments',
  summary: 'Members of a department, by page.',
  callers: admin,
  code: 'organization:query',
  reads: true,
  input: z.object({ ...paging, departmentID: id }),
  result: z.object({
    ...paged,
    members: z.array(z.object({ accountID: id, account: z.string(), name: z.string(), enabled: z.boolean() })),
  }),
  names: { departmentID: 'department' },
});

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/department/add',
  feature: 'departments',
  summary: 'Add a department to an organisation, below another one or at the top.',
  callers: admin,
  code: 'organization:add',
  changes: ['departments', 'members', 'permission-groups'],
  input: z.object({
    organisationID: id,
    parentID: z._default(z.nullable(id), null),
    name,
    description: z._default(description, ''),
  }),
  result: z.object({ departmentID: id }),
  names: { organisationID: 'organisation' },
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/department/edit',
  feature: 'departments',
  summary: 'Change name and description of a department.',
  callers: admin,
  code: 'organization:edit',
  changes: ['departments', 'members', 'permission-groups'],
  input: z.object({ departmentID: id, name, description: z._default(description, '') }),
  result: z.object({}),
  names: { departmentID: 'department' },
});

export const move = endpoint({
  method: 'POST',
  path: '/c/v0/department/move',
  feature: 'departments',
  summary: 'Put a department below another one of its organisation, or at the top.',
  callers: admin,
  code: 'organization:edit',
  changes: ['departments', 'members', 'permission-groups'],
  input: z.object({ departmentID: id, parentID: z.nullable(id) }),
  result: z.object({}),
  names: { departmentID: 'department' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/department/delete',
  feature: 'departments',
  summary:
    'Delete a department. What is in it moves to another department, or to none; its own permission groups go with it.',
  callers: admin,
  code: 'organization:delete',
  changes: ['departments', 'members', 'permission-groups'],
  input: z.object({
    departmentID: id,
    /** Where members and departments below go; null: members to no department, departments to the top. Absent: only an empty one is deleted. */
    moveTo: z.optional(z.nullable(id)),
  }),
  result: z.object({}),
  names: { departmentID: 'department' },
});

export const departmentEndpoints = { tree, members, add, edit, move, remove };
