import type { DayObservation } from './observation.ts';
import { medianOf } from './statistics.ts';

/** Days that a profile looks back. */
export const PROFILE_DAYS = 28;
export const SOLAR_HOURS = 24;
/** Clear days of which each hour's ratio is kept: half of them decide, so a new shade shows after five. */
export const CLEAR_DAYS = 9;

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
  /** Of the hours of the sun (12 = highest): actual over expected of the last clear days, at most `CLEAR_DAYS` of each. */
  hourRatios: number[][];
  /** Days in a row until the last one that were under snow. */
  snowDays: number;
  /** Usual part of each string in the energy of its plant, and of how many days that is known. */
  strings: Record<string, { part: number; days: number }>;
}

const DAY_MS = 86_400_000;
const LEVEL_DAYS = 14;
const LEAST_LEVEL_DAYS = 7;
/** A cleaner plant than known is believed soon, a dirtier one hardly: dirt and age are losses, not what is usual. */
const RISE_PER_DAY = 0.25;
const FALL_PER_DAY = 0.0002;
const LEVEL_BOUNDS = [0.5, 1.3] as const;
const STRING_DAYS = 14;
const MOST_STRINGS = 256;

/**
 * The profile after one more day.
 *
 * @param observation what `dayInsight` found for it.
 */
export function updatedProfile(profile: PlantProfile | null, observation: DayObservation): PlantProfile {
  const before = profile?.version === 1 ? profile : emptyProfile(observation.dayMs);
  if (profile?.version === 1 && observation.dayMs <= before.lastDayMs) return before;
  const missed = Math.min(PROFILE_DAYS, Math.max(0, Math.round((observation.dayMs - before.lastDayMs) / DAY_MS) - 1));
  const dayRatios = [...before.dayRatios, ...new Array<null>(missed).fill(null), observation.ratio].slice(
    -PROFILE_DAYS,
  );
  return {
    version: 1,
    lastDayMs: observation.dayMs,
    level: levelAfter(before.level, dayRatios),
    dayRatios,
    hourRatios: Array.from({ length: SOLAR_HOURS }, (_, hour) =>
      withLast(before.hourRatios[hour] ?? [], observation.hourRatios[hour] ?? null),
    ),
    snowDays: observation.isSnow ? before.snowDays + 1 : 0,
    strings: stringsAfter(before.strings, observation.stringParts),
  };
}

function emptyProfile(dayMs: number): PlantProfile {
  return {
    version: 1,
    lastDayMs: dayMs,
    level: null,
    dayRatios: [],
    hourRatios: [],
    snowDays: 0,
    strings: {},
  };
}

function withLast(list: readonly number[], value: number | null): number[] {
  return value === null ? [...list] : [...list, value].slice(-CLEAR_DAYS);
}

function levelAfter(level: number | null, dayRatios: readonly (number | null)[]): number | null {
  const known = dayRatios.slice(-LEVEL_DAYS).filter((ratio) => ratio !== null);
  if (known.length < LEAST_LEVEL_DAYS) return level;
  const now = Math.min(LEVEL_BOUNDS[1], Math.max(LEVEL_BOUNDS[0], medianOf(known)));
  if (level === null) return now;
  return now >= level ? level + RISE_PER_DAY * (now - level) : Math.max(now, level - FALL_PER_DAY);
}

function stringsAfter(before: PlantProfile['strings'], parts: Record<string, number>): PlantProfile['strings'] {
  const entries = Object.entries(parts).slice(0, MOST_STRINGS);
  if (entries.length === 0) return before;
  return Object.fromEntries(
    entries.map(([key, part]) => {
      const known = Object.hasOwn(before, key) ? before[key] : undefined;
      if (known === undefined) return [key, { part, days: 1 }];
      const weight = 1 / Math.min(STRING_DAYS, known.days + 1);
      return [key, { part: known.part + weight * (part - known.part), days: Math.min(STRING_DAYS, known.days + 1) }];
    }),
  );
}
