/** Blocks addresses that fail to sign in too often. Only failures count. */
export class FailureLimit {
  readonly #failures = new Map<string, { count: number; sinceMs: number; blockedUntilMs: number }>();
  readonly #perMinute: number;
  readonly #blockMs: number;

  constructor(perMinute = 10, blockMs = 5 * 60_000) {
    this.#perMinute = perMinute;
    this.#blockMs = blockMs;
  }

  isBlocked(address: string, nowMs: number): boolean {
    const entry = this.#failures.get(address);
    return entry !== undefined && entry.blockedUntilMs > nowMs;
  }

  /** Counts a failure and says whether it is the one that blocks the address. */
  note(address: string, nowMs: number): boolean {
    const entry = this.#failures.get(address);
    if (entry === undefined || nowMs - entry.sinceMs >= 60_000) {
      if (this.#failures.size >= 10_000) this.#forget(nowMs);
      this.#failures.set(address, { count: 1, sinceMs: nowMs, blockedUntilMs: entry?.blockedUntilMs ?? 0 });
      return false;
    }
    entry.count += 1;
    if (entry.count !== this.#perMinute) return false;
    entry.blockedUntilMs = nowMs + this.#blockMs;
    return true;
  }

  #forget(nowMs: number): void {
    for (const [address, entry] of this.#failures) {
      if (nowMs - entry.sinceMs >= 60_000 && entry.blockedUntilMs <= nowMs) this.#failures.delete(address);
    }
    if (this.#failures.size >= 10_000) this.#failures.clear();
  }
}
