import type { DayObservation } from './observation.ts';
import { medianOf } from './statistics.ts';
import type { PlaneFit } from './string-planes.ts';

/** Days that a profile looks back. */
export const PROFILE_DAYS = 28;
export const SOLAR_HOURS = 24;
/** Clear days of which each hour's ratio is kept: half of them decide, so a new shade shows after four. */
export const CLEAR_DAYS = 7;

/**
 * What is remembered of a plant's past days to judge the next one: one small row for each plant. Plain data, all of it JSON; about
 * 1 kB. Newest last in all lists.
 */
export interface PlantProfile {
  /** Form of this row; a row of another form is begun anew. */
  version: 2;
  /** Start of the last day that went in, epoch ms; an earlier or equal day changes nothing. */
  lastDayMs: number;
  /** Actual over expected energy when the arrays are clean: what this plant gives of what the model says. null = fewer than 7 days. */
  level: number | null;
  /** Actual over expected of the last days, without hours of a known other reason; null = not known on that day. */
  dayRatios: (number | null)[];
  /** Of the clear sky's energy, what the light of these days allowed; null = not known. */
  dayLights: (number | null)[];
  /** Of the hours of the sun (12 = highest): actual over expected of the last clear days, at most `CLEAR_DAYS` of each. */
  hourRatios: number[][];
  /** Days in a row until the last one that were under snow. */
  snowDays: number;
  /** What is usual of each string, by its name. */
  strings: Record<string, StringHabit>;
}

export interface StringHabit {
  /** Part in the energy of its plant. */
  part: number;
  /** Of how many days that is known. */
  days: number;
  /** How it would lie in each plane of the plant, in the mean of these days; empty where no plane is known. */
  planes: PlaneFit[];
  /** Of these days, how many had hours of sun, which alone tell planes apart; what was kept before that was noted has none. */
  clearDays?: number;
}

const DAY_MS = 86_400_000;
const LEVEL_DAYS = 21;
const LEAST_LEVEL_DAYS = 7;
/** Until so many days are known, the level is no more than what they say. */
const SETTLED_DAYS = 14;
/**
 * A cleaner plant than known is believed in some weeks, so that a week of a light that suits it does not raise what is asked of it; a dirtier one hardly:
 * dirt and age are losses, not what is usual.
 */
const RISE_PER_DAY = 0.08;
const FALL_PER_DAY = 0.0002;
const LEVEL_BOUNDS = [0.5, 1.3] as const;
const STRING_DAYS = 14;
const MOST_STRINGS = 256;

const VERSION = 2;

/** A profile as it was kept, or none where it has the form of another version: it lacks what is looked for today. */
export const currentProfile = (profile: PlantProfile | null): PlantProfile | null =>
  profile?.version === VERSION ? profile : null;

/**
 * The profile after one more day.
 *
 * @param observation what `dayInsight` found for it.
 */
export function updatedProfile(profile: PlantProfile | null, observation: DayObservation): PlantProfile {
  const known = currentProfile(profile);
  const before = known ?? emptyProfile(observation.dayMs);
  if (known !== null && observation.dayMs <= before.lastDayMs) return before;
  const missed = Math.min(PROFILE_DAYS, Math.max(0, Math.round((observation.dayMs - before.lastDayMs) / DAY_MS) - 1));
  const next = (list: readonly (number | null)[], value: number | null) =>
    [...list, ...new Array<null>(missed).fill(null), value].slice(-PROFILE_DAYS);
  const dayRatios = next(before.dayRatios, observation.ratio);
  return {
    version: VERSION,
    lastDayMs: observation.dayMs,
    level: levelAfter(before.level, dayRatios),
    dayRatios,
    dayLights: next(before.dayLights, observation.lightShare ?? null),
    hourRatios: Array.from({ length: SOLAR_HOURS }, (_, hour) =>
      withLast(before.hourRatios[hour] ?? [], observation.hourRatios[hour] ?? null),
    ),
    snowDays: observation.isSnow ? before.snowDays + 1 : 0,
    strings: stringsAfter(before.strings, observation),
  };
}

function emptyProfile(dayMs: number): PlantProfile {
  return {
    version: VERSION,
    lastDayMs: dayMs,
    level: null,
    dayRatios: [],
    dayLights: [],
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
  if (level === null || known.length < SETTLED_DAYS) return now;
  return now >= level ? level + RISE_PER_DAY * (now - level) : Math.max(now, level - FALL_PER_DAY);
}

function stringsAfter(
  before: PlantProfile['strings'],
  { stringParts, stringPlanes = {}, isSunny = false }: DayObservation,
): PlantProfile['strings'] {
  const entries = Object.entries(stringParts).slice(0, MOST_STRINGS);
  if (entries.length === 0) return before;
  return Object.fromEntries(
    entries.map(([name, part]): [string, StringHabit] => {
      const known = Object.hasOwn(before, name) ? before[name] : undefined;
      const planes = stringPlanes[name] ?? [];
      const clearDays = Math.min(STRING_DAYS, (known?.clearDays ?? 0) + (isSunny ? 1 : 0));
      if (known === undefined) return [name, { part, days: 1, planes, clearDays }];
      const days = Math.min(STRING_DAYS, known.days + 1);
      const mean = (old: number, now: number): number => old + (now - old) / days;
      return [
        name,
        {
          part: mean(known.part, part),
          days,
          planes:
            planes.length === known.planes.length
              ? planes.map(({ miss, kwp }, array) => ({
                  miss: mean(known.planes[array]?.miss ?? miss, miss),
                  kwp: mean(known.planes[array]?.kwp ?? kwp, kwp),
                }))
              : known.planes,
          clearDays,
        },
      ];
    }),
  );
}
