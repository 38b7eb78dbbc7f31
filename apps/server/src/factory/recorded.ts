import type { AuditAction } from '@sonnenwarte/contract/audit/actions';
import type { AuditRecordKind } from '@sonnenwarte/contract/audit/audit';
import { type AuditEntry, recordAudit } from '../audit/audit.ts';
import type { CallContext } from '../http/serve.ts';

type FactoryAction = Extract<AuditAction, `factory.${string}`>;
type FactoryRecord = Extract<AuditRecordKind, 'manufacturer' | 'deviceBatch' | 'deliveredUnit' | 'modelWarranty'>;

/** Notes a change of what the platform keeps of its factories. */
export const recordFactory = (
  tx: Parameters<typeof recordAudit>[0],
  context: CallContext,
  action: FactoryAction,
  record: { readonly kind: FactoryRecord; readonly id: string; readonly name: string },
  change: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> =>
  recordAudit(tx, context, {
    log: 'operation',
    action,
    recordKind: record.kind,
    recordId: record.id,
    recordName: record.name,
    organisationPath: context.actor.organisationPath,
    ...change,
  });
