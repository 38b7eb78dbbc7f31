import { RETURNS_WITHIN_MS } from '@sonnenwarte/contract/incidents/incident-moves';
import { sunPosition } from '@sonnenwarte/energy/physics/sun';
import type { Kysely, Transaction } from 'kysely';
import { silentAfterMs } from '../current-state/current-state.ts';
import type { Database } from '../stores/schema.ts';
import { DATALOGGER_OFFLINE, DEVICE_OFFLINE } from './explains.ts';
import { tellChanged } from './fold.store.ts';
import {
  closeDone,
  dataloggersToLookAt,
  devicesToLookAt,
  endSilence,
  endWeakSignals,
  type Looked,
  lookAgain,
  lookAtDevicesOf,
  noteRepairedCounters,
  noteSignals,
  raise,
  WEAK_SIGNAL,
  watchClocks,
  watchDrifts,
  weakSince,
} from './watch.store.ts';

const MOST_AT_ONCE = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Beyond the time after which something counts as offline: a router that starts anew is no alarm. */
const PATIENCE_MS = 10 * MINUTE_MS;
/** Above it an inverter that has the sun is awake, be the sky as it may. */
const HIGH_SUN_DEG = 10;
/** Where nobody knows when the sun is high, and of what is not there: looked at so often. */
const RARELY_MS = HOUR_MS;
const BY_NIGHT_MS = 30 * MINUTE_MS;
/** A device that dies is looked at when it does; of one that only says no more it is seen within this time. */
const DEVICE_EVERY_MS = HOUR_MS;
/** A signal below the first is weak; it is good again above the second. */
const SIGNAL = { weakDbm: -85, goodDbm: -82 };
/** What is written anew at once is no alarm. */
const DRIFT_PATIENCE_MS = 10 * MINUTE_MS;
/** The portal sets a clock that is wrong: only what stays so is an alarm. */
const CLOCK_PATIENCE_MS = 10 * MINUTE_MS;
/** Joints of a history that is told late are none of today. */
const JOINTS_OF_MS = 48 * HOUR_MS;

/** Whether it should be heard: it is fed at night, or the sun has been high for an hour. Where it stands is not known: at any time. */
export function shouldBeHeard(
  { is_fed, latitude, longitude }: Pick<Looked, 'is_fed' | 'latitude' | 'longitude'>,
  nowMs: number,
): boolean {
  if (is_fed || latitude === null || longitude === null) return true;
  return [nowMs, nowMs - HOUR_MS].every((at) => sunPosition(at, latitude, longitude).elevationDeg > HIGH_SUN_DEG);
}

/** What is said of one that was looked at, and when it is looked at again. What was not heard while the portal itself was away is not silent. */
export function judge(
  looked: Looked,
  nowMs: number,
  listensSinceMs: number,
): { isSilent: boolean; sinceMs: number; againMs: number } {
  const { is_there, is_told, last_seen_at, report_interval_s, device_id } = looked;
  const sinceMs = last_seen_at?.getTime() ?? nowMs;
  const later = (againMs: number) => ({ isSilent: false, sinceMs, againMs });
  if (!is_there || last_seen_at === null) return later(nowMs + RARELY_MS);
  const silentMs = Math.max(sinceMs, listensSinceMs) + silentAfterMs(report_interval_s) + PATIENCE_MS;
  if (nowMs <= silentMs)
    return later(device_id === null ? silentMs + 1 : Math.max(silentMs + 1, nowMs + DEVICE_EVERY_MS));
  if (!shouldBeHeard(looked, nowMs)) return later(nowMs + BY_NIGHT_MS);
  return { isSilent: !is_told, sinceMs, againMs: nowMs + RARELY_MS };
}

/**
 * Raises and ends what only the portal can find: who is silent and should not be, whose signal is weak or clock wrong, which settings differ and which
 * counters were repaired.
 */
export async function watchFleet(db: Kysely<Database>, nowMs: number, listensSinceMs: number): Promise<void> {
  const now = new Date(nowMs);
  await endSilence(db);
  for (const look of [lookAtDataloggers, lookAtDevices]) {
    let looked = MOST_AT_ONCE;
    while (looked === MOST_AT_ONCE) looked = await db.transaction().execute((tx) => look(tx, nowMs, listensSinceMs));
  }
  const weak = await weakSince(db, new Date(nowMs - HOUR_MS));
  await raise(
    db,
    weak.map(({ id, since }) => ({ device_id: null, logger_id: id, code: WEAK_SIGNAL, level: 1, since })),
  );
  await endWeakSignals(db, now);
  await watchClocks(db, now, new Date(nowMs - CLOCK_PATIENCE_MS));
  await watchDrifts(db, now, new Date(nowMs - DRIFT_PATIENCE_MS));
  await noteRepairedCounters(db, new Date(nowMs - JOINTS_OF_MS));
}

async function lookAtDataloggers(tx: Transaction<Database>, nowMs: number, listensSinceMs: number): Promise<number> {
  const now = new Date(nowMs);
  const looked = await dataloggersToLookAt(tx, now, MOST_AT_ONCE);
  const silent = await tellSilent(tx, looked, { code: DATALOGGER_OFFLINE, what: 'dataloggers', nowMs, listensSinceMs });
  await lookAtDevicesOf(tx, silent, now);
  const withSignal = looked.filter(({ rssi_dbm }) => rssi_dbm !== null && rssi_dbm < 0);
  await noteSignals(tx, now, {
    weak: withSignal.filter(({ rssi_dbm }) => (rssi_dbm ?? 0) < SIGNAL.weakDbm).map(({ id }) => id),
    good: withSignal.filter(({ rssi_dbm }) => (rssi_dbm ?? 0) >= SIGNAL.goodDbm).map(({ id }) => id),
  });
  return looked.length;
}

async function lookAtDevices(tx: Transaction<Database>, nowMs: number, listensSinceMs: number): Promise<number> {
  const looked = await devicesToLookAt(tx, new Date(nowMs), MOST_AT_ONCE);
  await tellSilent(tx, looked, { code: DEVICE_OFFLINE, what: 'devices', nowMs, listensSinceMs });
  return looked.length;
}

interface Look {
  readonly code: number;
  readonly what: 'dataloggers' | 'devices';
  readonly nowMs: number;
  readonly listensSinceMs: number;
}

/** Answers the ids of those that are silent and were not before. */
async function tellSilent(
  tx: Transaction<Database>,
  looked: readonly Looked[],
  { code, what, nowMs, listensSinceMs }: Look,
): Promise<string[]> {
  if (looked.length === 0) return [];
  const judged = looked.map((row) => ({ row, ...judge(row, nowMs, listensSinceMs) }));
  const silent = judged.filter(({ isSilent }) => isSilent);
  await raise(
    tx,
    silent.map(({ row: { device_id, logger_id }, sinceMs }) => ({
      device_id,
      logger_id,
      code,
      level: 2,
      since: new Date(sinceMs),
    })),
  );
  await lookAgain(
    tx,
    what,
    judged.map(({ row: { id }, againMs }) => ({ id, at: new Date(againMs) })),
  );
  return silent.map(({ row: { id } }) => id);
}

/** Closes what is done with, all of it. */
export async function closeWhatIsDone(db: Kysely<Database>, nowMs: number): Promise<void> {
  const overBefore = new Date(nowMs - RETURNS_WITHIN_MS);
  let closed = 0;
  for (let more = 1; more > 0; closed += more) more = await closeDone(db, new Date(nowMs), overBefore, MOST_AT_ONCE);
  if (closed > 0) await tellChanged(db);
}
