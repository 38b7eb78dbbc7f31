import { clearnessOf, clearnessOfPlane, type ExpectedDay } from './expected-power.ts';
import { isAtLimit, type PlantDay } from './plant-day.ts';

/** The light of a day over a plant, as clearness of each bucket. */
export interface DayLight {
  /** `own` = from the plant's own power: tells what it withheld, not what it lost to dirt, shade or weakness. */
  source: 'sensor' | 'neighbours' | 'own';
  /** Filled over low sun and short holes; NaN by night and where nothing is near. */
  clearness: Float64Array;
  /** The same where no single cloud shades the plant, as is so while it is held back at a limit. */
  unshaded: Float64Array;
}

/** Part of the day's light that has to be told. */
const LEAST_TOLD = 0.6;
/** The sun is too low to tell much: what is told later or earlier holds, any number of buckets. */
const LONGEST_HOLE_BUCKETS = 12;
/** By its own power a plant that is held back at midday has the light of the hours before and after. */
const LONGEST_HELD_BUCKETS = 84;

/** The light by the best source that tells enough of the day; `own` where neither a sensor nor neighbours do. */
export function dayLight(day: PlantDay, expected: ExpectedDay, level: number): DayLight {
  const { sensor, neighbours } = day;
  if (sensor !== null) {
    const clearness = clearnessOfPlane(expected, sensor.planeWm2, sensor.array);
    if (toldPart(clearness, expected) >= LEAST_TOLD) return one('sensor', filled(clearness, expected));
  }
  if (neighbours !== null && toldPart(neighbours.clearness, expected) >= LEAST_TOLD) {
    const clearness = filled(neighbours.clearness, expected);
    return { source: 'neighbours', clearness, unshaded: filled(neighbours.typical, expected) };
  }
  const freeW = day.pvW.map((powerW, at) => (isAtLimit(day, expected, at) ? Number.NaN : powerW));
  return one('own', filled(clearnessOf(expected, freeW, level), expected, LONGEST_HELD_BUCKETS));
}

function one(source: DayLight['source'], clearness: Float64Array): DayLight {
  return { source, clearness, unshaded: clearness };
}

function toldPart(clearness: Float64Array, { clearW }: ExpectedDay): number {
  let told = 0;
  let all = 0;
  for (let at = 0; at < clearW.length; at += 1) {
    const powerW = clearW[at] as number;
    all += powerW;
    if (!Number.isNaN(clearness[at] ?? Number.NaN)) told += powerW;
  }
  return all > 0 ? told / all : 0;
}

/** Short holes are bridged in a straight line; before the first and after the last that is known it holds on. */
function filled(
  clearness: Float64Array,
  { sky, clearW }: ExpectedDay,
  longestHole: number = LONGEST_HOLE_BUCKETS,
): Float64Array {
  const result = clearness.slice();
  let last = -1;
  for (let at = 0; at < result.length; at += 1) {
    if (Number.isNaN(result[at])) continue;
    if (last === -1) hold(result, 0, at, result[at] as number, clearW);
    else if (at - last - 1 <= longestHole) bridge(result, last, at);
    last = at;
  }
  if (last !== -1) hold(result, last + 1, result.length, result[last] as number, clearW);
  for (let at = 0; at < result.length; at += 1) if ((sky.zenithDeg[at] as number) >= 90) result[at] = Number.NaN;
  return result;
}

function bridge(series: Float64Array, from: number, to: number): void {
  const start = series[from] as number;
  const rise = ((series[to] as number) - start) / (to - from);
  for (let at = from + 1; at < to; at += 1) series[at] = start + rise * (at - from);
}

/** Only where the sun is so low that the plant gives next to nothing, or for an hour. */
function hold(series: Float64Array, from: number, to: number, value: number, clearW: Float64Array): void {
  const peakW = clearW.reduce((most, each) => Math.max(most, each), 0);
  const isStart = from === 0;
  for (let step = 0; step < to - from; step += 1) {
    const at = isStart ? to - 1 - step : from + step;
    if (step >= LONGEST_HOLE_BUCKETS && (clearW[at] as number) > 0.1 * peakW) return;
    series[at] = value;
  }
}
