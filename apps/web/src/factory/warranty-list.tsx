import { exportWarranties, warrantyList } from '@sonnenwarte/contract/factory/warranties';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { warrantyActions, warrantyAdding } from './factory-actions.tsx';

const STORED = 'factory.warranties';

/** For how long models are warranted. */
export function WarrantyList({ choice }: { choice: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const warranties = useList(warrantyList);
  const shown = useMemo(
    (): readonly ShownField<typeof warrantyList>[] => [
      { field: 'model', card: 'title' },
      {
        field: 'kind',
        card: 'foot',
        cell: ({ kind }, plain) => (kind === null ? t('factory.warranties.allKinds') : plain),
      },
      {
        field: 'manufacturer',
        card: 'foot',
        cell: ({ manufacturerID }, plain) =>
          manufacturerID === null ? t('factory.warranties.allManufacturers') : plain,
      },
      { field: 'months', card: 'figure' },
      { field: 'begins', card: 'aside' },
      { field: 'latestMonths', card: 'figure' },
      { field: 'note', optional: true },
      { field: 'changedMs', optional: true },
    ],
    [t],
  );
  const columns = useColumns(warranties, shown);
  return (
    <ListScreen
      title={label('factory')}
      list={warranties}
      storedAs={STORED}
      choice={choice}
      actions={
        <>
          <ExportButton endpoint={exportWarranties} list={warranties} columns={columns} />
          <ActionButtons table={warrantyAdding} row={undefined} look="filled" />
        </>
      }
      filters={<ListSearch list={warranties} />}
    >
      <DataTable
        list={warranties}
        columns={columns}
        name={t('factory.warranties.list.title')}
        storedAs={STORED}
        actions={warrantyActions}
        rowName={(row) => row.model}
      />
    </ListScreen>
  );
}
