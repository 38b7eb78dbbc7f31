import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import { exportList, list } from '@sonnenwarte/contract/sites/sites';
import { type Quality, state } from '@sonnenwarte/contract/status';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCountryChoices } from '../blocks/country-choices.ts';
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
import { markOf, PreliminaryCount } from './preliminary.tsx';
import styles from './sites.module.css';

const REFRESH_MS = 30_000;
const types = [1, 2, 3, 4] as const;
const contentTypes = [1, 2, 3, 4] as const;

const isOffline = (row: SiteRow): boolean => row.state === 'offline';

function useColumns(format: Format): readonly Column<SiteRow>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const now = (row: SiteRow, text: string): ReactNode =>
      isOffline(row) ? <span className={styles.old}>{text}</span> : text;
    const marked = (row: SiteRow, text: string, quality: Quality): ReactNode => (
      <>
        {text}
        <QualityMark quality={markOf(quality, row.historyPercent)} />
      </>
    );
    return [
      { field: 'name', header: t('sites.field.name'), cell: (row) => row.name, sortable: true, card: 'title' },
      {
        field: 'state',
        header: t('sites.field.state'),
        cell: (row) => <StatusTag state={row.state} />,
        sortable: true,
        card: 'aside',
      },
      {
        field: 'type',
        header: t('sites.field.type'),
        cell: (row) => t(`sites.type.${row.type}`),
        sortable: true,
        optional: true,
      },
      {
        field: 'city',
        header: t('sites.field.city'),
        cell: (row) => (
          <>
            {row.city}
            {row.city !== '' && row.country !== '' && ', '}
            {row.country !== '' && <span className={styles.country}>{format.country(row.country)}</span>}
          </>
        ),
        sortable: true,
        card: 'foot',
      },
      {
        field: 'country',
        optional: true,
        header: t('sites.field.country'),
        cell: (row) => format.country(row.country),
        sortable: true,
      },
      {
        field: 'systemCapacity',
        header: t('sites.field.systemCapacity'),
        cell: (row) => format.capacity(row.systemCapacity, 1),
        sortable: true,
        align: 'end',
      },
      {
        field: 'pvPowerW',
        header: t('sites.field.pvPowerW'),
        cell: (row) => now(row, format.power(row.pvPowerW)),
        card: 'figure',
        sortable: true,
        align: 'end',
      },
      {
        field: 'socPercent',
        header: t('sites.field.socPercent'),
        cell: (row) => now(row, format.percent(row.socPercent)),
        card: 'figure',
        sortable: true,
        align: 'end',
        hint: t('flow.soc'),
      },
      {
        field: 'todayWh',
        header: t('sites.field.todayWh'),
        cell: (row) => marked(row, format.energy(row.todayWh), row.todayQuality),
        card: 'figure',
        sortable: true,
        hint: t('sites.hint.generationWh'),
        align: 'end',
      },
      {
        field: 'monthWh',
        header: t('sites.field.monthWh'),
        cell: (row) => marked(row, format.energy(row.monthWh), row.monthQuality),
        align: 'end',
        optional: true,
      },
      {
        field: 'totalWh',
        header: t('sites.field.totalWh'),
        cell: (row) => marked(row, format.energy(row.totalWh), row.totalQuality),
        sortable: true,
        align: 'end',
      },
      {
        field: 'specificYieldToday',
        header: t('sites.field.specificYieldToday'),
        cell: (row) =>
          row.specificYieldToday === null
            ? '–'
            : `${format.number(row.specificYieldToday, 2)}\u00a0kWh/${format.kWpUnit}`,
        sortable: true,
        align: 'end',
        optional: true,
        hint: t('sites.hint.specificYield'),
      },
      {
        field: 'installer',
        header: t('sites.field.installer'),
        cell: (row) => row.installer,
        sortable: true,
        optional: true,
      },
      { field: 'owner', header: t('sites.field.owner'), cell: (row) => row.owner, sortable: true, optional: true },
      {
        field: 'updatedAtMs',
        header: t('sites.field.updatedAtMs'),
        cell: (row) => (
          <Freshness asOfMs={row.updatedAtMs} intervalS={row.intervalS} offline={row.state === 'offline'} />
        ),
        card: 'foot',
        sortable: true,
      },
    ];
  }, [t, format]);
}

/** All plants in scope. */
export function SiteListScreen(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const label = useRouteLabel();
  const plants = useListState(list.input);
  const query = useTableQuery({ ...read(list, plants.value), refetchInterval: REFRESH_MS }, (answer) => ({
    rows: answer.plants,
    total: answer.total,
  }));
  const countryOptions = useCountryChoices();
  const columns = useColumns(format);
  const rows = query.data?.rows ?? [];

  return (
    <ListScreen
      title={label('plant-view')}
      list={plants}
      actions={<ExportButton endpoint={exportList} list={plants} columns={columns} />}
      filters={
        <>
          <SearchFilter list={plants} field="content" label={t('sites.list.search')} />
          <SelectFilter
            list={plants}
            field="contentType"
            label={t('sites.list.searchIn')}
            options={contentTypes.map((value) => ({ value, label: t(`sites.contentType.${value}`) }))}
          />
          <SelectFilter
            list={plants}
            field="state"
            label={t('sites.field.state')}
            options={state.options.map((value) => ({ value, label: t(`states.${value}`) }))}
          />
          <SelectFilter
            list={plants}
            field="type"
            label={t('sites.field.type')}
            options={types.map((value) => ({ value, label: t(`sites.type.${value}`) }))}
          />
          <SelectFilter list={plants} field="country" label={t('sites.field.country')} options={countryOptions} />
        </>
      }
    >
      <PreliminaryCount
        of="plantsOnPage"
        count={rows.filter(({ historyPercent, recalculating }) => historyPercent !== null || recalculating).length}
        total={rows.length}
      />
      <DataTable
        name={t('sites.list.title')}
        storedAs="sites"
        columns={columns}
        rowKey={(row) => row.stationID}
        query={query}
        list={plants}
        target={(row) => ({ to: 'plant-detail', query: { id: row.stationID } })}
        empty={
          <EmptyList
            list={plants}
            empty={t('sites.list.empty')}
            noMatch={t('sites.list.noMatch')}
            reset={t('sites.list.reset')}
          />
        }
      />
      <MarkLegend
        qualities={rows.flatMap(({ todayQuality, monthQuality, totalQuality, historyPercent }) =>
          [todayQuality, monthQuality, totalQuality].map((each) => markOf(each, historyPercent)),
        )}
      />
    </ListScreen>
  );
}
