import { type DeletionRow, deletionKinds, list } from '@sonnenwarte/contract/deletions/deletions';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { Badge } from '../blocks/badge.tsx';
import { type Column, DataTable, useTableQuery } from '../blocks/data-table.tsx';
import { EmptyList } from '../blocks/empty-list.tsx';
import { SearchFilter, SelectFilter } from '../blocks/filters.tsx';
import { ListScreen } from '../blocks/list-screen.tsx';
import { useListState } from '../blocks/list-state.ts';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { localZone } from '../organisations/local-zone.ts';
import { deletionActions } from './deletion-actions.tsx';

/** The list is one view of a screen; the address also says which. */
const addressed = z.extend(list.input, { view: z.optional(z.string()) });

const parts = ['organisations', 'sites', 'accounts', 'movedSites', 'movedAccounts'] as const;

function useColumns(): readonly Column<DeletionRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      { field: 'name', header: t('deletions.field.name'), cell: (row) => row.name, sortable: true, card: 'title' },
      {
        field: 'kind',
        header: t('deletions.field.kind'),
        cell: (row) => <Badge>{t(`deletions.kind.${row.kind}`)}</Badge>,
        sortable: true,
        card: 'aside',
      },
      {
        field: 'with',
        header: t('deletions.field.with'),
        cell: (row) =>
          parts
            .filter((part) => row.summary[part] > 0)
            .map((part) => t(`deletions.with.${part}`, { count: row.summary[part] }))
            .join(', ') || '–',
        card: 'foot',
      },
      {
        field: 'deletedBy',
        header: t('deletions.field.deletedBy'),
        cell: (row) => row.deletedBy || '–',
        sortable: true,
        card: 'foot',
      },
      {
        field: 'deletedMs',
        header: t('deletions.field.deletedMs'),
        cell: (row) => format.dateTime(row.deletedMs, localZone()),
        sortable: true,
        card: 'figure',
      },
      {
        field: 'undoUntilMs',
        header: t('deletions.field.undoUntilMs'),
        cell: (row) => format.dateTime(row.undoUntilMs, localZone()),
        sortable: true,
        card: 'figure',
      },
    ],
    [t, format],
  );
}

/** What was deleted and can still be undone. */
export function DeletionList({ title, switcher }: { title: string; switcher: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const deletions = useListState(addressed);
  const { view: _, ...input } = deletions.value;
  const query = useTableQuery(read(list, input), (answer) => ({ rows: answer.deletions, total: answer.total }));
  const columns = useColumns();
  return (
    <ListScreen
      title={title}
      list={deletions}
      summary={switcher}
      filters={
        <>
          <SearchFilter list={deletions} field="content" label={t('deletions.list.search')} />
          <SelectFilter
            list={deletions}
            field="kind"
            label={t('deletions.field.kind')}
            options={deletionKinds.map((value) => ({ value, label: t(`deletions.kind.${value}`) }))}
          />
        </>
      }
    >
      <DataTable
        name={t('deletions.list.title')}
        storedAs="deletions"
        columns={columns}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        query={query}
        list={deletions}
        actions={deletionActions}
        empty={
          <EmptyList
            list={deletions}
            empty={t('deletions.list.empty')}
            noMatch={t('deletions.list.noMatch')}
            reset={t('deletions.list.reset')}
          />
        }
      />
    </ListScreen>
  );
}
