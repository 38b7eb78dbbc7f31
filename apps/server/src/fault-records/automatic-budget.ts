const HOUR_MS = 3_600_000;
const MOST_AN_HOUR = 24;
const MOST_HELD = 20_000;

/** How often the portal asks by itself through one datalogger, so that a device that fails again and again does not fill its line. */
export class AutomaticBudget {
  readonly #used = new Map<string, { sinceMs: number; count: number }>();

  /** Whether it may ask once more now. */
  take(loggerId: string, nowMs: number): boolean {
    const used = this.#used.get(loggerId);
    if (used === undefined || nowMs - used.sinceMs >= HOUR_MS) {
      this.#used.delete(loggerId);
      this.#used.set(loggerId, { sinceMs: nowMs, count: 1 });
      for (const oldest of this.#used.keys()) {
        if (this.#used.size <= MOST_HELD) break;
        this.#used.delete(oldest);
      }
      return true;
    }
    used.count += 1;
    return used.count <= MOST_AN_HOUR;
  }
}
