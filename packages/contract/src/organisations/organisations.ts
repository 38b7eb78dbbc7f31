import * as z from 'zod/mini';
import { email, username } from '../accounts/own-account.ts';
import { choice, choosing } from '../choices.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { country, line, optionalCountry, paragraph, phone } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';

const admin = [255] as const satisfies readonly Level[];
const keepers = [4, 255] as const satisfies readonly Level[];

export const organisationKinds = ['platform', 'distributor', 'agent', 'installer'] as const;
export const organisationKind = z.enum(organisationKinds);
export type OrganisationKind = (typeof organisationKinds)[number];

/** Kinds that can be made; the platform's own organisation is always there. */
export const newKinds = ['distributor', 'agent', 'installer'] as const;

/** Under what an organisation can hang: installers and agents may also stand directly under the platform or a distributor. */
export const parentKinds = {
  distributor: ['platform'],
  agent: ['distributor', 'platform'],
  installer: ['agent', 'distributor', 'platform'],
} as const satisfies Record<(typeof newKinds)[number], readonly OrganisationKind[]>;

export const enabledState = z.enum(['enabled', 'disabled']);

export const organisationFields = {
  name: line(32, 1),
  country: optionalCountry,
  email: z.union([z.literal(''), email]),
  phone,
  note: paragraph(500),
} as const;

/** Distributor of the specification, section 3, and what else the list shows of an organisation. */
export const organisationRow = z.object({
  id: z.string(),
  number: z.int(),
  name: z.string(),
  kind: organisationKind,
  country: z.string(),
  email: z.string(),
  phone: z.string(),
  note: z.string(),
  parentID: z.nullable(z.string()),
  parent: z.nullable(z.string()),
  state: enabledState,
  /** All that hang below it. */
  organisations: z.int(),
  /** Its own, end users included. */
  accounts: z.int(),
  /** At or below it. */
  sites: z.int(),
  signUpCode: z.string(),
  createdAtMs: z.int(),
  can: z.object({
    add: z.boolean(),
    edit: z.boolean(),
    move: z.boolean(),
    setEnabled: z.boolean(),
    delete: z.boolean(),
  }),
});
export type OrganisationRow = z.infer<typeof organisationRow>;

export const organisationListFields = fieldsOf(organisationRow)({
  number: is.count,
  name: is.text,
  kind: is.choice('organisations.kind', organisationKinds),
  state: is.choice('organisations.state', enabledState.options),
  country: is.country,
  email: is.text,
  phone: unsorted(is.text),
  createdAtMs: is.time,
  parent: is.text,
  organisations: unsorted(is.count),
  accounts: unsorted(is.count),
  sites: unsorted(is.count),
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/organization/list',
  feature: 'organisations',
  summary: 'Organisations, by page, filter and order.',
  callers: admin,
  code: 'organization:query',
  reads: true,
  list: { rows: 'organisations', key: 'id', fields: organisationListFields },
  input: z.object({
    ...paging,
    condition: filteredBy({
      kind: z.optional(organisationKind),
      state: z.optional(enabledState),
      country: z.optional(country),
      /** At any depth below this one. */
      parent: z.optional(z.uuid()),
    }),
    sort: sortedBy(organisationListFields, 'number'),
  }),
  result: z.object({ ...paged, organisations: z.array(organisationRow) }),
});

export const exportList = exportOf(list);

export const organisationNode = z.object({
  id: z.string(),
  parentID: z.nullable(z.string()),
  number: z.int(),
  name: z.string(),
  kind: organisationKind,
  state: enabledState,
  /** At or below it. */
  sites: z.int(),
});
export type OrganisationNode = z.infer<typeof organisationNode>;

export const tree = endpoint({
  method: 'GET',
  path: '/c/v0/organization/tree',
  feature: 'organisations',
  summary: 'The organisations in scope, parents before their children.',
  callers: keepers,
  anyOf: ['organization:query', 'member:query'],
  input: z.object({}),
  result: z.object({ organisations: z.array(organisationNode) }),
});

/** `detail` names the organisation that it hangs under. */
export const organisationChoice = z.extend(choice, { kind: organisationKind, number: z.int() });
export type OrganisationChoice = z.infer<typeof organisationChoice>;

export const choices = endpoint({
  method: 'POST',
  path: '/c/v0/organization/choices',
  feature: 'organisations',
  summary: 'Organisations in scope by a part of their name or by their number, at most 20, or those of some ids.',
  callers: keepers,
  anyOf: ['organization:query', 'member:query', 'role:query'],
  reads: true,
  input: z.object({
    ...choosing,
    /** In this order; all of them where it is left out. */
    kinds: z.optional(z.array(organisationKind).check(z.minLength(1), z.maxLength(organisationKinds.length))),
    state: z.optional(enabledState),
  }),
  result: z.object({ choices: z.array(organisationChoice) }),
});

