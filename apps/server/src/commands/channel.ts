import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { AuditSource } from '../audit/audit.ts';
import type { Database } from '../stores/schema.ts';
import { recordCancelled, recordOrders } from './command-audit.ts';
import { EXPIRES_AFTER_MS } from './commands.states.ts';
import { cancelCommands, insertCommands, tellOfCommands } from './commands.store.ts';
import type { ChangedCommand, CommandChannel, CommandOrder } from './orders.ts';
import { newUlid } from './ulid.ts';

type Hear = (changed: readonly ChangedCommand[]) => void | Promise<void>;

/** Keeps orders in the table, from which the dispatcher takes them, and tells of what becomes of them. */
export class Channel implements CommandChannel {
  readonly #nowMs: () => number;
  readonly #logger: Pick<Logger, 'error'>;
  readonly #hearing = new Set<Hear>();

  constructor(nowMs: () => number, logger: Pick<Logger, 'error'>) {
    this.#nowMs = nowMs;
    this.#logger = logger;
  }

  async order(trx: Transaction<Database>, orders: readonly CommandOrder[], from: AuditSource = {}): Promise<string[]> {
    if (orders.length === 0) return [];
    const nowMs = this.#nowMs();
    const commands = orders.map((order) => ({
      ...order,
      id: newUlid(nowMs),
      createdMs: nowMs,
      expiresMs: order.expiresMs ?? nowMs + EXPIRES_AFTER_MS,
    }));
    await insertCommands(trx, commands);
    await tellOfCommands(
      trx,
      commands.map(({ loggerID }) => loggerID),
    );
    await recordOrders(trx, commands, from);
    return commands.map(({ id }) => id);
  }

  async cancel(trx: Transaction<Database>, ids: readonly string[], from: AuditSource = {}): Promise<string[]> {
    if (ids.length === 0) return [];
    const taken = await cancelCommands(trx, ids);
    await tellOfCommands(
      trx,
      taken.map(({ logger_id }) => logger_id),
    );
    const cancelled = taken.map(({ id }) => id);
    await recordCancelled(trx, cancelled, from);
    return cancelled;
  }

  onChange(hear: Hear): () => void {
    this.#hearing.add(hear);
    return () => this.#hearing.delete(hear);
  }

  /** Tells all who hear, one after the other; what one of them throws keeps nothing from the rest. */
  async tell(changed: readonly ChangedCommand[]): Promise<void> {
    for (const hear of this.#hearing) {
      try {
        await hear(changed);
      } catch (error) {
        this.#logger.error({ err: error }, 'who hears of commands failed');
      }
    }
  }
}
