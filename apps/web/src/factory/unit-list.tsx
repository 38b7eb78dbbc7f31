import { MOST_UNITS_COUNTED, unitKinds } from '@sonnenwarte/contract/factory/factory-words';
import { deliveredDays, exportUnits, sights, type UnitRow, unitList } from '@sonnenwarte/contract/factory/units';
import { warrantyStates } from '@sonnenwarte/contract/factory/warranty';
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
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import styles from './factory.module.css';
import { unitActions, unitAdding } from './factory-actions.tsx';
import { useBatchSource, useManufacturerSource } from './sources.ts';
import { Day, FirmwareCell, SeenMark, ThingLink, WarrantyCell } from './unit-cells.tsx';

const STORED = 'factory.units';

/** Whether the session may tell what was never seen. */
export const useSeesUncreated = (): boolean =>
  useGlobalState(({ buttonPermissions }) => buttonPermissions.includes('device:viewUncreated'));

/** Who may not tell when units were heard cannot order by this: its order would tell it. */
const warrantyUntil = { card: 'foot', cell: (row: UnitRow) => <WarrantyCell row={row} /> } as const;

/** Units as they left the factory. */
export function UnitList({ choice }: { choice: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const label = useRouteLabel();
  const sees = useSeesUncreated();
  const batches = useBatchSource();
  const manufacturers = useManufacturerSource();
  const units = useList(unitList);
  const shown = useMemo(
    (): readonly ShownField<typeof unitList>[] => [
      { field: 'sn', card: 'title' },
      ...(sees
        ? [
            { field: 'seen', card: 'aside', cell: (row) => <SeenMark row={row} /> } as const satisfies ShownField<
              typeof unitList
            >,
          ]
        : []),
      { field: 'kind', card: 'foot', yields: 3 },
      { field: 'model', card: 'foot', yields: 4 },
      { field: 'batch', card: 'foot' },
      { field: 'manufacturer', yields: 1 },
      { field: 'deliveredOn', card: 'figure', cell: ({ deliveredOn }) => <Day day={deliveredOn} /> },
      ...(sees
        ? ([
            { field: 'seenMs', card: 'figure', yields: 2 },
            { field: 'plantName', cell: (row) => <ThingLink row={row} /> },
          ] as const satisfies readonly ShownField<typeof unitList>[])
        : []),
      { field: 'firmware', optional: true },
      ...(sees
        ? [
            {
              field: 'firmwareNow',
              optional: true,
              cell: (row) => <FirmwareCell row={row} />,
            } as const satisfies ShownField<typeof unitList>,
          ]
        : []),
      { field: 'odmSN', optional: true },
      { field: 'warrantyFrom', optional: true, cell: ({ warrantyFrom }) => <Day day={warrantyFrom} /> },
      { ...warrantyUntil, field: sees ? 'warrantyUntil' : 'warranty' },
    ],
    [sees],
  );
  const columns = useColumns(units, shown);
  return (
    <ListScreen
      title={label('factory')}
      list={units}
      storedAs={STORED}
      choice={choice}
      actions={
        <>
          <ExportButton endpoint={exportUnits} list={units} columns={columns} />
          <ActionButtons table={unitAdding} row={{}} look="filled" />
        </>
      }
      filters={
        <>
          <ListSearch list={units} />
          {sees && (
            <SelectFilter
              list={units}
              field="seen"
              label={t('factory.units.field.seen')}
              options={sights.map((value) => ({ value, label: t(`factory.seen.${value}`) }))}
            />
          )}
          <SelectFilter
            list={units}
            field="deliveredDays"
            label={t('factory.units.field.deliveredOn')}
            options={deliveredDays.map((days) => ({ value: days, label: t('factory.units.before', { days }) }))}
          />
          {sees && (
            <SelectFilter
              list={units}
              field="warranty"
              label={t('factory.units.field.warranty')}
              options={warrantyStates.map((value) => ({ value, label: t(`factory.warranty.${value}`) }))}
            />
          )}
          <SelectFilter
            list={units}
            field="kind"
            label={t('factory.units.field.kind')}
            options={unitKinds.map((value) => ({ value, label: t(`factory.kind.${value}`) }))}
          />
          <RecordFilter list={units} field="batchID" label={t('factory.units.field.batch')} source={batches} />
          <RecordFilter
            list={units}
            field="manufacturerID"
            label={t('factory.units.field.manufacturer')}
            source={manufacturers}
          />
        </>
      }
    >
      <DataTable
        list={units}
        columns={columns}
        name={t('factory.units.list.title')}
        storedAs={STORED}
        actions={unitActions}
      />
      {units.answer?.isMore === true && (
        <p className={styles.note}>{t('factory.units.more', { number: format.number(MOST_UNITS_COUNTED) })}</p>
      )}
    </ListScreen>
  );
}
