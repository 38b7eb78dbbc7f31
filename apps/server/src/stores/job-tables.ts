import { runMigrations, Logger as WorkerLogger } from 'graphile-worker';
import pg from 'pg';
import type { Logger } from 'pino';
import type { DatabaseConnection } from '../database-url.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Makes the tables of the queue. */
export async function prepareJobs(connection: DatabaseConnection, logger: Logger): Promise<void> {
  const pool = jobPool(connection, logger, 1);
  try {
    await runMigrations({ pgPool: pool, logger: jobLogger(logger) });
  } finally {
    await pool.end();
  }
}

/** Connections of the queue, which outlive broken ones. */
export function jobPool(connection: DatabaseConnection, logger: Logger, max: number): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sonnenwarte jobs',
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle connection of the job queue broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** What the queue says, in our log. */
export const jobLogger = (logger: Logger): WorkerLogger =>
  new WorkerLogger(() => (level, message, meta) => {
    const write = level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug';
    logger[write]({ meta: meta?.error ?? undefined }, message);
  });
