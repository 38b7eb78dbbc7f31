import { mkdirSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { Logger } from 'pino';
import { ConfigError } from '../config.ts';
import { type ChildState, superviseChild, usualWatch, type WatchTimes } from '../supervision/child.ts';
import { StoreAwayError, statementSignal } from './patience.ts';
import { socketFolder } from './socket-folder.ts';
import { telemetryError } from './telemetry-start.ts';

export interface TelemetryHandle {
  client: ClickHouseClient;
  /** Writes rows in ClickHouse's RowBinary. Rejects with TelemetryUnavailableError where trying again can help. */
  insertRowBinary(table: string, columns: readonly string[], body: Buffer): Promise<void>;
  /** Resolves when the engine answers a question that costs nothing, whatever else it is busy with. */
  alive(signal: AbortSignal): Promise<void>;
  readonly pid: number | undefined;
  state(): ChildState;
  /** Called when the engine, having crashed, serves again. */
  onRestart(listener: () => void): () => void;
  onDown(listener: () => void): () => void;
  stop(): Promise<void>;
}

/** The telemetry store cannot be reached now; the same call may succeed later. */
export class TelemetryUnavailableError extends Error {
  override name = 'TelemetryUnavailableError';
}

const MEMORY_BYTES = 1_000_000_000;
const MEMORY_LIMIT_BYTES = 2 * MEMORY_BYTES;
const START_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 120_000;
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** True for an error after which the same call may succeed later: no connection, a broken one, or no answer in time. */
export function isTelemetryUnavailable(error: unknown): boolean {
  if (error instanceof TelemetryUnavailableError || error instanceof StoreAwayError) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && UNREACHABLE.has(code)) return true;
  return /socket hang up|Timeout error|aborted/i.test(error.message) || isTelemetryUnavailable(error.cause);
}

/** Starts the embedded ClickHouse engine on the folder `telemetry` of the data folder and keeps it running. */
export async function startTelemetryEngine(options: {
  dataDir: string;
  logger: Logger;
  watch?: WatchTimes;
}): Promise<TelemetryHandle> {
  requireEngine();
  const folder = resolve(options.dataDir, 'telemetry');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const sockets = socketFolder(options.dataDir);
  const socketPath = join(sockets, 'telemetry.sock');
  const answers = (signal: AbortSignal) => askAlive(socketPath, signal);
  const child = await superviseChild(
    {
      name: 'telemetry',
      command: process.execPath,
      args: [fileURLToPath(new URL('./telemetry-child.ts', import.meta.url)), folder, socketPath, String(MEMORY_BYTES)],
      env: { ...process.env, UV_THREADPOOL_SIZE: '12', NODE_OPTIONS: '' },
      channel: true,
      pidFile: join(sockets, 'telemetry.pid'),
      stop: [{ signal: 'SIGTERM', waitMs: 5_000 }],
      memoryLimitBytes: MEMORY_LIMIT_BYTES,
      readyTimeoutMs: 60_000,
      watch: { ...usualWatch, ...options.watch, alive: async (signal) => void (await answers(signal)) },
      ready: (started, ended) =>
        new Promise((done, failed) => {
          started.once('message', () => done());
          ended.addEventListener('abort', () => failed(new Error('the telemetry engine ended before it was ready')));
        }),
    },
    options.logger,
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 64, socketPath } as ConstructorParameters<typeof Agent>[0]);
  const client = patient(
    createClient({
      url: 'http://localhost',
      http_agent: agent,
      request_timeout: REQUEST_TIMEOUT_MS,
      log: { level: ClickHouseLogLevel.OFF },
    }),
  );
  return {
    client,
    insertRowBinary: (table, columns, body) => insertRowBinary(client, table, columns, body),
    alive: async (signal) => {
      const status = await answers(signal);
      if (status !== 200) throw new TelemetryUnavailableError(`the telemetry engine answers ${status}`);
    },
    get pid() {
      return child.pid;
    },
    state: () => child.state(),
    onRestart: (listener) => child.onUp(listener),
    onDown: (listener) => child.onDown(listener),
    async stop() {
      await child.stop();
      await client.close();
    },
  };
}

/** The same handle over a ClickHouse server of one's own. */
export async function connectTelemetry(url: string): Promise<TelemetryHandle> {
  const client = patient(
    createClient({
      url,
      request_timeout: REQUEST_TIMEOUT_MS,
      max_open_connections: 32,
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
      log: { level: ClickHouseLogLevel.OFF },
    }),
  );
  try {
    // Unlike a ping, this needs the right user and database.
    const answer = await client.query({
      query: 'SELECT version()',
      abort_signal: AbortSignal.timeout(START_TIMEOUT_MS),
    });
    await answer.text();
  } catch (error) {
    await client.close();
    throw telemetryError(error, url);
  }
  return {
    client,
    insertRowBinary: (table, columns, body) => insertRowBinary(client, table, columns, body),
    alive: async (signal) => {
      const ping = await client.ping({ select: true, abort_signal: signal });
      if (!ping.success) throw ping.error;
    },
    pid: undefined,
    state: () => 'up',
    onRestart: () => () => undefined,
    onDown: () => () => undefined,
    stop: () => client.close(),
  };
}

/** Breaks off what a call waits for when the call has waited long enough. */
function patient(client: ClickHouseClient): ClickHouseClient {
  const { query, command, exec } = client;
  const bounded = <P extends { abort_signal?: AbortSignal }>(params: P): P => {
    const signal = params.abort_signal ?? statementSignal();
    return signal === undefined ? params : { ...params, abort_signal: signal };
  };
  client.query = ((params: Parameters<typeof query>[0]) =>
    Reflect.apply(query, client, [bounded(params)])) as typeof query;
  client.command = (params) => Reflect.apply(command, client, [bounded(params)]);
  client.exec = ((params: Parameters<typeof exec>[0]) => Reflect.apply(exec, client, [bounded(params)])) as typeof exec;
  return client;
}

function askAlive(socketPath: string, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get({ socketPath, path: '/alive', signal, agent: false }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => resolve(response.statusCode));
    });
    request.once('error', reject);
  });
}

async function insertRowBinary(
  client: ClickHouseClient,
  table: string,
  columns: readonly string[],
  body: Buffer,
): Promise<void> {
  const query = `INSERT INTO ${table} (${columns.join(', ')}) FORMAT RowBinary`;
  try {
    const { stream } = await client.exec({ query, values: Readable.from([body], { objectMode: false }) });
    for await (const _part of stream);
  } catch (error) {
    if (!isTelemetryUnavailable(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new TelemetryUnavailableError(`the telemetry store is not reachable: ${reason}`, { cause: error });
  }
}

function requireEngine(): void {
  const libc = process.platform === 'linux' ? '-gnu' : '';
  const name = `@chdb/lib-${process.platform}-${process.arch}${libc}`;
  const require = createRequire(import.meta.url);
  try {
    createRequire(require.resolve('chdb')).resolve(`${name}/package.json`);
  } catch {
    throw new ConfigError(
      `The telemetry engine is not bundled for ${process.platform}-${process.arch} (package ${name} is not installed). ` +
        'Set CLICKHOUSE_URL to a ClickHouse server of yours.',
    );
  }
}