export const detail = endpoint({
  method: 'GET',
  path: '/c/v0/organization/detail',
  feature: 'organisations',
  summary: 'One organisation.',
  callers: admin,
  code: 'organization:query',
  input: z.object({ id: z.uuid() }),
  result: organisationRow,
  names: { id: 'organisation' },
});

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/organization/add',
  feature: 'organisations',
  summary: 'Make an organisation with its leading account, whose temporary password is answered once.',
  callers: admin,
  code: 'organization:add',
  changes: ['organisations', 'departments', 'user-management'],
  input: z.object({
    kind: z.enum(newKinds),
    parentID: z.uuid(),
    ...organisationFields,
    user: username,
    accountEmail: email,
    accountName: line(32),
  }),
  result: z.object({ id: z.string(), number: z.int(), user: z.string(), password: z.string() }),
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/organization/edit',
  feature: 'organisations',
  summary: 'Change an organisation.',
  callers: admin,
  code: 'organization:edit',
  changes: ['organisations', 'departments', 'user-management', 'sites'],
  input: z.object({ id: z.uuid(), ...organisationFields }),
  result: z.object({}),
  names: { id: 'organisation' },
});

export const move = endpoint({
  method: 'POST',
  path: '/c/v0/organization/move',
  feature: 'organisations',
  summary: 'Hang an organisation, with all below it, under another one of a fitting kind.',
  callers: admin,
  code: 'organization:edit',
  changes: ['organisations', 'departments', 'user-management', 'sites', 'fleet'],
  input: z.object({ id: z.uuid(), parentID: z.uuid() }),
  result: z.object({}),
  names: { id: 'organisation', parentID: 'organisation' },
});

export const setEnabled = endpoint({
  method: 'POST',
  path: '/c/v0/organization/setEnabled',
  feature: 'organisations',
  summary: 'Enable or disable an organisation; disabling ends the sessions of its own accounts, end users excepted.',
  callers: admin,
  code: 'organization:edit',
  changes: ['organisations', 'user-management'],
  input: z.object({ id: z.uuid(), enabled: z.boolean() }),
  result: z.object({}),
  names: { id: 'organisation' },
});

export const renewSignUpCode = endpoint({
  method: 'POST',
  path: '/c/v0/organization/signUpCode/renew',
  feature: 'organisations',
  summary: 'Replace the sign-up code of an organisation; the old one stops working.',
  callers: admin,
  code: 'organization:edit',
  changes: ['organisations'],
  input: z.object({ id: z.uuid() }),
  result: z.object({ signUpCode: z.string() }),
  names: { id: 'organisation' },
});

/** What a deletion takes with it, and what it moves elsewhere. */
export const consequences = z.object({
  sites: z.int(),
  devices: z.int(),
  loggers: z.int(),
  /** Accounts that are deleted with it. */
  accounts: z.int(),
  /** End users that move to `goesTo`. */
  endUsers: z.int(),
  /** Plants that move to `goesTo` instead of being deleted. */
  movedSites: z.int(),
  goesTo: z.nullable(z.string()),
  /** Organisations below that forbid it. */
  organisationsBelow: z.int(),
  /** Accounts that forbid it. */
  membersBesides: z.int(),
  undoDays: z.int(),
});
export type Consequences = z.infer<typeof consequences>;

/** The counts that were shown before it was confirmed; the deletion is refused where they are others by then. */
export const expectedCounts = z.optional(z.object({ sites: z.int(), endUsers: z.int(), movedSites: z.int() }));

export const deletionPreview = endpoint({
  method: 'GET',
  path: '/c/v0/organization/delete/preview',
  feature: 'organisations',
  summary: 'What deleting an organisation would take with it.',
  callers: admin,
  code: 'organization:delete',
  input: z.object({ id: z.uuid() }),
  result: consequences,
  names: { id: 'organisation' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/organization/delete',
  feature: 'organisations',
  summary:
    'Delete an organisation under which no other hangs, with its plants and accounts; its end users go to the one above. Can be undone for 30 days.',
  callers: admin,
  code: 'organization:delete',
  changes: ['organisations', 'departments', 'user-management', 'deletions', 'sites', 'devices', 'fleet'],
  input: z.object({ id: z.uuid(), expected: expectedCounts }),
  result: z.object({ deletionID: z.string(), undoUntilMs: z.int() }),
  names: { id: 'organisation' },
});

export const organisationEndpoints = {
  list,
  exportList,
  tree,
  choices,
  detail,
  add,
  edit,
  move,
  setEnabled,
  renewSignUpCode,
  deletionPreview,
  remove,
} as const;
