import { type DeletionRow, list } from '@sonnenwarte/contract/deletions/deletions';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { FieldFilter, ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { deletionActions } from './deletion-actions.tsx';

const parts = ['organisations', 'sites', 'accounts', 'movedSites', 'movedAccounts'] as const;

const shown: readonly ShownField<typeof list>[] = [
  { field: 'name', card: 'title' },
  { field: 'kind', card: 'aside', cell: (_, plain) => <Badge>{plain}</Badge> },
  { field: 'summary', card: 'foot', cell: (row) => <WentWithIt row={row} /> },
  { field: 'deletedBy', card: 'foot' },
  { field: 'deletedMs', card: 'figure' },
  { field: 'undoUntilMs', card: 'figure' },
];

function WentWithIt({ row: { summary } }: { row: DeletionRow }): ReactNode {
  const { t } = useTranslation();
  const counted = parts.filter((part) => summary[part] > 0);
  return counted.map((part) => t(`deletions.with.${part}`, { count: summary[part] })).join(', ') || '–';
}

/** What was deleted and can still be undone. */
export function DeletionList({ title, switcher }: { title: string; switcher: ReactNode }): ReactNode {
  const deletions = useList(list);
  const columns = useColumns(deletions, shown);
  return (
    <ListScreen
      title={title}
      list={deletions}
      summary={switcher}
      filters={
        <>
          <ListSearch list={deletions} />
          <FieldFilter list={deletions} field="kind" />
        </>
      }
    >
      <DataTable list={deletions} columns={columns} actions={deletionActions} />
    </ListScreen>
  );
}
