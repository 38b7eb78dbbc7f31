import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../config.ts';
import { connectionOf, readDatabaseUrl } from '../database-url.ts';
import { fakePostgres } from '../testing/fake-postgres.ts';
import { claimDatabase } from './database-claim.ts';
import { checkDatabase } from './database-start.ts';
import { type PostgresHandle, startPostgres } from './postgres.ts';
import { OWNER, untilAdmitted } from './postgres-door.ts';
import { startStores } from './stores.ts';

const logger = pino({ level: 'silent' });
const PASSWORD = 'never-to-be-seen';
const keys = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBqTCCAVCgAwIBAgIUSjG65pb8g4Wr/AsjRBhedG6GPvYwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQZGF0YWJhc2UuZXhhbXBsZTAgFw0yNjExMjIxNzM5MzdaGA8y
MTI2MTAyOTE3MzkzN1owGzEZMBcGA1UEAwwQZGF0YWJhc2UuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABPXtaH4UvVWSmx3aXFdE35jk4u3fcAh4nUVb
UUFONKJnFUnPZDs4zAfwDr2sFu7gHDsFkve2f1H9z1yuriWs9GKjcDBuMB0GA1Ud
DgQWBBT+D0WRZvilsgY5jPt7UjtTXmenJDAfBgNVHSMEGDAWgBT+D0WRZvilsgY5
jPt7UjtTXmenJDAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEGRhdGFiYXNl
LmV4YW1wbGUwCgYIKoZIzj0EAwIDRwAwRAIgClpvS3dKegPnBenXDocdEN/i9w3v
8NCEqGMOWQOZXlwCIA9kMTsRRpPWAqliqas3NpkIKbbSOHYFOITd6KO0LsBW
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxW+Gf5CgDNDy/1BB
Rz4T5ZS3CL1hT9r5ftPyzsqhYOOhRANCAAT17Wh+FL1Vkpsd2lxXRN+Y5OLt33AI
eJ1FW1FBTjSiZxVJz2Q7OMwH8A69rBbu4Bw7BZL3tn9R/c9crq4lrPRi
-----END PRIVATE KEY-----
`,
};

let folder = '';
let server: PostgresHandle;
let admin: pg.Client;
let socket = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-databases-'));
  server = await startPostgres({ dataDir: join(folder, 'server'), logger });
  socket = server.connection.host;
  // A server of somebody else's, which lets in whom it likes.
  writeFileSync(join(folder, 'server', 'postgres', 'pg_hba.conf'), 'local all all trust\n');
  process.kill(server.pid ?? 0, 'SIGHUP');
  const superuser = { ...server.connection, user: OWNER };
  await untilAdmitted(superuser);
  admin = new pg.Client({ ...superuser, database: 'postgres' });
  admin.on('error', () => undefined);
  await admin.connect();
  for (const statement of [
    'create role owner_of_it login',
    'create role guest login',
    'create database fine owner owner_of_it',
    "create database ascii owner owner_of_it encoding 'SQL_ASCII' locale 'C' template template0",
    'create database of_another',
    'create database frozen owner owner_of_it',
    'alter database frozen set default_transaction_read_only = on',
  ]) {
    await admin.query(statement);
  }
});
afterAll(async () => {
  await admin?.end();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const check = async (text: string): Promise<void> => {
  const url = readDatabaseUrl(text);
  return checkDatabase(connectionOf(url), url);
};

/** The one sentence that a start with the URL ends with. */
async function refusalOf(text: string): Promise<string> {
  const error: unknown = await check(text).then(
    () => 'nothing is refused',
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(ConfigError);
  const { message } = error as ConfigError;
  expect(message).not.toMatch(/\n|never-to-be-seen/);
  return message;
}

const at = (user: string, database: string) => `postgresql://${user}@/${database}?host=${socket}`;

