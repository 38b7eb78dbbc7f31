import { SUNRISE_ELEVATION_DEG, sunPosition } from '@sonnenwarte/energy/physics/sun';
import type { SiteFrame } from './sites.store.ts';

const STEP_MS = 300_000;
const EXACT_MS = 1_000;

/** When the sun comes up and goes down in a span; null without a position, and where it does not in that span. */
export function daylightOf(
  { latitude, longitude }: Pick<SiteFrame, 'latitude' | 'longitude'>,
  { startMs, endMs }: { startMs: number; endMs: number },
): { sunriseMs: number | null; sunsetMs: number | null } {
  if (latitude === null || longitude === null) return { sunriseMs: null, sunsetMs: null };
  const isUp = (tsMs: number): boolean => sunPosition(tsMs, latitude, longitude).elevationDeg > SUNRISE_ELEVATION_DEG;
  let sunriseMs: number | null = null;
  let sunsetMs: number | null = null;
  let wasUp = isUp(startMs);
  for (let tsMs = startMs + STEP_MS; tsMs <= endMs; tsMs += STEP_MS) {
    const up = isUp(tsMs);
    if (up !== wasUp) {
      const atMs = turnOf(tsMs - STEP_MS, tsMs, wasUp, isUp);
      if (up) sunriseMs ??= atMs;
      else sunsetMs = atMs;
    }
    wasUp = up;
  }
  return { sunriseMs, sunsetMs };
}

/** Where between two moments it changes, to the second. */
function turnOf(fromMs: number, toMs: number, before: boolean, isUp: (tsMs: number) => boolean): number {
  let [low, high] = [fromMs, toMs];
  while (high - low > EXACT_MS) {
    const middle = Math.round((low + high) / 2);
    if (isUp(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}
