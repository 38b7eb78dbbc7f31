import { existsSync, readFileSync, statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import pg from 'pg';
import type { Config } from '../config.ts';
import { archiveOf, MANIFEST, type Member, textMember } from './archive.ts';
import { type WrittenBackup, writeBackup } from './backup-file.ts';
import { DataFiles } from './data-files.ts';
import { DatabaseCopy } from './database-copy.ts';
import type { BackupManifest } from './manifest.ts';
import { openSources, type Sources } from './sources.ts';
import { TelemetryCopy } from './telemetry-copy.ts';
import { beginBackup } from './under-way.ts';

export interface BackupOptions {
  readonly config: Config;
  readonly file: string;
  readonly passphrase: string | undefined;
  /** An existing file is replaced. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  /** Bytes read and about how many there are in all. */
  readonly progress: (read: number, inAll: number) => void;
}

export interface MadeBackup extends WrittenBackup {
  readonly manifest: BackupManifest;
  readonly wasRunning: boolean;
  readonly passedOver: readonly string[];
}

const BACKGROUND_PRIORITY = 10;

/** Writes a backup of a portal, running or stopped, into one file. Leaves nothing behind if it fails. */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const { config, file } = options;
  await requirePlace(options);
  const sources = await openSources(config);
  try {
    const end = await beginBackup(config.dataDir);
    try {
      setPriority(BACKGROUND_PRIORITY);
      const contents = new Contents(config, sources);
      const inAll = await contents.estimate();
      let read = 0;
      const written = await writeBackup(
        file,
        counted(archiveOf(contents.members()), (bytes) => {
          read += bytes;
          options.progress(read, inAll);
        }),
        { passphrase: options.passphrase, madeAt: contents.madeAt, signal: options.signal },
      );
      return {
        ...written,
        manifest: contents.manifest(),
        wasRunning: sources.isRunning,
        passedOver: [...contents.files.passedOver],
      };
    } finally {
      end();
    }
  } finally {
    await sources.close();
  }
}

async function requirePlace({ config, file, force }: BackupOptions): Promise<void> {
  if (!relative(resolve(config.dataDir), file).startsWith('..')) {
    throw new Error(
      `The file must not lie in the data folder ${config.dataDir}: choose another place, best on another disk.`,
    );
  }
  const folder = dirname(file);
  await access(folder, constants.W_OK).catch(() => {
    throw new Error(`The folder ${folder} does not exist or may not be written to.`);
  });
  if (!existsSync(file)) return;
  if (!statSync(file).isFile()) throw new Error(`${file} is no file.`);
  if (!force) throw new Error(`${file} exists already. Choose another name, or replace it with --force.`);
}

async function* counted(parts: AsyncIterable<Buffer>, seen: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    seen(part.length);
    yield part;
  }
}

/**
 * The order is what makes one moment of it: first the files, so that nothing in them is newer than the database; the database, whose copy
 * shows the moment at which its backup ends; the telemetry as it is just then, so that it holds all that the database
 * believes to be accounted; at last the files that were added meanwhile, to which the database may refer.
 */
class Contents {
  readonly madeAt = new Date();
  readonly files: DataFiles;
  readonly #sources: Sources;
  readonly #database: DatabaseCopy | undefined;
  readonly #telemetry: TelemetryCopy | undefined;
  #momentMs = 0;
  #keys: BackupManifest['keys'] = null;
  #counts: Record<string, number> = {};

  constructor({ dataDir }: Config, sources: Sources) {
    const { postgres, telemetry } = sources;
    this.#sources = sources;
    this.files = new DataFiles(dataDir);
    this.#telemetry = telemetry === undefined ? undefined : new TelemetryCopy(dataDir, telemetry);
    this.#database = postgres === undefined ? undefined : new DatabaseCopy(dataDir, postgres, () => this.#hold());
  }

  async *members(): AsyncGenerator<Member> {
    try {
      yield* this.files.members();
      if (this.#database === undefined) await this.#hold();
      else yield* this.#database.members();
      if (this.#telemetry !== undefined) yield* this.#telemetry.members();
      yield* this.files.members();
      yield textMember(MANIFEST, `${JSON.stringify(this.manifest(), undefined, 2)}\n`);
    } finally {
      this.#telemetry?.release();
    }
  }

  manifest(): BackupManifest {
    return {
      madeAt: this.madeAt.toISOString(),
      moment: this.#database?.facts?.moment ?? new Date(this.#momentMs).toISOString(),
      portal: version(),
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      database: this.#database?.facts ?? null,
      telemetry: this.#telemetry?.facts ?? null,
      files: this.files.count,
      keys: this.#keys,
      counts: this.#counts,
    };
  }

  /** About how many bytes there are to be read. */
  async estimate(): Promise<number> {
    const { postgres, telemetry } = this.#sources;
    let bytes = 0;
    if (postgres !== undefined) {
      const [row] = await this.#ask<{ bytes: string }>('select sum(pg_database_size(oid)) as bytes from pg_database');
      bytes += Number(row?.bytes ?? 0);
    }
    const answer = await telemetry?.query({
      query: 'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase()',
      format: 'JSONEachRow',
    });
    const [row] = (await answer?.json<{ bytes: number | string }>()) ?? [];
    return bytes + Number(row?.bytes ?? 0);
  }

  async #hold(): Promise<void> {
    this.#momentMs = Date.now();
    await this.#telemetry?.freeze();
    const [keys] = await this.#ask<{ sites: string | null; devices: string | null }>(
      `select pg_sequence_last_value(pg_get_serial_sequence('sites', 'key')::regclass) as sites,
         pg_sequence_last_value(pg_get_serial_sequence('devices', 'key')::regclass) as devices`,
    );
    this.#keys = { sites: Number(keys?.sites ?? 0), devices: Number(keys?.devices ?? 0) };
    const [counts] = await this.#ask<Record<string, string>>(
      `select (select count(*) from organisations where deleted_at is null) as organisations,
         (select count(*) from accounts where deleted_at is null) as accounts,
         (select count(*) from sites where deleted_at is null) as plants,
         (select count(*) from loggers) as dataloggers, (select count(*) from devices) as devices,
         (select count(*) from audit_log) as "audit entries"`,
    );
    this.#counts = Object.fromEntries(Object.entries(counts ?? {}).map(([name, count]) => [name, Number(count)]));
  }

  #ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    return this.#sources.inDatabase(async (database) => {
      const client = new pg.Client({ ...database, connectionTimeoutMillis: 10_000, query_timeout: 60_000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return (await client.query<Row>(text)).rows;
      } finally {
        await client.end().catch(() => undefined);
      }
    });
  }
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
