import { exportList, list, trend, trendGroupings } from '@sonnenwarte/contract/install-trend/install-trend';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useAnswered } from '../client/use-answered.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useGroupName } from './group-name.ts';
import { MonthRange } from './month-range.tsx';
import { TrendBars } from './trend-bars.tsx';
import { type Measure, measures } from './trend-values.ts';

/** Plants and installed power by month of commission: how the fleet grew. */
export function InstallTrendScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const format = useFormat();
  const nameOf = useGroupName();
  const [measure, setMeasure] = useState<Measure>('plants');
  const installed = useList(list);
  const { condition } = installed.value;
  const { by } = condition;
  const query = useQuery({ ...read(trend, { condition }), placeholderData: keepPreviousData });
  const shown = useMemo(
    (): readonly ShownField<typeof list>[] => [
      { field: 'month', card: 'title', cell: (row) => format.month(`${row.month}-01`) },
      { field: 'group', card: 'aside', cell: (row) => nameOf(row.by, row.group) },
      { field: 'plants', card: 'figure' },
      { field: 'kwp', card: 'figure' },
    ],
    [format, nameOf],
  );
  const columns = useColumns(installed, shown);
  const answered = useAnswered(by, query);
  const told = answered?.data;
  return (
    <ListScreen
      title={label('install-trend')}
      list={installed}
      actions={<ExportButton endpoint={exportList} list={installed} columns={columns} />}
      filters={
        <>
          <Segmented
            label={t('install-trend.by')}
            value={by}
            options={trendGroupings.map((value) => ({ value, label: t(`install-trend.byEach.${value}`) }))}
            onChange={(chosen) => installed.set({ condition: { ...condition, by: chosen } })}
          />
          <MonthRange list={installed} />
        </>
      }
    >
      <Panel
        title={t('install-trend.chart')}
        actions={
          <Segmented
            label={t('install-trend.measure')}
            value={measure}
            options={measures.map((value) => ({ value, label: t(`install-trend.field.${value}`) }))}
            onChange={setMeasure}
          />
        }
      >
        <ReadState query={query}>
          <Skeleton height="19rem" />
        </ReadState>
        {told && told.groups.length === 0 && <EmptyState text={t('install-trend.list.noMatch')} />}
        {answered && told && told.groups.length > 0 && (
          <TrendBars trend={told} measure={measure} nameOf={(group) => nameOf(answered.asked, group)} />
        )}
        {told && told.undated > 0 && <p>{t('install-trend.undated', { number: format.number(told.undated) })}</p>}
      </Panel>
      <DataTable list={installed} columns={columns} />
    </ListScreen>
  );
}
