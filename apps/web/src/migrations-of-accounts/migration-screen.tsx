import { exportList, list } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import type { ReactNode } from 'react';
import { Badge } from '../blocks/badge.tsx';
import { type ShownField, useColumns } from '../blocks/columns.tsx';
import { DataTable } from '../blocks/data-table.tsx';
import { ExportButton } from '../blocks/export-button.tsx';
import { FieldFilter, ListSearch } from '../blocks/filters.tsx';
import { ListScreen } from '../blocks/list-screen.tsx';
import { useList } from '../blocks/use-list.ts';
import { useRouteLabel } from '../shell/route-label.ts';
import { migrationActions } from './migration-actions.tsx';
import styles from './migrations.module.css';
import { TransferForm } from './transfer-form.tsx';

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
  const label = useRouteLabel();
  const migrations = useList(list);
  const columns = useColumns(migrations, shown);

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
      <DataTable list={migrations} columns={columns} actions={migrationActions} />
    </ListScreen>
  );
}
