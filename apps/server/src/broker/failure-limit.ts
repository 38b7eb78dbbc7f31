interface Failures {
  count: number;
  sinceMs: number;
  untilMs: number;
}

const MINUTE_MS = 60_000;
const MOST_REMEMBERED = 50_000;
/** Failures of a network under all its names, in failures of one. */
const NAMES_OF_A_NETWORK = 10;

/**
 * Failed sign-ins, counted by network and name: what fails under one name, or from another network, says nothing about the rest.
 * A name that has signed in from a network before is never slowed down there.
 */
export class FailureLimit {
  readonly #failures = new Map<string, Failures>();
  readonly #known = new Set<string>();
  readonly #perMinute: number;
  readonly #blockMs: number;
  readonly #mostRemembered: number;

  constructor(perMinute = 10, blockMs = 5 * MINUTE_MS, mostRemembered = MOST_REMEMBERED) {
    this.#perMinute = perMinute;
    this.#blockMs = blockMs;
    this.#mostRemembered = mostRemembered;
  }

  /** Whether so much failed lately under this name, from this network, that the next try may cost nothing. */
  isBlocked(network: string, name: string, nowMs: number): boolean {
    const pair = keyOf(network, name);
    return !this.#known.has(pair) && this.#isOver(pair, nowMs);
  }

  /** Whether a network fails under one name after the other. */
  isGuessing(network: string, nowMs: number): boolean {
    return this.#isOver(network, nowMs);
  }

  succeeded(network: string, name: string): void {
    const pair = keyOf(network, name);
    this.#known.delete(pair);
    this.#known.add(pair);
    this.#failures.delete(pair);
    forgetOldest(this.#known, this.#mostRemembered);
  }

  /** Counts a failure and says whether it is the one from which on the name is blocked in this network. */
  failed(network: string, name: string, nowMs: number): boolean {
    this.#count(network, this.#perMinute * NAMES_OF_A_NETWORK, nowMs);
    return this.#count(keyOf(network, name), this.#perMinute, nowMs);
  }

  get remembered(): number {
    return this.#failures.size + this.#known.size;
  }

  #isOver(key: string, nowMs: number): boolean {
    return (this.#failures.get(key)?.untilMs ?? 0) > nowMs;
  }

  #count(key: string, most: number, nowMs: number): boolean {
    const before = this.#failures.get(key);
    const isSameMinute = before !== undefined && nowMs - before.sinceMs < MINUTE_MS;
    const entry = isSameMinute ? before : { count: 0, sinceMs: nowMs, untilMs: before?.untilMs ?? 0 };
    entry.count += 1;
    this.#failures.delete(key);
    this.#failures.set(key, entry);
    forgetOldest(this.#failures, this.#mostRemembered);
    if (entry.count !== most) return false;
    entry.untilMs = nowMs + this.#blockMs;
    return true;
  }
}

const keyOf = (network: string, name: string): string => `${network} ${name.slice(0, 32)}`;

function forgetOldest(kept: Map<string, unknown> | Set<string>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}
