import type { AuditAction } from '@sonnenwarte/contract/audit/actions';
import type { Kysely, Transaction } from 'kysely';
import { sealKeysOf } from '../stores/database.ts';
import type { Database } from '../stores/schema.ts';
import { type AuditEntry, auditHead, recordAudit } from './audit.ts';

type PlatformAction = Extract<AuditAction, `platform.${string}`>;

const entryOf = (action: PlatformAction, after: AuditEntry['after']): AuditEntry => ({
  log: 'platform',
  action,
  recordKind: 'platform',
  recordId: '',
  recordName: '',
  organisationPath: [],
  ...(after !== undefined && { after }),
});

/** Records what the server itself did, within the transaction that did it. */
export const recordPlatformIn = (
  tx: Transaction<Database>,
  action: PlatformAction,
  after?: AuditEntry['after'],
): Promise<void> => recordAudit(tx, {}, entryOf(action, after));

/** Records what the server itself did. */
export const recordPlatform = (
  db: Kysely<Database>,
  action: PlatformAction,
  after?: AuditEntry['after'],
): Promise<void> => db.transaction().execute((tx) => recordPlatformIn(tx, action, after));

/**
 * Records that from here on entries are sealed with another key than before, or sealed at all. What came before is covered
 * by the hash that this entry follows.
 */
export async function noteSealing(db: Kysely<Database>): Promise<void> {
  const newest = await db
    .selectFrom('audit_log')
    .select(['id', 'hash', 'seal'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { id: key } = sealKeysOf(db).current;
  if (newest === undefined || newest.seal === key) return;
  await recordPlatform(db, 'platform.sealAudit', {
    entries: Number(newest.id),
    checksum: newest.hash.toString('hex'),
    key,
    keyBefore: newest.seal,
  });
}

/** What is known of a backup that was put back. */
export interface RestoredBackup {
  /** The moment that the backup holds. */
  readonly takenAtMs: number;
  readonly file?: string;
}

/**
 * Records, as the first entry after a backup was put back, that it was. Heads of the log that were written elsewhere
 * between the backup and this entry name entries that are no more: by this one `audit:verify` knows why.
 */
export async function recordRestore(db: Kysely<Database>, { takenAtMs, file }: RestoredBackup): Promise<void> {
  const { id, hash } = await auditHead(db);
  await recordPlatform(db, 'platform.restore', {
    takenAt: new Date(takenAtMs).toISOString(),
    entries: id,
    checksum: hash,
    ...(file !== undefined && { file }),
  });
}
