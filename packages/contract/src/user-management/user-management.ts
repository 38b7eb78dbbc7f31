import * as z from 'zod/mini';
import { email, username } from '../accounts/own-account.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { country, level, line, optionalCountry, paragraph, phone } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { consequences, enabledState, expectedCounts } from '../organisations/organisations.ts';
import { grantEndpoints } from './grants.ts';

const keepers = [4, 255] as const satisfies readonly Level[];
const administrators = [255] as const satisfies readonly Level[];

export const accountFields = {
  name: line(32),
  email,
  phone,
  country: optionalCountry,
  city: line(64),
  address: line(128),
  postcode: line(16),
  note: paragraph(500),
} as const;

export const accountRow = z.object({
  id: z.string(),
  user: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  level,
  /** First account of its organisation. */
  leads: z.boolean(),
  organisationID: z.string(),
  organisation: z.string(),
  country: z.string(),
  /** Plants it owns, or at and below its organisation; granted devices are none. */
  sites: z.int(),
  state: enabledState,
  /** Its organisation is disabled, which shuts it out as well. */
  organisationDisabled: z.boolean(),
  passwordTemporary: z.boolean(),
  lastSignInMs: z.nullable(z.int()),
  createdAtMs: z.int(),
  can: z.object({
    edit: z.boolean(),
    setEnabled: z.boolean(),
    resetPassword: z.boolean(),
    delete: z.boolean(),
    grant: z.boolean(),
    move: z.boolean(),
  }),
});
export type AccountRow = z.infer<typeof accountRow>;

export const accountListFields = fieldsOf(accountRow)({
  user: is.text,
  name: is.text,
  level: is.level,
  state: is.choice('organisations.state', enabledState.options),
  organisation: is.text,
  email: is.text,
  phone: is.text,
  country: is.country,
  sites: unsorted(is.count),
  lastSignInMs: is.time,
  createdAtMs: is.time,
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/account/list',
  feature: 'user-management',
  summary: 'Accounts in scope, by page, filter and order.',
  callers: keepers,
  code: 'member:query',
  reads: true,
  list: { rows: 'accounts', key: 'id', fields: accountListFields },
  input: z.object({
    ...paging,
    condition: filteredBy({
      level: z.optional(level),
      state: z.optional(enabledState),
      country: z.optional(country),
      /** At or below this one. */
      organisation: z.optional(z.uuid()),
    }),
    sort: sortedBy(accountListFields, 'user'),
  }),
  result: z.object({ ...paged, accounts: z.array(accountRow), can: z.object({ add: z.array(level) }) }),
});

export const exportList = exportOf(list);

export const detail = endpoint({
  method: 'GET',
  path: '/c/v0/account/detail',
  feature: 'user-management',
  summary: 'One account.',
  callers: keepers,
  code: 'member:query',
  input: z.object({ id: z.uuid() }),
  result: z.extend(accountRow, { city: z.string(), address: z.string(), postcode: z.string(), note: z.string() }),
  names: { id: 'account' },
});

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/account/add',
  feature: 'user-management',
  summary:
    'Make an account: an end user in an organisation, the first account of a new installer, agent or distributor, an integrator or an administrator. Its temporary password is answered once.',
  callers: keepers,
  changes: ['user-management', 'organisations', 'departments'],
  input: z.object({
    level,
    /** Where it belongs: the organisation of an end user, the parent of a new organisation; not for 10 and 255. */
    organisationID: z.optional(z.uuid()),
    /** Name of the new organisation of levels 2, 3 and 4. */
    organisation: z.optional(line(32, 1)),
    user: username,
    email,
    name: line(32),
    phone,
    country: optionalCountry,
  }),
  result: z.object({ id: z.string(), user: z.string(), password: z.string() }),
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/account/edit',
  feature: 'user-management',
  summary: 'Change an account. User name, level and organisation stay.',
  callers: keepers,
  changes: ['user-management', 'members'],
  input: z.object({ id: z.uuid(), ...accountFields }),
  result: z.object({}),
  names: { id: 'account' },
});

/** A plant that goes along when its owner is moved. */
export const followingSite = z.object({
  stationID: z.string(),
  name: z.string(),
  city: z.string(),
  devices: z.int(),
  dataloggers: z.int(),
});
export type FollowingSite = z.infer<typeof followingSite>;

export const movePreview = endpoint({
  method: 'GET',
  path: '/c/v0/account/move/preview',
  feature: 'user-management',
  summary: 'What moving an end user to another organisation would mean for its plants.',
  callers: administrators,
  code: 'member:edit',
  input: z.object({ id: z.uuid(), organisationID: z.uuid() }),
  result: z.object({
    from: z.string(),
    to: z.string(),
    /** Those that the organisation looks after which the end user leaves. */
    sites: z.array(followingSite),
    /** Its other plants, which stay with those who look after them. */
    staying: z.int(),
  }),
  names: { id: 'account', organisationID: 'organisation' },
});

export const move = endpoint({
  method: 'POST',
  path: '/c/v0/account/move',
  feature: 'user-management',
  summary:
    'Move an end user to another organisation, normally an installer; its plants go along from the organisation that it leaves.',
  callers: administrators,
  code: 'member:edit',
  changes: ['user-management', 'organisations', 'sites', 'fleet'],
  input: z.object({
    id: z.uuid(),
    organisationID: z.uuid(),
    /** How many plants were shown to go along; refused where that has changed. */
    expectedSites: z.optional(z.int().check(z.gte(0))),
  }),
  result: z.object({ sites: z.int() }),
  names: { id: 'account', organisationID: 'organisation' },
});

export const setEnabled = endpoint({
  method: 'POST',
  path: '/c/v0/account/setEnabled',
  feature: 'user-management',
  summary: 'Enable or disable an account; disabling ends its sessions and stops its API keys.',
  callers: keepers,
  changes: ['user-management', 'members'],
  input: z.object({ id: z.uuid(), enabled: z.boolean() }),
  result: z.object({}),
  names: { id: 'account' },
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/c/v0/account/resetPassword',
  feature: 'user-management',
  summary: 'Give an account a temporary password, answered once and good for one sign-in; its sessions end.',
  callers: keepers,
  changes: ['user-management', 'members'],
  input: z.object({ id: z.uuid() }),
  result: z.object({ user: z.string(), password: z.string() }),
  names: { id: 'account' },
});

export const deletionPreview = endpoint({
  method: 'GET',
  path: '/c/v0/account/delete/preview',
  feature: 'user-management',
  summary: 'What deleting an account would mean for its plants.',
  callers: keepers,
  input: z.object({ id: z.uuid() }),
  result: consequences,
  names: { id: 'account' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/account/delete',
  feature: 'user-management',
  summary: 'Delete an account; its plants go to the agent above. Can be undone for 30 days.',
  callers: keepers,
  changes: ['user-management', 'members', 'organisations', 'departments', 'deletions', 'sites', 'devices', 'fleet'],
  input: z.object({ id: z.uuid(), expected: expectedCounts }),
  result: z.object({ deletionID: z.string(), undoUntilMs: z.int() }),
  names: { id: 'account' },
});

export const userManagementEndpoints = {
  list,
  exportList,
  detail,
  add,
  edit,
  movePreview,
  move,
  setEnabled,
  resetPassword,
  deletionPreview,
  remove,
  ...grantEndpoints,
} as const;
