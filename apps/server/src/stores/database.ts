import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { PostgresConnection } from './postgres.ts';
import type { Database } from './schema.ts';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const DATE_OID = 1082;
const INT8_OID = 20;

/** A pool on the database. Broken idle connections are dropped and replaced; nothing is thrown outside of a query. */
export function connectDatabase(target: PostgresConnection | string, logger?: Logger): Kysely<Database> {
  const pool = new pg.Pool({
    ...(typeof target === 'string' ? { connectionString: target } : target),
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sonnenwarte',
    types: { getTypeParser },
  });
  pool.on('error', (error) => logger?.warn({ err: error }, 'an idle connection to PostgreSQL broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** True for an error after which the same statement may succeed later: no connection, or a broken one. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) {
    return /^(ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08|57P0[123]|53300)/.test(code);
  }
  return /connection terminated|timeout exceeded when trying to connect/i.test(error.message);
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
