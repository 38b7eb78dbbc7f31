import type { DayObservation } from './observation.ts';

/** Days that a profile looks back. */
export const PROFILE_DAYS = 28;
export const SOLAR_HOURS = 24;

/**
 * What is remembered of a plant's past days to judge the next one: one small row for each plant. Plain data, all of it JSON; about
 * 1 kB. Newest last in all lists.
 */
export interface PlantProfile {
  /** Form of this row; a row of another form is begun anew. */
  version: 1;
  /** Start of the last day that went in, epoch ms; an earlier or equal day changes nothing. */
  lastDayMs: number;
  /** Actual over expected energy when the arrays are clean: what this plant gives of what the model says. null = fewer than 7 days. */
  level: number | null;
  /** Actual over expected of the last days, without hours of a known other reason; null = not known on that day. */
  dayRatios: (number | null)[];
  /** Of the hours of the sun (12 = highest): actual over expected of the last clear days, at most `PROFILE_DAYS` of each. */
  hourRatios: number[][];
  /** Days in a row until the last one that were under snow. */
  snowDays: number;
  /** Usual part of each string in the energy of its plant, and of how many days that is known. */
  strings: Record<string, { part: number; days: number }>;
}

/**
 * The profile after one more day.
 *
 * @param observation what `dayInsight` found for it.
 */
export declare function updatedProfile(profile: PlantProfile | null, observation: DayObservation): PlantProfile;
