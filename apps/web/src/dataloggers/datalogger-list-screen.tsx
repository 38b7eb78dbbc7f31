import { counts, type DataloggerRow, exportList, list } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { KindStrip } from '../blocks/devices/kind-strip.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { FieldFilter, ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { type FilteredList, useList } from '../blocks/list/use-list.ts';
import type { ScreenTarget } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { dataloggerActions, dataloggerAdding } from './datalogger-actions.tsx';
import { Children, DataloggerStateMark, heardCell, Signal } from './datalogger-cells.tsx';
import styles from './dataloggers.module.css';

const REFRESH_MS = 30_000;

const shown: readonly ShownField<typeof list>[] = [
  { field: 'moduleSN', card: 'title' },
  { field: 'state', card: 'aside', cell: (row) => <DataloggerStateMark row={row} /> },
  { field: 'plantName', card: 'foot' },
  { field: 'moduleType', card: 'foot' },
  { field: 'model', optional: true },
  { field: 'signal', card: 'figure', cell: ({ signal }) => <Signal dbm={signal} /> },
  { field: 'childrenHeard', card: 'figure', cell: (row) => <Children row={row} /> },
  { field: 'pending', card: 'figure' },
  { field: 'version' },
  { field: 'hardware', optional: true },
  { field: 'ip', optional: true },
  { field: 'uplink', optional: true },
  { field: 'lastSeenMs', card: 'foot', cell: heardCell, stays: true },
];

/** Who runs plants opens the datalogger, who owns one its plant. */
function targetOf({ can, moduleID, stationID }: DataloggerRow): ScreenTarget {
  if (can.look) return { to: 'module-config', query: { id: moduleID } };
  return stationID === null ? { to: 'device-module' } : { to: 'plant-detail', query: { id: stationID } };
}

/** All dataloggers in scope. */
export function DataloggerListScreen(): ReactNode {
  const label = useRouteLabel();
  const dataloggers = useList(list, { refreshMs: REFRESH_MS });
  const columns = useColumns(dataloggers, shown);
  const isUncreated = dataloggers.value.condition?.state === 'quarantined';
  const { t } = useTranslation();
  return (
    <ListScreen
      title={label('device-module')}
      list={dataloggers}
      actions={
        <>
          <ExportButton endpoint={exportList} list={dataloggers} columns={columns} />
          <ActionButtons table={dataloggerAdding} row={{}} brief />
        </>
      }
      summary={
        <>
          <div className={styles.kinds}>
            <KindStrip current="module" />
          </div>
          <div className={styles.chips}>
            <Chips list={dataloggers} />
          </div>
        </>
      }
      filters={
        <>
          <ListSearch list={dataloggers} />
          <FieldFilter list={dataloggers} field="state" />
        </>
      }
    >
      {isUncreated && <p className={styles.note}>{t('dataloggers.uncreated')}</p>}
      <DataTable list={dataloggers} columns={columns} actions={dataloggerActions} target={targetOf} />
    </ListScreen>
  );
}

const troubled = ['offline', 'struggling'] as const;

/** All, those that somebody should look at, those of no plant, and those that wait to be let in. */
function Chips({ list: dataloggers }: { list: FilteredList<typeof list> }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({ ...read(counts, {}), refetchInterval: REFRESH_MS });
  const { state, states, ...others }: Record<string, unknown> = { ...dataloggers.value.condition };
  const of = data?.states;
  const chip = (text: string, count: number | undefined) =>
    count === undefined ? text : `${text} ${format.number(count)}`;
  const chosen = states !== undefined ? 'troubled' : state === 'free' || state === 'quarantined' ? state : 'all';
  const conditions = {
    all: others,
    troubled: { ...others, states: [...troubled] },
    free: { ...others, state: 'free' },
    quarantined: { ...others, state: 'quarantined' },
  } as const;
  return (
    <Segmented
      label={t('states.shown')}
      value={chosen}
      options={[
        { value: 'all', label: chip(t('common.all'), data?.total) },
        { value: 'troubled', label: chip(t('states.troubled'), of && of.offline + of.struggling) },
        { value: 'free', label: chip(t('dataloggers.state.free'), of?.free) },
        ...((of?.quarantined ?? 0) > 0 || chosen === 'quarantined'
          ? [{ value: 'quarantined' as const, label: chip(t('dataloggers.state.quarantined'), of?.quarantined) }]
          : []),
      ]}
      onChange={(next) =>
        dataloggers.set({ condition: conditions[next] } as Partial<FilteredList<typeof list>['value']>)
      }
    />
  );
}
