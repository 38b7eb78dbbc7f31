import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { type DamagedPart, knownDamage, noteDamage } from './damaged-parts.store.ts';
import type { Database } from './schema.ts';
import type { TelemetryHandle } from './telemetry-engine.ts';

/** Parts of tables that cannot be read and lie aside, and what of them cannot be made anew. */
export interface DamageState {
  parts: number;
  byTable: ReadonlyMap<string, number>;
  /** Raw tables and the time of which samples are lost. */
  lost: readonly string[];
}

interface StoredPart {
  table: string;
  name: string;
  partition_id: string;
  rows: number;
  from_s: number;
  to_s: number;
  /** Parts that its table has in all. */
  in_table: number;
}

/** What was written last is what a loss of power damages: so much of it is read at every start. */
const READ_AT_START_BYTES = 64 * 1024 * 1024;
/** Small parts cost a question each, where not all of their table are read: no more than these. */
const ASKED_AT_START = 200;
const SEARCHED_AGAIN_AFTER_MS = 3_600_000;
/** What the engine says of bytes that are not as they were written. */
const UNREADABLE =
  /checksum|corrupt|decompress|cannot read all|unknown codec|in data part|bad size of file|broken part/i;
const NONE: DamageState = { parts: 0, byTable: new Map(), lost: [] };
const MOST_TOLD = 10;
const OURS = `database = currentDatabase() AND NOT startsWith(table, '.')`;

/**
 * Finds parts of the telemetry store's tables that a loss of power or a bad disk has damaged. The engine sets aside those that it
 * cannot open; those that it opens and cannot read would make every query fail that touches them, so they are set aside too.
 * Rollups are then made anew from the samples; samples themselves are lost, which is said.
 */
export class DamagedParts {
  readonly #db: Kysely<Database>;
  readonly #telemetry: TelemetryHandle;
  readonly #logger: Logger;
  /** Damaged parts that were left where they are. */
  readonly #standing = new Map<string, DamagedPart>();
  #state = NONE;
  #searchedMs = Number.NEGATIVE_INFINITY;

  constructor(db: Kysely<Database>, telemetry: TelemetryHandle, logger: Logger) {
    this.#db = db;
    this.#telemetry = telemetry;
    this.#logger = logger;
  }

  get state(): DamageState {
    return this.#state;
  }

