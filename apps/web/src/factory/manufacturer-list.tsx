import { exportManufacturers, manufacturerList } from '@sonnenwarte/contract/factory/manufacturers';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { manufacturerActions, manufacturerAdding } from './factory-actions.tsx';

const STORED = 'factory.manufacturers';

const shown: readonly ShownField<typeof manufacturerList>[] = [
  { field: 'name', card: 'title' },
  { field: 'country', card: 'foot' },
  { field: 'contact', card: 'foot' },
  { field: 'batches', card: 'figure' },
  { field: 'note' },
];

/** Who makes devices. */
export function ManufacturerList({ choice }: { choice: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const manufacturers = useList(manufacturerList);
  const columns = useColumns(manufacturers, shown);
  return (
    <ListScreen
      title={label('factory')}
      list={manufacturers}
      storedAs={STORED}
      choice={choice}
      actions={
        <>
          <ExportButton endpoint={exportManufacturers} list={manufacturers} columns={columns} />
          <ActionButtons table={manufacturerAdding} row={undefined} look="filled" />
        </>
      }
      filters={<ListSearch list={manufacturers} />}
    >
      <DataTable
        list={manufacturers}
        columns={columns}
        name={t('factory.manufacturers.list.title')}
        storedAs={STORED}
        actions={manufacturerActions}
        rowName={(row) => row.name}
      />
    </ListScreen>
  );
}
