import type { ReportWay } from '@sonnenwarte/contract/reports/report';
import type { Point } from '@sonnenwarte/device-protocol/points/points';
import { fewestDigits, roundedTo } from '@sonnenwarte/energy/rounding';

/** After so long without a sample a device counts as silent (see docs/domain.md). */
export const SILENT_MS = 20 * 60_000;
/** Decimals that a mean has beyond those of its values. */
const MORE_DECIMALS = 1;
const GROWTH_DECIMALS = 6;

/** How samples of a point within an interval come to one value. */
export function wayOf({ accumulates }: Pick<Point, 'accumulates'>): Exclude<ReportWay, 'told' | 'sum'> {
  if (accumulates === 'lifetime') return 'growth';
  return accumulates === 'today' ? 'last' : 'mean';
}

/**
 * The values of an interval, from samples in the order of time. What a counter grew by is told from the last reading before the interval, where that is
 * not older than a silence; a counter that fell has not grown.
 */
export class GatheredValues {
  readonly #points: readonly Point[];
  readonly #counts: number[];
  readonly #sums: number[];
  /** The last value of each point, also from before the interval. */
  readonly #last: (number | undefined)[];
  readonly #lastMs: number[];
  /** What the growth of each point is told from. */
  #from: (number | undefined)[];
  #heardMs = Number.NEGATIVE_INFINITY;
  #isWhole = true;

  constructor(points: readonly Point[]) {
    this.#points = points;
    this.#counts = points.map(() => 0);
    this.#sums = points.map(() => 0);
    this.#last = points.map(() => undefined);
    this.#lastMs = points.map(() => Number.NEGATIVE_INFINITY);
    this.#from = points.map(() => undefined);
  }

  /** Begins an interval. */
  begin(startMs: number): void {
    this.#counts.fill(0);
    this.#sums.fill(0);
    this.#from = this.#last.map((last, place) =>
      startMs - (this.#lastMs[place] ?? 0) <= SILENT_MS ? last : undefined,
    );
    this.#isWhole = true;
    this.#heardMs = startMs;
  }

  /** A sample of the interval; `valueAt` tells the value of each point. */
  add(tsMs: number, valueAt: (place: number) => number | string | null | undefined): void {
    if (tsMs - this.#heardMs > SILENT_MS) this.#isWhole = false;
    this.#heardMs = tsMs;
    for (let place = 0; place < this.#points.length; place += 1) {
      const value = valueAt(place);
      if (typeof value !== 'number') continue;
      this.#counts[place] = (this.#counts[place] ?? 0) + 1;
      this.#sums[place] = (this.#sums[place] ?? 0) + value;
      this.#from[place] ??= value;
      this.#last[place] = value;
      this.#lastMs[place] = tsMs;
    }
  }

  /** A reading before the first interval. */
  remember(tsMs: number, valueAt: (place: number) => number | string | null | undefined): void {
    this.begin(tsMs);
    this.add(tsMs, valueAt);
  }

  /** Whether the device was never silent until the end of the interval. */
  isWholeUntil(endMs: number): boolean {
    return this.#isWhole && endMs - this.#heardMs <= SILENT_MS;
  }

  /** The value of a point in the interval; `null` where none was told. */
  valueOf(place: number): number | null {
    const point = this.#points[place];
    const count = this.#counts[place] ?? 0;
    const last = this.#last[place];
    if (point === undefined || count === 0 || last === undefined) return null;
    const way = wayOf(point);
    if (way === 'mean') return roundedTo((this.#sums[place] ?? 0) / count, point.decimals + MORE_DECIMALS);
    if (way === 'last') return fewestDigits(last);
    const grown = last - (this.#from[place] ?? last);
    return grown < 0 ? null : roundedTo(grown, GROWTH_DECIMALS);
  }
}
