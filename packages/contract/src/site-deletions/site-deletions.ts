import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import type { Level } from '../levels.ts';
import { stationIDs } from '../sites/chosen-sites.ts';

const deleters = [2, 3, 4, 255] as const satisfies readonly Level[];

/** So many plants are deleted within `DELETION_WINDOW_MS` without being asked. */
export const DELETIONS_UNASKED = 5;
export const DELETION_WINDOW_MS = 10 * 60_000;

const counts = {
  devices: z.int(),
  dataloggers: z.int(),
  /** People with whom one of them is shared. */
  shares: z.int(),
};

export const siteDeletionCounts = z.object({
  /** Those that were asked about, by name. */
  sites: z.array(z.object({ stationID: z.string(), name: z.string(), city: z.string() })),
  ...counts,
  undoDays: z.int(),
});
export type SiteDeletionCounts = z.infer<typeof siteDeletionCounts>;

export const preview = endpoint({
  method: 'POST',
  path: '/c/v0/plant/delete/preview',
  feature: 'site-deletions',
  summary: 'What deleting plants takes with it.',
  callers: deleters,
  code: 'site:delete',
  reads: true,
  input: z.object({ stationIDs }),
  result: siteDeletionCounts,
  names: { stationIDs: 'site' },
});

const changed = [
  'site-deletions',
  'sites',
  'devices',
  'dataloggers',
  'fleet',
  'deletions',
  'map',
  'install-trend',
] as const;

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/plant/delete',
  feature: 'site-deletions',
  summary:
    'Deletes plants with their devices, all or none; for 30 days it can be undone. Where more than five were deleted within ten minutes, errno 42200 asks whether to go on: `confirmed` says so.',
  callers: deleters,
  code: 'site:delete',
  changes: changed,
  input: z.object({
    stationIDs,
    /** As they were counted before; where they are others by now, nothing is deleted. */
    expected: z.object({ devices: z.int(), dataloggers: z.int() }),
    confirmed: z._default(z.boolean(), false),
  }),
  result: z.object({ deletionID: z.string(), sites: z.int(), undoUntilMs: z.int() }),
  names: { stationIDs: 'site' },
});

export const undo = endpoint({
  method: 'POST',
  path: '/c/v0/plant/delete/undo',
  feature: 'site-deletions',
  summary: 'Gives back plants that the caller has deleted, all or none.',
  callers: deleters,
  code: 'site:delete',
  changes: changed,
  input: z.object({ deletionID: z.uuid() }),
  result: z.object({
    sites: z.int(),
    /** Dataloggers that were linked to other plants meanwhile, and stay there. */
    takenDataloggers: z.array(z.string()),
  }),
  names: { deletionID: 'ownDeletion' },
});

export const siteDeletionEndpoints = { preview, remove, undo } as const;