describe('a database that will not do is refused with what is wrong and what to do:', () => {
  test('it does not exist', async () => {
    expect(await refusalOf(at('owner_of_it', 'missing'))).toMatch(
      /^DATABASE_URL: there is no database "missing" at .*CREATE DATABASE "missing" OWNER "owner_of_it" ENCODING 'UTF8'/,
    );
  });

  test('its role does not exist', async () => {
    expect(await refusalOf(at('nobody_here', 'fine'))).toMatch(/role "nobody_here".*Make the role/);
  });

  test('its role may make no tables there', async () => {
    expect(await refusalOf(at('guest', 'of_another'))).toMatch(
      /^DATABASE_URL: the role "guest" may not make tables.*GRANT CREATE ON SCHEMA "public" TO "guest"; GRANT CREATE ON DATABASE "of_another" TO "guest";.*ALTER DATABASE/,
    );
  });

  test('its encoding keeps no names', async () => {
    expect(await refusalOf(at('owner_of_it', 'ascii'))).toMatch(
      /encoding SQL_ASCII.*ENCODING 'UTF8' TEMPLATE template0/,
    );
  });

  test('it takes no changes', async () => {
    expect(await refusalOf(at('owner_of_it', 'frozen'))).toMatch(/takes no changes/);
  });

  test('nobody listens there, by port or by socket', async () => {
    expect(await refusalOf(`postgres://me:${PASSWORD}@127.0.0.1:1/x`)).toMatch(
      /^DATABASE_URL: nobody listens at 127\.0\.0\.1:1\. Start PostgreSQL there/,
    );
    expect(await refusalOf(`postgres://me@/x?host=${folder}`)).toMatch(/there is no socket at/);
  });

  test.each([
    ['28P01', 'password authentication failed for user "me"', /the password of the role "me" at .* is wrong/],
    ['28000', 'no pg_hba.conf entry for host "1.2.3.4"', /pg_hba\.conf/],
    ['53300', 'sorry, too many clients already', /max_connections/],
    ['57P03', 'the database system is starting up', /Try again in a moment/],
    ['42501', 'permission denied for database "x"', /lacks a right.*permission denied/],
  ])('its server says %s (%s)', async (code, message, sentence) => {
    const fake = await fakePostgres({ refusal: { code, message } });
    try {
      expect(await refusalOf(`postgres://me:${PASSWORD}@127.0.0.1:${fake.port}/x`)).toMatch(sentence);
    } finally {
      await fake.close();
    }
  });

  test('it is no PostgreSQL at all', async () => {
    const fake = await fakePostgres({});
    try {
      expect(await refusalOf(`postgres://me:${PASSWORD}@127.0.0.1:${fake.port}/x`)).toMatch(/is it PostgreSQL\?/);
    } finally {
      await fake.close();
    }
  });

  test('it speaks no TLS where that is asked for', async () => {
    const fake = await fakePostgres({});
    try {
      for (const mode of ['require', 'verify-ca', 'verify-full']) {
        expect(await refusalOf(`postgres://me@127.0.0.1:${fake.port}/x?sslmode=${mode}`)).toMatch(
          new RegExp(`speaks no TLS, and sslmode=${mode}`),
        );
      }
    } finally {
      await fake.close();
    }
  });

  test('its certificate is not trusted; sslmode=require encrypts without asking', async () => {
    const refusal = { code: '28P01', message: 'password authentication failed' };
    const fake = await fakePostgres({ refusal, tls: keys });
    try {
      const url = (mode: string) => `postgres://me:${PASSWORD}@127.0.0.1:${fake.port}/x?sslmode=${mode}`;
      for (const mode of ['verify-ca', 'verify-full']) {
        expect(await refusalOf(url(mode))).toMatch(/the certificate of .* is not accepted .*sslrootcert/);
      }
      expect(await refusalOf(url('require'))).toMatch(/the password of the role "me"/);
    } finally {
      await fake.close();
    }
  });

  test('a file of its certificates is missing', async () => {
    const config = readConfig({
      DATA_DIR: join(folder, 'unused'),
      DATABASE_URL: 'postgres://me@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/missing/ca.pem',
    });
    await expect(startStores(config, logger)).rejects.toThrow(
      /^DATABASE_URL: a file of a certificate cannot be read: .*ca\.pem/,
    );
  });
});

