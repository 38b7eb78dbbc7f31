import * as z from 'zod/mini';
import type { LatestValue } from './device.ts';

/** A string, or a tracker of an inverter that tells no strings. `null` = not known. */
export const stringRow = z.object({
  kind: z.enum(['string', 'tracker']),
  n: z.int(),
  /** The tracker that a string hangs on, where that follows from the currents. */
  tracker: z.nullable(z.int()),
  voltageV: z.nullable(z.number()),
  currentA: z.nullable(z.number()),
  powerW: z.nullable(z.number()),
  /** Its current against the mean of its neighbours that are not weak themselves, percent; `null` where it has none. */
  percent: z.nullable(z.number()),
  /** It stays far behind its neighbours. */
  weak: z.boolean(),
});
export type StringRow = Readonly<z.output<typeof stringRow>>;

/** Below it the sun is too low to compare strings. */
const LEAST_A = 1;
/** Below it a string is worth a look. */
export const LOW_PERCENT = 90;
/** Below it a string is weak. */
export const WEAK_PERCENT = 70;
/** Strings that may hang on arrays of other directions differ by day; one that gives almost nothing is weak. */
const DEAD_PERCENT = 10;
/** Share by which voltages of strings with as many modules may differ. */
const MOST_APART = 0.1;
/** How far the sum of strings may be from what their tracker tells. */
const TOLERANCE = 0.04;

/** Whether all modules of a plant face the same way. */
export function areOnePlane(
  arrays: readonly { readonly azimuthDeg: number; readonly inclinationDeg: number; readonly kwp: number }[],
): boolean {
  const [first, ...others] = arrays.filter(({ kwp }) => kwp > 0);
  return (
    first !== undefined &&
    others.every((each) => each.azimuthDeg === first.azimuthDeg && each.inclinationDeg === first.inclinationDeg)
  );
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
};

interface Tracker {
  readonly n: number;
  readonly voltageV: number | null;
  readonly currentA: number | null;
  readonly powerW: number | null;
}

/** Strings are counted tracker by tracker: how many each has follows from the currents, or is not known. */
function trackersOf(currents: readonly number[], trackers: readonly Tracker[], leastA: number): (Tracker | null)[] {
  if (trackers.length > 0 && currents.length === trackers.length) return [...trackers];
  const found: Tracker[] = [];
  for (const tracker of trackers) {
    const { currentA } = tracker;
    if (currentA === null || currentA < leastA) return currents.map(() => null);
    let sumA = 0;
    while (found.length < currents.length && sumA < currentA * (1 - TOLERANCE)) {
      sumA += currents[found.length] ?? 0;
      found.push(tracker);
    }
    if (Math.abs(sumA - currentA) > currentA * TOLERANCE) return currents.map(() => null);
  }
  return found.length === currents.length ? found : currents.map(() => null);
}

/**
 * The strings of an inverter side by side; of one that tells none, its trackers; nothing where it tells neither. Neighbours are
 * the strings of one tracker; where all of the plant lies in one plane, all with about the same voltage.
 *
 * @param options.leastA the current of each tracker, A, from which on it is trusted to tell which strings hang on it: means over hours tell it of less than
 *   one moment does.
 */
export function stringRows(
  values: readonly Pick<LatestValue, 'variable' | 'value'>[],
  { leastA = LEAST_A, isOnePlane = false }: { leastA?: number; isOnePlane?: boolean } = {},
): StringRow[] {
  const told = new Map(
    values.flatMap(({ variable, value }) => (typeof value === 'number' ? [[variable, value] as const] : [])),
  );
  const numbersOf = (pattern: RegExp): number[] =>
    [...new Set([...told.keys()].flatMap((variable) => Number(pattern.exec(variable)?.[1] ?? Number.NaN)))]
      .filter((n) => !Number.isNaN(n))
      .toSorted((a, b) => a - b);
  const trackers = numbersOf(/^DC\/Mppt(\d+)\//).map(
    (n): Tracker => ({
      n,
      voltageV: told.get(`DC/Mppt${n}/Voltage`) ?? null,
      currentA: told.get(`DC/Mppt${n}/Current`) ?? null,
      powerW: told.get(`DC/Mppt${n}/Power`) ?? null,
    }),
  );
  const strings = numbersOf(/^DC\/String(\d+)\/Current$/);
  const currents = strings.map((n) => told.get(`DC/String${n}/Current`) ?? 0);
  const on = trackersOf(currents, trackers, leastA);
  const rows: Told[] =
    strings.length > 0
      ? strings.map((n, place) => {
          const tracker = on[place] ?? null;
          const currentA = currents[place] ?? null;
          const voltageV = tracker?.voltageV ?? null;
          const powerW = voltageV === null || currentA === null ? null : voltageV * currentA;
          return { kind: 'string', n, tracker: tracker?.n ?? null, voltageV, currentA, powerW };
        })
      : trackers.map((tracker) => ({ kind: 'tracker', tracker: tracker.n, ...tracker }));
  return compared(rows, isOnePlane);
}

type Told = Omit<StringRow, 'percent' | 'weak'>;

/** Only what stands in the same light, with as many modules in series, can be held against each other. */
function areNeighbours(one: Told, other: Told, isOnePlane: boolean): boolean {
  if (one === other || other.currentA === null || one.kind !== 'string') return false;
  if (one.tracker !== null && one.tracker === other.tracker) return true;
  if (!isOnePlane || one.voltageV === null || other.voltageV === null) return false;
  const [low, high] = [Math.min(one.voltageV, other.voltageV), Math.max(one.voltageV, other.voltageV)];
  return low >= high * (1 - MOST_APART);
}

const currentsOf = (rows: readonly Told[]): number[] =>
  rows.flatMap(({ currentA }) => (currentA === null ? [] : [currentA]));

const shareOf = ({ currentA }: Told, referenceA: number): number | null =>
  currentA === null || !(referenceA >= LEAST_A) ? null : (100 * currentA) / referenceA;

function compared(rows: readonly Told[], isOnePlane: boolean): StringRow[] {
  const around = new Map(rows.map((row) => [row, rows.filter((other) => areNeighbours(row, other, isOnePlane))]));
  const neighboursOf = (row: Told): Told[] => around.get(row) ?? [];
  const isBehind = (row: Told, others: readonly Told[], leastPercent: number): boolean => {
    const percent = others.length === 0 ? null : shareOf(row, median(currentsOf(others)));
    return percent !== null && percent < leastPercent;
  };
  const weak = new Set(rows.filter((row) => isBehind(row, neighboursOf(row), WEAK_PERCENT)));
  return rows.map((row) => {
    const sound = neighboursOf(row).filter((other) => !weak.has(other));
    const neighbours = sound.length === 0 && weak.has(row) ? neighboursOf(row) : sound;
    if (neighbours.length > 0) {
      const currents = currentsOf(neighbours);
      return {
        ...row,
        percent: shareOf(row, currents.reduce((sum, each) => sum + each, 0) / currents.length),
        weak: weak.has(row),
      };
    }
    // Without neighbours it is held against all others, which tells no more than that it gives almost nothing.
    const others = rows.filter((other) => other !== row && other.currentA !== null);
    const isDead = neighboursOf(row).length === 0 && isBehind(row, others, DEAD_PERCENT);
    return { ...row, percent: isDead ? shareOf(row, median(currentsOf(others))) : null, weak: isDead };
  });
}
