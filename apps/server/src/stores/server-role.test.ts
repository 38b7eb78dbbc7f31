import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordAudit } from '../audit/audit.ts';
import { recordPlatform } from '../audit/platform.ts';
import { readConfig } from '../config.ts';
import { addJob, Jobs, startJobs } from '../jobs/jobs.ts';
import { until } from '../testing/edge.ts';
import { connectDatabase } from './database.ts';
import { embeddedConnection, type PostgresHandle, startPostgres } from './postgres.ts';
import { type Stores, startStores } from './stores.ts';

const logger = pino({ level: 'silent' });
const newFolder = () => mkdtempSync(join(tmpdir(), 'sonnenwarte-role-'));

/** What nobody who speaks for the server may do to the log, or to its own rights. */
const forbidden = [
  'update audit_log set actor = actor',
  'delete from audit_log',
  'truncate audit_log',
  'alter table audit_log disable trigger all',
  'alter table audit_log drop column hash',
  'drop table audit_log',
  'drop trigger audit_log_append_only on audit_log',
  'create or replace function audit_log_is_append_only() returns trigger language plpgsql as $$ begin return old; end $$',
  'create trigger t before insert on audit_log for each row execute function audit_log_is_append_only()',
  'create rule r as on insert to audit_log do instead nothing',
  'create table audit_log_2 (a int)',
  'create schema mine',
  "delete from schema_migrations where name like '0016%'",
  'set session_replication_role = replica',
];

