import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectDatabase } from './database.ts';
import { migratePostgres, migrateTelemetry, repeatable, statementsOf } from './migrate.ts';
import { type PostgresHandle, startPostgres } from './postgres.ts';
import type { Database } from './schema.ts';
import { startTelemetryEngine, type TelemetryHandle } from './telemetry-engine.ts';

const logger = pino({ level: 'silent' });
let dataDir = '';
let folder = '';
let postgres: PostgresHandle;
let telemetry: TelemetryHandle;
let db: Kysely<Database>;
let endWhole: () => void;
const whole = new Promise<void>((resolve) => {
  endWhole = resolve;
});

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-migrate-'));
  [postgres, telemetry] = await Promise.all([
    startPostgres({ dataDir, logger }),
    startTelemetryEngine({ dataDir, logger }),
  ]);
  await new Promise<void>((opened) => {
    void postgres.asOwner((owner) => {
      db = connectDatabase(owner);
      opened();
      return whole;
    });
  });
});

afterAll(async () => {
  await db.destroy();
  endWhole();
  await Promise.all([postgres.stop(), telemetry.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-migrations-'));
});

afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await sql`drop schema public cascade; create schema public`.execute(db);
  for (const table of ['schema_migrations', 'one', 'two']) {
    await telemetry.client.command({ query: `DROP TABLE IF EXISTS ${table}` });
  }
});

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

describe.each([
  {
    store: 'PostgreSQL',
    run: () => migratePostgres(db, folder),
    one: 'create table one (a int); create table extra (a int);',
    two: 'alter table one add column b int;',
    wrong: 'create table two (a int); create table two (a int);',
  },
  {
    store: 'telemetry',
    run: () => migrateTelemetry(telemetry.client, folder),
    one: 'CREATE TABLE one (a UInt32) ENGINE = MergeTree ORDER BY a;\n',
    two: '-- more;\nALTER TABLE one ADD COLUMN b UInt32;\n',
    wrong: 'CREATE TABLE two (a UInt32) ENGINE = MergeTree ORDER BY a;\nSELECT FROM;\n',
  },
])('$store', ({ run, one, two, wrong }) => {
  test('new files are applied in order, each once', async () => {
    write('0002-b.sql', two);
    write('0001-a.sql', one);
    expect(await run()).toEqual(['0001-a.sql', '0002-b.sql']);
    expect(await run()).toEqual([]);
  });

  test('an applied file that was changed is an error', async () => {
    write('0001-a.sql', one);
    await run();
    write('0001-a.sql', `${one}\n-- changed`);
    await expect(run()).rejects.toThrow(/0001-a.sql was changed/);
  });

  test('a file older than an applied one, a vanished one, and wrong names are errors', async () => {
    write('0002-a.sql', one);
    await run();
    write('0001-late.sql', two);
    await expect(run()).rejects.toThrow(/0001-late.sql is older/);
    rmSync(join(folder, '0001-late.sql'));
    rmSync(join(folder, '0002-a.sql'));
    await expect(run()).rejects.toThrow(/newer version: 0002-a.sql/);
    write('2-a.sql', one);
    await expect(run()).rejects.toThrow(/must be like/);
  });

  test('a failing file is named, not noted, and can be mended', async () => {
    write('0001-a.sql', wrong);
    await expect(run()).rejects.toThrow(/migration 0001-a.sql failed/);
    write('0001-a.sql', one);
    expect(await run()).toEqual(['0001-a.sql']);
  });

  test('a file whose first half ran before a crash runs again', async () => {
    write('0001-a.sql', wrong);
    await run().catch(() => undefined);
    write('0001-a.sql', wrong.split('\n')[0]?.split('; create')[0]?.concat(';') ?? '');
    expect(await run()).toEqual(['0001-a.sql']);
  });
});

test('what was deleted before images had rows of their own keeps them, each as it was', async () => {
  const real = join(import.meta.dirname, '../../migrations/postgres');
  const files = readdirSync(real).sort();
  const place = files.indexOf('0017-many-rows.sql');
  for (const file of files.slice(0, place)) copyFileSync(join(real, file), join(folder, file));
  await migratePostgres(db, folder);
  const image = (id: string) => ({
    table: 'sites',
    id,
    before: { deleted_at: null, arrays: [{ kwp: 5.5 }] },
    after: { deleted_at: '2026-01-01T00:00:00.000000Z', arrays: [{ kwp: 5.5 }] },
  });
  const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
  const [deletion] = (
    await sql<{ id: string }>`
      insert into deletions (kind, record_id, record_name, undo_until, rows)
      values ('organisation', gen_random_uuid(), 'Old', now(), ${JSON.stringify(ids.map(image))}) returning id`.execute(
      db,
    )
  ).rows;
  copyFileSync(join(real, '0017-many-rows.sql'), join(folder, '0017-many-rows.sql'));
  await migratePostgres(db, folder);
  const { rows } = await sql`
    select change_id, table_name as "table", row_id as id, before, after from row_images order by row_id`.execute(db);
  expect(rows).toEqual(ids.map((id) => ({ change_id: deletion?.id, ...image(id) })));
});

test('servers that start side by side apply each file once', async () => {
  write('0001-a.sql', 'create table one (a int);');
  const applied = await Promise.all([
    migratePostgres(db, folder),
    migratePostgres(db, folder),
    migratePostgres(db, folder),
  ]);
  expect(applied.flat()).toEqual(['0001-a.sql']);
});

test('statements end at a semicolon that ends a line', () => {
  expect(statementsOf("-- a; b\nSELECT ';' AS x;  \n\nSELECT 2;\r\n-- end\n")).toEqual(["SELECT ';' AS x", 'SELECT 2']);
});

test.each([
  ['CREATE TABLE x (a Int8)', 'CREATE TABLE IF NOT EXISTS x (a Int8)'],
  ['create table if not exists x', 'create table if not exists x'],
  ['CREATE MATERIALIZED VIEW v AS SELECT 1', 'CREATE MATERIALIZED VIEW IF NOT EXISTS v AS SELECT 1'],
  ['DROP TABLE x', 'DROP TABLE IF EXISTS x'],
  [
    'ALTER TABLE x ADD COLUMN a Int8, DROP COLUMN b',
    'ALTER TABLE x ADD COLUMN IF NOT EXISTS a Int8, DROP COLUMN IF EXISTS b',
  ],
])('%s is made repeatable', (statement, expected) => {
  expect(repeatable(statement)).toBe(expected);
});
