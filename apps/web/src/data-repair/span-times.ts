import { REPAIR_STEP_MS } from '@sonnenwarte/contract/data-repair/data-repair';
import { localDay, zoneOffsetMinutes } from '../format/dates.ts';

const MINUTE_MS = 60_000;

/** A moment as it is typed, by the plant's clock. */
export interface TypedMoment {
  day: string;
  /** `HH:MM`. */
  time: string;
}

export function typedMoment(tsMs: number, zone: string): TypedMoment {
  const wall = new Date(tsMs + zoneOffsetMinutes(tsMs, zone) * MINUTE_MS).toISOString();
  return { day: localDay(tsMs, zone), time: wall.slice(11, 16) };
}

/** The moment that was typed; of an hour that comes twice, its first. Undefined while something is missing. */
export function momentOf({ day, time }: TypedMoment, zone: string): number | undefined {
  const wallMs = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wallMs)) return undefined;
  const offsets = [wallMs - 86_400_000, wallMs + 86_400_000].map((near) => zoneOffsetMinutes(near, zone));
  const moments = offsets.map((minutes) => wallMs - minutes * MINUTE_MS);
  return moments.find((tsMs) => wallMs - tsMs === zoneOffsetMinutes(tsMs, zone) * MINUTE_MS) ?? moments[0];
}

/** Spans begin and end between buckets: what was marked lies within. */
export const wholeSteps = (fromMs: number, toMs: number): [fromMs: number, toMs: number] => {
  const first = Math.floor(Math.min(fromMs, toMs) / REPAIR_STEP_MS) * REPAIR_STEP_MS;
  const last = Math.ceil(Math.max(fromMs, toMs) / REPAIR_STEP_MS) * REPAIR_STEP_MS;
  return [first, Math.max(last, first + REPAIR_STEP_MS)];
};