/** That it writes, reads and works off its queue with what is left to it. */
async function expectToWork(stores: Stores): Promise<void> {
  await recordPlatform(stores.db, 'platform.start');
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from audit_log`.execute(stores.db);
  expect(rows[0]?.n).toBeGreaterThan(0);
  await stores.db.insertInto('process_state').values({ name: 'mark', value: '1' }).execute();
  await stores.db.deleteFrom('process_state').where('name', '=', 'mark').execute();
  const jobs = new Jobs();
  const done: unknown[] = [];
  jobs.on('try', async (payload) => void done.push(payload));
  jobs.every('often', '* * * * *', async () => undefined);
  const running = await startJobs(jobs, stores.databaseConnection, logger);
  await addJob(stores.db, 'try', { a: 1 });
  await until(() => done.length > 0, 'the job');
  expect(done).toEqual([{ a: 1 }]);
  await running.stop();
}

describe('the role of the server in the embedded PostgreSQL', () => {
  const dataDir = newFolder();
  let stores: Stores;
  beforeAll(async () => {
    stores = await startStores(readConfig({ DATA_DIR: dataDir, DEMO: 'off' }), logger);
    await recordPlatform(stores.db, 'platform.start');
  });
  afterAll(async () => {
    await stores?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('adds to the audit log, reads it, and works off jobs', async () => {
    await expectToWork(stores);
    expect(stores.auditPowers).toEqual([]);
  });

  test.each([
    ...forbidden,
    'set role sonnenwarte',
    'set session authorization sonnenwarte',
    'alter role sonnenwarte_server superuser',
    'create role helper superuser',
    'alter system set log_statement = none',
    "select pg_read_file('PG_VERSION')",
    "copy audit_log to program 'true'",
    "copy (select 1) to '/tmp/never'",
    'create extension dblink',
    'create extension file_fdw',
    "select lo_import('/etc/passwd')",
    'select pg_reload_conf()',
  ])('may not: %s', async (statement) => {
    await expect(sql.raw(statement).execute(stores.db)).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|42939|0A000)$/),
    });
  });

  test('gives itself no right', async () => {
    await sql`grant all on audit_log to current_user`.execute(stores.db);
    await expect(sql`update audit_log set actor = ''`.execute(stores.db)).rejects.toMatchObject({ code: '42501' });
  });

  test('is the only one that is let in while the server runs; the owner is while it is asked for', async () => {
    const owner = { ...embeddedConnection(dataDir), user: 'sonnenwarte' };
    const enter = async () => {
      const client = new pg.Client(owner);
      client.on('error', () => undefined);
      try {
        await client.connect();
        return 'in';
      } catch (error) {
        return (error as { code?: string }).code;
      } finally {
        await client.end().catch(() => undefined);
      }
    };
    const REFUSED = '28000';
    await until(async () => (await enter()) === REFUSED, 'the owner being refused');
    await stores.asOwner(async (db) => {
      const { rows } = await sql<{
        is: boolean;
      }>`select rolsuper as is from pg_roles where rolname = current_user`.execute(db);
      expect(rows).toEqual([{ is: true }]);
      expect(await enter()).toBe('in');
    });
    await until(async () => (await enter()) === REFUSED, 'the owner being refused again');
  });
});

test('a data folder from before there was a role of the server is moved over at start, its log goes on', async () => {
  const dataDir = newFolder();
  const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off' });
  try {
    const first = await startStores(config, logger);
    await recordPlatform(first.db, 'platform.start');
    await first.asOwner(async (owner) => {
      await sql`drop policy sonnenwarte_server on graphile_worker._private_jobs`.execute(owner);
      await sql`drop policy sonnenwarte_server on graphile_worker._private_job_queues`.execute(owner);
      await sql`drop policy sonnenwarte_server on graphile_worker._private_tasks`.execute(owner);
      await sql`drop policy sonnenwarte_server on graphile_worker._private_known_crontabs`.execute(owner);
      await sql`drop owned by sonnenwarte_server`.execute(owner);
    });
    await first.stop();
    writeFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), 'local all all trust\n');
    const again = await startStores(config, logger);
    await expectToWork(again);
    await expect(sql`delete from audit_log`.execute(again.db)).rejects.toMatchObject({ code: '42501' });
    await again.stop();
    expect(readFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8')).not.toMatch(/\ball all\b/);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 120_000);

describe('an external PostgreSQL', () => {
  const dataDir = newFolder();
  const base = newFolder();
  let postgres: PostgresHandle;
  const urlOf = (user: string) =>
    `postgres://${user}@localhost/portal?host=${encodeURIComponent(postgres.connection.host)}`;
  const config = (env: Record<string, string>) => ({
    ...readConfig({ DATA_DIR: dataDir, DEMO: 'off' }),
    databaseUrl: env.server,
    databaseOwnerUrl: env.owner,
  });

  beforeAll(async () => {
    postgres = await startPostgres({ dataDir: base, logger });
    await postgres.asOwner(async (owner) => {
      const db = connectDatabase(owner);
      await sql`create role portal_owner login`.execute(db);
      await sql`create role portal_server login`.execute(db);
      await sql`create database portal owner portal_owner`.execute(db);
      await db.destroy();
    });
    appendFileSync(join(base, 'postgres', 'pg_hba.conf'), 'local portal portal_owner,portal_server trust\n');
    process.kill(postgres.pid ?? 0, 'SIGHUP');
  });
  afterAll(async () => {
    await postgres?.stop();
    for (const folder of [base, dataDir]) rmSync(folder, { recursive: true, force: true });
  });

  test('with one role for all works, and says what that role could do to the log', async () => {
    const stores = await startStores(config({ server: urlOf('portal_owner') }), logger);
    try {
      await expectToWork(stores);
      expect(stores.auditPowers).toEqual(['owns audit_log', 'may UPDATE', 'may DELETE', 'may TRUNCATE']);
    } finally {
      await stores.stop();
    }
  });

  test('with an owner of its own the server may add to the log and read it, and nothing else', async () => {
    const stores = await startStores(config({ server: urlOf('portal_server'), owner: urlOf('portal_owner') }), logger);
    try {
      await expectToWork(stores);
      expect(stores.auditPowers).toEqual([]);
      for (const statement of forbidden) {
        await expect(sql.raw(statement).execute(stores.db), statement).rejects.toMatchObject({ code: '42501' });
      }
    } finally {
      await stores.stop();
    }
  });
});

test('nothing is recorded over a connection that has no key', async () => {
  const db = connectDatabase({ host: '/nowhere', port: 1, user: 'nobody', database: 'none' });
  const record = () =>
    recordAudit(
      db as never,
      {},
      {
        log: 'platform',
        action: 'platform.start',
        recordKind: 'platform',
        recordId: '',
        recordName: '',
        organisationPath: [],
      },
    );
  await expect(record()).rejects.toThrow('the key of the audit log is missing');
  await db.destroy();
});
