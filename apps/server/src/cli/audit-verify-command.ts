import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { headFiles, type ReadHeads, readHeads } from '../audit/heads.ts';
import { type ChainBreak, type Verification, verifyChain } from '../audit/verify.ts';
import { type Config, readConfig } from '../config.ts';
import { connectDatabase, isDatabaseUnavailable } from '../stores/database.ts';
import { embeddedConnection, startPostgres } from '../stores/postgres.ts';
import type { Database } from '../stores/schema.ts';
import { readSealKeys, SealKeyError, type SealKeys } from '../stores/seal-keys.ts';
import { AlreadyRunningError, takeRunLock } from '../supervision/run-lock.ts';
import type { Output } from './datalogger-command.ts';

const USAGE = `Usage:
  npm run audit:verify
Follows the chain of the audit log from its first entry to its last and compares it with the heads that were written outside
the database. DATA_DIR, DATABASE_URL, AUDIT_KEY, AUDIT_KEY_FILE and AUDIT_HEADS_FILE are those of npm start.
Ends with 0 where the log holds, 1 where it does not, 2 where that cannot be told.`;

const EXIT = { holds: 0, broken: 1, untold: 2 } as const;

const time = (ms: number): string => new Date(ms).toISOString();

const reasons: Readonly<Record<ChainBreak['reason'], (found: ChainBreak) => string>> = {
  changed: ({ id }) => `Entry ${id} was changed after it was written: its checksum does not fit its content.`,
  recomputed: ({ id }) => `Entry ${id} was made anew without the key: its checksum is one that anybody can compute.`,
  rewritten: ({ id, headAtMs = 0 }) =>
    `Entry ${id} is another one than at ${time(headAtMs)}, when its checksum was written outside the database.`,
  missing: ({ id }) => `Entry ${id} is missing.`,
  reordered: ({ id }) => `Entry ${id} does not follow the entry before it: the order was changed or an entry replaced.`,
  cut: ({ id, headAtMs }) =>
    headAtMs === undefined
      ? `The log was cut: entry ${id} and what came after it are missing.`
      : `The log was cut: entry ${id} and what came after it are missing; at ${time(headAtMs)} they were there.`,
  added: ({ id }) => `Entry ${id} was added past the end that the server knows.`,
  unknownKey: ({ id, key }) =>
    `Entry ${id} is sealed with the key ${key}, which is not at hand (DATA_DIR/audit.key, AUDIT_KEY or AUDIT_KEY_FILE). Whether it and the entries after it were changed cannot be told.`,
};

const countOf = (entries: number): string => `${entries} ${entries === 1 ? 'entry' : 'entries'}`;

/** Verifies the audit log of a running or a stopped server. 0: it holds, 1: it does not, 2: that cannot be told. */
export async function runAuditVerify(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  if (args.length > 0) {
    output.out(USAGE);
    return args.includes('--help') || args.includes('-h') ? EXIT.holds : EXIT.untold;
  }
  try {
    const config = readConfig(env);
    return await withDatabase(config, async (db) => {
      const keys = readSealKeys(config);
      const read = await readHeadsOf(config, keys);
      return say(await verifyChain(db, keys, read.heads), keys === undefined ? { ...read, missing: [] } : read, output);
    });
  } catch (error) {
    output.error(explain(error));
    return EXIT.untold;
  }
}

const readHeadsOf = async (config: Config, keys: SealKeys | undefined): Promise<ReadHeads> => {
  const files = headFiles(config);
  return keys === undefined ? { heads: [], missing: files, changed: [] } : readHeads(files, keys);
};

function say(found: Verification, { missing, changed }: ReadHeads, output: Output): number {
  const { entries, plain, heads, newestHeadMs, restores, broken } = found;
  for (const { id, atMs, takenAt, lostUpTo } of restores) {
    const lost =
      lostUpTo === undefined ? '' : ` Entries ${id} to ${lostUpTo} of before were not in it and are no more.`;
    output.out(`Restored at ${time(atMs)} from a backup of ${takenAt}, as entry ${id} says.${lost}`);
  }
  if (broken !== null) {
    const before = ` Before it, ${countOf(entries)} ${entries === 1 ? 'holds' : 'hold'}.`;
    output.error(`${reasons[broken.reason](broken)}${before}`);
    return broken.reason === 'unknownKey' ? EXIT.untold : EXIT.broken;
  }
  for (const line of changed) output.error(`A head of the log was changed after it was written: ${line}.`);
  if (changed.length > 0) return EXIT.broken;
  const before =
    plain === 0 ? '' : ` ${countOf(plain)} from before there was a key, held by the first that came after.`;
  const compared =
    newestHeadMs === undefined
      ? ''
      : ` Compared with ${heads} heads outside the database, the newest of ${time(newestHeadMs)}.`;
  output.out(`The audit log holds: ${countOf(entries)}, none changed, none missing.${before}${compared}`);
  if (missing.length === 0) return EXIT.holds;
  for (const file of missing) {
    output.error(
      `There is no file of heads at ${file}: whether the end of the log was cut off cannot be told from it.`,
    );
  }
  return EXIT.untold;
}

function explain(error: unknown): string {
  if (error instanceof AlreadyRunningError) return `${error.message} Its database does not answer; please try again.`;
  if (error instanceof SealKeyError) return error.message;
  if (isDatabaseUnavailable(error)) return 'The database cannot be reached (DATABASE_URL as for the server).';
  if (error instanceof Error && (error as { code?: unknown }).code === '42703') {
    return 'The log was written by an earlier version. Start the server once, then verify.';
  }
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
