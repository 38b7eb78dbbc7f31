import { type AuditLog, auditEndpoints, type auditExportFields } from '@sonnenwarte/contract/audit/audit';
import type { Kysely } from 'kysely';
import { knownPhrase } from '../exports/phrase-text.ts';
import { type ExportSource, serveExport, timeCell } from '../exports/serve-export.ts';
import { type Api, type CallContext, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { type ExportedAudit, logEntry, logForExport, logPage } from './audit.service.ts';
import type { LogInput } from './audit.store.ts';

const json = (values: unknown): string | null => (values === null ? null : JSON.stringify(values));

const columns: ExportSource<typeof auditEndpoints.accountLog, typeof auditExportFields, ExportedAudit>['columns'] = {
  atMs: { label: 'audit.field.atMs', kind: 'time', value: (entry) => timeCell(entry.atMs) },
  action: {
    label: 'audit.field.action',
    value: (entry, { language }) => knownPhrase(`audit.action.${entry.action}`, language) ?? entry.action,
  },
  actor: { label: 'audit.field.actor', value: (entry) => entry.actor },
  actorLevel: {
    label: 'audit.field.actorLevel',
    value: (entry, { language }) =>
      entry.actorLevel === null ? null : (knownPhrase(`levels.${entry.actorLevel}`, language) ?? entry.actorLevel),
  },
  recordKind: {
    label: 'audit.field.recordKind',
    value: (entry, { language }) => knownPhrase(`audit.record.${entry.recordKind}`, language) ?? entry.recordKind,
  },
  recordName: { label: 'audit.field.recordName', value: (entry) => entry.recordName },
  recordID: { label: 'audit.field.recordID', value: (entry) => entry.recordID },
  before: { label: 'audit.field.before', value: (entry) => json(entry.before) },
  after: { label: 'audit.field.after', value: (entry) => json(entry.after) },
  address: { label: 'audit.field.address', value: (entry) => entry.address },
  userAgent: { label: 'audit.field.userAgent', value: (entry) => entry.userAgent },
  requestID: { label: 'audit.field.requestID', value: (entry) => entry.requestID },
};

/** The three logs, their files and one entry. */
export function bindAudit(api: Api, db: Kysely<Database>): void {
  const list =
    (log: AuditLog) =>
    (input: LogInput, { scope }: CallContext) =>
      logPage(db, scope, log, input);
  const file = (log: AuditLog) => ({
    page: (input: LogInput, { scope }: CallContext, last: ExportedAudit | undefined) =>
      logForExport(db, scope, log, input, last),
    columns,
    name: `${log}-log`,
  });
  serve(api, auditEndpoints.accountLog, list('account'));
  serve(api, auditEndpoints.operationLog, list('operation'));
  serve(api, auditEndpoints.platformLog, list('platform'));
  serveExport(api, auditEndpoints.exportAccountLog, file('account'));
  serveExport(api, auditEndpoints.exportOperationLog, file('operation'));
  serveExport(api, auditEndpoints.exportPlatformLog, file('platform'));
  serve(api, auditEndpoints.detail, ({ id }, { scope }) => logEntry(db, scope, id));
}