  watch(registry: Registry): void {
    const state = () => this.#state;
    new Gauge({
      name: 'telemetry_damaged_parts',
      help: 'Parts of tables that could not be read and lie aside.',
      labelNames: ['table'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [table, parts] of state().byTable) this.set({ table }, parts);
      },
    });
  }

  /** What the engine set aside, and the newest parts, read through. */
  async lookAtStart(): Promise<void> {
    await this.#check(
      `SELECT * FROM (
         SELECT *, row_number() OVER (PARTITION BY is_whole ORDER BY modification_time DESC, name) AS place FROM (
           SELECT *, count() OVER (PARTITION BY table) = in_table AS is_whole FROM (
             SELECT *, sum(bytes_on_disk) OVER (ORDER BY modification_time DESC, name) AS read FROM parts)
           WHERE read <= ${READ_AT_START_BYTES}))
       WHERE is_whole OR place <= ${ASKED_AT_START}`,
    );
  }

  /**
   * Whether a query failed because of what is damaged. Then all parts are read through, at most once an hour, and the same
   * query may succeed.
   */
  async isCauseOf(error: unknown): Promise<boolean> {
    if (!UNREADABLE.test(error instanceof Error ? error.message : '')) return false;
    const nowMs = Date.now();
    if (nowMs - this.#searchedMs < SEARCHED_AGAIN_AFTER_MS) return false;
    this.#searchedMs = nowMs;
    try {
      await this.checkShare(0, 1);
      return true;
    } catch (failure) {
      this.#logger.warn({ err: failure }, 'the telemetry store is not searched for damage');
      return false;
    }
  }

  /** Reads one of `shares` of all parts through; the same part falls to the same share. */
  async checkShare(share: number, shares: number): Promise<void> {
    await this.#check(`SELECT * FROM parts WHERE cityHash64(table, name) % ${shares} = ${share}`);
  }

  async #check(select: string): Promise<void> {
    const parts = await this.#ask<StoredPart>(
      `WITH parts AS (SELECT table, name, partition_id, rows, bytes_on_disk, modification_time,
         toUnixTimestamp(min_time) AS from_s, toUnixTimestamp(max_time) AS to_s,
         toUInt32(count() OVER (PARTITION BY table)) AS in_table
         FROM system.parts WHERE active AND ${OURS})
       SELECT table, name, partition_id, rows, from_s, to_s, in_table FROM (${select}) ORDER BY table, name`,
    );
    for (const [table, ofTable] of Map.groupBy(parts, (part) => part.table)) {
      const isWhole = ofTable.length > 1 && ofTable.length === ofTable[0]?.in_table;
      const faults = isWhole ? await this.#faultsOf(table) : undefined;
      for (const part of ofTable) {
        const reason = faults === undefined ? await this.#faultOf(part) : faults.get(part.name);
        if (reason !== undefined) await this.#setAside(part, reason);
        else this.#standing.delete(`${table} ${part.name}`);
      }
    }
    await this.look();
  }

  /** Why parts of a table cannot be read, by their names; undefined where they have to be asked for one by one. */
  async #faultsOf(table: string): Promise<Map<string, string> | undefined> {
    try {
      const answers = await this.#ask<{ part_path: string; is_passed: number; message: string }>(
        `CHECK TABLE ${table} SETTINGS check_query_single_value_result = 0`,
      );
      const failed = answers.filter(({ is_passed }) => is_passed === 0);
      return new Map(failed.map(({ part_path, message }) => [part_path, message]));
    } catch (error) {
      this.#logger.debug({ err: error, table }, 'the parts of a table cannot be checked together');
      return undefined;
    }
  }

  /** Why a part cannot be read; undefined for one that can, or is gone meanwhile. */
  async #faultOf({ table, name }: StoredPart): Promise<string | undefined> {
    try {
      const [answer] = await this.#ask<{ is_passed: number; message: string }>(
        `CHECK TABLE ${table} PART '${name}' SETTINGS check_query_single_value_result = 0`,
      );
      return answer?.is_passed === 0 ? answer.message : undefined;
    } catch (error) {
      this.#logger.debug({ err: error, table, part: name }, 'a part cannot be checked');
      return undefined;
    }
  }

  async #setAside(part: StoredPart, reason: string): Promise<void> {
    const { table, name, partition_id: partition, rows } = part;
    const isTimeKnown = part.from_s > 0;
    const damaged: DamagedPart = {
      table,
      part: name,
      partition,
      reason: reason.slice(0, 300),
      rows,
      ...(isTimeKnown && { fromMs: part.from_s * 1_000, toMs: part.to_s * 1_000 + 999 }),
    };
    await this.#note([damaged]);
    // A server of one's own is left to its owner, who may have a replica to repair it from.
    if (this.#telemetry.pid === undefined) {
      this.#standing.set(`${table} ${name}`, damaged);
      return;
    }
    await this.#telemetry.client.command({ query: `ALTER TABLE ${table} DETACH PART '${name}'` });
  }

  /** Counts what lies aside, and takes notice of what is new. */
  async look(): Promise<void> {
    const aside = await this.#ask<{ table: string; name: string; partition_id: string; reason: string }>(
      `SELECT table, name, ifNull(partition_id, '') AS partition_id, ifNull(reason, '') AS reason
       FROM system.detached_parts WHERE ${OURS} ORDER BY table, name`,
    );
    const broken = aside.filter(({ reason }) => reason.startsWith('broken'));
    await this.#note(
      broken.map(({ table, name, partition_id: partition, reason }) => ({ table, part: name, partition, reason })),
    );
    const known = await knownDamage(this.#db);
    const lying = aside.flatMap(({ table, name }) => known.get(`${table} ${name}`) ?? []);
    lying.push(...this.#standing.values());
    const byTable = new Map<string, number>();
    for (const { table } of lying) byTable.set(table, (byTable.get(table) ?? 0) + 1);
    const lost = new Set(lying.filter(({ table }) => table.startsWith('raw_')).map(toldLoss));
    this.#state = { parts: lying.length, byTable, lost: [...lost].slice(0, MOST_TOLD) };
  }

  async #note(parts: readonly DamagedPart[]): Promise<void> {
    for (const part of await noteDamage(this.#db, parts)) {
      const { table, reason } = part;
      if (table.startsWith('raw_')) {
        this.#logger.error({ table, part: part.part, reason, lost: toldLoss(part) }, 'samples are damaged and lost');
      } else {
        this.#logger.error(
          { table, part: part.part, reason },
          'rollups are damaged and are made anew from the samples',
        );
      }
    }
  }

  async #ask<T>(query: string): Promise<T[]> {
    return (await this.#telemetry.client.query({ query, format: 'JSONEachRow' })).json<T>();
  }
}

/** `raw_inverter 2026-11-22 10:00 - 2026-11-22 10:04 UTC`, or the day where no more is known. */
function toldLoss({ table, partition, fromMs, toMs }: DamagedPart): string {
  const minute = (tsMs: number) => new Date(tsMs).toISOString().slice(0, 16).replace('T', ' ');
  if (fromMs !== undefined && toMs !== undefined) return `${table} ${minute(fromMs)} - ${minute(toMs)} UTC`;
  const day = /^(\d{4})(\d\d)(\d\d)$/.exec(partition)?.slice(1).join('-') ?? partition;
  return `${table} ${day} UTC`;
}
