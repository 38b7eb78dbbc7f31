import type { ScheduleRow } from '@sonnenwarte/contract/reports/report';
import { exportSchedules, scheduleList } from '@sonnenwarte/contract/reports/reports';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTab } from '../tabs/tab-context.ts';
import { QUIET_MS } from './followed.ts';
import { scheduleActions } from './report-actions.tsx';
import styles from './report-rows.module.css';
import { useRhythmText } from './rhythm-text.ts';

/** Reports that are made again and again. */
export function ScheduleList({ choice }: { choice: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { name } = useTab();
  const rhythmText = useRhythmText();
  const schedules = useList(scheduleList, { refreshMs: QUIET_MS });
  const shown = useMemo(
    (): readonly ShownField<typeof scheduleList>[] => [
      { field: 'name', card: 'title', cell: (row) => <NameCell row={row} /> },
      { field: 'every', card: 'foot', cell: (row) => rhythmText(row) },
      { field: 'at', optional: true, cell: ({ at, ianaTimezone }) => `${at} ${ianaTimezone}` },
      { field: 'interval' },
      { field: 'nextMs', card: 'aside', cell: (row, plain) => <NextCell row={row} plain={plain} /> },
      { field: 'lastMs' },
    ],
    [rhythmText],
  );
  const columns = useColumns(schedules, shown);
  return (
    <ListScreen
      title={label(name)}
      list={schedules}
      storedAs="reports.schedules"
      actions={
        <>
          {choice}
          <ExportButton endpoint={exportSchedules} list={schedules} columns={columns} />
        </>
      }
      filters={<ListSearch list={schedules} />}
    >
      <DataTable
        list={schedules}
        columns={columns}
        name={t('reports.schedules.list.title')}
        storedAs="reports.schedules"
        actions={scheduleActions}
        rowName={(row) => row.name}
      />
    </ListScreen>
  );
}

function NameCell({ row }: { row: ScheduleRow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className={styles.about}>
      <strong>{row.name}</strong>
      <small>{`${t(`reports.source.${row.source}`)}: ${format.number(row.things)}`}</small>
    </span>
  );
}

/** When it is due next, or why it is not. */
function NextCell({ row: { stopped, isPaused }, plain }: { row: ScheduleRow; plain: ReactNode }): ReactNode {
  const { t } = useTranslation();
  if (stopped !== null) return <Badge tone="bad">{t(`reports.schedules.stopped.${stopped}`)}</Badge>;
  return isPaused ? <Badge>{t('reports.schedules.paused')}</Badge> : plain;
}
