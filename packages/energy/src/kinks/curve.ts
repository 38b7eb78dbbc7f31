/** A series of five-minute means; null = not known. */
export type Series = readonly (number | null)[];

/** The curve of a plant's day in buckets of five minutes. */
export interface CurveDay {
  /** Start of the first bucket, epoch ms. */
  startMs: number;
  bucketMs: number;
  /** PV power at the AC bus, W. */
  pvW: Series;
  /** Power at the grid, W, + = bought. */
  gridW: Series;
  /** PV power under a clear sky without the inverters' limit, W; null = not known, then the curve's own outline stands for it. */
  clearW: readonly number[] | null;
  /** The most that the plant can give, W; Infinity where nothing is known of it. */
  mostW: number;
  /** What is later is still to come, epoch ms. */
  untilMs: number;
}

export const HOUR_MS = 3_600_000;

/** Middle of some numbers; NaN of none. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}

/** Mean of what is known of a part of a series, `to` excluded; null where nothing is. */
export function meanOf(values: Series, from: number, to: number): number | null {
  let sum = 0;
  let known = 0;
  for (let at = Math.max(0, from); at < Math.min(values.length, to); at += 1) {
    const value = values[at];
    if (value === null || value === undefined) continue;
    sum += value;
    known += 1;
  }
  return known === 0 ? null : sum / known;
}

/**
 * The lowest curve without dents that lies on or above another one (upper hull after Andrew 1979) from its first value above 0 to its last;
 * what is not known counts as 0.
 */
export function outlineOf(values: Series): number[] {
  const corners: number[] = [];
  const heightOf = (at: number): number => values[at] ?? 0;
  const isUp = (value: number | null): boolean => value !== null && value > 0;
  for (let at = Math.max(0, values.findIndex(isUp)); at <= values.findLastIndex(isUp); at += 1) {
    while (corners.length >= 2) {
      const [a = 0, b = 0] = corners.slice(-2);
      if ((heightOf(b) - heightOf(a)) * (at - a) > (heightOf(at) - heightOf(a)) * (b - a)) break;
      corners.pop();
    }
    corners.push(at);
  }
  const outline = values.map((value) => value ?? 0);
  for (let place = 1; place < corners.length; place += 1) {
    const [from = 0, to = 0] = corners.slice(place - 1, place + 1);
    for (let at = from + 1; at < to; at += 1) {
      outline[at] = heightOf(from) + ((heightOf(to) - heightOf(from)) * (at - from)) / (to - from);
    }
  }
  return outline;
}
