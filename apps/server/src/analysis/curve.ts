/** Samples further apart than this many usual steps leave a gap. */
const GAP_STEPS = 4;
const SHORTEST_GAP_MS = 60_000;
/** Steps that are looked at to know the usual one. */
const STEPS_LOOKED_AT = 255;

/** Distance, ms, from which on two samples are not joined: times in their order, of the samples that hold a value. */
export function gapOf(timesMs: readonly number[]): number {
  const count = timesMs.length - 1;
  if (count < 1) return SHORTEST_GAP_MS;
  const looked = Math.min(STEPS_LOOKED_AT, count);
  const steps = Float64Array.from({ length: looked }, (_, place) => {
    const at = Math.floor((place * count) / looked);
    return (timesMs[at + 1] ?? 0) - (timesMs[at] ?? 0);
  }).sort();
  return Math.max(SHORTEST_GAP_MS, GAP_STEPS * (steps[looked >> 1] ?? 0));
}

export interface Told {
  readonly timesMs: readonly number[];
  /** Null breaks the curve. */
  readonly values: readonly (number | null)[];
  /** How many samples stand behind it. */
  readonly samples: number;
  readonly isThinned: boolean;
}

export interface Drawn {
  readonly fromMs: number;
  readonly toMs: number;
  /** Columns of pixels. */
  readonly columns: number;
  /** Samples that are kept as they are, however few pixels there are. */
  readonly whole: number;
}

/**
 * A curve that is told part by part, in the order of time. So long as its samples are few they stay as they are; once there are more than pixels can
 * show, of each column of pixels the lowest and the highest is kept, so that no peak is lost and what is held never follows the number of samples.
 */
export class Curve {
  readonly #drawn: Drawn;
  readonly #columnMs: number;
  readonly #most: number;
  #timesMs: number[] = [];
  #values: (number | null)[] = [];
  #samples = 0;
  #lastMs: number | undefined;
  #isThinned = false;
  #column = -1;
  #low: Sample | undefined;
  #high: Sample | undefined;

  constructor(drawn: Drawn) {
    this.#drawn = drawn;
    this.#columnMs = Math.max(1, (drawn.toMs - drawn.fromMs) / drawn.columns);
    this.#most = Math.max(drawn.whole, 2 * drawn.columns);
  }

  /** The next samples; those without a number are none, and what is no further apart than `gapMs` is joined. */
  add(timesMs: readonly number[], values: readonly (number | string | null)[], gapMs: number): void {
    for (const [at, value] of values.entries()) {
      if (typeof value !== 'number') continue;
      const tsMs = timesMs[at] ?? 0;
      const lastMs = this.#lastMs;
      if (lastMs !== undefined && tsMs - lastMs > gapMs) this.#break(lastMs + 1, tsMs);
      this.#lastMs = tsMs;
      this.#samples += 1;
      if (!this.#isThinned && this.#samples > this.#most) this.#thin();
      if (this.#isThinned) this.#join(tsMs, value);
      else this.#put(tsMs, value);
    }
  }

  end(): Told {
    this.#flush();
    return { timesMs: this.#timesMs, values: this.#values, samples: this.#samples, isThinned: this.#isThinned };
  }

  #put(tsMs: number, value: number | null): void {
    this.#timesMs.push(tsMs);
    this.#values.push(value);
  }

  #columnOf(tsMs: number): number {
    return Math.floor((tsMs - this.#drawn.fromMs) / this.#columnMs);
  }

  /** Of a thinned curve a gap within one column cannot be seen, and would only cost room. */
  #break(tsMs: number, nextMs: number): void {
    if (this.#isThinned) {
      if (this.#columnOf(nextMs) === this.#column) return;
      this.#flush();
    }
    this.#put(tsMs, null);
  }

  #thin(): void {
    const [timesMs, values] = [this.#timesMs, this.#values];
    this.#timesMs = [];
    this.#values = [];
    this.#isThinned = true;
    for (const [at, value] of values.entries()) {
      const tsMs = timesMs[at] ?? 0;
      if (value === null) this.#break(tsMs, timesMs[at + 1] ?? tsMs);
      else this.#join(tsMs, value);
    }
  }

  #join(tsMs: number, value: number): void {
    const column = this.#columnOf(tsMs);
    if (column !== this.#column) {
      this.#flush();
      this.#column = column;
    }
    if (this.#low === undefined || value < this.#low.value) this.#low = { tsMs, value };
    if (this.#high === undefined || value > this.#high.value) this.#high = { tsMs, value };
  }

  #flush(): void {
    const [low, high] = [this.#low, this.#high];
    this.#low = undefined;
    this.#high = undefined;
    if (low === undefined || high === undefined) return;
    const [first, second] = low.tsMs <= high.tsMs ? [low, high] : [high, low];
    this.#put(first.tsMs, first.value);
    if (second.tsMs !== first.tsMs) this.#put(second.tsMs, second.value);
  }
}

interface Sample {
  readonly tsMs: number;
  readonly value: number;
}
