import type { Logger } from 'pino';
import type { Acknowledge } from '../../broker/message-source.ts';
import type { IngestionMetrics } from '../metrics.ts';
import type { DataloggerEntry } from '../registry/plant-model.ts';
import type { RefusalReason } from './reasons.ts';

const LOG_AGAIN_AFTER_MS = 60_000;
const MOST_NAMES = 5;
const LONGEST_NAME = 64;
const LONGEST_DETAIL = 128;

/** What of one message was not taken: how often for each reason, with the first names. */
export class Tally {
  readonly counts = new Map<RefusalReason, { count: number; names: string[] }>();

  note(reason: RefusalReason, name: string): void {
    const known = this.counts.get(reason);
    if (known === undefined) {
      this.counts.set(reason, { count: 1, names: [name.slice(0, LONGEST_NAME)] });
      return;
    }
    known.count += 1;
    if (known.names.length < MOST_NAMES) known.names.push(name.slice(0, LONGEST_NAME));
  }
}

/** Counts what is refused by its reason, and logs each reason at most once a minute of each logger. */
export class Refusals {
  readonly #metrics: IngestionMetrics;
  readonly #logger: Logger;
  readonly #noted: (reason: RefusalReason) => void;

  /** @param noted told of what is refused of the message in hand, each reason at most once a minute of each logger */
  constructor(metrics: IngestionMetrics, logger: Logger, noted: (reason: RefusalReason) => void = () => undefined) {
    this.#metrics = metrics;
    this.#logger = logger;
    this.#noted = noted;
  }

  /** Refuses a whole message. It is acknowledged: sent again, it would be refused again. */
  message(datalogger: DataloggerEntry, reason: RefusalReason, detail: string, done: Acknowledge) {
    this.note(datalogger, reason, detail);
    done(null);
  }

  /** Refuses what is no message of its own: an alarm, a death, a part of an array. */
  note(datalogger: DataloggerEntry, reason: RefusalReason, detail: string, count = 1) {
    this.#metrics.rejected.inc({ reason }, count);
    const nowMs = Date.now();
    if (nowMs - (datalogger.loggedMs.get(reason) ?? 0) < LOG_AGAIN_AFTER_MS) return;
    datalogger.loggedMs.set(reason, nowMs);
    this.#noted(reason);
    const shown = printable(detail.slice(0, LONGEST_DETAIL));
    this.#logger.warn({ sn: datalogger.sn, reason, count, detail: shown }, 'not taken from a datalogger');
  }

  /** Refuses parts of a message that is taken otherwise. */
  parts(datalogger: DataloggerEntry, { counts }: Tally) {
    for (const [reason, { count, names }] of counts) this.note(datalogger, reason, names.join(', '), count);
  }
}

function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ').toWellFormed();
}