describe('the forms of libpq are taken:', () => {
  test.each([
    () => at('owner_of_it', 'fine'),
    () => `postgres://owner_of_it@${encodeURIComponent(socket)}/fine`,
    () => `postgresql:///fine?host=${encodeURIComponent(socket)}&user=owner_of_it`,
    () => `postgresql:///?host=${socket}&user=owner_of_it&dbname=fine&sslmode=verify-full`,
    () => `postgresql://owner_of_it@127.0.0.1:1,${encodeURIComponent(socket)}:5432/fine`,
    () => `postgresql://owner_of_it@/fine?host=/nowhere,${socket}&target_session_attrs=read-write`,
  ])('%s', async (url) => {
    await check(url());
  });

  test.each([
    ['postgres://a:b%40c@h:1/d%20e', { user: 'a', password: 'b@c', database: 'd e', hosts: [{ host: 'h', port: 1 }] }],
    ['postgres://[::1]:5433/x', { hosts: [{ host: '::1', port: 5433 }], user: undefined }],
    [
      'postgres://a,b:7/x?port=6',
      {
        hosts: [
          { host: 'a', port: 6 },
          { host: 'b', port: 7 },
        ],
      },
    ],
    ['postgres://h/x?sslmode=verify-full', { sslMode: 'verify-full' }],
    ['postgres://h/x?ssl=true', { sslMode: 'verify-full' }],
    ['postgres://h', { sslMode: 'disable', database: undefined }],
  ])('%s is read as it is meant', (url, meant) => {
    expect(readDatabaseUrl(url)).toMatchObject(meant);
  });

  test.each([
    'postgres://h:x/db',
    'postgres://h:99999/db',
    'postgres://h/db?sslmode=prefer',
    'postgres://h/db?target_session_attrs=standby',
    'postgres://h/100%',
  ])('%s is refused in one line that names the variable', (url) => {
    const attempt = () => readConfig({ DATA_DIR: join(folder, 'unused'), DATABASE_URL: url });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(/^DATABASE_URL is "[^\n]+must [^\n]+$/);
  });
});

describe('a portal on an external database', () => {
  const stores = (env: Record<string, string> = {}) =>
    startStores(
      readConfig({ DATA_DIR: join(folder, 'first'), DATABASE_URL: at('owner_of_it', 'fine'), DEMO: 'off', ...env }),
      logger,
    );

  test('starts, and starts again, as the role that owns it and is no superuser', async () => {
    for (let start = 0; start < 2; start += 1) {
      const running = await stores();
      expect(await running.states()).toEqual({ database: 'up', telemetry: 'up' });
      await running.stop();
    }
  });

  test('with another data folder is refused with the reason, since all history would be missing', async () => {
    const second = join(folder, 'second');
    await expect(stores({ DATA_DIR: second })).rejects.toThrow(
      /^the database of DATABASE_URL belongs to another store of telemetry than DATA_DIR .*second: all history would be missing.*NEW_TELEMETRY=on/,
    );
    const running = await stores();
    await running.stop();
  });

  test('that is new is refused on a data folder which holds the history of another', async () => {
    await admin.query('create database another owner owner_of_it');
    await expect(stores({ DATABASE_URL: at('owner_of_it', 'another') })).rejects.toThrow(
      /^DATA_DIR .*first holds the history of another database.*Start with the database that it belongs to/,
    );
  });

  test('goes on with an empty store where its telemetry is lost and NEW_TELEMETRY=on says so, once', async () => {
    const DATA_DIR = join(folder, 'third');
    const running = await stores({ DATA_DIR, NEW_TELEMETRY: 'on' });
    await running.stop();
    const again = await stores({ DATA_DIR });
    await again.stop();
    // Both halves copied together belong together.
    expect(await againOn(DATA_DIR)).toBe(true);
  });

  const againOn = async (DATA_DIR: string): Promise<boolean> => {
    const running = await stores({ DATA_DIR });
    const { rows } = await sql<{ paired: boolean }>`select paired from installation`.execute(running.db);
    await running.stop();
    return rows.length === 1 && rows[0]?.paired === true;
  };

  test('goes on where a first start was interrupted between the two', async () => {
    await admin.query('create database interrupted owner owner_of_it');
    const env = { DATA_DIR: join(folder, 'fourth'), DATABASE_URL: at('owner_of_it', 'interrupted') };
    const running = await stores(env);
    await sql`update installation set paired = false`.execute(running.db);
    await running.telemetry.client.command({ query: 'TRUNCATE TABLE installation' });
    await running.stop();
    const again = await stores(env);
    await again.stop();
  });

  test('leaves no password in what it logs when it cannot start', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
    const DATABASE_URL = `postgres://me:${PASSWORD}@127.0.0.1:1/x`;
    const config = readConfig({ DATA_DIR: join(folder, 'fifth'), DATABASE_URL, DEMO: 'off' });
    await expect(startStores(config, log)).rejects.toThrow(/nobody listens/);
    expect(lines.join('')).not.toContain(PASSWORD);
  });
});

