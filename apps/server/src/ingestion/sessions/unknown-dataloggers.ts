import { isDataloggerSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { DataloggerEntry } from '../registry/plant-model.ts';
import type { Registry } from '../registry/registry.ts';

/** Serial numbers that are asked for at the same time, and those of which it is remembered that there is none. */
const MOST_ASKED = 10_000;
const MOST_STRANGERS = 10_000;
const ASK_AGAIN_AFTER_MS = 5_000;

/** Loggers that are not held: their messages wait, in their order, until what they are has been read. */
export class UnknownDataloggers {
  readonly #registry: Pick<Registry, 'learn'>;
  readonly #asked = new Map<string, Promise<DataloggerEntry | undefined>>();
  /** When they were asked for. */
  readonly #strangers = new Map<string, number>();

  constructor(registry: Pick<Registry, 'learn'>) {
    this.#registry = registry;
  }

  /** Whether messages of a logger wait here, so that a further one has to as well. */
  isAsked(sn: string): boolean {
    return this.#asked.has(sn);
  }

  /** Answers in the order in which it was asked; with an error where it cannot be read now. */
  learn(sn: string, answer: (datalogger: DataloggerEntry | undefined, error?: Error) => void): void {
    if (!this.#asked.has(sn)) {
      const isFull = this.#asked.size >= MOST_ASKED;
      if (!isDataloggerSn(sn) || this.#isStranger(sn) || isFull) {
        answer(undefined, isFull ? new Error('too many loggers are looked up') : undefined);
        return;
      }
      this.#asked.set(
        sn,
        this.#registry.learn(sn).then(
          (datalogger) => {
            this.#asked.delete(sn);
            if (datalogger === undefined) this.#noteStranger(sn);
            return datalogger;
          },
          (error: unknown) => {
            this.#asked.delete(sn);
            throw error;
          },
        ),
      );
    }
    this.#asked.get(sn)?.then(answer, (error: unknown) => {
      answer(undefined, error instanceof Error ? error : new Error(String(error)));
    });
  }

  /** Waits until all that is asked is answered. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#asked.values());
  }

  #isStranger(sn: string): boolean {
    return performance.now() - (this.#strangers.get(sn) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_AFTER_MS;
  }

  #noteStranger(sn: string): void {
    if (this.#strangers.size >= MOST_STRANGERS) this.#strangers.clear();
    this.#strangers.set(sn, performance.now());
  }
}
