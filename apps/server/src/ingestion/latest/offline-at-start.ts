import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../stores/schema.ts';

const ROWS_AT_ONCE = 2_000;
const AGAIN_MS = 1_000;

/** Sets what was online and has not spoken since the start offline, from a key on; answers the key up to which it did, null at the end. */
type Slice = (afterKey: number) => Promise<number | null>;

/**
 * With nobody connected yet, what was online before is offline until it speaks. Of a small fleet that is written when the start
 * has ended; of a large one the rest is written beside what comes meanwhile.
 */
export class OfflineAtStart {
  readonly #db: Kysely<Database>;
  readonly #logger: Pick<Logger, 'warn'>;
  #rest: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(db: Kysely<Database>, logger: Pick<Logger, 'warn'>) {
    this.#db = db;
    this.#logger = logger;
  }

  async start(): Promise<void> {
    const { rows } = await sql<{ now: Date }>`select now()`.execute(this.#db);
    const slices = slicesOf(this.#db, new Date(), rows[0]?.now ?? new Date());
    const left: [Slice, number][] = [];
    for (const slice of slices) {
      const lastKey = await slice(0);
      if (lastKey !== null) left.push([slice, lastKey]);
    }
    this.#rest = this.#writeRest(left);
  }

  /** Waits until all is written. */
  drain(): Promise<void> {
    return this.#rest;
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#rest;
  }

  async #writeRest(left: readonly [Slice, number][]): Promise<void> {
    for (const [slice, fromKey] of left) {
      for (let key: number | null = fromKey; key !== null && !this.#isStopped; ) {
        try {
          key = await slice(key);
        } catch (error) {
          this.#logger.warn({ err: error }, 'what was online is not set offline, trying again');
          await delay(AGAIN_MS);
        }
      }
    }
  }
}

function slicesOf(db: Kysely<Database>, started: Date, startedOfDatabase: Date): Slice[] {
  const lastOf = async (
    query: ReturnType<typeof sql<{ key: number | null; count: number }>>,
  ): Promise<number | null> => {
    const [row] = (await query.execute(db)).rows;
    return row === undefined || row.count < ROWS_AT_ONCE ? null : row.key;
  };
  return [
    (afterKey) =>
      lastOf(sql`
        with slice as materialized (select id, key from loggers where key > ${afterKey} order by key limit ${ROWS_AT_ONCE}),
        done as (update loggers set online = false from slice where loggers.id = slice.id and loggers.online
          and (loggers.last_seen_at is null or loggers.last_seen_at < ${started}))
        select max(key) as key, count(*)::int as count from slice`),
    (afterKey) =>
      lastOf(sql`
        with slice as materialized (select id, key from devices where key > ${afterKey} order by key limit ${ROWS_AT_ONCE}),
        done as (update devices set online = false, state = 'offline' from slice where devices.id = slice.id
          and (devices.online or devices.state <> 'offline')
          and (devices.last_seen_at is null or devices.last_seen_at < ${started}))
        select max(key) as key, count(*)::int as count from slice`),
    (afterKey) =>
      lastOf(sql`
        with slice as materialized (select id, key from sites where key > ${afterKey} order by key limit ${ROWS_AT_ONCE}),
        held as materialized (select site_id from site_latest join slice on slice.id = site_id
          where state <> 'offline' and updated_at < ${startedOfDatabase} order by site_id for no key update of site_latest),
        done as (update site_latest set state = 'offline' from held where site_latest.site_id = held.site_id)
        select max(key) as key, count(*)::int as count from slice`),
  ];
}
