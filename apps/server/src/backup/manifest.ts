import { z } from 'zod';

/** What a backup says about itself. `null` for a store that is reached by URL and has tools of its own. */
export const backupManifest = z.object({
  madeAt: z.iso.datetime(),
  /** The moment that a restore shows. */
  moment: z.iso.datetime(),
  portal: z.string(),
  node: z.string(),
  platform: z.string(),
  database: z.nullable(
    z.object({ version: z.string(), moment: z.iso.datetime(), firstWalFile: z.string(), lastWalFile: z.string() }),
  ),
  telemetry: z.nullable(z.array(z.object({ name: z.string(), rows: z.number(), parts: z.number() }))),
  files: z.number(),
  /** Keys of the telemetry store that were given out, by table: none of them may be given out again. */
  keys: z.nullable(z.object({ sites: z.number(), devices: z.number() })),
  /** Rows of the database just after the moment, for orientation. */
  counts: z.record(z.string(), z.number()),
});

export type BackupManifest = z.infer<typeof backupManifest>;

/** Left in a restored data folder for the first start, which completes the restore and removes it. */
export const RESTORED_FILE = 'restored.json';

export const restoredFile = backupManifest
  .pick({ madeAt: true, moment: true, portal: true, keys: true })
  .extend({ restoredAt: z.iso.datetime(), withDatabase: z.boolean(), file: z.string() });

export type RestoredFile = z.infer<typeof restoredFile>;
