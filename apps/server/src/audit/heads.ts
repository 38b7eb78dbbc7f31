import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { sealKeysOf } from '../stores/database.ts';
import type { Database } from '../stores/schema.ts';
import { type SealKey, type SealKeys, sealOf } from '../stores/seal-keys.ts';

/** The newest entry of the log at a moment, as it was written outside the database. */
export interface AuditHead {
  readonly atMs: number;
  readonly id: number;
  /** Hexadecimal. */
  readonly hash: string;
}

export interface HeadsSource {
  readonly dataDir: string;
  readonly auditHeadsFile: string | undefined;
}

const FILE = 'audit-heads.jsonl';
const EVERY_MS = 60_000;

/** The files that heads are written to; the one that the operator names may lie on another machine. */
export const headFiles = ({ dataDir, auditHeadsFile }: HeadsSource): string[] => [
  join(dataDir, FILE),
  ...(auditHeadsFile === undefined ? [] : [auditHeadsFile]),
];

const macOf = (key: SealKey, at: string, id: number, hash: string): string =>
  sealOf(key, 'head', [at, '\0', String(id), '\0', hash]).toString('hex');

/** Writes the head of the log outside the database whenever there is a new one: what a changed database cannot take back. */
export class HeadKeeper {
  readonly #db: Kysely<Database>;
  readonly #files: readonly string[];
  readonly #logger: Logger;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #written: AuditHead | undefined;

  constructor(db: Kysely<Database>, files: readonly string[], logger: Logger, everyMs = EVERY_MS) {
    this.#db = db;
    this.#files = files;
    this.#logger = logger;
    this.#everyMs = everyMs;
  }

  start(): void {
    this.#timer = setInterval(() => void this.write(), this.#everyMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.write();
  }

  /** Never rejects: a head that cannot be written now is written later. */
  write(): Promise<void> {
    this.#writing ??= this.#writeNow()
      .catch((error: unknown) => this.#logger.warn({ err: error }, 'the head of the audit log cannot be read'))
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  async #writeNow(): Promise<void> {
    const newest = await this.#db
      .selectFrom('audit_log')
      .select(['id', 'hash'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (newest === undefined) return;
    const head = { atMs: Date.now(), id: Number(newest.id), hash: newest.hash.toString('hex') };
    if (head.id === this.#written?.id && head.hash === this.#written.hash) return;
    if (head.id <= (this.#written?.id ?? 0)) {
      this.#logger.error({ id: head.id, known: this.#written?.id }, 'the audit log is shorter than it was, or another');
    }
    const at = new Date(head.atMs).toISOString();
    const mac = macOf(sealKeysOf(this.#db).current, at, head.id, head.hash);
    const line = `${JSON.stringify({ at, id: head.id, hash: head.hash, key: sealKeysOf(this.#db).current.id, mac })}\n`;
    let isWritten = true;
    for (const file of this.#files) {
      try {
        appendLine(file, line);
      } catch (error) {
        isWritten = false;
        this.#logger.error({ err: error, file }, 'the head of the audit log cannot be written');
      }
    }
    if (isWritten) this.#written = head;
  }
}

/** Appends a line that survives a power cut; begins a new one where the last was torn. */
function appendLine(file: string, line: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = openSync(file, 'a+', 0o600);
  try {
    const { size } = fstatSync(handle);
    const last = Buffer.alloc(1);
    if (size > 0) readSync(handle, last, 0, 1, size - 1);
    writeSync(handle, size > 0 && last.toString() !== '\n' ? `\n${line}` : line);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export interface ReadHeads {
  readonly heads: readonly AuditHead[];
  /** Files that do not exist. */
  readonly missing: readonly string[];
  /** Lines that were changed after they were written, as `file:line`. */
  readonly changed: readonly string[];
}

/** Reads the heads of all files. Lines that were torn by a power cut are left out. */
export async function readHeads(files: readonly string[], keys: SealKeys): Promise<ReadHeads> {
  const heads: AuditHead[] = [];
  const missing: string[] = [];
  const changed: string[] = [];
  for (const file of files) {
    if (!existsSync(file)) {
      missing.push(file);
      continue;
    }
    let number = 0;
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      const read = parseLine(line);
      if (read === undefined) continue;
      const key = keys.all.get(read.key);
      if (key === undefined || macOf(key, read.at, read.id, read.hash) !== read.mac) changed.push(`${file}:${number}`);
      else heads.push({ atMs: Date.parse(read.at), id: read.id, hash: read.hash });
    }
  }
  return { heads, missing, changed };
}

function parseLine(line: string): { at: string; id: number; hash: string; key: string; mac: string } | undefined {
  try {
    const { at, id, hash, key, mac } = JSON.parse(line) as Record<string, unknown>;
    if (typeof at !== 'string' || typeof hash !== 'string' || typeof key !== 'string' || typeof mac !== 'string') {
      return undefined;
    }
    return typeof id === 'number' && Number.isSafeInteger(id) ? { at, id, hash, key, mac } : undefined;
  } catch {
    return undefined;
  }
}
