import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openSealKeys, type SealKeys } from '../audit/seal-keys.ts';
import type { Config } from '../config.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import type { ChildState, WatchTimes } from '../supervision/child.ts';
import { DamagedParts } from './damaged-parts.ts';
import { connectDatabase } from './database.ts';
import { migratePostgres, migrateTelemetry, withMigrationLock } from './migrate.ts';
import { type PostgresConnection, type PostgresHandle, startPostgres } from './postgres.ts';
import type { Database } from './schema.ts';
import { grantToServer, powersOverAudit } from './server-role.ts';
import { connectTelemetry, startTelemetryEngine, type TelemetryHandle } from './telemetry-engine.ts';
import { ensureRawTables } from './telemetry-tables.ts';

export interface StoreStates {
  database: ChildState;
  telemetry: ChildState;
}

export interface Stores {
  db: Kysely<Database>;
  /** For connections outside the pool, e.g. one that listens. */
  databaseConnection: pg.ClientConfig;
  /** As the role that owns the tables, for what changes them: migrations, a restored backup. */
  asOwner<T>(work: (owner: Kysely<Database>, target: PostgresConnection | string) => Promise<T>): Promise<T>;
  /** What the server's role could do to the audit log beyond adding and reading; empty where the roles are apart. */
  auditPowers: readonly string[];
  telemetry: TelemetryHandle;
  damage: DamagedParts;
  /** Migrations of the database that this start has applied. */
  migrated: readonly string[];
  /** Process ids of the embedded stores; undefined for those reached by URL. */
  pids(): { database: number | undefined; telemetry: number | undefined };
  /** Asks both stores; takes at most two seconds. */
  states(): Promise<StoreStates>;
  stop(): Promise<void>;
}

const ASK_TIMEOUT_MS = 2_000;
const migrations = (store: string) => fileURLToPath(new URL(`../../migrations/${store}`, import.meta.url));

/** Starts or reaches both stores side by side and brings their tables up to date. Leaves nothing running if it fails. */
export async function startStores(config: Config, logger: Logger, watch?: WatchTimes): Promise<Stores> {
  const { dataDir } = config;
  const [database, telemetry] = await Promise.allSettled([
    openDatabase(config, logger, watch),
    config.clickhouseUrl === undefined
      ? startTelemetryEngine({ dataDir, logger, ...(watch !== undefined && { watch }) })
      : connectTelemetry(config.clickhouseUrl),
  ]);
  if (database.status === 'rejected' || telemetry.status === 'rejected') {
    if (database.status === 'fulfilled') await database.value.stop();
    if (telemetry.status === 'fulfilled') await telemetry.value.stop();
    throw database.status === 'rejected' ? database.reason : (telemetry as PromiseRejectedResult).reason;
  }
  const { db, postgres, migrated, asOwner, auditPowers } = database.value;
  const stop = async () => {
    await Promise.all([database.value.stop(), telemetry.value.stop()]);
  };
  const damage = new DamagedParts(db, telemetry.value, logger);
  const cannotLook = (error: unknown) => logger.warn({ err: error }, 'the telemetry store is not searched for damage');
  try {
    // Before anybody reads: one part that cannot be read makes every query fail that touches it.
    await damage.lookAtStart().catch(cannotLook);
    await migrateTelemetrySafely(db, telemetry.value);
  } catch (error) {
    await stop();
    throw error;
  }
  telemetry.value.onRestart(() => void damage.lookAtStart().catch(cannotLook));
  return {
    db,
    migrated,
    asOwner,
    auditPowers,
    databaseConnection: clientConfig(config.databaseUrl ?? postgres?.connection ?? ''),
    telemetry: telemetry.value,
    damage,
    pids: () => ({ database: postgres?.pid, telemetry: telemetry.value.pid }),
    states: async () => {
      const [databaseState, telemetryState] = await Promise.all([
        ask(sql`select 1`.execute(db), postgres?.state() ?? 'up'),
        ask(telemetry.value.alive(AbortSignal.timeout(ASK_TIMEOUT_MS)), telemetry.value.state()),
      ]);
      return { database: databaseState, telemetry: telemetryState };
    },
    stop,
  };
}

interface OpenDatabase {
  db: Kysely<Database>;
  postgres: PostgresHandle | undefined;
  migrated: readonly string[];
  asOwner: Stores['asOwner'];
  auditPowers: readonly string[];
  stop(): Promise<void>;
}

const clientConfig = (target: PostgresConnection | string): pg.ClientConfig =>
  typeof target === 'string' ? { connectionString: target } : { ...target };

async function withOwner<T>(
  target: PostgresConnection | string,
  sealKeys: SealKeys | undefined,
  work: (owner: Kysely<Database>, target: PostgresConnection | string) => Promise<T>,
): Promise<T> {
  const owner = connectDatabase(target, { isBounded: false, ...(sealKeys !== undefined && { sealKeys }) });
  try {
    return await work(owner, target);
  } finally {
    await owner.destroy();
  }
}

async function roleOf(target: PostgresConnection | string, postgres: PostgresHandle | undefined): Promise<string> {
  if (postgres !== undefined) return postgres.connection.user;
  return withOwner(target, undefined, async (db) => {
    const { rows } = await sql<{ name: string }>`select current_user as name`.execute(db);
    return rows[0]?.name ?? '';
  });
}

async function openDatabase(config: Config, logger: Logger, watch: WatchTimes | undefined): Promise<OpenDatabase> {
  const { dataDir } = config;
  const postgres =
    config.databaseUrl === undefined
      ? await startPostgres({ dataDir, logger, ...(watch !== undefined && { watch }) })
      : undefined;
  const connection = config.databaseUrl ?? postgres?.connection ?? '';
  const sealKeys = openSealKeys(config);
  const db = connectDatabase(connection, { logger, sealKeys });
  const asOwner: Stores['asOwner'] = (work) =>
    postgres === undefined
      ? withOwner(config.databaseOwnerUrl ?? connection, sealKeys, work)
      : postgres.asOwner((owner) => withOwner(owner, sealKeys, work));
  const stop = async () => {
    await db.destroy();
    await postgres?.stop();
  };
  try {
    const isApart = postgres !== undefined || config.databaseOwnerUrl !== undefined;
    const role = isApart ? await roleOf(connection, postgres) : undefined;
    const migrated = await asOwner(async (owner, target) => {
      const done = await migratePostgres(owner, migrations('postgres'));
      await prepareJobs(clientConfig(target), logger);
      if (role !== undefined) await withMigrationLock(owner, (locked) => grantToServer(locked, role));
      return done;
    });
    if (migrated.length > 0) logger.debug({ migrated }, 'migrated PostgreSQL');
    return { db, postgres, migrated, asOwner, auditPowers: await powersOverAudit(db), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function migrateTelemetrySafely(db: Kysely<Database>, telemetry: TelemetryHandle): Promise<void> {
  await withMigrationLock(db, async () => {
    await migrateTelemetry(telemetry.client, migrations('telemetry'));
    await ensureRawTables(telemetry.client);
  });
}

async function ask(question: Promise<unknown>, state: ChildState): Promise<ChildState> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ASK_TIMEOUT_MS);
  });
  const answered = await Promise.race([
    question.then(
      () => true,
      () => false,
    ),
    tooLate,
  ]);
  clearTimeout(timer);
  if (answered) return 'up';
  return state === 'up' ? 'down' : state;
}
