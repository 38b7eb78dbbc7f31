const GOOD_FOR_MS = 60_000;
const MOST_KNOWN = 10_000;

/** Tokens that have lately been found good. The calls of all others count together for their address. */
export class GoodTokens {
  readonly #lastMs = new Map<string, number>();

  note(token: string, nowMs: number): void {
    this.#lastMs.delete(token);
    this.#lastMs.set(token, nowMs);
    if (this.#lastMs.size <= MOST_KNOWN) return;
    for (const oldest of this.#lastMs.keys()) {
      this.#lastMs.delete(oldest);
      return;
    }
  }

  has(token: string, nowMs: number): boolean {
    const lastMs = this.#lastMs.get(token);
    return lastMs !== undefined && nowMs - lastMs < GOOD_FOR_MS;
  }
}
