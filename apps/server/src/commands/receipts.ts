/** A clock set back by more is followed; by less, order goes before time. */
const FOLLOWS_BACK_MS = 1_000;
/** What the database keeps of a time, in ms. */
const LEAST_MS = 0.001;

/**
 * Gives what comes its moment, in ms: no two have the same, so that of two values the one that was told later is known, wherever it is written first.
 */
export class Receipts {
  readonly #nowMs: () => number;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs;
  }

  next(): number {
    const nowMs = this.#nowMs();
    const isNew = nowMs > this.#lastMs || nowMs < this.#lastMs - FOLLOWS_BACK_MS;
    this.#lastMs = isNew ? nowMs : this.#lastMs + LEAST_MS;
    return this.#lastMs;
  }
}
