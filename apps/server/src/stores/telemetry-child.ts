import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Session } from 'chdb';
import { DEFAULT_DATABASE, planRequest, quote, quoteName, type TelemetryRequest } from './telemetry-request.ts';

/** Serves the part of ClickHouse's HTTP interface that the official client uses, from the engine in this process. */

const READERS = 6;
const WRITERS = 2;
const LONGEST_QUERY_BYTES = 64 * 1024 * 1024;
const LONGEST_HEADER_BYTES = 1024 * 1024;

const [folder = '', socketPath = '', memoryBytes = '1000000000'] = process.argv.slice(2);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const inbox = join(folder, 'inbox');
rmSync(inbox, { recursive: true, force: true });
mkdirSync(inbox, { recursive: true, mode: 0o700 });
const engineFolder = join(folder, 'engine');
mkdirSync(engineFolder, { recursive: true, mode: 0o700 });

interface Connection {
  session: Session;
  database: string;
  knownParameters: Set<string>;
}

class Pool {
  readonly #idle: Connection[] = [];
  readonly #waiting: ((connection: Connection) => void)[] = [];

  constructor(size: number) {
    for (let i = 0; i < size; i += 1) {
      this.#idle.push({ session: openSession(), database: DEFAULT_DATABASE, knownParameters: new Set() });
    }
  }

  /** Where nobody waits for the answer any more when its turn has come, the work is not done. */
  async use<T>(isWanted: () => boolean, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = this.#idle.pop() ?? (await new Promise<Connection>((resolve) => this.#waiting.push(resolve)));
    try {
      if (!isWanted()) throw new QueryRefused(394, 'The client has gone');
      return await work(connection);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(connection);
      else next(connection);
    }
  }
}

function openSession(): Session {
  return new Session(engineFolder, {
    connectionArgs: [`--max_server_memory_usage=${memoryBytes}`, '--mark_cache_size=67108864'],
  });
}

class QueryRefused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(`Code: ${code}. DB::Exception: ${message}`);
    this.code = code;
  }
}

const readers = new Pool(READERS);
const writers = new Pool(WRITERS);
/** Waits for no other query: what it does not answer, the engine does not. */
const watched = openSession();
let running = 0;
let fileNumber = 0;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/ping') {
    response.setHeader('content-type', 'text/plain; charset=UTF-8');
    response.end('Ok.\n');
    return;
  }
  if (url.pathname === '/alive') {
    await watched.queryAsync('SELECT 1', { format: 'TabSeparated' });
    response.end('Ok.\n');
    return;
  }
  if (url.searchParams.has('query') && request.method === 'POST') return insertOrRun(request, response, url);
  const body = request.method === 'POST' ? await readText(request) : '';
  const query = [url.searchParams.get('query') ?? '', body].filter((part) => part !== '').join('\n');
  return run(response, planRequest(query, url.searchParams));
}

async function insertOrRun(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const plan = planRequest(url.searchParams.get('query') ?? '', url.searchParams);
  if (plan.insert === undefined) {
    const body = await readText(request);
    return run(response, planRequest(body === '' ? plan.query : `${plan.query}\n${body}`, url.searchParams));
  }
  fileNumber += 1;
  const file = join(inbox, `${fileNumber}.bin`);
  try {
    await pipeline(request, createWriteStream(file));
    const { head, settings, format } = plan.insert;
    const query = `${head} FROM INFILE ${quote(file)}${settings} FORMAT ${format}`;
    await run(response, { ...plan, query });
  } finally {
    rmSync(file, { force: true });
  }
}

async function run(response: ServerResponse, plan: TelemetryRequest): Promise<void> {
  if (plan.query.trim() === '') throw new QueryRefused(62, 'Empty query');
  const pool = plan.writes ? writers : readers;
  const result = await pool.use(
    () => plan.writes || !response.destroyed,
    (connection) => runOn(connection, plan),
  );
  const summary = { read_rows: String(result.rowsRead), read_bytes: String(result.bytesRead) };
  response.setHeader('content-type', 'text/plain; charset=UTF-8');
  response.setHeader('x-clickhouse-format', plan.format);
  response.setHeader('x-clickhouse-summary', JSON.stringify(summary));
  if (plan.queryId !== undefined) response.setHeader('x-clickhouse-query-id', plan.queryId);
  response.end(Buffer.from(result.bytes()));
}

async function runOn(connection: Connection, plan: TelemetryRequest) {
  const { session, knownParameters } = connection;
  if (plan.database !== connection.database) {
    await session.queryAsync(`USE ${quoteName(plan.database)}`);
    connection.database = plan.database;
  }
  for (const name of plan.placeholders) {
    if (knownParameters.has(name) && !plan.parameters.has(name)) {
      throw new QueryRefused(456, `Substitution ${name} is not set. (UNKNOWN_QUERY_PARAMETER)`);
    }
  }
  const assignments = [
    ...[...plan.parameters].map(([name, value]) => `param_${name} = ${quote(value)}`),
    ...[...plan.settings].map(([name, value]) => `${name} = ${quote(value)}`),
  ];
  for (const name of plan.parameters.keys()) knownParameters.add(name);
  try {
    if (assignments.length > 0) await session.queryAsync(`SET ${assignments.join(', ')}`);
    return await session.queryAsync(plan.query, { format: plan.format });
  } finally {
    await forgetSettings(session, [...plan.settings.keys()]);
  }
}

async function forgetSettings(session: Session, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  try {
    await session.queryAsync(`SET ${names.map((name) => `${name} = DEFAULT`).join(', ')}`);
  } catch {
    for (const name of names) await session.queryAsync(`SET ${name} = DEFAULT`).catch(() => undefined);
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > LONGEST_QUERY_BYTES) throw new QueryRefused(62, 'The query is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function refuse(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const code = Number(/Code: (\d+)/.exec(message)?.[1] ?? 1002);
  const text = message.startsWith('Code:') ? message : `Code: ${code}. DB::Exception: ${message}`;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.statusCode = code === 62 || code === 456 ? 400 : code === 60 || code === 81 ? 404 : 500;
  response.setHeader('content-type', 'text/plain; charset=UTF-8');
  response.setHeader('x-clickhouse-exception-code', String(code));
  response.end(`${text}\n`);
}

const server = createServer({ maxHeaderSize: LONGEST_HEADER_BYTES }, (request, response) => {
  running += 1;
  response.once('close', () => {
    running -= 1;
    if (stopping && running === 0) process.kill(process.pid, 'SIGKILL');
  });
  answer(request, response).catch((error: unknown) => refuse(response, error));
});
server.keepAliveTimeout = 0;
server.requestTimeout = 0;

let stopping = false;
process.on('SIGTERM', () => {
  stopping = true;
  server.close();
  if (running === 0) process.kill(process.pid, 'SIGKILL');
});
process.on('SIGINT', () => undefined);

rmSync(socketPath, { force: true });
server.listen(socketPath, () => process.send?.('ready'));
