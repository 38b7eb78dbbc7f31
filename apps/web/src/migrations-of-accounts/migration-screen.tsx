import {
  exportList,
  list,
  type MigrationRow,
} from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { IconArrowBackUp, IconListDetails } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../blocks/badge.tsx';
import { type ShownField, useColumns } from '../blocks/columns.tsx';
import { DataTable } from '../blocks/data-table.tsx';
import { ExportButton } from '../blocks/export-button.tsx';
import { FieldFilter, ListSearch } from '../blocks/filters.tsx';
import { ListScreen } from '../blocks/list-screen.tsx';
import { useList } from '../blocks/use-list.ts';
import { useRouteLabel } from '../shell/route-label.ts';
import styles from './migrations.module.css';
import { TransferDrawer } from './transfer-drawer.tsx';
import { TransferForm } from './transfer-form.tsx';
import { UndoTransfer } from './undo-transfer.tsx';

const shown: readonly ShownField<typeof list>[] = [
  { field: 'source', card: 'title' },
  {
    field: 'parentAgents',
    card: 'foot',
    cell: (row) => <span className={styles.agents}>{row.parentAgents.join(' › ') || '–'}</span>,
  },
  { field: 'target', card: 'figure' },
  { field: 'sites', card: 'figure' },
  { field: 'transferredAtMs', card: 'foot' },
  { field: 'transferCount', card: 'figure' },
  { field: 'operatedBy', card: 'foot' },
  {
    field: 'state',
    card: 'aside',
    cell: (row, plain) => <Badge tone={row.state === 'transferred' ? 'good' : 'neutral'}>{plain}</Badge>,
  },
  { field: 'undoneAtMs', optional: true },
  { field: 'undoneBy', optional: true },
];

/** Moves all plants of one account to another, and tells what was moved so far. */
export function MigrationScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const migrations = useList(list);
  const columns = useColumns(migrations, shown);
  const [opened, setOpened] = useState<MigrationRow>();
  const [undoing, setUndoing] = useState<MigrationRow>();
  const whyNot = (row: MigrationRow): string =>
    t(row.undoneAtMs === null ? 'migrations-of-accounts.undo.over' : 'migrations-of-accounts.undo.already');

  return (
    <ListScreen
      title={label('account-migration')}
      list={migrations}
      actions={<ExportButton endpoint={exportList} list={migrations} columns={columns} />}
      summary={<TransferForm />}
      filters={
        <>
          <ListSearch list={migrations} />
          <FieldFilter list={migrations} field="state" />
        </>
      }
    >
      <DataTable
        rowName={(row) => `${row.source} → ${row.target}`}
        list={migrations}
        columns={columns}
        actions={(row) => [
          {
            label: t('migrations-of-accounts.list.details'),
            icon: <IconListDetails aria-hidden="true" />,
            onSelect: () => setOpened(row),
          },
          {
            label: t('migrations-of-accounts.undo.action'),
            icon: <IconArrowBackUp aria-hidden="true" />,
            onSelect: () => setUndoing(row),
            ...(!row.can.undo && { disabledReason: whyNot(row) }),
          },
        ]}
      />
      {opened && <TransferDrawer row={opened} onClose={() => setOpened(undefined)} />}
      {undoing && <UndoTransfer row={undoing} onClose={() => setUndoing(undefined)} />}
    </ListScreen>
  );
}
