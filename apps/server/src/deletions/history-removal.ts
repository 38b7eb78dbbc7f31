import type { ClickHouseClient } from '@clickhouse/client';
import type { Transaction } from 'kysely';
import { CallError, found } from '../http/call-error.ts';
import { addJob } from '../jobs/jobs.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import {
  askToReckon,
  endJoining,
  historiesToJoin,
  holdClearedHistory,
  isClearedAgain,
  type Joining,
  noteJoined,
  setHistoryAside,
  takeHistoryBack,
} from './cleared-history.store.ts';
import { copySamples, storedSamples } from './device-samples.store.ts';

type Tx = Transaction<Database>;

export const JOIN_HISTORY = 'deletions.joinHistory';

/** Ingestion writes nothing more under the key of the time between this long after it was taken away. */
const FORGOTTEN_AFTER_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Buckets reach as far as this beyond the sample that ends them. */
const BESIDE_MS = 3_600_000;

/**
 * Clears what a device has recorded from a time until now: the device goes on under a new key, and the plant's figures of that time are made
 * anew without it.
 */
export async function clearHistory(
  tx: Tx,
  { deletionID, deviceId, fromMs, nowMs }: { deletionID: string; deviceId: string; fromMs: number; nowMs: number },
): Promise<void> {
  const from = new Date(fromMs - BESIDE_MS);
  const { siteId } = await setHistoryAside(tx, { deletionID, deviceId, from, at: new Date(nowMs) });
  // Who looks at the device, or is told of it, follows it by its key.
  await tenancyChanged(tx);
  if (siteId === null) return;
  await askToReckon(tx, { siteId, deviceId, depth: 'corrected', from, to: new Date(nowMs + BESIDE_MS) });
}

/** Gives back what was cleared; refused where the device does not go on from there any more. */
export async function restoreHistory(tx: Tx, deletionID: string, nowMs: number): Promise<void> {
  const cleared = found(await holdClearedHistory(tx, deletionID), 'deletionNotFound');
  const { device_id: deviceId, key, present_key, site_id: siteId, recorded_from: from, cleared_at } = cleared;
  if (present_key !== key)
    throw new CallError((await isClearedAgain(tx, deviceId, cleared_at)) ? 'historyClearedAgain' : 'historyCutOff');
  await takeHistoryBack(tx, deletionID, deviceId, new Date(nowMs));
  await addJob(tx, JOIN_HISTORY);
  await tenancyChanged(tx);
  if (siteId === null) return;
  // What was received shortly before it was cleared may not have been accounted.
  await askToReckon(tx, {
    siteId,
    deviceId,
    depth: 'samples',
    from: new Date(cleared_at.getTime() - DAY_MS),
    to: null,
  });
  await askToReckon(tx, { siteId, deviceId, depth: 'corrected', from, to: new Date(nowMs + BESIDE_MS) });
}

type Parts = Uses<'db' | 'telemetry' | 'nowMs'>;

/**
 * Joins what devices recorded while their history was cleared to the history that came back. Whatever is interrupted is done again by the next
 * run: copying twice changes nothing, and only what has been copied is noted.
 */
export async function joinHistories({ db, telemetry, nowMs }: Parts, ending: AbortSignal): Promise<void> {
  for (const history of await historiesToJoin(db)) {
    if (ending.aborted) return;
    const now = nowMs();
    const fromMs = await copied(telemetry, history);
    await db.transaction().execute(async (tx) => {
      const { device_id: deviceId, former_key, present_key, site_id: siteId, deletion_id, undone_at } = history;
      if (fromMs !== undefined) {
        await noteJoined(tx, deletion_id, fromMs.joined);
        if (siteId !== null && former_key === present_key)
          await askToReckon(tx, { siteId, deviceId, depth: 'samples', from: new Date(fromMs.firstMs), to: null });
      } else if (now - undone_at.getTime() >= FORGOTTEN_AFTER_MS) await endJoining(tx, history, new Date(now));
    });
  }
}

/** Copies what is there and was not copied yet; undefined where there is nothing of the kind. */
async function copied(
  telemetry: ClickHouseClient,
  { kind, key, former_key, joined }: Joining,
): Promise<{ joined: string; firstMs: number } | undefined> {
  const stored = await storedSamples(telemetry, kind, key);
  const told = stored === undefined ? '' : `${stored.samples} ${stored.receivedMs}`;
  if (stored === undefined || told === joined) return undefined;
  await copySamples(telemetry, kind, { from: key, to: former_key });
  return { joined: told, firstMs: stored.firstMs };
}
