import { zoneOffsetMinutes } from '../format/dates.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Hours between ticks that leave each label about `labelPx` of room. */
export function tickHours(spanMs: number, widthPx: number, labelPx: number): number {
  const wanted = spanMs / HOUR_MS / Math.max(1, widthPx / labelPx);
  return [1, 2, 3, 4, 6, 12].find((hours) => hours >= wanted) ?? 24;
}

/**
 * Moments at which the local clock of a zone shows a full hour that `stepHours` divides. On the days on which the clock
 * changes, an hour that does not exist has no tick and one that comes twice has its first.
 */
export function hourTicks(startMs: number, endMs: number, timeZone: string, stepHours: number): number[] {
  const ticks: number[] = [];
  let lastWallHour = -1;
  const quarter = 15 * MINUTE_MS;
  for (let tsMs = Math.ceil(startMs / quarter) * quarter; tsMs <= endMs; tsMs += quarter) {
    const wallMinutes = Math.round(tsMs / MINUTE_MS) + zoneOffsetMinutes(tsMs, timeZone);
    if (wallMinutes % 60 !== 0) continue;
    const wallHour = wallMinutes / 60;
    if (wallHour % stepHours === 0 && wallHour !== lastWallHour) {
      ticks.push(tsMs);
      lastWallHour = wallHour;
    }
  }
  return ticks;
}

const SHORT_MS = 3 * HOUR_MS;
const minuteSteps = [1, 2, 5, 10, 15, 30];

/** Moments of an axis: full hours, or minutes where the whole is short, so that each label has its room. */
export function axisTicks(
  startMs: number,
  endMs: number,
  timeZone: string,
  widthPx: number,
  labelPx: number,
): number[] {
  if (endMs - startMs > SHORT_MS)
    return hourTicks(startMs, endMs, timeZone, tickHours(endMs - startMs, widthPx, labelPx));
  const wanted = (endMs - startMs) / MINUTE_MS / Math.max(1, widthPx / labelPx);
  const stepMs = (minuteSteps.find((minutes) => minutes >= wanted) ?? 60) * MINUTE_MS;
  const first = Math.ceil(startMs / stepMs);
  const last = Math.floor(endMs / stepMs);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => (first + place) * stepMs);
}
