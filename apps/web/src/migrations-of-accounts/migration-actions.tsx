import {
  detail,
  type MigrationPreview,
  type MigrationRow,
  transfer,
  undo,
} from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { IconArrowBackUp, IconListDetails } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const { opens, table } = actionsOf<MigrationRow>();

/** What can be done with a transfer of the past. */
export const migrationActions = table(
  'migrations-of-accounts',
  {
    nameOf: ({ source, target }) => `${source} → ${target}`,
    whyNot: ({ undoneAtMs }, t) =>
      t(undoneAtMs === null ? 'migrations-of-accounts.undo.over' : 'migrations-of-accounts.undo.already'),
  },
  {
    details: opens(detail, async () => (await import('./transfer-drawer.tsx')).TransferDrawer, {
      icon: IconListDetails,
    }),
    undo: opens(undo, async () => (await import('./undo-transfer.tsx')).UndoTransfer, { icon: IconArrowBackUp }),
  },
);

/** A transfer as it is shown before it is made. */
export interface TransferPlan {
  plan: MigrationPreview;
  /** What was shown is no longer so. */
  onChanged: () => void;
  onMoved: () => void;
}

const planned = actionsOf<TransferPlan>();

export const transferActions = planned.table(
  'migrations-of-accounts',
  { nameOf: ({ plan }) => plan.source.user },
  { transfer: planned.opens(transfer, async () => (await import('./code-dialog.tsx')).CodeDialog) },
);
