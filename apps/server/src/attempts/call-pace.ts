const MOST_KNOWN = 10_000;

/** One call per second by name; the calls between are refused and do not put the next one off. */
export class CallPace {
  readonly #lastMs = new Map<string, number>();
  readonly #everyMs: number;

  constructor(everyMs = 1_000) {
    this.#everyMs = everyMs;
  }

  admits(name: string, nowMs: number): boolean {
    const lastMs = this.#lastMs.get(name);
    if (lastMs !== undefined && nowMs - lastMs < this.#everyMs) return false;
    if (this.#lastMs.size >= MOST_KNOWN) this.#forget(nowMs);
    this.#lastMs.set(name, nowMs);
    return true;
  }

  #forget(nowMs: number): void {
    for (const [name, lastMs] of this.#lastMs) if (nowMs - lastMs >= this.#everyMs) this.#lastMs.delete(name);
  }
}
