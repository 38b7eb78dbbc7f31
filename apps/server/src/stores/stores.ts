import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { connectionOf, type DatabaseConnection, readDatabaseUrl } from '../database-url.ts';
import type { ChildState, WatchTimes } from '../supervision/child.ts';
import { DamagedParts } from './damaged-parts.ts';
import { connectDatabase } from './database.ts';
import { claimDatabase } from './database-claim.ts';
import { checkDatabase, databaseError } from './database-start.ts';
import { prepareJobs } from './job-tables.ts';
import { migratePostgres, migrateTelemetry, withMigrationLock } from './migrate.ts';
import { pairStores } from './pairing.ts';
import { type PostgresHandle, startPostgres } from './postgres.ts';
import { RawRecoding } from './raw-recoding.ts';
import type { Database } from './schema.ts';
import { openSealKeys, type SealKeys } from './seal-keys.ts';
import { grantToServer, powersOverAudit } from './server-role.ts';
import { noteReadSinceBoot, wasReadSinceBoot } from './since-boot.ts';
import { connectTelemetry, startTelemetryEngine, type TelemetryHandle } from './telemetry-engine.ts';
import { telemetryError } from './telemetry-start.ts';
import { ensureRawTables, rawTables } from './telemetry-tables.ts';

export interface StoreStates {
  database: ChildState;
  telemetry: ChildState;
}

export interface Stores {
  db: Kysely<Database>;
  /** For connections outside the pool, e.g. one that listens. */
  databaseConnection: DatabaseConnection;
  /** As the role that owns the tables, for what changes them: migrations, a restored backup. */
  asOwner: AsOwner;
  /** What the server's role could do to the audit log beyond adding and reading; empty where the roles are apart. */
  auditPowers: readonly string[];
  telemetry: TelemetryHandle;
  damage: DamagedParts;
  /** Resolves once what is stored from before numbers were integers is recoded. */
  recoded(): Promise<void>;
  /** Migrations of the database that this start has applied. */
  migrated: readonly string[];
  /** Process ids of the embedded stores; undefined for those reached by URL. */
  pids(): { database: number | undefined; telemetry: number | undefined };
  /** Asks both stores; takes at most two seconds. */
  states(): Promise<StoreStates>;
  stop(): Promise<void>;
}

const ASK_TIMEOUT_MS = 2_000;
/** What no loss of power can have damaged is read through once the start is over. */
const LOOK_LATER_MS = 20_000;
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
  const { db, connection, postgres, migrated, asOwner, auditPowers } = database.value;
  const recoding = new RawRecoding(telemetry.value.client, rawTables(), logger);
  const damage = new DamagedParts(db, telemetry.value, logger);
  let lookLater: NodeJS.Timeout | undefined;
  const stop = async () => {
    clearTimeout(lookLater);
    await recoding.stop();
    await Promise.all([database.value.stop(), telemetry.value.stop()]);
  };
  const cannotLook = (error: unknown) => logger.warn({ err: error }, 'the telemetry store is not searched for damage');
  const readThrough = () => damage.lookAtStart().catch(cannotLook);
  try {
    const folder = join(dataDir, 'telemetry');
    if (config.clickhouseUrl === undefined && wasReadSinceBoot(folder)) {
      await damage.look().catch(cannotLook);
      lookLater = setTimeout(() => void readThrough(), LOOK_LATER_MS).unref();
    } else {
      // Before anybody reads: one part that cannot be read makes every query fail that touches it.
      await readThrough();
      if (config.clickhouseUrl === undefined) noteReadSinceBoot(folder);
    }
    await migrateTelemetrySafely(config, db, telemetry.value);
  } catch (error) {
    await stop();
    throw error;
  }
  recoding.start();
  telemetry.value.onRestart(() => void readThrough());
  return {
    db,
    migrated,
    asOwner,
    auditPowers,
    databaseConnection: connection,
    telemetry: telemetry.value,
    damage,
    recoded: () => recoding.done(),
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
  connection: DatabaseConnection;
  postgres: PostgresHandle | undefined;
  migrated: readonly string[];
  asOwner: AsOwner;
  auditPowers: readonly string[];
  stop(): Promise<void>;
}

/** Lets the owner of the tables in while the work is done. */
type AsOwner = <T>(work: (owner: Kysely<Database>, connection: DatabaseConnection) => Promise<T>) => Promise<T>;

