import { type DialectAdapter, Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { connectionOf, type DatabaseConnection, readDatabaseUrl } from '../database-url.ts';
import { patiently, StoreAwayError, statementMs } from './patience.ts';
import type { Database } from './schema.ts';
import type { SealKeys } from './seal-keys.ts';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const DATE_OID = 1082;
const INT8_OID = 20;

export interface DatabaseOptions {
  readonly logger?: Logger;
  /** Without them nothing can be recorded in the audit log over this pool. */
  readonly sealKeys?: SealKeys;
  /** `false` lets statements take as long as they need, as migrations do. */
  readonly isBounded?: boolean;
}

/** Carries the keys of the audit log along with the pool, into every transaction of it. */
class SealingAdapter extends PostgresAdapter {
  readonly sealKeys: SealKeys | undefined;

  constructor(sealKeys: SealKeys | undefined) {
    super();
    this.sealKeys = sealKeys;
  }
}

class SealingDialect extends PostgresDialect {
  readonly #sealKeys: SealKeys | undefined;

  constructor(pool: pg.Pool, sealKeys: SealKeys | undefined) {
    super({ pool });
    this.#sealKeys = sealKeys;
  }

  override createAdapter(): DialectAdapter {
    return new SealingAdapter(this.#sealKeys);
  }
}

/** The keys with which entries of the audit log are sealed over this connection. */
export function sealKeysOf(db: Kysely<Database>): SealKeys {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof SealingAdapter) || adapter.sealKeys === undefined) {
    throw new Error('the key of the audit log is missing on this connection');
  }
  return adapter.sealKeys;
}

/** Connections that break where a statement is not answered in time, so that nobody waits for it any more. */
function patient(Client: typeof pg.Client): typeof pg.Client {
  return class extends Client {
    // biome-ignore lint/suspicious/noExplicitAny: the library overloads it by callbacks and cursors, which pass through
    override query(...args: any[]): any {
      const limitMs = statementMs();
      const answer: unknown = Reflect.apply(super.query, this, args);
      if (!(answer instanceof Promise)) return answer;
      return patiently(answer, limitMs, () => this.connection.stream.destroy());
    }
  };
}

/** A pool on the database. Broken idle connections are dropped and replaced; nothing is thrown outside of a query. */
export function connectDatabase(
  target: DatabaseConnection | string,
  { logger, sealKeys, isBounded = true }: DatabaseOptions = {},
): Kysely<Database> {
  const connection = typeof target === 'string' ? connectionOf(readDatabaseUrl(target)) : target;
  const pool = new pg.Pool({
    ...connection,
    ...(isBounded && { Client: patient(connection.Client ?? pg.Client) }),
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sonnenwarte',
    types: { getTypeParser },
  });
  pool.on('error', (error) => logger?.warn({ err: error }, 'an idle connection to PostgreSQL broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Database>({ dialect: new SealingDialect(pool, sealKeys) });
}

/** True for an error after which the same statement may succeed later: no connection, or a broken one. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof StoreAwayError) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) {
    return /^(ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08|57P0[123]|53300)/.test(code);
  }
  return /connection terminated|not queryable|timeout exceeded when trying to connect/i.test(error.message);
}

/** Dates stay text (no time zone may move a day); whole numbers of 64 bits become numbers where they are exact. */
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text' | 'binary') => {
  if (oid === DATE_OID) return (text: string) => text;
  if (oid === INT8_OID) return exactNumber;
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}) as typeof pg.types.getTypeParser;

function exactNumber(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}
