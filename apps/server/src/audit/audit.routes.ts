import { type AuditLog, auditEndpoints } from '@sonnenwarte/contract/audit/audit';
import type { Kysely } from 'kysely';
import { knownPhrase, type PhraseKey } from '../exports/phrase-text.ts';
import { type ExportSource, serveExport } from '../exports/serve-export.ts';
import { type Api, serve } from '../http/serve.ts';
import { type FindRows, serveList } from '../http/serve-list.ts';
import type { Database } from '../stores/schema.ts';
import { type ExportedAudit, logEntries, logEntry } from './audit.service.ts';

const json = (values: unknown): string | null => (values === null ? null : JSON.stringify(values));

const own: ExportSource<typeof auditEndpoints.accountLog, ExportedAudit>['own'] = {
  action: ({ action }, { language }) => knownPhrase(`audit.action.${action}`, language) ?? action,
  actorLevel: ({ actorLevel }, { language }) =>
    actorLevel === null ? null : (knownPhrase(`levels.${actorLevel}`, language) ?? actorLevel),
  recordKind: ({ recordKind }, { language }) => knownPhrase(`audit.record.${recordKind}`, language) ?? recordKind,
  before: ({ before }) => json(before),
  after: ({ after }) => json(after),
};

/** The three logs, their files and one entry. */
export function bindAudit(api: Api, db: Kysely<Database>): void {
  const find =
    (log: AuditLog): FindRows<typeof auditEndpoints.accountLog, ExportedAudit> =>
    (input, { scope }) =>
      logEntries(db, scope, log, input);
  serveList(api, auditEndpoints.accountLog, find('account'));
  serveList(api, auditEndpoints.operationLog, find('operation'));
  serveList(api, auditEndpoints.platformLog, find('platform'));
  const file = (log: AuditLog, title: PhraseKey) => ({ find: find(log), own, title });
  serveExport(api, auditEndpoints.exportAccountLog, file('account', 'routes.log-audit-account'));
  serveExport(api, auditEndpoints.exportOperationLog, file('operation', 'routes.log-audit-operation'));
  serveExport(api, auditEndpoints.exportPlatformLog, file('platform', 'routes.platform-log'));
  serve(api, auditEndpoints.detail, ({ id }, { scope }) => logEntry(db, scope, id));
}
