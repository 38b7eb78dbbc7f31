/** Units that can be plotted at once, each in a lane of its own. */
export const MOST_LANES = 4;

/** Units whose values mean something against zero; others are shown as close as they are. */
const fromZero: readonly string[] = ['W', 'var', 'VA', 'A', 'mA', '%', 'kWh', 'Wh', 'W/m2', 'm/s', 'h', 'kB'];

export interface Lane<C> {
  readonly unit: string;
  readonly curves: readonly C[];
}

/** Curves by unit, in the order in which the units come up; what has no room is left out. */
export function lanesOf<C extends { readonly unit: string }>(curves: readonly C[]): Lane<C>[] {
  const units = [...new Set(curves.map(({ unit }) => unit))].slice(0, MOST_LANES);
  return units.map((unit) => ({ unit, curves: curves.filter((curve) => curve.unit === unit) }));
}

/** Heights of lanes in a height: the first is double. */
export function laneHeights(count: number, heightPx: number): number[] {
  const each = Math.floor(heightPx / (count + 1));
  return Array.from({ length: count }, (_, place) => (place === 0 ? heightPx - (count - 1) * each : each));
}

const ROUND = [1, 2, 2.5, 5, 10];

/** Round values between two, about as many as asked for. */
export function roundValues(min: number, max: number, most: number): number[] {
  const span = max - min;
  if (!(span > 0) || !Number.isFinite(span)) return [min];
  const least = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (ROUND.find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10) * power;
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
}

/** Room above the curves, where the lane has its name. */
const ABOVE = 0.16;
const BELOW = 0.06;
/** What differs by less than this share is not spread over a whole lane. */
const LEAST_SPREAD = 0.01;

/** Range of a lane that holds all values; zero among them where the unit asks for it. */
export function laneRange(unit: string, min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const zero = fromZero.includes(unit);
  const [low, top] = zero ? [Math.min(0, min), Math.max(0, max)] : [min, max];
  const least = zero ? (top === low ? 1 : 0) : Math.max(Math.abs(low), Math.abs(top)) * LEAST_SPREAD;
  const high = Math.max(top, low + (least > 0 || top > low ? least : 1));
  const span = high - low;
  return [zero && low === 0 ? 0 : low - span * BELOW, high + span * ABOVE];
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Steps of an axis of time below an hour. */
const shortSteps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800].map((seconds) => seconds * SECOND_MS);

/** The step of an axis of time below an hour that leaves each label its room; none where hours are close enough. */
export const shortStepOf = (spanMs: number, widthPx: number, labelPx: number): number | undefined =>
  shortSteps.find((stepMs) => (spanMs / stepMs) * labelPx <= widthPx);

/** Moments at multiples of a step below an hour, as clocks of all zones show them. */
export function shortTicks(fromMs: number, toMs: number, stepMs: number): number[] {
  const first = Math.ceil(fromMs / stepMs);
  const last = Math.floor(toMs / stepMs);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => (first + place) * stepMs);
}

/** The shortest part of the time that can be looked at. */
const SHORTEST_MS = 2 * MINUTE_MS;

export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A part of a whole: not shorter than can be read, and within it. */
export function within(wanted: Window, whole: Window): Window {
  const lengthMs = Math.min(whole.toMs - whole.fromMs, Math.max(SHORTEST_MS, wanted.toMs - wanted.fromMs));
  const middleMs = (wanted.fromMs + wanted.toMs) / 2;
  const fromMs = Math.min(whole.toMs - lengthMs, Math.max(whole.fromMs, middleMs - lengthMs / 2));
  return { fromMs: Math.round(fromMs), toMs: Math.round(fromMs + lengthMs) };
}

/** Closer (factor below 1) or further away, so that a moment stays where it is. */
export function zoomed({ fromMs, toMs }: Window, factor: number, aroundMs: number, whole: Window): Window {
  const lengthMs = Math.min(whole.toMs - whole.fromMs, Math.max(SHORTEST_MS, (toMs - fromMs) * factor));
  const share = toMs > fromMs ? (aroundMs - fromMs) / (toMs - fromMs) : 0.5;
  const start = aroundMs - share * lengthMs;
  return within({ fromMs: start, toMs: start + lengthMs }, whole);
}

export const isWhole = (part: Window, whole: Window): boolean => part.fromMs <= whole.fromMs && part.toMs >= whole.toMs;

const powerUnits = [
  { unit: 'MW', holds: 1_000_000 },
  { unit: 'kW', holds: 1_000 },
] as const;

/** The unit in which powers of a lane are told, watts, beside its name, so that the numbers at its axis are bare. */
export function powerUnit(valuesW: readonly (number | null)[]): { unit: string; holds: number } {
  let largest = 0;
  for (let at = 0; at < valuesW.length; at += 1) largest = Math.max(largest, Math.abs(valuesW[at] ?? 0));
  return powerUnits.find(({ holds }) => largest >= holds) ?? { unit: 'W', holds: 1 };
}
