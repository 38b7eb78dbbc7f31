import { setImmediate } from 'node:timers/promises';

const LONGEST_TURN_MS = 10;
const ROWS_UNWATCHED = 64;

/** Long work row by row: tells when it has held the event loop long enough, and gives it back. */
export class Turns {
  #rows = 0;
  #sinceMs = performance.now();

  /** Asked once for each row. */
  get isOver(): boolean {
    this.#rows += 1;
    return this.#rows % ROWS_UNWATCHED === 0 && performance.now() - this.#sinceMs >= LONGEST_TURN_MS;
  }

  async giveBack(): Promise<void> {
    await setImmediate();
    this.#sinceMs = performance.now();
  }
}
