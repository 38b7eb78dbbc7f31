import type { AuditAction } from '@sonnenwarte/contract/audit/actions';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { type AuditEntry, recordAudit } from './audit.ts';

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
