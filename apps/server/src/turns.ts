import { setImmediate as nextTurn } from 'node:timers/promises';

const LONGEST_TURN_MS = 10;
const ROWS_UNWATCHED = 64;

/** Long work row by row: tells when it has held the event loop long enough, and gives it back. */
export class Turns {
  readonly #unwatched: number;
  #rows = 0;
  #sinceMs = performance.now();

  /** @param unwatched rows between two looks at the clock; 1 where a single one may take long. */
  constructor(unwatched = ROWS_UNWATCHED) {
    this.#unwatched = unwatched;
  }

  /** Asked once for each row. */
  get isOver(): boolean {
    this.#rows += 1;
    return this.#rows % this.#unwatched === 0 && performance.now() - this.#sinceMs >= LONGEST_TURN_MS;
  }

  async giveBack(): Promise<void> {
    await nextTurn();
    this.#sinceMs = performance.now();
  }
}

/** Small works of many that come all at once: each is done, in its order, but only so many before everything else has its turn. */
export class TurnQueue {
  readonly #works: (() => void)[] = [];
  readonly #inATurn: number;
  #isComing = false;

  constructor(inATurn: number) {
    this.#inATurn = inATurn;
  }

  add(work: () => void): void {
    this.#works.push(work);
    this.#come();
  }

  #come(): void {
    if (this.#isComing || this.#works.length === 0) return;
    this.#isComing = true;
    setImmediate(() => {
      this.#isComing = false;
      const most = Math.min(this.#inATurn, this.#works.length);
      // First: a work that throws must not keep the others waiting for ever.
      this.#come();
      for (let done = 0; done < most; done += 1) this.#works.shift()?.();
    });
  }
}
