import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { isAlive } from '../supervision/processes.ts';

export interface PostgresConnection {
  /** Folder of the unix socket. */
  host: string;
  port: number;
  user: string;
  database: string;
}

/** Made the cluster and owns all that is in it. */
export const OWNER = 'sonnenwarte';
/** As which the server signs in: no superuser, owner of nothing. */
export const SERVER = 'sonnenwarte_server';
const CONNECT_TIMEOUT_MS = 5_000;
const ADMIT_MS = 10_000;
/** A copy of the files of a running database is told to it before and after. */
const BACKUP_CALLS = ['pg_backup_start(text, boolean)', 'pg_backup_stop(boolean)', 'pg_switch_wal()', 'hold_wal()'];
/** Keeps the log that is written from now on for as long as the connection lasts: slots are for superusers otherwise. */
const HOLD_WAL = `create or replace function hold_wal() returns pg_lsn language sql security definer set search_path = pg_catalog
  as $$ select lsn from pg_create_physical_replication_slot('hold_' || pg_backend_pid(), true, true) $$;
  revoke all on function hold_wal() from public`;
/** Where the calls of a backup are granted. */
export const MAINTENANCE_DATABASE = 'postgres';

/** Who is let in, by the file that PostgreSQL reads at its start and at SIGHUP: the server always, the owner only while it is asked for. */
export class Door {
  readonly #file: string;
  #guests = 0;

  constructor(file: string) {
    this.#file = file;
  }

  open(pid?: number): void {
    this.#guests += 1;
    this.#write(pid);
  }

  shut(pid: number | undefined): void {
    this.#guests -= 1;
    this.#write(pid);
  }

  #write(pid: number | undefined): void {
    const roles = this.#guests > 0 ? [SERVER, OWNER] : [SERVER];
    writeFileSync(this.#file, roles.map((role) => `local all ${role} trust\n`).join(''));
    if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGHUP');
  }
}

export async function untilConnected(connection: PostgresConnection, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    if ((await tryQueries(connection, async () => undefined)) === undefined) return;
    await delay(20);
  }
  throw new Error('PostgreSQL ended before it was ready');
}

/** Makes the database and the role of the server where they are missing, also in a cluster that an earlier version made. */
export async function untilPrepared(owner: PostgresConnection, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const failure = await tryQueries({ ...owner, database: MAINTENANCE_DATABASE }, async (client) => {
      const found = await client.query('select from pg_database where datname = $1', [owner.database]);
      if (found.rowCount === 0) await client.query(`create database ${owner.database}`);
      const role = await client.query('select from pg_roles where rolname = $1', [SERVER]);
      if (role.rowCount === 0) await client.query(`create role ${SERVER} login`);
      await client.query(`alter role ${SERVER} nosuperuser nocreatedb nocreaterole noreplication nobypassrls`);
      await client.query(HOLD_WAL);
      for (const call of BACKUP_CALLS) await client.query(`grant execute on function ${call} to ${SERVER}`);
    });
    if (failure === undefined) return;
    await delay(20);
  }
  throw new Error('PostgreSQL ended before it was ready');
}

export async function untilAdmitted(owner: PostgresConnection): Promise<void> {
  const untilMs = Date.now() + ADMIT_MS;
  for (;;) {
    const failure = await tryQueries(owner, async () => undefined);
    if (failure === undefined) return;
    if (Date.now() >= untilMs) throw failure;
    await delay(20);
  }
}

/** Over a connection of its own: that of a pool may wait for a lock. A refusal is an answer. */
export async function untilAnswered(connection: PostgresConnection, signal: AbortSignal): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  const silent = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    await Promise.race([client.connect().then(() => client.query('select 1')), silent]);
    await Promise.race([client.end(), silent]);
  } catch (error) {
    client.connection.stream.destroy();
    if (!(error instanceof pg.DatabaseError)) throw error;
  }
}

/** Answers what went wrong, undefined where nothing did. */
async function tryQueries(
  connection: PostgresConnection,
  work: (client: pg.Client) => Promise<void>,
): Promise<Error | undefined> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}
