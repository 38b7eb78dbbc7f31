import { batches, exportUnits, report, runs, unitList } from '@sonnenwarte/contract/burn-in/burn-in';
import { unitStates } from '@sonnenwarte/contract/burn-in/moves';
import type { UnitRow } from '@sonnenwarte/contract/burn-in/rows';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../blocks/form/select.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { RecordFilter } from '../blocks/list/record-filter.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { joinQuantity } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { UnitState } from './marks.tsx';
import { ReportFigures } from './report-figures.tsx';
import { useRunNews } from './use-run-news.ts';

/** What runs came to: of all, of a batch or of one run, with each unit. */
export function BurnInReportScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const format = useFormat();
  useRunNews();
  const units = useList(unitList);
  const { condition } = units.value;
  const shown = useMemo((): readonly ShownField<typeof unitList>[] => {
    const percent = (value: number | null): string => (value === null ? '–' : format.percent(value, 1));
    return [
      { field: 'sn', card: 'title' },
      { field: 'state', card: 'aside', cell: ({ state }: UnitRow) => <UnitState state={state} /> },
      { field: 'reason', card: 'foot' },
      { field: 'runNumber', card: 'foot', cell: ({ runNumber }) => `#${runNumber}` },
      { field: 'rack', optional: true },
      { field: 'position', optional: true },
      { field: 'batch', card: 'foot' },
      { field: 'model', optional: true },
      { field: 'attempt', optional: true },
      { field: 'outputPercent', card: 'figure', cell: ({ outputPercent }) => percent(outputPercent) },
      { field: 'efficiencyPercent', cell: ({ efficiencyPercent }) => percent(efficiencyPercent) },
      {
        field: 'temperatureC',
        card: 'figure',
        cell: ({ temperatureC }) => (temperatureC === null ? '–' : joinQuantity(format.point(temperatureC, 'degC'))),
      },
      { field: 'startedMs', optional: true },
      { field: 'endedMs' },
    ];
  }, [format]);
  const columns = useColumns(units, shown);
  const { runID, batchID } = condition;
  return (
    <ListScreen
      title={label('aging-report')}
      list={units}
      storedAs="burn-in.results"
      actions={<ExportButton endpoint={exportUnits} list={units} columns={columns} />}
      figures={<ReportFigures endpoint={report} input={{ ...(runID && { runID }), ...(batchID && { batchID }) }} />}
      filters={
        <>
          <ListSearch list={units} />
          <Select
            label={t('burn-in.results.field.state')}
            value={condition.states?.[0] ?? ''}
            options={[
              { value: '', label: t('common.all') },
              ...unitStates.map((state) => ({ value: state, label: t(`burn-in.unitState.${state}`) })),
            ]}
            onChange={(value) => {
              const { states: _, ...others } = condition;
              const state = unitStates.find((each) => each === value);
              units.set({ condition: { ...others, ...(state && { states: [state] }) } });
            }}
          />
          <RecordFilter
            list={units}
            field="runID"
            label={t('burn-in.field.runID')}
            source={{ endpoint: runs, search: t('burn-in.run.chooseRun'), none: t('burn-in.run.noRun') }}
          />
          <RecordFilter
            list={units}
            field="batchID"
            label={t('burn-in.field.batch')}
            source={{ endpoint: batches, search: t('burn-in.run.chooseBatch'), none: t('burn-in.run.noBatch') }}
          />
        </>
      }
    >
      <DataTable
        list={units}
        columns={columns}
        name={t('burn-in.results.list.title')}
        storedAs="burn-in.results"
        target={({ runID, sn }) => ({ to: 'aging-inverter-detail', query: { run: runID, sn } })}
        rowName={({ sn }) => sn}
      />
    </ListScreen>
  );
}
