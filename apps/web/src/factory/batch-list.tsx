import { type BatchRow, batchList, exportBatches } from '@sonnenwarte/contract/factory/batches';
import { unitKinds } from '@sonnenwarte/contract/factory/factory-words';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch, SelectFilter } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { RecordFilter } from '../blocks/list/record-filter.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { batchActions, batchAdding } from './factory-actions.tsx';
import { useManufacturerSource } from './sources.ts';
import { Day } from './unit-cells.tsx';
import { useSeesUncreated } from './unit-list.tsx';

const STORED = 'factory.batches';

/** Batches, with what became of their units. */
export function BatchList({ choice }: { choice: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const sees = useSeesUncreated();
  const manufacturers = useManufacturerSource();
  const batches = useList(batchList);
  const shown = useMemo(
    (): readonly ShownField<typeof batchList>[] => [
      { field: 'number', card: 'title' },
      { field: 'manufacturer', card: 'foot' },
      { field: 'kind', card: 'foot' },
      { field: 'model', card: 'foot' },
      { field: 'firmware', optional: true },
      { field: 'madeOn', optional: true, cell: ({ madeOn }) => <Day day={madeOn} /> },
      { field: 'deliveredOn', card: 'foot', cell: ({ deliveredOn }) => <Day day={deliveredOn} /> },
      { field: 'units', card: 'figure', cell: (row, plain) => <UnitsLink row={row}>{plain}</UnitsLink> },
      ...(sees
        ? ([
            { field: 'seen' },
            { field: 'neverSeen', card: 'figure', cell: (row, plain) => <NeverLink row={row}>{plain}</NeverLink> },
            { field: 'halfSeenDays', card: 'figure', meaning: 'factory.batches.halfMeaning' },
          ] as const satisfies readonly ShownField<typeof batchList>[])
        : []),
      {
        field: 'troubled',
        card: 'aside',
        meaning: 'factory.batches.troubledMeaning',
        cell: (row) => <Troubled row={row} />,
      },
      { field: 'note', optional: true },
    ],
    [sees],
  );
  const columns = useColumns(batches, shown);
  return (
    <ListScreen
      title={label('factory')}
      list={batches}
      storedAs={STORED}
      choice={choice}
      actions={
        <>
          <ExportButton endpoint={exportBatches} list={batches} columns={columns} />
          <ActionButtons table={batchAdding} row={undefined} look="filled" />
        </>
      }
      filters={
        <>
          <ListSearch list={batches} />
          <SelectFilter
            list={batches}
            field="kind"
            label={t('factory.batches.field.kind')}
            options={unitKinds.map((value) => ({ value, label: t(`factory.kind.${value}`) }))}
          />
          <RecordFilter
            list={batches}
            field="manufacturerID"
            label={t('factory.batches.field.manufacturer')}
            source={manufacturers}
          />
        </>
      }
    >
      <DataTable
        list={batches}
        columns={columns}
        name={t('factory.batches.list.title')}
        storedAs={STORED}
        actions={batchActions}
        rowName={(row) => row.number}
      />
    </ListScreen>
  );
}

function UnitsLink({ row: { batchID, units }, children }: { row: BatchRow; children: ReactNode }): ReactNode {
  if (units === 0) return children;
  return (
    <ScreenLink to="factory" query={{ 'condition.batchID': batchID }}>
      {children}
    </ScreenLink>
  );
}

function NeverLink({ row: { batchID, neverSeen }, children }: { row: BatchRow; children: ReactNode }): ReactNode {
  if ((neverSeen ?? 0) === 0) return children;
  return (
    <ScreenLink to="factory" query={{ 'condition.batchID': batchID, 'condition.seen': 'never' }}>
      {children}
    </ScreenLink>
  );
}

/** How many have an alarm now, and what share of the batch that is. */
function Troubled({ row: { troubled, units } }: { row: BatchRow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (troubled === 0) return <Badge tone="good">{t('factory.batches.noTrouble')}</Badge>;
  const share = format.number(Math.round((1_000 * troubled) / units) / 10);
  return <Badge tone="bad">{t('factory.batches.trouble', { number: format.number(troubled), share })}</Badge>;
}
