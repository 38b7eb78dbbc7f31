import { CallError } from '../http/call-error.ts';

const TRY_AGAIN_MS = 1_000;

/** Lets at most so many pieces of work with the same key run at once; so many more wait their turn, further ones are refused. */
export class KeyedGate {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #doors = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(atOnce: number, mostWaiting = Number.POSITIVE_INFINITY) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const door = this.#doors.get(key) ?? { running: 0, waiting: [] };
    if (door.waiting.length >= this.#mostWaiting) throw new CallError('tryLater', { retryAfterMs: TRY_AGAIN_MS });
    this.#doors.set(key, door);
    if (door.running >= this.#atOnce) {
      await new Promise<void>((begin) => {
        door.waiting.push(begin);
      });
    } else {
      door.running += 1;
    }
    try {
      return await work();
    } finally {
      const next = door.waiting.shift();
      if (next) next();
      else {
        door.running -= 1;
        if (door.running === 0) this.#doors.delete(key);
      }
    }
  }
}
