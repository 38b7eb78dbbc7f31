import { type AuditLog, auditEndpoints } from '@sonnenwarte/contract/audit/audit';
import { knownPhrase, type PhraseKey } from '../exports/phrase-text.ts';
import { featureOf, widerFile } from '../feature.ts';
import type { Uses } from '../services.ts';
import { type ExportedAudit, entriesOf, logEntry } from './audit.service.ts';

const json = (values: unknown): string | null => (values === null ? null : JSON.stringify(values));

const fileOf = (log: AuditLog, title: PhraseKey) =>
  widerFile<typeof auditEndpoints.accountLog, Uses<'db'>, ExportedAudit>({
    find: entriesOf(log),
    title,
    own: {
      action: ({ action }, { language }) => knownPhrase(`audit.action.${action}`, language) ?? action,
      actorLevel: ({ actorLevel }, { language }) =>
        actorLevel === null ? null : (knownPhrase(`levels.${actorLevel}`, language) ?? actorLevel),
      recordKind: ({ recordKind }, { language }) => knownPhrase(`audit.record.${recordKind}`, language) ?? recordKind,
      before: ({ before }) => json(before),
      after: ({ after }) => json(after),
    },
  });

/** The audit log: who did what, when, from where, to which record. Three logs, their files and one entry. */
export const feature = featureOf(auditEndpoints, {
  accountLog: entriesOf('account'),
  operationLog: entriesOf('operation'),
  platformLog: entriesOf('platform'),
  exportAccountLog: fileOf('account', 'routes.log-audit-account'),
  exportOperationLog: fileOf('operation', 'routes.log-audit-operation'),
  exportPlatformLog: fileOf('platform', 'routes.platform-log'),
  detail: logEntry,
});