async function withOwner<T>(
  connection: DatabaseConnection,
  sealKeys: SealKeys | undefined,
  work: (owner: Kysely<Database>, connection: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const owner = connectDatabase(connection, { isBounded: false, ...(sealKeys !== undefined && { sealKeys }) });
  try {
    return await work(owner, connection);
  } finally {
    await owner.destroy();
  }
}

const roleOf = (connection: DatabaseConnection): Promise<string> =>
  withOwner(connection, undefined, async (db) => {
    const { rows } = await sql<{ name: string }>`select current_user as name`.execute(db);
    return rows[0]?.name ?? '';
  });

const openDatabase = (config: Config, logger: Logger, watch: WatchTimes | undefined): Promise<OpenDatabase> =>
  config.databaseUrl === undefined
    ? openEmbedded(config, logger, watch)
    : openExternal(config, config.databaseUrl, logger);

async function openEmbedded(config: Config, logger: Logger, watch: WatchTimes | undefined): Promise<OpenDatabase> {
  const postgres = await startPostgres({
    dataDir: config.dataDir,
    logger,
    ...(watch !== undefined && { watch }),
  });
  const { connection } = postgres;
  const sealKeys = openSealKeys(config);
  const asOwner: AsOwner = (work) => postgres.asOwner((owner) => withOwner(owner, sealKeys, work));
  const opened = await prepared({ connection, asOwner, role: connection.user, below: postgres, sealKeys }, logger);
  return { ...opened, postgres };
}

async function openExternal(
  { databaseOwnerUrl, ...config }: Config,
  text: string,
  logger: Logger,
): Promise<OpenDatabase> {
  const url = readDatabaseUrl(text);
  const sealKeys = openSealKeys(config);
  try {
    const connection = connectionOf(url);
    await checkDatabase(connection, url);
    const claim = await claimDatabase(connection, { logger, onTaken: () => process.kill(process.pid, 'SIGTERM') });
    const below = { stop: () => claim.release() };
    const isApart = databaseOwnerUrl !== undefined;
    const owner = isApart ? connectionOf(readDatabaseUrl(databaseOwnerUrl)) : connection;
    const asOwner: AsOwner = (work) => withOwner(owner, sealKeys, work);
    const role = isApart ? await roleOf(connection) : undefined;
    return await prepared({ connection, asOwner, role, below, sealKeys }, logger);
  } catch (error) {
    throw databaseError(error, url);
  }
}

interface Preparation {
  readonly connection: DatabaseConnection;
  readonly asOwner: AsOwner;
  /** Of the server, where it is not the owner. */
  readonly role: string | undefined;
  readonly below: { stop(): Promise<void> };
  readonly sealKeys: SealKeys;
}

async function prepared(
  { connection, asOwner, role, below, sealKeys }: Preparation,
  logger: Logger,
): Promise<OpenDatabase> {
  const db = connectDatabase(connection, { logger, sealKeys });
  const stop = async () => {
    await db.destroy();
    await below.stop();
  };
  try {
    const names = await asOwner((owner, ownConnection) => makeTables(owner, ownConnection, role, logger));
    if (names.length > 0) logger.debug({ migrated: names }, 'migrated PostgreSQL');
    const auditPowers = await powersOverAudit(db);
    return { db, connection, postgres: undefined, migrated: names, asOwner, auditPowers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Brings the tables of the database up to date, and what the server's role may do there. Answers what was applied. */
export async function makeTables(
  owner: Kysely<Database>,
  connection: DatabaseConnection,
  role: string | undefined,
  logger: Logger,
): Promise<string[]> {
  const names = await migratePostgres(owner, migrations('postgres'));
  await prepareJobs(connection, logger);
  if (role !== undefined) await withMigrationLock(owner, (locked) => grantToServer(locked, role));
  return names;
}

async function migrateTelemetrySafely(
  { clickhouseUrl, databaseUrl, dataDir, newTelemetry }: Config,
  db: Kysely<Database>,
  telemetry: TelemetryHandle,
): Promise<void> {
  try {
    await withMigrationLock(db, async (connection) => {
      await pairStores(connection, telemetry.client, {
        databaseName:
          databaseUrl === undefined ? `the database in DATA_DIR ${dataDir}` : 'the database of DATABASE_URL',
        telemetryName: clickhouseUrl === undefined ? `DATA_DIR ${dataDir}` : 'the store of CLICKHOUSE_URL',
        newTelemetry,
      });
      await migrateTelemetry(telemetry.client, migrations('telemetry'));
      await ensureRawTables(telemetry.client);
    });
  } catch (error) {
    throw clickhouseUrl === undefined ? error : telemetryError(error, clickhouseUrl);
  }
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
