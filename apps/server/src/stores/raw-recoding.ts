import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Logger } from 'pino';
import { isFormerSql, type RawNumber, type RawTable, recodedBesideSql, recodedSql } from './raw-numbers.ts';

const LOOK_MS = 100;
const AGAIN_AFTER_MS = 60_000;
/** So few columns are written anew at once that their buffers stay small. */
const COLUMNS_AT_ONCE = 36;
const LONGEST_PAUSE_MS = 30_000;

const here = (table: RawTable): string => `database = currentDatabase() AND table = '${table.name}'`;

async function rowsOf<T>(client: ClickHouseClient, query: string): Promise<T[]> {
  const answer = await client.query({ query, format: 'JSONEachRow' });
  return answer.json<T>();
}

/** Waits until the engine has done what it was asked to change in a table's parts. */
async function settled(client: ClickHouseClient, table: RawTable, signal: AbortSignal): Promise<void> {
  const query = `SELECT mutation_id FROM system.mutations WHERE ${here(table)} AND NOT is_done LIMIT 1`;
  while ((await rowsOf(client, query)).length > 0) await delay(LOOK_MS, undefined, { signal });
}

/**
 * Turns numbers that are stored as floats into integers, a day at a time while the portal runs. What a row tells is the same before
 * and after each step; the engine itself goes on with a step that was cut, and the next start with what is left.
 */
export class RawRecoding {
  readonly #client: ClickHouseClient;
  readonly #tables: readonly RawTable[];
  readonly #logger: Logger;
  readonly #longestPauseMs: number;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(
    client: ClickHouseClient,
    tables: readonly RawTable[],
    logger: Logger,
    longestPauseMs: number = LONGEST_PAUSE_MS,
  ) {
    this.#client = client;
    this.#tables = tables;
    this.#logger = logger;
    this.#longestPauseMs = longestPauseMs;
  }

  start(): void {
    this.#running = this.#untilDone();
  }

  /** Resolves once all is done, or it was stopped. */
  done(): Promise<void> {
    return this.#running;
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#running;
  }

  async #untilDone(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        for (const table of this.#tables) await this.#recode(table);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#logger.warn({ err: error }, 'stored numbers are not recoded, trying again');
        await delay(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #recode(table: RawTable): Promise<void> {
    const columns = await rowsOf<{ name: string }>(
      this.#client,
      `SELECT name FROM system.columns WHERE ${here(table)}`,
    );
    const names = new Set(columns.map(({ name }) => name));
    const numbers = table.numbers.filter(({ former }) => names.has(former));
    const [first] = numbers;
    if (first === undefined) return;
    await settled(this.#client, table, this.#stopping.signal);
    const days = await rowsOf<{ id: string }>(
      this.#client,
      `SELECT DISTINCT _partition_id AS id FROM ${table.name} WHERE ${isFormerSql(first)} ORDER BY id DESC`,
    );
    if (days.length > 0) this.#logger.info({ table: table.name, days: days.length }, 'stored numbers are recoded');
    for (const { id } of days) await this.#recodeDay(table, numbers, first, id);
    await this.#finish(table, numbers);
  }

  /** What stands beside goes first, and the first number last: as long as it is not recoded, the day is not. */
  async #recodeDay(table: RawTable, numbers: readonly RawNumber[], first: RawNumber, day: string): Promise<void> {
    const later = [...numbers].reverse();
    const steps: string[][] = [];
    for (let at = 0; at < later.length; at += COLUMNS_AT_ONCE) {
      const step = later.slice(at, at + COLUMNS_AT_ONCE).map(recodedSql);
      steps.push(at === 0 ? [recodedBesideSql(numbers), ...step] : step);
    }
    for (const step of steps) {
      this.#stopping.signal.throwIfAborted();
      const startedMs = performance.now();
      await this.#client.command({
        query: `ALTER TABLE ${table.name} UPDATE ${step.join(', ')} IN PARTITION ID '${day}' WHERE ${isFormerSql(first)}`,
      });
      await settled(this.#client, table, this.#stopping.signal);
      // Half of the time is left to what else is to be done.
      const pauseMs = Math.min(this.#longestPauseMs, performance.now() - startedMs);
      await delay(pauseMs, undefined, { signal: this.#stopping.signal });
    }
  }

  /** Nothing is left in the former columns that is not told without them: they go. */
  async #finish(table: RawTable, numbers: readonly RawNumber[]): Promise<void> {
    const gone = numbers.map(({ former }) => `DROP COLUMN ${former}`);
    await this.#client.command({ query: `ALTER TABLE ${table.name} ${gone.join(', ')} SETTINGS alter_sync = 0` });
    await settled(this.#client, table, this.#stopping.signal);
    this.#logger.info({ table: table.name }, 'all stored numbers are recoded');
  }
}
