import type { TimeBounds } from '../calendar.ts';
import { clearSkyPowerW, type PvPlant, type Weather, weatherPowerW } from '../physics/plant-power.ts';
import { energyWh } from './day-hours.ts';

const HOUR_MS = 3_600_000;
/** Less of a span's light may be in hours that were not told. */
const MOST_UNTOLD = 0.02;

/**
 * What a plant will give in a span by the hours of a weather forecast, Wh; null where hours with more than a fiftieth of the clear sky's energy are missing.
 *
 * @param hours each of the weather from `startMs` on for an hour, in any order, without two of one time.
 */
export function weatherEnergyWh(
  plant: PvPlant,
  hours: readonly (Weather & { startMs: number })[],
  { startMs, endMs }: TimeBounds,
): number | null {
  let [expectedWh, toldClearWh] = [0, 0];
  for (const hour of hours) {
    const part = { startMs: Math.max(startMs, hour.startMs), endMs: Math.min(endMs, hour.startMs + HOUR_MS) };
    if (part.endMs <= part.startMs) continue;
    expectedWh += energyWh(part, (tsMs) => weatherPowerW(tsMs, plant, hour));
    toldClearWh += energyWh(part, (tsMs) => clearSkyPowerW(tsMs, plant));
  }
  let clearWh = 0;
  for (let atMs = startMs; atMs < endMs; atMs += HOUR_MS) {
    clearWh += energyWh({ startMs: atMs, endMs: Math.min(endMs, atMs + HOUR_MS) }, (tsMs) =>
      clearSkyPowerW(tsMs, plant),
    );
  }
  return clearWh - toldClearWh > MOST_UNTOLD * clearWh ? null : expectedWh;
}
