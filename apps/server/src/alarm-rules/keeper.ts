import type { Uses } from '../services.ts';
import { tellDue } from './tell.ts';

type Used = Uses<'db' | 'liveClock' | 'logger' | 'nowMs' | 'publicUrl'>;

/** How often it is looked for what is to be told. */
const TELL_EVERY_MS = 5_000;

/** Tells whom rules name of incidents when their time has come. */
export class TellingKeeper {
  readonly #used: Used;
  #cancel: (() => void) | undefined;
  #telling: Promise<void> | undefined;
  #isStopped = false;

  constructor(used: Used) {
    this.#used = used;
  }

  start(): void {
    this.#cancel = this.#used.liveClock.after(TELL_EVERY_MS, () => {
      this.#telling = this.#tellAll().finally(() => {
        if (!this.#isStopped) this.start();
      });
    });
  }

  /** Resolves when what was under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#telling;
  }

  async #tellAll(): Promise<void> {
    const { db, nowMs, logger, publicUrl } = this.#used;
    const onFailure = (error: unknown, account: string) =>
      logger.warn({ err: error, account }, 'somebody could not be told of alarms');
    try {
      while (!this.#isStopped && (await tellDue(db, nowMs(), { portal: publicUrl(), onFailure })) > 0);
    } catch (error) {
      logger.warn({ err: error }, 'nobody could be told of alarms');
    }
  }
}
