import type { Logger } from 'pino';
import { partsOf } from '../in-slices.ts';
import { isDatabaseUnavailable } from '../stores/database.ts';
import { isTelemetryUnavailable } from '../stores/telemetry-engine.ts';
import { type Due, nextDue, noteEndedDays, noteFormerDay, putBack } from './due.store.ts';
import { firstRecordedDay } from './insight-rows.store.ts';
import type { DayStores } from './plant-days.ts';
import { reckonDay } from './reckon.ts';

/** Plants that are held in memory at once, with their neighbours. */
const PLANTS_AT_ONCE = 100;
/** What is due is worked on for so long at a time; what fills in the past while nothing is, for so long of each minute. */
const LONGEST_MS = 240_000;
const LONGEST_FILLING_MS = 12_000;
const PAUSE_MS = 3_600_000;

/** Places near to each other follow each other: bits of latitude and longitude in turns (Morton 1966). */
function placeOrder({ latitude, longitude }: Due): number {
  if (latitude === null || longitude === null) return -1;
  const north = Math.floor(((latitude + 90) / 180) * 4_095);
  const east = Math.floor(((longitude + 180) / 360) * 4_095);
  let order = 0;
  for (let bit = 11; bit >= 0; bit -= 1) order = order * 4 + ((north >> bit) & 1) * 2 + ((east >> bit) & 1);
  return order;
}

const inPlaceOrder = (due: readonly Due[]): Due[] =>
  due
    .map((each) => ({ each, order: placeOrder(each) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ each }) => each);

export interface WorkOptions extends DayStores {
  logger: Logger;
  nowMs: () => number;
  ending: AbortSignal;
  /** For tests: without the bound of time. */
  longestMs?: number;
  /** For tests: how long the past is filled in while nothing is due. */
  longestFillingMs?: number;
}

/**
 * Reckons what is due, the newest day first, a part of the plants at a time; then, while nothing is, days of the past. What was done before
 * the process ended is not done again.
 */
export async function workOff(options: WorkOptions): Promise<void> {
  const { db, telemetry, nowMs, ending, longestMs = LONGEST_MS, longestFillingMs = LONGEST_FILLING_MS } = options;
  const startMs = performance.now();
  const isOver = (most: number) => ending.aborted || performance.now() - startMs >= most;
  await noteEndedDays(db, nowMs());
  let isFilling = false;
  while (!isOver(isFilling ? Math.min(longestMs, longestFillingMs) : longestMs)) {
    const next = await nextDue(db, nowMs());
    if (next === undefined) {
      isFilling = true;
      if (!(await noteFormerDay(db, nowMs(), () => firstRecordedDay(telemetry)))) return;
      continue;
    }
    const { day, zone, plants } = next;
    for (const due of partsOf(inPlaceOrder(plants), PLANTS_AT_ONCE)) {
      await reckonApart(options, { day, zone, due, nowMs: nowMs() });
      if (isOver(longestMs)) return;
    }
  }
}

/** A plant that cannot be reckoned keeps no other from it: it is tried again later. */
async function reckonApart(options: WorkOptions, part: Parameters<typeof reckonDay>[1]): Promise<void> {
  const { db, logger } = options;
  const { day, due, nowMs } = part;
  try {
    await reckonDay(options, part);
  } catch (error) {
    if (isDatabaseUnavailable(error) || isTelemetryUnavailable(error)) throw error;
    if (due.length > 1) {
      const half = Math.ceil(due.length / 2);
      for (const each of partsOf(due, half)) await reckonApart(options, { ...part, due: each });
      return;
    }
    logger.error(
      { err: error, day, site: due[0]?.id },
      'a day of a plant cannot be held against what it could have given',
    );
    await putBack(db, day, due, nowMs + PAUSE_MS);
  }
}

/** The same, asked for again and again: not while it is at it. */
export function oneAtATime(work: (ending: AbortSignal) => Promise<void>): (ending: AbortSignal) => Promise<void> {
  let isWorking = false;
  return async (ending) => {
    if (isWorking) return;
    isWorking = true;
    try {
      await work(ending);
    } finally {
      isWorking = false;
    }
  };
}
