import { LEVEL } from '@sonnenwarte/contract/levels';
import { reportStates } from '@sonnenwarte/contract/reports/report-moves';
import { exportList, list } from '@sonnenwarte/contract/reports/reports';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Select } from '../blocks/form/select.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTab } from '../tabs/tab-context.ts';
import { followedEvery, QUIET_MS } from './followed.ts';
import { reportActions } from './report-actions.tsx';
import { AboutCell, FilesCell, SizeCell, StateCell } from './report-cells.tsx';
import styles from './reports.module.css';

/** All reports that were made or wait; those of everybody for administrators. */
export function ReportList({ choice }: { choice: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { name } = useTab();
  const isAdministrator = useGlobalState((state) => state.access) === LEVEL.admin;
  const [refreshMs, setRefreshMs] = useState(QUIET_MS);
  const reports = useList(list, { refreshMs });
  const { rows } = reports;
  useEffect(() => setRefreshMs(followedEvery(rows)), [rows]);
  const { condition } = reports.value;
  const showsAll = condition.whose === 'all';
  const shown = useMemo(
    (): readonly ShownField<typeof list>[] => [
      { field: 'name', card: 'title', cell: (row) => <AboutCell row={row} /> },
      { field: 'state', card: 'foot', cell: (row) => <StateCell row={row} /> },
      { field: 'rows', card: 'figure' },
      { field: 'bytes', card: 'figure', cell: (row) => <SizeCell row={row} /> },
      { field: 'askedMs' },
      { field: 'keptUntilMs', optional: true },
      { field: 'account', ...(showsAll ? {} : { optional: true as const }) },
    ],
    [showsAll],
  );
  const told = useColumns(reports, shown);
  const columns = useMemo(
    () => [
      ...told,
      {
        field: 'files',
        header: t('reports.field.files'),
        card: 'foot' as const,
        cell: (row: NonNullable<typeof rows>[number]) => <FilesCell row={row} />,
      },
    ],
    [told, t],
  );
  return (
    <ListScreen
      title={label(name)}
      list={reports}
      actions={
        <>
          {choice}
          <ExportButton endpoint={exportList} list={reports} columns={told} />
        </>
      }
      filters={
        <>
          <ListSearch list={reports} />
          <Select
            label={t('reports.field.state')}
            value={condition.states?.[0] ?? ''}
            options={[
              { value: '', label: t('common.all') },
              ...reportStates.map((state) => ({ value: state, label: t(`reports.state.${state}`) })),
            ]}
            onChange={(chosen) => {
              const { states: _, ...others } = condition;
              const state = reportStates.find((each) => each === chosen);
              reports.set({ condition: { ...others, ...(state && { states: [state] }) } });
            }}
          />
          {isAdministrator && (
            <div className={styles.whose}>
              <Segmented
                label={t('reports.field.account')}
                value={condition.whose ?? 'mine'}
                options={(['mine', 'all'] as const).map((value) => ({ value, label: t(`reports.whose.${value}`) }))}
                onChange={(whose) => {
                  const { whose: _, ...others } = condition;
                  reports.set({ condition: { ...others, ...(whose === 'all' && { whose }) } });
                }}
              />
            </div>
          )}
        </>
      }
    >
      <DataTable list={reports} columns={columns} actions={reportActions} rowName={(row) => row.name} />
    </ListScreen>
  );
}
