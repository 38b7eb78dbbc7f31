import * as z from 'zod/mini';
import { email } from '../accounts/own-account.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line, paragraph, phone } from '../fields.ts';
import { fieldsOf, is } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { limits } from '../limits.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { organisationKind } from '../organisations/organisations.ts';
import { permissionCode } from '../permissions/permissions.ts';

const admin = [255] as const;
const levelsOfMembers = [2, 3, 4, 255] as const satisfies readonly Level[];
const id = z.uuid();

/** Level of a member; which of them an organisation's members can have is `memberLevels`. */
export const memberLevel = z.union(levelsOfMembers.map((level) => z.literal(level)));
export type MemberLevel = z.infer<typeof memberLevel>;

/** Account name of a member: specification section 5. No at sign, so that it is never taken for somebody's e-mail address. */
export const memberAccount = z
  .string()
  .check(
    z.trim(),
    z.minLength(limits.memberAccount.min),
    z.maxLength(limits.memberAccount.max),
    z.regex(/^[\p{L}\p{N}._-]+$/u),
  );

export const memberState = z.enum(['enabled', 'disabled']);

/** Member, specification section 3. */
export const memberRow = z.object({
  accountID: id,
  account: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  note: z.string(),
  organisationID: id,
  organisation: z.string(),
  organisationKind: organisationKind,
  departmentID: z.nullable(id),
  department: z.string(),
  groups: z.array(z.object({ permissionGroupID: id, name: z.string() })),
  level: memberLevel,
  state: memberState,
  /** The password made by an administrator is still to be changed. */
  passwordTemporary: z.boolean(),
  lastSignInMs: z.nullable(z.int()),
  createdAtMs: z.int(),
  /** Nobody manages a member who may do more, and nobody disables, deletes or resets the own account. */
  can: z.object({
    edit: z.boolean(),
    disable: z.boolean(),
    delete: z.boolean(),
    resetPassword: z.boolean(),
  }),
});
export type MemberRow = z.infer<typeof memberRow>;

export const memberFields = fieldsOf(memberRow)({
  account: is.text,
  state: is.choice('members.state', memberState.options),
  level: is.level,
  name: is.text,
  email: is.text,
  phone: is.text,
  organisation: is.text,
  department: is.text,
  groups: is.own,
  lastSignInMs: is.time,
  createdAtMs: is.time,
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/member/list',
  feature: 'members',
  summary: 'Members of organisations, by page, filter and order.',
  callers: admin,
  code: 'member:query',
  reads: true,
  list: { rows: 'members', key: 'accountID', fields: memberFields },
  input: z.object({
    ...paging,
    condition: filteredBy({
      organisationID: z.optional(id),
      departmentID: z.optional(id),
      permissionGroupID: z.optional(id),
      level: z.optional(memberLevel),
      state: z.optional(memberState),
    }),
    sort: sortedBy(memberFields, 'account'),
  }),
  result: z.object({ ...paged, members: z.array(memberRow) }),
});

export const exportList = exportOf(list);

export const detail = endpoint({
  method: 'GET',
  path: '/c/v0/member/detail',
  feature: 'members',
  summary: 'One member with what it may do.',
  callers: admin,
  code: 'member:query',
  input: z.object({ accountID: id }),
  result: z.object({ ...memberRow.shape, codes: z.array(permissionCode) }),
  names: { accountID: 'member' },
});

export const choices = endpoint({
  method: 'GET',
  path: '/c/v0/member/choices',
  feature: 'members',
  summary: 'Departments and permission groups of an organisation that its members can be given.',
  callers: admin,
  code: 'member:query',
  input: z.object({ organisationID: id }),
  result: z.object({
    kind: organisationKind,
    departments: z.array(z.object({ departmentID: id, path: z.array(z.string()), groups: z.array(z.string()) })),
    groups: z.array(z.object({ permissionGroupID: id, name: z.string(), codes: z.int() })),
  }),
  names: { organisationID: 'organisation' },
});

const fields = {
  account: memberAccount,
  name: z._default(line(64), ''),
  email,
  phone: z._default(phone, ''),
  note: z._default(paragraph(500), ''),
  departmentID: z._default(z.nullable(id), null),
  /** Groups of type role. */
  groupIDs: z._default(z.array(id).check(z.maxLength(50)), []),
};

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/member/add',
  feature: 'members',
  summary: 'Add a member to an organisation; answers its temporary password, this once.',
  callers: admin,
  code: 'member:add',
  changes: ['members', 'departments', 'permission-groups', 'user-management'],
  input: z.object({
    organisationID: id,
    ...fields,
    /** The organisation's level unless set lower. */
    level: z.optional(memberLevel),
  }),
  result: z.object({ accountID: id, temporaryPassword: z.string() }),
  names: { organisationID: 'organisation' },
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/member/edit',
  feature: 'members',
  summary: 'Change a member: account, contact, department, permission groups, level.',
  callers: admin,
  code: 'member:edit',
  changes: ['members', 'departments', 'permission-groups', 'user-management'],
  input: z.object({ accountID: id, ...fields, level: memberLevel }),
  result: z.object({}),
  names: { accountID: 'member' },
});

export const setState = endpoint({
  method: 'POST',
  path: '/c/v0/member/state',
  feature: 'members',
  summary: 'Enable or disable a member; disabling ends its sessions.',
  callers: admin,
  code: 'member:edit',
  changes: ['members', 'departments', 'permission-groups', 'user-management'],
  input: z.object({ accountID: id, state: memberState }),
  result: z.object({}),
  names: { accountID: 'member' },
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/c/v0/member/resetPassword',
  feature: 'members',
  summary: 'Give a member a temporary password, good for one sign-in and answered this once; its sessions end.',
  callers: admin,
  code: 'member:resetPassword',
  changes: ['members'],
  input: z.object({ accountID: id }),
  result: z.object({ temporaryPassword: z.string() }),
  names: { accountID: 'member' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/member/delete',
  feature: 'members',
  summary: 'Delete a member; it can be brought back for 30 days.',
  callers: admin,
  code: 'member:delete',
  changes: ['members', 'departments', 'permission-groups', 'user-management', 'deletions'],
  input: z.object({ accountID: id }),
  result: z.object({}),
  names: { accountID: 'member' },
});

export const memberEndpoints = {
  list,
  exportList,
  detail,
  choices,
  add,
  edit,
  setState,
  resetPassword,
  remove,
};
