import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { fieldsOf, is } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';

const admin = [255] as const satisfies readonly Level[];

/** A deletion can be undone for this long, then it is purged. */
export const UNDO_DAYS = 30;

export const deletionKinds = ['organisation', 'account', 'member', 'site', 'datalogger', 'history'] as const;
export const deletionKind = z.enum(deletionKinds);

/** How many records went with it, by what became of them. */
export const deletionSummary = z.object({
  organisations: z._default(z.int(), 0),
  accounts: z._default(z.int(), 0),
  sites: z._default(z.int(), 0),
  movedAccounts: z._default(z.int(), 0),
  movedSites: z._default(z.int(), 0),
});
export type DeletionSummary = z.infer<typeof deletionSummary>;

export const deletionRow = z.object({
  id: z.string(),
  kind: deletionKind,
  name: z.string(),
  deletedBy: z.string(),
  deletedMs: z.int(),
  undoUntilMs: z.int(),
  summary: deletionSummary,
  can: z.object({ undo: z.boolean() }),
});
export type DeletionRow = z.infer<typeof deletionRow>;

export const deletionFields = fieldsOf(deletionRow)({
  name: is.text,
  kind: is.choice('deletions.kind', deletionKinds),
  summary: is.own,
  deletedBy: is.text,
  deletedMs: is.time,
  undoUntilMs: is.time,
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/deletion/list',
  feature: 'deletions',
  summary: 'Deletions of the last 30 days that can still be undone, by page, filter and order.',
  callers: admin,
  anyOf: ['organization:query', 'member:query'],
  reads: true,
  list: { rows: 'deletions', key: 'id', fields: deletionFields },
  input: z.object({
    ...paging,
    condition: filteredBy({ kind: z.optional(deletionKind) }),
    sort: sortedBy(deletionFields, 'deletedMs', 'desc'),
  }),
  result: z.object({ ...paged, deletions: z.array(deletionRow) }),
});

/** A record that stands in the way of an undo: answered with 42140, 42141 and 42142. */
export const obstacles = z.object({
  obstacles: z.array(
    z.object({ kind: z.enum(['organisation', 'account', 'site', 'datalogger']), id: z.string(), name: z.string() }),
  ),
});

export const undo = endpoint({
  method: 'POST',
  path: '/c/v0/deletion/undo',
  feature: 'deletions',
  summary: 'Make a deletion undone as a whole; refused with the records in the way where something changed since.',
  callers: admin,
  changes: [
    'deletions',
    'organisations',
    'departments',
    'user-management',
    'members',
    'sites',
    'devices',
    'fleet',
    'dataloggers',
    'device-history',
    'data-repair',
  ],
  input: z.object({ id: z.uuid() }),
  result: z.object({
    /** Dataloggers that were linked to other plants meanwhile, and stay there. */
    takenDataloggers: z.array(z.string()),
  }),
  names: { id: 'deletion' },
});

export const deletionEndpoints = { list, undo } as const;
