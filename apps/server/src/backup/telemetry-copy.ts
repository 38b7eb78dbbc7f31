import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { entriesOf, fileMember, folderMember, type Member } from './archive.ts';

export interface TableFacts {
  readonly name: string;
  readonly rows: number;
  readonly parts: number;
}

interface Table {
  readonly name: string;
  /** Within the engine's folder. */
  readonly folder: string;
}

const ENGINE = 'telemetry/engine';
const MARK = 'backup_';

/** What is made from other rows first, and those last: then nothing in the copy says more than what it was made from. */
const layers = [/^site_/, /^device_/, /^(?!raw_)/, /^raw_/] as const;
const layerOf = (name: string): number => layers.findIndex((pattern) => pattern.test(name));

/** A copy of the telemetry engine's tables: hard links to their parts, made within milliseconds, which are then read at leisure. */
export class TelemetryCopy {
  readonly #dataDir: string;
  readonly #client: ClickHouseClient;
  readonly #mark = `${MARK}${randomBytes(6).toString('hex')}`;
  #tables: Table[] = [];
  readonly facts: TableFacts[] = [];

  constructor(dataDir: string, client: ClickHouseClient) {
    this.#dataDir = dataDir;
    this.#client = client;
  }

  /** Holds the tables as they are now. */
  async freeze(): Promise<void> {
    const answer = await this.#client.query({
      query: `SELECT name, data_paths[1] AS path FROM system.tables
        WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name`,
      format: 'JSONEachRow',
    });
    const engine = join(this.#dataDir, ENGINE);
    const found = await answer.json<{ name: string; path: string }>();
    this.#tables = found
      .map(({ name, path }) => ({ name, folder: path.slice(path.indexOf('/store/') + 1).replace(/\/$/, '') }))
      .sort((one, other) => layerOf(one.name) - layerOf(other.name));
    if (this.#tables.length === 0) throw new Error(`The telemetry engine on ${engine} has no tables.`);
    for (const { name } of this.#tables) {
      await this.#client.command({ query: `ALTER TABLE ${name} FREEZE WITH NAME '${this.#mark}'` });
    }
  }

  async *members(): AsyncGenerator<Member> {
    const engine = join(this.#dataDir, ENGINE);
    yield folderMember('telemetry');
    yield folderMember(ENGINE);
    for (const name of ['metadata', 'data']) yield* this.#definitions(name);
    for (const { name } of await entriesOf(join(engine, 'store'))) yield* this.#tableFolders(`store/${name}`);
    for (const { name, folder } of this.#tables) {
      const frozen = join(engine, 'shadow', this.#mark, folder);
      let rows = 0;
      const parts = await entriesOf(frozen);
      for (const part of parts) {
        rows += Number(readFileSync(join(frozen, part.name, 'count.txt'), 'utf8'));
        yield* this.#wholeFolder(join(frozen, part.name), `${ENGINE}/${folder}/${part.name}`);
      }
      this.facts.push({ name, rows, parts: parts.length });
    }
  }

  /** Lets go of what was held. */
  release(): void {
    rmSync(join(this.#dataDir, ENGINE, 'shadow', this.#mark), { recursive: true, force: true });
  }

  /** Definitions of databases and tables: small files and links into the store. */
  async *#definitions(folder: string): AsyncGenerator<Member> {
    const path = join(this.#dataDir, ENGINE, folder);
    yield folderMember(`${ENGINE}/${folder}`);
    for (const entry of await entriesOf(path)) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.#definitions(name);
      else if (entry.isSymbolicLink()) yield linkMember(`${ENGINE}/${name}`, await readlink(join(path, entry.name)));
      else if (entry.isFile()) yield* fileMember(join(path, entry.name), `${ENGINE}/${name}`);
    }
  }

  /** The folders of one branch of the store with the files that lie beside the parts. */
  async *#tableFolders(branch: string): AsyncGenerator<Member> {
    const path = join(this.#dataDir, ENGINE, branch);
    for (const table of await entriesOf(path)) {
      if (!table.isDirectory()) continue;
      yield folderMember(`${ENGINE}/${branch}/${table.name}`);
      for (const entry of await entriesOf(join(path, table.name))) {
        // A mutation that was under way is asked for again by whoever wanted it; parts come from the frozen ones.
        if (!entry.isFile() || /^(mutation|tmp)_/.test(entry.name)) continue;
        yield* fileMember(join(path, table.name, entry.name), `${ENGINE}/${branch}/${table.name}/${entry.name}`);
      }
    }
  }

  async *#wholeFolder(path: string, name: string): AsyncGenerator<Member> {
    yield folderMember(name);
    for (const entry of await entriesOf(path)) {
      if (entry.isDirectory()) yield* this.#wholeFolder(join(path, entry.name), `${name}/${entry.name}`);
      else yield* fileMember(join(path, entry.name), `${name}/${entry.name}`);
    }
  }
}

const linkMember = (name: string, target: string): Member => ({
  kind: 'link',
  name,
  target,
  mode: 0o777,
  bytes: 0,
  modifiedS: 0,
});

/** Removes what backups that were killed still hold. Only to be called while none is under way. */
export async function releaseFrozen(dataDir: string): Promise<number> {
  const shadow = join(dataDir, ENGINE, 'shadow');
  const left = (await entriesOf(shadow)).filter(({ name }) => name.startsWith(MARK));
  for (const { name } of left) rmSync(join(shadow, name), { recursive: true, force: true });
  return left.length;
}
