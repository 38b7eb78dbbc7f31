import { exportList, list } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import type { ReactNode } from 'react';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { FieldFilter, ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { useRouteLabel } from '../tabs/route-label.ts';
import { migrationActions } from './migration-actions.tsx';
import styles from './migrations.module.css';
import { TransferForm } from './transfer-form.tsx';

const shown: readonly ShownField<typeof list>[] = [
  { field: 'source', card: 'title' },
  { field: 'kind', card: 'foot' },
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
