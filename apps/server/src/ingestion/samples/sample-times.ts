import type { DeviceEntry } from '../registry/plant-model.ts';
import { FLAG_CLOCK } from '../sessions/kinds.ts';
import { mergeInto, type Sample } from './sample.ts';

const EARLIEST_MS = Date.UTC(2020, 0, 1);
const MOST_AHEAD_MS = 10 * 60_000;
/** Samples that come faster than a clock can tell apart are put this far behind their receipt at most. */
const MOST_PLACED_AHEAD_MS = 1_000;

/** Whether a clock may have told this time. */
export function isPlausibleTime(tsMs: number, receivedMs: number): boolean {
  return tsMs >= EARLIEST_MS && tsMs <= receivedMs + MOST_AHEAD_MS;
}

/**
 * Gives a time to the samples of one message whose own cannot be. Live: the newest of a device holds at its receipt, with what only
 * the older ones told. When the older and the historical were measured nobody can know: they are kept, unplaced.
 */
export function placeSamples(samples: readonly Sample[]): void {
  let live: Map<DeviceEntry, Sample[]> | undefined;
  for (const sample of samples) {
    if (isPlausibleTime(sample.toldMs, sample.receivedMs)) continue;
    sample.flags |= FLAG_CLOCK;
    sample.tsMs = sample.receivedMs;
    if (sample.historical) sample.isUnplaced = true;
    else {
      live ??= new Map();
      const list = live.get(sample.device);
      if (list === undefined) live.set(sample.device, [sample]);
      else list.push(sample);
    }
  }
  for (const [device, list] of live ?? []) placeNewest(device, list);
}

function placeNewest(device: DeviceEntry, list: readonly Sample[]): void {
  const ordered = list.toSorted((a, b) => a.toldMs - b.toldMs);
  const newest = ordered.pop();
  if (newest === undefined) return;
  if (ordered.length > 0) {
    const own = {
      ...newest,
      values: newest.values.slice(),
      texts: newest.texts?.slice(),
      other: newest.other?.slice(),
    };
    for (const sample of [...ordered, own]) mergeInto(newest, sample, device.layout.isDouble);
    for (const sample of ordered) sample.isUnplaced = true;
  }
  const placedMs = Math.max(newest.receivedMs, device.placedMs + 1);
  if (placedMs > newest.receivedMs + MOST_PLACED_AHEAD_MS) {
    newest.isUnplaced = true;
    return;
  }
  device.placedMs = placedMs;
  newest.tsMs = placedMs;
}
