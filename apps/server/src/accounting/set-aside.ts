import { partsOf } from '../in-slices.ts';

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 600_000;
/** Attempts at parts of a list that failed as a whole: where so many fail it is no single one. */
const MOST_FAILED = 40;

interface Rest {
  pauseMs: number;
  untilMs: number;
}

export interface SetAsideOptions<T> {
  /** Whether an error concerns all alike, so that it is of no use to look for the one that causes it. */
  isOfAll(error: unknown): boolean;
  /** One rests from now on. */
  resting(one: T, error: unknown, pauseMs: number): void;
}

/** Works on many at once so that one that cannot be done stops no other: it rests, longer each time, and is tried again. */
export class SetAside<T> {
  readonly #rests = new Map<T, Rest>();
  readonly #options: SetAsideOptions<T>;

  constructor(options: SetAsideOptions<T>) {
    this.#options = options;
  }

  get size(): number {
    return this.#rests.size;
  }

  has(one: T): boolean {
    return this.#rests.has(one);
  }

  isResting(one: T, nowMs: number): boolean {
    return nowMs < (this.#rests.get(one)?.untilMs ?? Number.NEGATIVE_INFINITY);
  }

  /** It has been done. */
  forget(one: T): void {
    this.#rests.delete(one);
  }

  rest(one: T, error: unknown, nowMs: number): void {
    const pausedMs = this.#rests.get(one)?.pauseMs;
    const pauseMs = pausedMs === undefined ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, 2 * pausedMs);
    this.#rests.set(one, { pauseMs, untilMs: nowMs + pauseMs });
    this.#options.resting(one, error, pauseMs);
  }

  /**
   * Does the work with all of a list, and where that fails with ever smaller parts of it; returns those that are done. Something may
   * be done again with one that is done already. Throws what concerns all, or too many.
   */
  async each(list: readonly T[], nowMs: number, work: (part: readonly T[]) => Promise<void>): Promise<T[]> {
    const done: T[] = [];
    let failed = 0;
    const attempt = async (part: readonly T[]): Promise<void> => {
      if (part.length === 0) return;
      try {
        await work(part);
      } catch (error) {
        failed += 1;
        if (this.#options.isOfAll(error) || failed > MOST_FAILED) throw error;
        const [only] = part;
        if (part.length === 1 && only !== undefined) this.rest(only, error, nowMs);
        else for (const half of partsOf(part, Math.ceil(part.length / 2))) await attempt(half);
        return;
      }
      done.push(...part);
    };
    // What failed before is tried alone: it must not make the others' work be done twice.
    const failedBefore = list.filter((one) => this.#rests.has(one));
    await attempt(list.filter((one) => !this.#rests.has(one)));
    for (const one of failedBefore) await attempt([one]);
    return done;
  }
}
