import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine, isAlive, processesIn } from '../supervision/processes.ts';
import { connectDatabase, isDatabaseUnavailable } from './database.ts';
import { type PostgresHandle, startPostgres } from './postgres.ts';
import type { Database } from './schema.ts';

const logger = pino({ level: 'silent' });
let dataDir = '';
let postgres: PostgresHandle;
let db: Kysely<Database>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-postgres-'));
  postgres = await startPostgres({ dataDir, logger });
  db = connectDatabase(postgres.connection);
});

afterAll(async () => {
  await db.destroy();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const setting = async (name: string) => {
  const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db);
  return rows[0]?.value;
};

const asOwner = (handle: PostgresHandle, statements: string) =>
  handle.asOwner(async (connection) => {
    const owner = connectDatabase(connection);
    await sql.raw(statements).execute(owner);
    await owner.destroy();
  });

async function insertUntilStored(value: number): Promise<void> {
  for (;;) {
    try {
      await sql`insert into marks values (${value})`.execute(db);
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

test('an empty folder becomes a durable UTF-8 database that only this user reaches, over a socket', async () => {
  expect(await setting('listen_addresses')).toBe('');
  expect(await setting('fsync')).toBe('on');
  expect(await setting('server_encoding')).toBe('UTF8');
  expect(await setting('max_connections')).toBe('60');
  expect(statSync(postgres.connection.host).mode & 0o077).toBe(0);
  const { rows } = await sql<{ found: boolean }>`select 'ÄRGER' ilike '%är%' as found`.execute(db);
  expect(rows).toEqual([{ found: true }]);
});

test('dates stay text and counts are numbers', async () => {
  const { rows } =
    await sql`select date '2026-03-29' as day, count(*) as n, 1.50::numeric as price from (select 1)`.execute(db);
  expect(rows).toEqual([{ day: '2026-03-29', n: 1, price: '1.50' }]);
});

test('a postmaster killed in the middle of a query is started again, and what was committed is found', async () => {
  await asOwner(postgres, 'create table marks (value int primary key); grant all on marks to public');
  await sql`insert into marks values (1)`.execute(db);
  const pid = postgres.pid ?? 0;
  const busy = sql`select pg_sleep(60)`.execute(db).catch((error: unknown) => error);
  const up = new Promise<void>((resolve) => postgres.onUp(resolve));
  process.kill(pid, 'SIGKILL');
  await up;
  await expect(busy).resolves.toBeInstanceOf(Error);
  await insertUntilStored(2);
  expect(postgres.pid).not.toBe(pid);
  const { rows } = await sql<{ value: number }>`select value from marks order by value`.execute(db);
  expect(rows).toEqual([{ value: 1 }, { value: 2 }]);
});

test('a server that a killed parent left behind does not block the next start, and its data are found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-postgres-'));
  const href = new URL('./postgres.ts', import.meta.url).href;
  const parent = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { startPostgres } = await import(${JSON.stringify(href)});
       const logger = { child: () => logger, error() {}, warn() {}, info() {}, debug() {} };
       const handle = await startPostgres({ dataDir: ${JSON.stringify(folder)}, logger });
       console.log(handle.pid);
       setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await once(parent.stdout, 'data');
  const orphan = Number(String(line));
  const host = join(folder, 'run');
  const first = connectDatabase({ ...postgres.connection, host });
  await sql`select lo_from_bytea(7, 'kept')`.execute(first);
  await first.destroy();
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  expect(isAlive(orphan)).toBe(true);
  const next = await startPostgres({ dataDir: folder, logger });
  try {
    expect(isAlive(orphan)).toBe(false);
    const again = connectDatabase(next.connection);
    const { rows } = await sql`select convert_from(lo_get(7), 'UTF8') as value`.execute(again);
    await again.destroy();
    expect(rows).toEqual([{ value: 'kept' }]);
  } finally {
    await next.stop();
    expect(processesIn(join(folder, 'postgres')).map(commandLine)).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a server that is frozen with all its processes is started again, and what was committed is found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-postgres-'));
  const handle = await startPostgres({ dataDir: folder, logger, watch: { everyMs: 500, deadAfterMs: 3_000 } });
  const connected = connectDatabase(handle.connection);
  try {
    await sql`select lo_from_bytea(7, 'kept')`.execute(connected);
    const frozen = processesIn(join(folder, 'postgres'));
    expect(frozen).toContain(handle.pid);
    const up = new Promise<void>((resolve) => handle.onUp(resolve));
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    const waiting = sql`select 1`.execute(connected).catch((error: unknown) => error);
    await up;
    expect(isDatabaseUnavailable(await waiting)).toBe(true);
    expect(frozen.filter(isAlive)).toEqual([]);
    const { rows } = await sql`select convert_from(lo_get(7), 'UTF8') as value`.execute(connected);
    expect(rows).toEqual([{ value: 'kept' }]);
  } finally {
    await connected.destroy();
    await handle.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a data folder deeper than a socket path may be still works', async () => {
  const top = mkdtempSync(join(tmpdir(), 'sonnenwarte-postgres-'));
  const deep = join(top, 'a'.repeat(60), 'b'.repeat(60));
  mkdirSync(deep, { recursive: true });
  const handle = await startPostgres({ dataDir: deep, logger });
  try {
    expect(Buffer.byteLength(handle.connection.host)).toBeLessThan(80);
    expect(statSync(handle.connection.host).mode & 0o077).toBe(0);
  } finally {
    await handle.stop();
    rmSync(handle.connection.host, { recursive: true, force: true });
    rmSync(top, { recursive: true, force: true });
  }
});
