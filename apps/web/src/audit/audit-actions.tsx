import { type AuditRow, detail } from '@sonnenwarte/contract/audit/audit';
import { actionsOf } from '../blocks/actions/actions.tsx';

const { opens, table } = actionsOf<AuditRow>();

/** What can be done with an entry of a log: looked at. */
export const auditActions = table(
  'audit',
  { nameOf: ({ id }) => String(id) },
  {
    look: opens(detail, async () => (await import('./entry-drawer.tsx')).EntryDrawer, {
      label: ({ id }, t) => t('audit.detail.title', { id }),
    }),
  },
);
