import { CallError } from '../http/call-error.ts';

interface HashQueueOptions {
  /** Pieces of work at once. */
  readonly concurrency: number;
  /** Work that would wait longer is refused at once. */
  readonly longestWaitMs: number;
}

const FIRST_GUESS_MS = 40;
const WEIGHT_OF_NEWEST = 0.25;

/**
 * Does costly work one after the other, first come, first served. What could not be begun in time is refused when it
 * comes, so that nobody waits for an answer that was never possible.
 */
export class HashQueue {
  readonly #options: HashQueueOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #workMs = FIRST_GUESS_MS;

  constructor(options: HashQueueOptions) {
    this.#options = options;
  }

  /** How long work that comes now would wait, behind what is here already or behind more that is known to come. */
  waitMsBehind(coming = 0): number {
    const ahead = Math.max(coming, this.#waiting.length + this.#running) - this.#options.concurrency + 1;
    return Math.ceil((Math.max(0, ahead) * this.#workMs) / this.#options.concurrency);
  }

  /** Refuses with the time after which to try again, where there is no room now. */
  assertRoom(coming = 0): void {
    const waitMs = this.waitMsBehind(coming);
    if (waitMs > this.#options.longestWaitMs) throw new CallError('tryLater', { retryAfterMs: waitMs });
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.assertRoom();
    if (this.#running >= this.#options.concurrency) {
      await new Promise<void>((begin) => {
        this.#waiting.push(begin);
      });
    } else {
      this.#running += 1;
    }
    const startedMs = performance.now();
    try {
      return await work();
    } finally {
      this.#workMs += WEIGHT_OF_NEWEST * (performance.now() - startedMs - this.#workMs);
      const next = this.#waiting.shift();
      // The next takes over this one's place, so that nobody can come between.
      if (next) next();
      else this.#running -= 1;
    }
  }
}
