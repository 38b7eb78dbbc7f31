import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { auditHead } from './audit.ts';
import { CHAIN_START, chainHash } from './chain.ts';

/** Where the chain breaks first: at which entry, and how. */
export interface ChainBreak {
  readonly id: number;
  readonly reason: 'missing' | 'reordered' | 'changed' | 'cut' | 'added';
}

export interface Verification {
  /** Entries that hold, from the first on. */
  readonly entries: number;
  readonly broken: ChainBreak | null;
}

const ROWS_PER_READ = 2_000;

/** Follows the whole chain from its start to the head that was kept beside it, in one snapshot of the database. */
export const verifyChain = (db: Kysely<Database>): Promise<Verification> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => follow(tx));

async function follow(db: Kysely<Database>): Promise<Verification> {
  const head = await auditHead(db);
  let previous: Buffer = CHAIN_START;
  let lastId = 0;
  const brokenAt = (id: number, reason: ChainBreak['reason']): Verification => ({
    entries: lastId,
    broken: { id, reason },
  });
  for (;;) {
    const rows = await readAfter(db, lastId);
    for (const row of rows) {
      const id = Number(row.id);
      if (id !== lastId + 1) return brokenAt(lastId + 1, 'missing');
      if (id > head.id) return brokenAt(id, 'added');
      if (!row.previous_hash.equals(previous)) return brokenAt(id, 'reordered');
      if (!row.whole || !chainHash(previous, entryOf(row)).equals(row.hash)) return brokenAt(id, 'changed');
      previous = row.hash;
      lastId = id;
    }
    if (rows.length < ROWS_PER_READ) break;
  }
  if (lastId < head.id) return brokenAt(lastId + 1, 'cut');
  if (previous.toString('hex') !== head.hash) return { entries: lastId - 1, broken: { id: lastId, reason: 'changed' } };
  return { entries: lastId, broken: null };
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

const entryOf = (row: StoredEntry) => ({
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
