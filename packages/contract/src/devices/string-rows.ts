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
  /** Its current against the median of its neighbours, percent. */
  percent: z.nullable(z.number()),
  /** The one that stays far behind its neighbours. */
  weak: z.boolean(),
});
export type StringRow = Readonly<z.output<typeof stringRow>>;

/** Below it the sun is too low to compare strings. */
const LEAST_A = 1;
/** Strings of one tracker stand alike; below this share of their median one is weak. */
const WEAK_PERCENT = 80;
/** Strings that may hang on arrays of other directions differ by day; one that gives almost nothing is weak. */
const DEAD_PERCENT = 10;
const LEAST_NEIGHBOURS = 3;
/** How far the sum of strings may be from what their tracker tells. */
const TOLERANCE = 0.04;

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
 * The strings of an inverter side by side; of one that tells none, its trackers; nothing where it tells neither.
 *
 * @param leastA the current of each tracker, A, from which on it is trusted to tell which strings hang on it: means over hours tell it of less than
 *   one moment does.
 */
export function stringRows(
  values: readonly Pick<LatestValue, 'variable' | 'value'>[],
  leastA: number = LEAST_A,
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
  const rows: Omit<StringRow, 'percent' | 'weak'>[] =
    strings.length > 0
      ? strings.map((n, place) => {
          const tracker = on[place] ?? null;
          const currentA = currents[place] ?? null;
          const voltageV = tracker?.voltageV ?? null;
          const powerW = voltageV === null || currentA === null ? null : voltageV * currentA;
          return { kind: 'string', n, tracker: tracker?.n ?? null, voltageV, currentA, powerW };
        })
      : trackers.map((tracker) => ({ kind: 'tracker', tracker: tracker.n, ...tracker }));
  return compared(rows);
}

function compared(rows: readonly Omit<StringRow, 'percent' | 'weak'>[]): StringRow[] {
  const told = rows.map((row) => {
    const ofTracker = rows.filter((other) => row.kind === 'string' && other.tracker === row.tracker);
    const isAlike = row.tracker !== null && ofTracker.length >= LEAST_NEIGHBOURS;
    const currents = (isAlike ? ofTracker : rows).flatMap(({ currentA }) => (currentA === null ? [] : [currentA]));
    const middleA = median(currents);
    const percent =
      row.currentA === null || currents.length < 2 || middleA < LEAST_A ? null : (100 * row.currentA) / middleA;
    const isBehind = percent !== null && percent < (isAlike ? WEAK_PERCENT : DEAD_PERCENT);
    return { row, percent, isBehind };
  });
  const worst = Math.min(...told.flatMap(({ percent, isBehind }) => (isBehind && percent !== null ? [percent] : [])));
  return told.map(({ row, percent, isBehind }) => ({ ...row, percent, weak: isBehind && percent === worst }));
}
