import type { AuditLog, AuditRow, auditEndpoints } from '@sonnenwarte/contract/audit/audit';
import type { Result } from '@sonnenwarte/contract/endpoint';
import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { found } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';
import { deviceText } from '../user-center/user-agent.ts';
import { auditById, auditPage, auditsAfter, countAudits, type LogInput } from './audit.store.ts';

type Db = Kysely<Database>;
type Audits = typeof auditEndpoints;
type StoredRow = Awaited<ReturnType<typeof auditPage>>[number];

const toRow = (entry: StoredRow): AuditRow => ({
  id: Number(entry.id),
  atMs: entry.at.getTime(),
  log: entry.log,
  action: entry.action,
  actor: entry.actor,
  actorLevel: entry.actor_level,
  recordKind: entry.record_kind,
  recordID: entry.record_id,
  recordName: entry.record_name,
  address: entry.address,
  userAgent: entry.user_agent,
  device: deviceText(entry.user_agent),
  requestID: entry.request_id,
});

/** A page of a log. */
export async function logPage(
  db: Db,
  scope: Scope,
  log: AuditLog,
  input: LogInput,
): Promise<Result<Audits['accountLog']>> {
  const [entries, total] = await Promise.all([
    auditPage(db, scope, log, input),
    countAudits(db, scope, log, input.condition),
  ]);
  return { pageSize: input.pageSize, currentPage: input.currentPage, total, entries: entries.map(toRow) };
}

/** An entry for a file. */
export interface ExportedAudit extends AuditRow {
  readonly before: unknown;
  readonly after: unknown;
}

/** Entries of a log after the one given, for a file. */
export async function logForExport(
  db: Db,
  scope: Scope,
  log: AuditLog,
  input: LogInput,
  last: ExportedAudit | undefined,
): Promise<{ rows: ExportedAudit[]; total: number }> {
  const [entries, total] = await Promise.all([
    auditsAfter(db, scope, log, input, last),
    last === undefined ? countAudits(db, scope, log, input.condition) : 0,
  ]);
  return { rows: entries.map((entry) => ({ ...toRow(entry), before: entry.before, after: entry.after })), total };
}

/** One entry. What the server itself did is the platform's to read, as its log is. */
export async function logEntry(db: Db, scope: Scope, id: number): Promise<Result<Audits['detail']>> {
  const entry = found(await auditById(db, scope, id), 'auditEntryNotFound');
  return {
    ...toRow(entry),
    before: entry.before as Record<string, unknown> | null,
    after: entry.after as Record<string, unknown> | null,
    hash: entry.hash.toString('hex'),
    previousHash: entry.previous_hash.toString('hex'),
  };
}
