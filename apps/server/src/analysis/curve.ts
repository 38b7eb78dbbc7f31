import { isGapBefore, SHORTEST_GAP_MS, STEPS_AROUND } from '@sonnenwarte/contract/analysis/gaps';

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
  /** Known samples, from the last whose steps say something of those that are not told yet. */
  #heldMs: number[] = [];
  #held: number[] = [];
  /** Of those, how many are told. */
  #told = 0;
  #isThinned = false;
  #column = -1;
  /** What is kept of the column; nothing yet where the lowest is above the highest. */
  #lowMs = 0;
  #low = Number.POSITIVE_INFINITY;
  #highMs = 0;
  #high = Number.NEGATIVE_INFINITY;

  constructor(drawn: Drawn) {
    this.#drawn = drawn;
    this.#columnMs = Math.max(1, (drawn.toMs - drawn.fromMs) / drawn.columns);
    this.#most = Math.max(drawn.whole, 2 * drawn.columns);
  }

  /** The next samples; those without a number are none. */
  add(timesMs: readonly number[], values: readonly (number | string | null)[]): void {
    const [heldMs, held] = [this.#heldMs, this.#held];
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at];
      if (typeof value !== 'number') continue;
      heldMs.push(timesMs[at] ?? 0);
      held.push(value);
    }
    // What comes after a sample says whether the step to it was usual.
    this.#tell(this.#held.length - STEPS_AROUND + 1);
    const done = Math.max(0, this.#told - STEPS_AROUND);
    this.#heldMs = this.#heldMs.slice(done);
    this.#held = this.#held.slice(done);
    this.#told -= done;
  }

  end(): Told {
    this.#tell(this.#held.length);
    this.#flush();
    return { timesMs: this.#timesMs, values: this.#values, samples: this.#samples, isThinned: this.#isThinned };
  }

  #tell(until: number): void {
    const [heldMs, held] = [this.#heldMs, this.#held];
    for (; this.#told < until; this.#told += 1) {
      const tsMs = heldMs[this.#told] ?? 0;
      const value = held[this.#told] ?? 0;
      const lastMs = this.#told > 0 ? (heldMs[this.#told - 1] ?? tsMs) : tsMs;
      // Nearly all steps are short: only of the others it is asked what is usual around them.
      if (tsMs - lastMs > SHORTEST_GAP_MS && isGapBefore(heldMs, this.#told)) this.#break(lastMs + 1, tsMs);
      this.#samples += 1;
      if (!this.#isThinned && this.#samples > this.#most) this.#thin();
      if (this.#isThinned) this.#join(tsMs, value);
      else this.#put(tsMs, value);
    }
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
    const isFirst = this.#low > this.#high;
    if (isFirst || value < this.#low) {
      this.#low = value;
      this.#lowMs = tsMs;
    }
    if (isFirst || value > this.#high) {
      this.#high = value;
      this.#highMs = tsMs;
    }
  }

  #flush(): void {
    const [lowMs, low, highMs, high] = [this.#lowMs, this.#low, this.#highMs, this.#high];
    if (low > high) return;
    this.#low = Number.POSITIVE_INFINITY;
    this.#high = Number.NEGATIVE_INFINITY;
    if (lowMs < highMs) this.#put(lowMs, low);
    this.#put(highMs, high);
    if (highMs < lowMs) this.#put(lowMs, low);
  }
}
