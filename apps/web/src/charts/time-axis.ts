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
