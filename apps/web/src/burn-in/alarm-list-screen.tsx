import { alarmList, batches, exportAlarms, runs } from '@sonnenwarte/contract/burn-in/burn-in';
import { alarmLevels } from '@sonnenwarte/contract/incidents/incidents';
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
import { Badge } from '../blocks/show/badge.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { levelWord } from './level-word.ts';
import { useRunNews } from './use-run-news.ts';

const REFRESH_MS = 30_000;

/** Alarms of units while they were in a run. */
export function BurnInAlarmScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const format = useFormat();
  const alarmText = useAlarmText();
  useRunNews();
  const alarms = useList(alarmList, { refreshMs: REFRESH_MS });
  const { condition } = alarms.value;
  const shown = useMemo(
    (): readonly ShownField<typeof alarmList>[] => [
      { field: 'code', card: 'title', cell: ({ code }) => `${code} ${alarmText(code).name}` },
      { field: 'level', card: 'aside', cell: ({ level }) => levelWord(level, t) },
      { field: 'sn', card: 'foot' },
      { field: 'runNumber', card: 'foot', cell: ({ runNumber }) => `#${runNumber}` },
      { field: 'rack', card: 'foot' },
      { field: 'batch', optional: true },
      { field: 'position', optional: true },
      { field: 'sinceMs', card: 'foot' },
      {
        field: 'untilMs',
        cell: ({ untilMs }) => (untilMs === null ? t('burn-in.alarms.stands') : format.localTime(untilMs)),
      },
      {
        field: 'failed',
        card: 'figure',
        cell: ({ failed }) => (failed ? <Badge tone="bad">{t('burn-in.alarms.yes')}</Badge> : t('burn-in.alarms.no')),
      },
    ],
    [t, format, alarmText],
  );
  const columns = useColumns(alarms, shown);
  return (
    <ListScreen
      title={label('aging-alarm')}
      list={alarms}
      storedAs="burn-in.alarms"
      actions={<ExportButton endpoint={exportAlarms} list={alarms} columns={columns} />}
      filters={
        <>
          <ListSearch list={alarms} />
          <Select
            label={t('burn-in.alarms.field.level')}
            value={String(condition.levels?.[0] ?? '')}
            options={[
              { value: '', label: t('common.all') },
              ...alarmLevels.map((level) => ({ value: String(level), label: t(`incidents.level.${level}`) })),
            ]}
            onChange={(value) => {
              const { levels: _, ...others } = condition;
              alarms.set({ condition: { ...others, ...(value !== '' && { levels: [Number(value)] }) } });
            }}
          />
          <RecordFilter
            list={alarms}
            field="runID"
            label={t('burn-in.field.runID')}
            source={{ endpoint: runs, search: t('burn-in.run.chooseRun'), none: t('burn-in.run.noRun') }}
          />
          <RecordFilter
            list={alarms}
            field="batchID"
            label={t('burn-in.field.batch')}
            source={{ endpoint: batches, search: t('burn-in.run.chooseBatch'), none: t('burn-in.run.noBatch') }}
          />
        </>
      }
    >
      <DataTable
        list={alarms}
        columns={columns}
        storedAs="burn-in.alarms"
        target={({ runID, sn }) => ({ to: 'aging-inverter-detail', query: { run: runID, sn } })}
        rowName={({ sn, code }) => `${sn} ${code}`}
      />
    </ListScreen>
  );
}
