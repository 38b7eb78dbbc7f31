import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connectDatabase } from '../../stores/database.ts';
import { processesIn } from '../../supervision/processes.ts';
import { until } from '../edge.ts';
import { borrowStores } from './borrow.ts';
import type { Lent } from './room.ts';

async function ask(url: string, statement: string): Promise<unknown[]> {
  const db = connectDatabase(url);
  try {
    return (await sql.raw(statement).execute(db)).rows;
  } finally {
    await db.destroy();
  }
}

const engineOf = ({ CLICKHOUSE_URL }: Lent) =>
  createClient({ url: CLICKHOUSE_URL, log: { level: ClickHouseLogLevel.OFF } });

async function askEngine(stores: Lent, query: string): Promise<unknown[]> {
  const client = engineOf(stores);
  try {
    return await (await client.query({ query, format: 'JSONEachRow' })).json();
  } finally {
    await client.close();
  }
}

const refusalOf = (asked: Promise<unknown>): Promise<string> => asked.then(() => '', String);

test('two who borrow stores see nothing of each other, and what one gives back is gone', async () => {
  const [one, other] = await Promise.all([borrowStores(), borrowStores()]);
  await ask(one.stores.DATABASE_OWNER_URL, 'create table mine (id int)');
  const client = engineOf(one.stores);
  await client.command({ query: 'CREATE TABLE mine ENGINE = MergeTree ORDER BY v AS SELECT 7 AS v' });
  await client.close();
  expect(await askEngine(one.stores, 'SELECT v FROM mine')).toEqual([{ v: 7 }]);
  expect(await ask(other.stores.DATABASE_URL, "select to_regclass('mine')::text as name")).toEqual([{ name: null }]);
  expect(await askEngine(other.stores, 'EXISTS TABLE mine')).toEqual([{ result: 0 }]);
  expect(await ask(other.stores.DATABASE_URL, 'select count(*) as count from schema_migrations')).not.toEqual([
    { count: 0 },
  ]);

  one.giveBack();
  await until(async () => /does not exist/.test(await refusalOf(ask(one.stores.DATABASE_URL, 'select 1'))));
  await until(async () => /does not exist/.test(await refusalOf(askEngine(one.stores, 'SELECT 1'))));
  other.giveBack();
});

test('nothing of the house outlives a run that is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-house-'));
  const child = fileURLToPath(new URL('./child.ts', import.meta.url));
  const run = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { fork } = await import('node:child_process');
       const house = fork(${JSON.stringify(child)}, [${JSON.stringify(folder)}], { execArgv: [], detached: true });
       house.once('message', () => console.log(house.pid));`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(run.stdout, 'data');
  await borrowStores(join(folder, 'house.sock'));
  const [worker = ''] = readdirSync(folder).filter((name) => name !== 'house.sock');
  const cluster = join(folder, worker, 'postgres');
  expect(processesIn(cluster)).not.toEqual([]);
  run.kill('SIGKILL');
  await once(run, 'exit');
  await until(() => !existsSync(folder), 'the end of the house');
  expect(processesIn(cluster)).toEqual([]);
});
