import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { type Kysely, sql } from 'kysely';
import { ConfigError } from '../config.ts';

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

const LOCK = 7_305_221;

/** Runs `work` while no other server of the same database does the same. */
export async function withMigrationLock<Db, T>(db: Kysely<Db>, work: (db: Kysely<Db>) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${LOCK})`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection).catch(() => undefined);
    }
  });
}

/** Applies what is new, each file in a transaction. Returns the names of the applied files. */
export async function migratePostgres<Db>(db: Kysely<Db>, folder: string): Promise<string[]> {
  const migrations = readMigrations(folder);
  return withMigrationLock(db, async (connection) => {
    await sql`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`.execute(
      connection,
    );
    const { rows } = await sql<{
      name: string;
      checksum: string;
    }>`select name, checksum from schema_migrations`.execute(connection);
    const pending = pendingMigrations(migrations, new Map(rows.map((row) => [row.name, row.checksum])));
    for (const { name, text, checksum } of pending) {
      await connection.transaction().execute(async (transaction) => {
        await sql
          .raw(text)
          .execute(transaction)
          .catch((error: unknown) => failed(name, error));
        await sql`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`.execute(transaction);
      });
    }
    return pending.map(({ name }) => name);
  });
}

/**
 * Applies what is new. ClickHouse has no transactions for its tables, so a file is noted when its last statement has
 * run, and statements are made repeatable: after a crash in the middle the whole file runs again.
 */
export async function migrateTelemetry(client: ClickHouseClient, folder: string): Promise<string[]> {
  const migrations = readMigrations(folder);
  await client.command({
    query:
      'CREATE TABLE IF NOT EXISTS schema_migrations ' +
      "(name String, checksum String, applied DateTime64(3, 'UTC') DEFAULT now64(3)) ENGINE = MergeTree ORDER BY name",
  });
  const answer = await client.query({ query: 'SELECT name, checksum FROM schema_migrations', format: 'JSONEachRow' });
  const rows = await answer.json<{ name: string; checksum: string }>();
  const pending = pendingMigrations(migrations, new Map(rows.map((row) => [row.name, row.checksum])));
  for (const { name, text, checksum } of pending) {
    for (const statement of statementsOf(text)) {
      await client.command({ query: repeatable(statement) }).catch((error: unknown) => failed(name, error, statement));
    }
    await client.insert({ table: 'schema_migrations', values: [{ name, checksum }], format: 'JSONEachRow' });
  }
  return pending.map(({ name }) => name);
}

/** Splits at each semicolon that ends a line. */
export function statementsOf(text: string): string[] {
  return text
    .split(/;[ \t]*(?:\r?\n|$)/)
    .map((statement) => statement.replace(/^\s*--[^\n]*$/gm, '').trim())
    .filter((statement) => statement !== '');
}

/** The same statement in a form that does no harm when it has run before. */
export function repeatable(statement: string): string {
  return statement
    .replace(/^(CREATE\s+(?:TABLE|DATABASE|VIEW|MATERIALIZED\s+VIEW|DICTIONARY))\s+(?!IF\s)/i, '$1 IF NOT EXISTS ')
    .replace(/^(DROP\s+(?:TABLE|DATABASE|VIEW|DICTIONARY))\s+(?!IF\s)/i, '$1 IF EXISTS ')
    .replace(/\b(ADD\s+(?:COLUMN|INDEX|PROJECTION|CONSTRAINT))\s+(?!IF\s)/gi, '$1 IF NOT EXISTS ')
    .replace(/\b((?:DROP|RENAME|CLEAR)\s+(?:COLUMN|INDEX|PROJECTION|CONSTRAINT))\s+(?!IF\s)/gi, '$1 IF EXISTS ');
}

function failed(name: string, error: unknown, statement?: string): never {
  const reason = error instanceof Error ? error.message : String(error);
  const where = statement === undefined ? '' : ` at "${statement.slice(0, 60).replaceAll(/\s+/g, ' ')}"`;
  throw new Error(`migration ${name} failed${where}: ${reason.trim()}`, { cause: error });
}

function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const numbers = new Set<string>();
  return names.map((name) => {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1];
    if (number === undefined) throw new Error(`migration ${name}: the name must be like 0001-name.sql`);
    if (numbers.has(number)) throw new Error(`migration ${name}: there are two of number ${number}`);
    numbers.add(number);
    const text = readFileSync(join(folder, name), 'utf8');
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

function pendingMigrations(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  const known = new Set(migrations.map(({ name }) => name));
  for (const name of applied.keys()) {
    if (!known.has(name)) {
      throw new ConfigError(
        `the database was migrated by a newer version: ${name} is unknown here. Start that version, or one after it.`,
      );
    }
  }
  const pending: Migration[] = [];
  for (const migration of migrations) {
    const checksum = applied.get(migration.name);
    if (checksum === undefined) {
      pending.push(migration);
      continue;
    }
    if (checksum !== migration.checksum)
      throw new Error(`migration ${migration.name} was changed after it was applied`);
    if (pending.length > 0) throw new Error(`migration ${pending[0]?.name} is older than one already applied`);
  }
  return pending;
}
