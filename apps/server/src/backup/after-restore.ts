import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { recordRestore } from '../audit/platform.ts';
import type { Database } from '../stores/schema.ts';
import { RESTORED_FILE, type RestoredFile, restoredFile } from './manifest.ts';

/**
 * Completes a restore at the first start after it. Keys that were given out after the moment of the database are not given out again,
 * since rows may lie under them in the telemetry store. Sessions and links that were mailed end: some of them may have
 * been ended or used after the backup was made. The audit log says that there was a restore.
 */
export async function completeRestore(db: Kysely<Database>, dataDir: string): Promise<void> {
  const note = join(dataDir, RESTORED_FILE);
  const restored = readRestored(note);
  if (restored === undefined) return;
  const { keys, withDatabase, moment, file } = restored;
  await db.transaction().execute(async (tx) => {
    for (const table of ['sites', 'devices'] as const) {
      await sql`select count(nextval(s)) from (select pg_get_serial_sequence(${table}, 'key')::regclass as s) own,
        generate_series(coalesce(pg_sequence_last_value(s), 0) + 1, ${keys?.[table] ?? 0}::bigint)`.execute(tx);
    }
    if (withDatabase) {
      await tx.updateTable('sessions').set({ ended_at: new Date() }).where('ended_at', 'is', null).execute();
      await tx.deleteFrom('password_resets').execute();
      await tx.deleteFrom('email_confirmations').execute();
    }
  });
  if (withDatabase) await recordRestore(db, { takenAtMs: Date.parse(moment), file });
  rmSync(note);
}

function readRestored(file: string): RestoredFile | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return restoredFile.parse(JSON.parse(text));
}