describe('one database at a time is taken by one portal:', () => {
  const claim = (onTaken: () => void, waitMs = 0) =>
    claimDatabase(connectionOf(readDatabaseUrl(at('owner_of_it', 'fine'))), { logger, onTaken, waitMs });
  const never = () => {
    throw new Error('the database was taken by another');
  };

  test('a second is refused and told where the first runs, and comes in once that has gone', async () => {
    const first = await claim(never);
    await expect(claim(never)).rejects.toThrow(
      /^DATABASE_URL: another portal works on this database \(on .*, since 20/,
    );
    const waiting = claim(never, 60_000);
    await first.release();
    await (await waiting).release();
  });

  test('one that lost its connection takes it again, or ends where another was faster', async () => {
    let tell = never;
    const taken = new Promise<void>((done) => {
      tell = done as () => never;
    });
    const first = await claim(() => tell());
    const before = await pidOf('granted');
    await cutOff();
    await expect
      .poll(async () => ![undefined, before].includes(await pidOf('granted')), { timeout: 20_000 })
      .toBe(true);
    const other = new pg.Client({ ...server.connection, database: 'fine' });
    other.on('error', () => undefined);
    await other.connect();
    const isFaster = other.query('select pg_advisory_lock(7305222)');
    await expect.poll(() => pidOf('not granted'), { timeout: 20_000 }).toBeDefined();
    await cutOff();
    await Promise.all([isFaster, taken]);
    await first.release();
    await other.end();
  });

  const LOCKS = "select pid from pg_locks where locktype = 'advisory' and objid = 7305222";
  const pidOf = async (which: 'granted' | 'not granted'): Promise<number | undefined> =>
    (await admin.query<{ pid: number }>(`${LOCKS} and ${which}`)).rows[0]?.pid;
  const cutOff = () => admin.query(`select pg_terminate_backend(pid) from (${LOCKS} and granted) holders`);
});

test('a pool over several hosts knows password and key at each of them, which it hides from its own options', async () => {
  const target = connectionOf(readDatabaseUrl(`postgres://u:${PASSWORD}@a,b/x?sslmode=require`));
  const pool = new pg.Pool(target);
  expect(Object.keys(pool.options)).not.toContain('password');
  const { Client = pg.Client } = target;
  for (const host of ['a', 'b']) {
    const client = new Client(pool.options);
    expect(client).toMatchObject({ host, user: 'u', password: PASSWORD, database: 'x', ssl: expect.any(Object) });
    target.Client?.pass();
  }
  await pool.end();
});

test('the file of an authority is read, and decides whom a connection trusts', () => {
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, keys.cert);
  const { ssl } = connectionOf(readDatabaseUrl(`postgres://h/x?sslmode=verify-ca&sslrootcert=${ca}`));
  expect(ssl).toMatchObject({ ca: keys.cert });
});
