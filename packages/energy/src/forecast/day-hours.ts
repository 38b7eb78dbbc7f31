import { hoursOfDay, type TimeBounds } from '../calendar.ts';

/** Energy of each local hour of a day, Wh, in order of its hours; what is not known is null. */
export type HourEnergies = readonly (number | null)[];

const STEPS_OF_HOUR = 2;

/**
 * Energy that a power gives in each local hour of a plant-local day, Wh, by two samples an hour (the hours of a day in which the clock is
 * shifted are as many and as long as `hoursOfDay` says).
 */
export function hourEnergies(day: string, zone: string, powerW: (tsMs: number) => number): number[] {
  return hoursOfDay(day, zone).map((hour) => energyWh(hour, powerW));
}

/** Energy that a power gives in a span of at most an hour, Wh. */
export function energyWh({ startMs, endMs }: TimeBounds, powerW: (tsMs: number) => number): number {
  const stepMs = (endMs - startMs) / STEPS_OF_HOUR;
  let sum = 0;
  for (let step = 0; step < STEPS_OF_HOUR; step += 1) sum += powerW(startMs + (step + 0.5) * stepMs);
  return (sum * stepMs) / 3_600_000;
}
