import type { AuditLog, AuditRow, auditEndpoints } from '@sonnenwarte/contract/audit/audit';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { deviceText } from '../http/user-agent.ts';
import type { Uses } from '../services.ts';
import type { Found } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
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
async function logPage(db: Db, scope: Scope, log: AuditLog, input: LogInput & { readonly currentPage: number }) {
  const [entries, total] = await Promise.all([
    auditPage(db, scope, log, input),
    countAudits(db, scope, log, input.condition),
  ]);
  return { rows: entries.map((entry) => ({ ...toRow(entry), before: null, after: null })), total, end: undefined };
}

/** An entry for a file. */
export interface ExportedAudit extends AuditRow {
  readonly before: unknown;
  readonly after: unknown;
}

/** Entries of a log: a page, or for a file with what they changed. */
export const entriesOf =
  (log: AuditLog) =>
  async ({ db }: Uses<'db'>, input: LogInput, { scope }: Scoped): Promise<Found<ExportedAudit>> => {
    if ('currentPage' in input) return logPage(db, scope, log, input);
    const { after, condition, pageSize } = input;
    const [entries, total] = await Promise.all([
      auditsAfter(db, scope, log, input, after),
      after === null ? countAudits(db, scope, log, condition) : 0,
    ]);
    const last = entries.length < pageSize ? undefined : entries.at(-1);
    return {
      rows: entries.map((entry) => ({ ...toRow(entry), before: entry.before, after: entry.after })),
      total,
      end: last && [last.place, last.id],
    };
  };

/** One entry. What the server itself did is the platform's to read, as its log is. */
export async function logEntry(
  { db }: Uses<'db'>,
  { id }: Parsed<Audits['detail']>,
  { scope }: Scoped,
): Promise<Result<Audits['detail']>> {
  const entry = found(await auditById(db, scope, id), 'auditEntryNotFound');
  return {
    ...toRow(entry),
    before: entry.before as Record<string, unknown> | null,
    after: entry.after as Record<string, unknown> | null,
    hash: entry.hash.toString('hex'),
    previousHash: entry.previous_hash.toString('hex'),
  };
}
