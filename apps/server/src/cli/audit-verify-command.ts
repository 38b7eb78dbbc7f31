import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { type ChainBreak, verifyChain } from '../audit/verify.ts';
import { type Config, readConfig } from '../config.ts';
import { connectDatabase, isDatabaseUnavailable } from '../stores/database.ts';
import { embeddedConnection, startPostgres } from '../stores/postgres.ts';
import type { Database } from '../stores/schema.ts';
import { AlreadyRunningError, takeRunLock } from '../supervision/run-lock.ts';
import type { Output } from './logger-command.ts';

const USAGE = `Usage:
  npm run audit:verify
Follows the chain of the audit log from its first entry to its last. DATA_DIR or DATABASE_URL say whose, as for npm start.`;

const EXIT = { holds: 0, broken: 1, failed: 2 } as const;

const reasons: Readonly<Record<ChainBreak['reason'], (id: number) => string>> = {
  changed: (id) => `Entry ${id} was changed after it was written: its checksum does not fit its content.`,
  missing: (id) => `Entry ${id} is missing.`,
  reordered: (id) => `Entry ${id} does not follow the entry before it: the order was changed or an entry replaced.`,
  cut: (id) => `The log was cut: entry ${id} and what came after it are missing.`,
  added: (id) => `Entry ${id} was added past the end that the server knows.`,
};

/** Verifies the audit log of a running or a stopped server. 0: it holds, 1: it does not, 2: it could not be read. */
export async function runAuditVerify(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  if (args.length > 0) {
    output.out(USAGE);
    return args.includes('--help') || args.includes('-h') ? EXIT.holds : EXIT.failed;
  }
  try {
    const { entries, broken } = await withDatabase(readConfig(env), verifyChain);
    if (broken === null) {
      output.out(`The audit log holds: ${entries} ${entries === 1 ? 'entry' : 'entries'}, none changed, none missing.`);
      return EXIT.holds;
    }
    output.error(
      `${reasons[broken.reason](broken.id)} Before it, ${entries} ${entries === 1 ? 'entry holds' : 'entries hold'}.`,
    );
    return EXIT.broken;
  } catch (error) {
    output.error(explain(error));
    return EXIT.failed;
  }
}

function explain(error: unknown): string {
  if (error instanceof AlreadyRunningError) return `${error.message} Its database does not answer; please try again.`;
  if (isDatabaseUnavailable(error)) return 'The database cannot be reached (DATABASE_URL as for the server).';
  return error instanceof Error ? error.message : String(error);
}

async function withDatabase<T>(config: Config, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) return withConnection(connectDatabase(databaseUrl), work);
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) {
    throw new Error(`There is no audit log in the data folder ${dataDir}. Set DATA_DIR to the one of the server.`);
  }
  const running = connectDatabase(embeddedConnection(dataDir));
  if (await answers(running)) return withConnection(running, work);
  await running.destroy();
  const lock = takeRunLock(dataDir, 'npm run audit:verify');
  try {
    const postgres = await startPostgres({ dataDir, logger: pino({ level: 'silent' }) });
    try {
      return await withConnection(connectDatabase(postgres.connection), work);
    } finally {
      await postgres.stop();
    }
  } finally {
    lock.release();
  }
}

async function withConnection<T>(db: Kysely<Database>, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

const answers = (db: Kysely<Database>): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => true,
    (error: unknown) => {
      if (isDatabaseUnavailable(error)) return false;
      throw error;
    },
  );
