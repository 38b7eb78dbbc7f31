import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { type AuditEntry, type AuditSource, recordAuditsFrom } from '../audit/audit.ts';
import type { Database } from '../stores/schema.ts';

const FLUSH_MS = 1_000;
const FLUSH_AT = 50;
const MOST_KEPT = 5_000;
const WRITTEN_AT_ONCE = 500;

interface Refused {
  readonly from: AuditSource;
  readonly entry: AuditEntry;
}

/**
 * Writes refused sign-ins into the audit log by the second: those who guess do not make those who know their password
 * wait for the head of the chain. What was not yet written when the process is killed is lost.
 */
export class RefusedSignIns {
  readonly #db: Kysely<Database>;
  readonly #logger: Pick<Logger, 'error'>;
  #kept: Refused[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Kysely<Database>, logger: Pick<Logger, 'error'>) {
    this.#db = db;
    this.#logger = logger;
  }

  add(from: AuditSource, entry: AuditEntry): void {
    if (this.#kept.length >= MOST_KEPT) return;
    this.#kept.push({ from, entry });
    if (this.#kept.length === FLUSH_AT) void this.flush();
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Resolves once all that was added before is written. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const kept = this.#kept;
    this.#kept = [];
    if (kept.length === 0) return;
    let written = 0;
    try {
      for (let at = 0; at < kept.length; at += WRITTEN_AT_ONCE) {
        await this.#db.transaction().execute((tx) => recordAuditsFrom(tx, kept.slice(at, at + WRITTEN_AT_ONCE)));
        written = Math.min(kept.length, at + WRITTEN_AT_ONCE);
      }
    } catch (error) {
      this.#logger.error(
        { err: error, entries: kept.length - written },
        'refused sign-ins could not be written to the audit log',
      );
      this.#kept = [...kept.slice(written), ...this.#kept].slice(0, MOST_KEPT);
    }
  }
}
