import type { DeviceRow } from '@sonnenwarte/contract/inverters/device';
import { exportList, list } from '@sonnenwarte/contract/inverters/inverters';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { state } from '@sonnenwarte/contract/status';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable, useTableQuery } from '../blocks/data-table.tsx';
import { EmptyList } from '../blocks/empty-list.tsx';
import { ExportButton } from '../blocks/export-button.tsx';
import { SearchFilter, SelectFilter } from '../blocks/filters.tsx';
import { Freshness } from '../blocks/freshness.tsx';
import { MarkLegend, QualityMark } from '../blocks/key-figure.tsx';
import { ListScreen } from '../blocks/list-screen.tsx';
import { useListState } from '../blocks/list-state.ts';
import { StatusTag } from '../blocks/status-tag.tsx';
import { read } from '../client/queries.ts';
import { type Format, useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../shell/route-label.ts';
import { useTab } from '../shell/tab-context.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useAlarmText } from './alarm-text.ts';
import styles from './inverters.module.css';

const REFRESH_MS = 30_000;

function useColumns(format: Format): readonly Column<DeviceRow>[] {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  return useMemo(
    () => [
      {
        field: 'deviceSN',
        header: t('inverters.field.deviceSN'),
        cell: (row) => row.deviceSN,
        sortable: true,
        card: 'title',
      },
      {
        field: 'state',
        header: t('inverters.field.state'),
        cell: (row) => <StatusTag state={row.state} />,
        sortable: true,
        card: 'aside',
      },
      { field: 'deviceType', header: t('inverters.field.deviceType'), cell: (row) => row.deviceType, sortable: true },
      {
        field: 'plantName',
        header: t('inverters.field.plantName'),
        cell: (row) => row.plantName,
        sortable: true,
        card: 'foot',
      },
      {
        field: 'powerW',
        header: t('inverters.field.powerW'),
        cell: (row) => (
          <span className={row.state === 'offline' ? styles.old : undefined}>{format.power(row.powerW)}</span>
        ),
        card: 'figure',
        sortable: true,
        align: 'end',
      },
      {
        field: 'todayWh',
        header: t('inverters.field.todayWh'),
        cell: (row) => (
          <>
            {format.energy(row.todayWh)}
            <QualityMark quality={row.todayQuality} />
          </>
        ),
        card: 'figure',
        sortable: true,
        align: 'end',
      },
      {
        field: 'totalWh',
        header: t('inverters.field.totalWh'),
        cell: (row) => format.energy(row.totalWh),
        card: 'figure',
        sortable: true,
        align: 'end',
      },
      {
        field: 'alarm',
        header: t('inverters.field.alarm'),
        cell: (row) => (row.alarm ? <span className={styles.alarm}>{alarmText(row.alarm.code).name}</span> : '–'),
      },
      {
        field: 'version',
        header: t('inverters.field.version'),
        cell: (row) => firmwareOf(row),
        optional: true,
      },
      { field: 'moduleSN', header: t('inverters.field.moduleSN'), cell: (row) => row.moduleSN, optional: true },
      { field: 'odmSN', header: t('inverters.field.odmSN'), cell: (row) => row.odmSN, optional: true },
      {
        field: 'lastSeenMs',
        header: t('inverters.field.lastSeenMs'),
        cell: (row) => (
          <Freshness asOfMs={row.lastSeenMs} intervalS={row.intervalS} offline={row.state === 'offline'} />
        ),
        card: 'foot',
        sortable: true,
      },
    ],
    [t, format, alarmText],
  );
}

const firmwareOf = ({ version }: DeviceRow): string =>
  [version.master, version.slave, version.manager, version.afci].filter((each) => each !== '').join(' / ');

/** Inverters in scope: of the plants, or those granted to an integrator. */
export function InverterListScreen(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { name } = useTab();
  const label = useRouteLabel();
  const access = useGlobalState((global) => global.access);
  const inverters = useListState(list.input);
  const query = useTableQuery({ ...read(list, inverters.value), refetchInterval: REFRESH_MS }, (answer) => ({
    rows: answer.devices,
    total: answer.total,
  }));
  const columns = useColumns(format);
  const ofIntegrator = name === 'integrator-device-list' || access === LEVEL.integrator;

  return (
    <ListScreen
      title={label(name)}
      list={inverters}
      actions={<ExportButton endpoint={exportList} list={inverters} columns={columns} />}
      filters={
        <>
          <SearchFilter list={inverters} field="content" label={t('inverters.list.search')} />
          <SelectFilter
            list={inverters}
            field="state"
            label={t('inverters.field.state')}
            options={state.options.map((value) => ({ value, label: t(`states.${value}`) }))}
          />
        </>
      }
    >
      <DataTable
        name={t('inverters.list.title')}
        storedAs="inverters"
        columns={columns}
        rowKey={(row) => row.deviceID}
        query={query}
        list={inverters}
        target={(row) => ({
          to: ofIntegrator ? 'integrator-inverter-detail' : 'device-inverter-detail',
          query: { id: row.deviceID },
        })}
        empty={
          <EmptyList
            list={inverters}
            empty={t('inverters.list.empty')}
            noMatch={t('inverters.list.noMatch')}
            reset={t('sites.list.reset')}
          />
        }
      />
      <MarkLegend qualities={query.data?.rows.map(({ todayQuality }) => todayQuality) ?? []} />
    </ListScreen>
  );
}
