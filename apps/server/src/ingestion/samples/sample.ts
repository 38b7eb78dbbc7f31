import type { DeviceEntry } from '../registry/plant-model.ts';
import type { KindLayout } from '../sessions/kinds.ts';

/** Readings of one device at one time, as they wait for storage. */
export interface Sample {
  device: DeviceEntry;
  /** The device's when it was read. */
  layout: KindLayout;
  tsMs: number;
  /** What the sender's clock said. */
  toldMs: number;
  receivedMs: number;
  historical: boolean;
  /** Its time cannot be known: kept beside the series, never accounted. */
  isUnplaced: boolean;
  /** Bits of the raw row: FLAG_CLOCK, FLAG_HISTORICAL. */
  flags: number;
  /** By index of the kind's layout; NaN = not in this message. */
  values: number[];
  texts: (string | undefined)[] | undefined;
  /** Name and value by turns, for metrics that the catalogue does not know. */
  other: string[] | undefined;
}

/** What comes late by less is sent again after a reconnection, or called so by a datalogger that calls all so: it is no history. */
export const SHORTEST_HISTORY_MS = 3_600_000;

/** Whether a sample belongs to a history that its datalogger kept and sends. */
export function isOfHistory({ historical, receivedMs, tsMs }: Sample): boolean {
  return historical && receivedMs - tsMs >= SHORTEST_HISTORY_MS;
}

export function newSample(device: DeviceEntry, tsMs: number, receivedMs: number, historical: boolean): Sample {
  return {
    device,
    layout: device.layout,
    tsMs,
    toldMs: tsMs,
    receivedMs,
    historical,
    isUnplaced: false,
    flags: 0,
    values: device.layout.emptyValues.slice(),
    texts: undefined,
    other: undefined,
  };
}

/** Adds what `from` measured to `into`; where both have a value the later arrival counts. Says whether anything changed. */
export function mergeInto(into: Sample, from: Sample, isDouble: readonly boolean[]): boolean {
  let changed = false;
  const { values } = into;
  for (let index = 0; index < values.length; index += 1) {
    const next = from.values[index] ?? Number.NaN;
    if (Number.isNaN(next)) continue;
    const old = values[index] ?? Number.NaN;
    if (old === next || (isDouble[index] !== true && Math.fround(old) === Math.fround(next))) continue;
    values[index] = next;
    changed = true;
  }
  from.texts?.forEach((text, index) => {
    if (text === undefined || into.texts?.[index] === text) return;
    into.texts ??= [];
    into.texts[index] = text;
    changed = true;
  });
  if (from.other !== undefined) changed = mergeOther(into, from.other) || changed;
  return changed;
}

function mergeOther(into: Sample, pairs: readonly string[]): boolean {
  let changed = false;
  into.other ??= [];
  const { other } = into;
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const name = pairs[at] ?? '';
    const value = pairs[at + 1] ?? '';
    let found = -1;
    for (let look = 0; look < other.length; look += 2) if (other[look] === name) found = look;
    if (found < 0) other.push(name, value);
    else if (other[found + 1] === value) continue;
    else other[found + 1] = value;
    changed = true;
  }
  return changed;
}

export function isEmpty({ values, texts, other }: Sample): boolean {
  return texts === undefined && other === undefined && values.every(Number.isNaN);
}

/** Rough size in memory, for the bound of the queue. */
export function sampleBytes(sample: Sample): number {
  return 160 + 8 * sample.values.length + (sample.other === undefined ? 0 : 40 * sample.other.length);
}
