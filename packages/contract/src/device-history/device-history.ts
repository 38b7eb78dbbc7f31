import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { text } from '../fields.ts';
import type { Level } from '../levels.ts';

const clearers = [2, 3, 4, 255] as const satisfies readonly Level[];

const preview = endpoint({
  method: 'GET',
  path: '/c/v0/device/history/clear/preview',
  feature: 'device-history',
  summary: 'What clearing the history data of a device takes away; nothing is changed.',
  callers: clearers,
  code: 'device:clearHistory',
  input: z.object({ deviceID: z.uuid() }),
  result: z.object({
    deviceSN: z.string(),
    plantName: z.string(),
    ianaTimezone: z.nullable(z.string()),
    samples: z.int(),
    /** Times of the first and the last of them, milliseconds since 1970; `null` where there is none. */
    firstMs: z.nullable(z.int()),
    lastMs: z.nullable(z.int()),
    /** Corrections by hand of this time, which are taken back with it. */
    corrections: z.int(),
    undoDays: z.int(),
  }),
  names: { deviceID: 'device' },
});

const clear = endpoint({
  method: 'POST',
  path: '/c/v0/device/history/clear',
  feature: 'device-history',
  summary:
    'Clears what was recorded of a device until now, and what was reckoned of it; its serial number confirms it. An administrator can undo it for 30 days.',
  callers: clearers,
  code: 'device:clearHistory',
  changes: ['device-history', 'devices', 'sites', 'fleet', 'data-repair', 'deletions', 'audit'],
  input: z.object({
    deviceID: z.uuid(),
    /** As it was typed. */
    deviceSN: text(64),
  }),
  result: z.object({ deletionID: z.string(), undoUntilMs: z.int() }),
  names: { deviceID: 'device' },
});

/** History data of devices: what was recorded of one is cleared. */
export const deviceHistoryEndpoints = { preview, clear } as const;
