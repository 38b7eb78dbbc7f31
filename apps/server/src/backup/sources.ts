import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type pg from 'pg';
import { pino } from 'pino';
import type { Config } from '../config.ts';
import { embeddedConnection, startPostgres } from '../stores/postgres.ts';
import type { PostgresConnection } from '../stores/postgres-door.ts';
import { socketFolder } from '../stores/socket-folder.ts';
import { startTelemetryEngine } from '../stores/telemetry-engine.ts';
import { stopAllChildren } from '../supervision/child.ts';
import { AlreadyRunningError, takeRunLock } from '../supervision/run-lock.ts';

/** Both stores of a data folder, as far as they lie in it. */
export interface Sources {
  readonly isRunning: boolean;
  readonly postgres: PostgresConnection | undefined;
  readonly telemetry: ClickHouseClient | undefined;
  /** For questions to the database, wherever it is; of a stopped portal also to one of an earlier version. */
  inDatabase<T>(work: (database: pg.ClientConfig) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const ASK_TIMEOUT_MS = 60_000;

/** Reaches the stores of the running portal; where none runs, starts those of the data folder for as long as they are needed. */
export async function openSources(config: Config): Promise<Sources> {
  const { dataDir } = config;
  const ownDatabase = config.databaseUrl === undefined;
  const ownTelemetry = config.clickhouseUrl === undefined;
  if (!existsSync(dataDir) || (ownDatabase && !existsSync(join(dataDir, 'postgres', 'PG_VERSION')))) {
    throw new Error(`There is no portal in the data folder ${dataDir}. Set DATA_DIR to the one of the server.`);
  }
  const lock = lockUnlessRunning(dataDir);
  if (lock === undefined) {
    const postgres = ownDatabase ? embeddedConnection(dataDir) : undefined;
    const telemetry = ownTelemetry ? engineOf(dataDir) : undefined;
    return {
      isRunning: true,
      postgres,
      telemetry,
      inDatabase: (work) => work({ ...(postgres ?? { connectionString: config.databaseUrl ?? '' }) }),
      close: async () => telemetry?.close(),
    };
  }
  const logger = pino({ level: 'silent' });
  const close = async () => {
    await stopAllChildren();
    lock.release();
  };
  try {
    const postgres = ownDatabase ? await startPostgres({ dataDir, logger }) : undefined;
    const telemetry = ownTelemetry ? await startTelemetryEngine({ dataDir, logger }) : undefined;
    return {
      isRunning: false,
      postgres: postgres?.connection,
      telemetry: telemetry?.client,
      inDatabase: (work) =>
        postgres === undefined
          ? work({ connectionString: config.databaseUrl ?? '' })
          : postgres.asOwner((connection) => work({ ...connection })),
      close: async () => {
        await telemetry?.stop();
        await postgres?.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function lockUnlessRunning(dataDir: string) {
  try {
    return takeRunLock(dataDir, 'npm run backup');
  } catch (error) {
    if (error instanceof AlreadyRunningError) return undefined;
    throw error;
  }
}

function engineOf(dataDir: string): ClickHouseClient {
  const socketPath = join(socketFolder(dataDir), 'telemetry.sock');
  return createClient({
    url: 'http://localhost',
    http_agent: new Agent({ socketPath } as ConstructorParameters<typeof Agent>[0]),
    request_timeout: ASK_TIMEOUT_MS,
    log: { level: ClickHouseLogLevel.OFF },
  });
}
