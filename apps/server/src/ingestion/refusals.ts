import type { Logger } from 'pino';
import type { Acknowledge } from '../broker/message-source.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { LoggerEntry } from './plant-model.ts';

const LOG_AGAIN_AFTER_MS = 60_000;

/** Counts what is refused by its reason, and logs at most one refusal a minute of each logger. */
export class Refusals {
  readonly #metrics: IngestionMetrics;
  readonly #logger: Logger;

  constructor(metrics: IngestionMetrics, logger: Logger) {
    this.#metrics = metrics;
    this.#logger = logger;
  }

  /** Refuses a whole message. It is acknowledged: sent again, it would be refused again. */
  message(logger: LoggerEntry, reason: string, detail: string, done: Acknowledge) {
    this.#metrics.rejected.inc({ reason });
    this.#log(logger, reason, detail);
    done(null);
  }

  /** Refuses values of a message that is taken otherwise. */
  values(logger: LoggerEntry, count: number) {
    if (count === 0) return;
    this.#metrics.rejected.inc({ reason: 'bad-value' }, count);
    this.#log(logger, 'bad-value', '');
  }

  #log(logger: LoggerEntry, reason: string, detail: string) {
    const nowMs = Date.now();
    if (nowMs - logger.lastLogMs < LOG_AGAIN_AFTER_MS) return;
    logger.lastLogMs = nowMs;
    this.#logger.warn({ sn: logger.sn, reason, detail: detail.slice(0, 128) }, 'message of a logger refused');
  }
}
