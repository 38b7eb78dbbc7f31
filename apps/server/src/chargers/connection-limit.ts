const WINDOW_MS = 60_000;
/** Connections of one identity within a minute; one that is lost again and again is tried every few seconds. */
const MOST_PER_WINDOW = 20;

/** Counts the connections of each identity that was let in. One that comes too often is refused before it is looked up. */
export class ConnectionLimit {
  readonly #windows = new Map<string, { sinceMs: number; count: number }>();

  /** For how long it is refused; 0: it is not. */
  refusedForMs(identity: string, nowMs: number): number {
    const window = this.#windows.get(identity);
    if (window === undefined || window.count < MOST_PER_WINDOW) return 0;
    return Math.max(0, window.sinceMs + WINDOW_MS - nowMs);
  }

  /** Only identities that exist and gave their password are counted: there are no more of them than piles. */
  came(identity: string, nowMs: number): void {
    const window = this.#windows.get(identity);
    if (window !== undefined && nowMs - window.sinceMs < WINDOW_MS) {
      window.count += 1;
      return;
    }
    this.#windows.delete(identity);
    this.#windows.set(identity, { sinceMs: nowMs, count: 1 });
    this.#forget(nowMs);
  }

  /** The oldest are at the beginning. */
  #forget(nowMs: number): void {
    for (const [identity, { sinceMs }] of this.#windows) {
      if (nowMs - sinceMs < WINDOW_MS) return;
      this.#windows.delete(identity);
    }
  }
}
