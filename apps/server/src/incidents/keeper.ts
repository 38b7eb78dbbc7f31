import type { Uses } from '../services.ts';
import { foldTold } from './fold-told.ts';

type Used = Uses<'db' | 'liveClock' | 'logger' | 'nowMs'>;

/** How often it is looked for what was told since. */
const FOLD_EVERY_MS = 2_000;

/** Folds what is told into incidents as it comes. */
export class IncidentKeeper {
  readonly #used: Used;
  #cancel: (() => void) | undefined;
  #folding: Promise<void> | undefined;
  #isStopped = false;

  constructor(used: Used) {
    this.#used = used;
  }

  start(): void {
    this.#cancel = this.#used.liveClock.after(FOLD_EVERY_MS, () => {
      this.#folding = this.#foldAll().finally(() => {
        if (!this.#isStopped) this.start();
      });
    });
  }

  /** Resolves when what was under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#folding;
  }

  async #foldAll(): Promise<void> {
    const { db, nowMs, logger } = this.#used;
    try {
      while (!this.#isStopped && (await foldTold(db, nowMs())) > 0);
    } catch (error) {
      logger.warn({ err: error }, 'alarms could not be folded into incidents');
    }
  }
}
