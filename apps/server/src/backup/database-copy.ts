import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { backupConnection } from '../stores/postgres.ts';
import type { PostgresConnection } from '../stores/postgres-door.ts';
import { entriesOf, fileMember, folderMember, type Member, textMember } from './archive.ts';

/** What a copy of the database says about itself, once it is complete. */
export interface DatabaseFacts {
  readonly version: string;
  /** The moment that a restored database shows. */
  readonly moment: string;
  readonly firstWalFile: string;
  readonly lastWalFile: string;
}

/** Their content belongs to the running server and is made anew by the next one. */
const EMPTIED = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|pg_internal\.init.*|pgsql_tmp.*|current_logfiles)$/;
const CONTROL_FILE = 'global/pg_control';
const WAL_FOLDERS = ['pg_wal/archive_status', 'pg_wal/summaries'];
const ASK_TIMEOUT_MS = 10_000;
const CHECKPOINT_TIMEOUT_MS = 600_000;

/**
 * An online base backup over one connection: when that ends, however it ends, PostgreSQL gives up the backup and lets go of its log,
 * so a killed backup leaves nothing behind.
 */
export class DatabaseCopy {
  readonly #folder: string;
  readonly #client: pg.Client;
  readonly #afterMoment: () => Promise<void>;
  facts: DatabaseFacts | undefined;

  /** `afterMoment` is called at once when the moment is known to which the copy is restored. */
  constructor(dataDir: string, connection: PostgresConnection, afterMoment: () => Promise<void>) {
    this.#folder = join(dataDir, 'postgres');
    this.#client = new pg.Client({
      ...backupConnection(connection),
      application_name: 'sonnenwarte backup',
      connectionTimeoutMillis: ASK_TIMEOUT_MS,
    });
    this.#client.on('error', () => undefined);
    this.#afterMoment = afterMoment;
  }

  async *members(): AsyncGenerator<Member> {
    try {
      await this.#client.connect();
      await this.#requireRight();
      await this.#ask('select hold_wal()');
      await this.#ask(`set statement_timeout = ${CHECKPOINT_TIMEOUT_MS}`);
      const [begun] = await this.#ask<{ lsn: string }>(`select pg_backup_start('sonnenwarte', true)::text as lsn`);
      yield* this.#clusterFiles();
      yield* fileMember(join(this.#folder, CONTROL_FILE), `postgres/${CONTROL_FILE}`);
      yield* this.#finish(begun?.lsn ?? '');
    } finally {
      await this.#client.end().catch(() => undefined);
    }
  }

  async #requireRight(): Promise<void> {
    const [found] = await this.#ask<{ able: boolean }>(
      "select coalesce(has_function_privilege(to_regprocedure('hold_wal()'), 'execute'), false) as able",
    );
    if (found?.able !== true) {
      throw new Error('The portal was started by an earlier version: start it anew, then it can be backed up.');
    }
    const tablespaces = await readdir(join(this.#folder, 'pg_tblspc'));
    if (tablespaces.length > 0)
      throw new Error('The database has tablespaces of its own, which this backup does not know.');
  }

  async *#clusterFiles(folder = ''): AsyncGenerator<Member> {
    yield folderMember(join('postgres', folder));
    for (const entry of await entriesOf(join(this.#folder, folder))) {
      const name = join(folder, entry.name);
      if (LEFT_OUT.test(entry.name) || name === CONTROL_FILE) continue;
      if (entry.isDirectory() && EMPTIED.has(name)) yield folderMember(join('postgres', name));
      else if (entry.isDirectory()) yield* this.#clusterFiles(name);
      else if (entry.isFile()) yield* fileMember(join(this.#folder, name), join('postgres', name), true);
    }
    if (folder === '') for (const name of WAL_FOLDERS) yield folderMember(join('postgres', name));
  }

  async *#finish(firstLsn: string): AsyncGenerator<Member> {
    const [ended] = await this.#ask<{ lsn: string; label: string; map: string; at: Date; version: string }>(
      `select lsn::text, labelfile as label, coalesce(spcmapfile, '') as map, clock_timestamp() as at,
         current_setting('server_version') as version from pg_backup_stop(false)`,
    );
    if (ended === undefined) throw new Error('PostgreSQL did not end its backup');
    await this.#afterMoment();
    const [wal] = await this.#ask<{ first: string; last: string }>(
      'select pg_walfile_name($1::pg_lsn) as first, pg_walfile_name($2::pg_lsn) as last',
      [firstLsn, ended.lsn],
    );
    const { first = '', last = '' } = wal ?? {};
    yield textMember('postgres/backup_label', ended.label);
    if (ended.map !== '') yield textMember('postgres/tablespace_map', ended.map);
    const names = (await readdir(join(this.#folder, 'pg_wal'))).filter(
      (name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last,
    );
    if (!names.includes(first) || !names.includes(last))
      throw new Error('PostgreSQL has not kept the log of the backup.');
    for (const name of names.sort()) yield* fileMember(join(this.#folder, 'pg_wal', name), `postgres/pg_wal/${name}`);
    this.facts = { version: ended.version, moment: ended.at.toISOString(), firstWalFile: first, lastWalFile: last };
  }

  async #ask<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#client.query<Row>(text, [...values])).rows;
  }
}
