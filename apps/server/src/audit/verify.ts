import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';
import type { SealKeys } from '../stores/seal-keys.ts';
import { auditHead } from './audit.ts';
import { CHAIN_START, type ChainedEntry, plainHash, sealedHash } from './chain.ts';
import type { AuditHead } from './heads.ts';

/**
 * Where the chain breaks first: at which entry, and how. `rewritten`: another hash was written elsewhere at the time;
 * `recomputed`: made anew by somebody without the key.
 */
export interface ChainBreak {
  readonly id: number;
  readonly reason: 'missing' | 'reordered' | 'changed' | 'recomputed' | 'rewritten' | 'cut' | 'added' | 'unknownKey';
  /** Of the head that tells it, for `rewritten` and `cut`. */
  readonly headAtMs?: number;
  /** Of the entry, for `unknownKey`. */
  readonly key?: string;
}

/** A backup that was put back, and the heads that were written of what it does not hold. */
export interface Restore {
  readonly id: number;
  readonly atMs: number;
  readonly takenAt: string;
  /** Newest entry that a head tells of and that is no more; undefined where none is known. */
  readonly lostUpTo: number | undefined;
}

export interface Verification {
  /** Entries that hold, from the first on. */
  readonly entries: number;
  /** Entries from before there was a key. */
  readonly plain: number;
  /** Heads written elsewhere that were compared. */
  readonly heads: number;
  /** Time of the newest of them. */
  readonly newestHeadMs: number | undefined;
  readonly restores: readonly Restore[];
  readonly broken: ChainBreak | null;
}

const ROWS_PER_READ = 2_000;
const RESTORE = 'platform.restore';

/**
 * Follows the whole chain from its start to the head that was kept beside it, in one snapshot of the database, and
 * compares it with the heads that were written elsewhere.
 */
export const verifyChain = (
  db: Kysely<Database>,
  keys: SealKeys | undefined,
  heads: readonly AuditHead[],
): Promise<Verification> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => new Follower(keys, heads).follow(tx));

class Follower {
  readonly #keys: SealKeys | undefined;
  readonly #heads: readonly AuditHead[];
  readonly #hashes = new Map<number, string>();
  readonly #restores: { id: number; atMs: number; takenAt: string; lostUpTo: number | undefined }[] = [];
  #previous: Buffer = CHAIN_START;
  #lastId = 0;
  #plain = 0;

  constructor(keys: SealKeys | undefined, heads: readonly AuditHead[]) {
    this.#keys = keys;
    this.#heads = heads;
  }

  async follow(db: Kysely<Database>): Promise<Verification> {
    const head = await auditHead(db);
    const wanted = new Set(this.#heads.map(({ id }) => id));
    let broken: ChainBreak | null = null;
    reading: for (;;) {
      const rows = await readAfter(db, this.#lastId);
      for (const row of rows) {
        broken = this.#judge(row, head.id);
        if (broken !== null) break reading;
        if (wanted.has(this.#lastId)) this.#hashes.set(this.#lastId, this.#previous.toString('hex'));
      }
      if (rows.length < ROWS_PER_READ) break;
    }
    broken = this.#judgeHeads(broken) ?? broken;
    if (broken === null && this.#lastId < head.id) broken = { id: this.#lastId + 1, reason: 'cut' };
    if (broken === null && this.#previous.toString('hex') !== head.hash)
      broken = { id: this.#lastId, reason: 'changed' };
    const newest = Math.max(...this.#heads.map(({ atMs }) => atMs));
    return {
      entries: broken === null ? this.#lastId : Math.min(this.#lastId, broken.id - 1),
      plain: this.#plain,
      heads: this.#heads.length,
      newestHeadMs: Number.isFinite(newest) ? newest : undefined,
      restores: this.#restores,
      broken,
    };
  }

  #judge(row: StoredEntry, headId: number): ChainBreak | null {
    const id = Number(row.id);
    if (id !== this.#lastId + 1) return { id: this.#lastId + 1, reason: 'missing' };
    if (id > headId) return { id, reason: 'added' };
    if (!row.previous_hash.equals(this.#previous)) return { id, reason: 'reordered' };
    const entry = entryOf(row);
    const isPlain = row.seal === '';
    if (!row.whole) return { id, reason: 'changed' };
    if (isPlain) {
      // Once there is a key nothing is written without it.
      if (this.#lastId > this.#plain) return { id, reason: 'recomputed' };
      if (!plainHash(this.#previous, entry).equals(row.hash)) return { id, reason: 'changed' };
      this.#plain = id;
    } else {
      const key = this.#keys?.all.get(row.seal);
      if (key === undefined) return { id, reason: 'unknownKey', key: row.seal };
      if (!sealedHash(key, this.#previous, entry).equals(row.hash)) {
        return { id, reason: plainHash(this.#previous, entry).equals(row.hash) ? 'recomputed' : 'changed' };
      }
      if (row.action === RESTORE) this.#noteRestore(id, entry);
    }
    this.#previous = row.hash;
    this.#lastId = id;
    return null;
  }

  #noteRestore(id: number, { at, after }: ChainedEntry): void {
    const takenAt = typeof after === 'object' && after !== null && 'takenAt' in after ? String(after.takenAt) : '';
    this.#restores.push({ id, atMs: Date.parse(at), takenAt, lostUpTo: undefined });
  }

  /** The first head that the log does not follow, unless a backup that was put back later accounts for it. */
  #judgeHeads(broken: ChainBreak | null): ChainBreak | undefined {
    // Without the key any log could be made to look like one from before there was a key.
    if (broken === null && this.#heads.length > 0 && this.#lastId > 0 && this.#lastId === this.#plain) {
      return { id: 1, reason: 'recomputed' };
    }
    let first: ChainBreak | undefined;
    for (const head of this.#heads) {
      if (broken !== null && head.id >= broken.id) continue;
      if (this.#hashes.get(head.id) === head.hash) continue;
      const restore = this.#restores.find(({ id, atMs }) => id <= head.id && atMs >= head.atMs);
      if (restore !== undefined) {
        restore.lostUpTo = Math.max(restore.lostUpTo ?? 0, head.id);
        continue;
      }
      const found: ChainBreak =
        head.id > this.#lastId
          ? { id: this.#lastId + 1, reason: 'cut', headAtMs: head.atMs }
          : { id: head.id, reason: 'rewritten', headAtMs: head.atMs };
      if (first === undefined || found.id < first.id) first = found;
    }
    return first;
  }
}

const readAfter = (db: Kysely<Database>, id: number) =>
  db
    .selectFrom('audit_log')
    .selectAll()
    .select([
      // An entry is written in whole milliseconds.
      sql<boolean>`at = date_trunc('milliseconds', at)`.as('whole'),
      sql<string[]>`organisation_path::text[]`.as('path'),
    ])
    .where('id', '>', String(id))
    .orderBy('id')
    .limit(ROWS_PER_READ)
    .execute();

type StoredEntry = Awaited<ReturnType<typeof readAfter>>[number];

const entryOf = (row: StoredEntry): ChainedEntry => ({
  id: Number(row.id),
  at: row.at.toISOString(),
  log: row.log,
  action: row.action,
  actorAccountId: row.actor_account_id,
  actor: row.actor,
  actorLevel: row.actor_level,
  organisationPath: row.path,
  recordKind: row.record_kind,
  recordId: row.record_id,
  recordName: row.record_name,
  before: row.before,
  after: row.after,
  address: row.address,
  userAgent: row.user_agent,
  requestId: row.request_id,
});
