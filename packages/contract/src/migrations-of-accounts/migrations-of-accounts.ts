import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { level, line, text } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { changedByMoves, movingSite, plantMigrationEndpoints } from './plants.ts';

const administrators = [255] as const satisfies readonly Level[];

/** For how long a code shown to the administrator can be entered. */
export const MIGRATION_CODE_MS = 10 * 60_000;
export const MIGRATION_CODE_LENGTH = 6;
/** Capital letters and digits without those that look alike. */
export const MIGRATION_CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const sourceID = z.uuid();
const targetID = z.uuid();

/** An account that plants can leave or come to: an end user, or the first account of an installer. */
export const migrationParty = z.object({
  accountID: z.string(),
  user: z.string(),
  name: z.string(),
  email: z.string(),
  level,
  organisation: z.string(),
  /** From the distributor down to the agent above the account. */
  parentAgents: z.array(z.string()),
  /** Plants that it owns, or those of its organisation. */
  sites: z.int(),
});
export type MigrationParty = z.infer<typeof migrationParty>;

export const accounts = endpoint({
  method: 'POST',
  path: '/c/v0/account/migration/accounts',
  feature: 'migrations-of-accounts',
  summary: 'Up to 20 accounts that plants can leave, or that they can come to from the source given.',
  callers: administrators,
  code: 'site:migrate',
  reads: true,
  input: z.object({ ...choosing, sourceID: z.optional(sourceID) }),
  result: z.object({ choices: z.array(z.extend(choice, { party: migrationParty })) }),
});

const place = z.object({ organisation: z.string(), owner: z.string() });

export const preview = endpoint({
  method: 'GET',
  path: '/c/v0/account/migration/preview',
  feature: 'migrations-of-accounts',
  summary: 'What would move from one account to another.',
  callers: administrators,
  code: 'site:migrate',
  input: z.object({ sourceID, targetID }),
  result: z.object({
    source: migrationParty,
    target: migrationParty,
    sites: z.array(movingSite),
    /** How often this account will have migrated with this transfer. */
    transferCount: z.int(),
    /** Digest of all of this; a code is made for what was seen only. */
    seen: z.string(),
  }),
});
export type MigrationPreview = z.infer<typeof preview.result>;

export const makeCode = endpoint({
  method: 'POST',
  path: '/c/v0/account/migration/code',
  feature: 'migrations-of-accounts',
  summary: 'The code to be entered for a transfer as it was shown; good for ten minutes and for this administrator.',
  callers: administrators,
  code: 'site:migrate',
  changes: [],
  input: z.object({ sourceID, targetID, seen: text(64) }),
  result: z.object({ codeID: z.string(), code: z.string(), expiresAtMs: z.int() }),
});

export const transfer = endpoint({
  method: 'POST',
  path: '/c/v0/account/migration/transfer',
  feature: 'migrations-of-accounts',
  summary: 'Moves all plants of the source account to the target account, or none.',
  callers: administrators,
  code: 'site:migrate',
  changes: changedByMoves,
  input: z.object({ codeID: z.uuid(), code: line(16, 1) }),
  result: z.object({ migrationID: z.string(), sites: z.int(), transferCount: z.int() }),
});

export const migrationState = z.enum(['transferred', 'undone']);

/** All plants of an account, or plants that were chosen. */
export const migrationKind = z.enum(['account', 'plants']);

/** A transfer as the history shows it. */
export const migrationRow = z.object({
  migrationID: z.string(),
  kind: migrationKind,
  source: z.string(),
  parentAgents: z.array(z.string()),
  target: z.string(),
  sites: z.int(),
  transferCount: z.int(),
  operatedBy: z.string(),
  transferredAtMs: z.int(),
  undoUntilMs: z.int(),
  state: migrationState,
  undoneAtMs: z.nullable(z.int()),
  undoneBy: z.string(),
  can: z.object({ undo: z.boolean() }),
});
export type MigrationRow = z.infer<typeof migrationRow>;

export const migrationFields = fieldsOf(migrationRow)({
  kind: unsorted(is.choice('migrations-of-accounts.kind', migrationKind.options)),
  source: is.text,
  parentAgents: is.own,
  target: is.text,
  sites: is.count,
  transferredAtMs: is.time,
  transferCount: is.count,
  operatedBy: is.text,
  state: unsorted(is.choice('migrations-of-accounts.state', migrationState.options)),
  undoneAtMs: unsorted(is.time),
  undoneBy: unsorted(is.text),
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/account/migration/list',
  feature: 'migrations-of-accounts',
  summary: 'Transfers so far, by page, filter and order.',
  callers: administrators,
  code: 'site:migrate',
  reads: true,
  list: { rows: 'migrations', key: 'migrationID', fields: migrationFields },
  input: z.object({
    ...paging,
    /** Searched are the source, the target, the parent agents and the operating account. */
    condition: filteredBy({ state: z.optional(migrationState) }),
    sort: sortedBy(migrationFields, 'transferredAtMs', 'desc'),
  }),
  result: z.object({ ...paged, migrations: z.array(migrationRow) }),
});

export const exportList = exportOf(list);

export const detail = endpoint({
  method: 'GET',
  path: '/c/v0/account/migration/detail',
  feature: 'migrations-of-accounts',
  summary: 'One transfer with the plants that moved.',
  callers: administrators,
  code: 'site:migrate',
  input: z.object({ migrationID: z.uuid() }),
  result: z.extend(migrationRow, {
    plants: z.array(z.object({ stationID: z.string(), name: z.string(), from: place, to: place })),
  }),
  names: { migrationID: 'migration' },
});

export const undo = endpoint({
  method: 'POST',
  path: '/c/v0/account/migration/undo',
  feature: 'migrations-of-accounts',
  summary: 'Makes the rows of a transfer what they were, within 30 days and where none of them changed since.',
  callers: administrators,
  code: 'site:migrate',
  changes: changedByMoves,
  input: z.object({ migrationID: z.uuid() }),
  result: z.object({ sites: z.int() }),
  names: { migrationID: 'migration' },
});

/** `result` of an undo that is refused with 42140: what changed since, and in which fields. */
export const migrationObstacles = z.object({
  obstacles: z.array(
    z.object({
      kind: z.enum(['organisation', 'account', 'site', 'datalogger']),
      id: z.string(),
      name: z.string(),
      fields: z._default(z.array(z.string()), []),
    }),
  ),
});

export const migrationEndpoints = {
  accounts,
  preview,
  makeCode,
  transfer,
  list,
  exportList,
  detail,
  undo,
  ...plantMigrationEndpoints,
};
