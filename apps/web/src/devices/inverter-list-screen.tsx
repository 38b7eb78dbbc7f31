import type { DeviceRow } from '@sonnenwarte/contract/devices/device';
import { exportList, list, statusAll } from '@sonnenwarte/contract/devices/devices';
import { LEVEL } from '@sonnenwarte/contract/levels';
import type { ReactNode } from 'react';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { FieldFilter, ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { StateChips } from '../blocks/list/state-chips.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { Freshness } from '../blocks/show/freshness.tsx';
import { MarkLegend } from '../blocks/show/key-figure.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTab } from '../tabs/tab-context.ts';
import styles from './devices.module.css';

const REFRESH_MS = 30_000;

const shown: readonly ShownField<typeof list>[] = [
  { field: 'deviceSN', card: 'title' },
  { field: 'state', card: 'aside' },
  { field: 'deviceType' },
  { field: 'plantName', card: 'foot' },
  { field: 'powerW', card: 'figure' },
  { field: 'todayWh', card: 'figure' },
  { field: 'totalWh', card: 'figure' },
  { field: 'alarm', cell: (row) => <AlarmName row={row} /> },
  { field: 'version', optional: true, cell: firmwareOf },
  { field: 'moduleSN', optional: true },
  { field: 'odmSN', optional: true },
  {
    field: 'updatedAtMs',
    card: 'foot',
    cell: (row) => <Freshness asOfMs={row.updatedAtMs} intervalS={row.intervalS} offline={row.state === 'offline'} />,
  },
];

function AlarmName({ row: { alarm } }: { row: DeviceRow }): ReactNode {
  const alarmText = useAlarmText();
  return alarm ? <span className={styles.alarm}>{alarmText(alarm.code).name}</span> : '–';
}

function firmwareOf({ version: { master, slave, manager, afci } }: DeviceRow): string {
  return [master, slave, manager, afci].filter((each) => each !== '').join(' / ');
}

/** Inverters in scope: of the plants, or those granted to an integrator. */
export function InverterListScreen(): ReactNode {
  const { name } = useTab();
  const label = useRouteLabel();
  const access = useGlobalState((global) => global.access);
  const inverters = useList(list, { refreshMs: REFRESH_MS });
  const columns = useColumns(inverters, shown);
  const ofIntegrator = name === 'integrator-device-list' || access === LEVEL.integrator;

  return (
    <ListScreen
      title={label(name)}
      list={inverters}
      actions={<ExportButton endpoint={exportList} list={inverters} columns={columns} />}
      summary={<StateChips list={inverters} countedBy={statusAll} refreshMs={REFRESH_MS} />}
      filters={
        <>
          <ListSearch list={inverters} />
          <FieldFilter list={inverters} field="state" />
        </>
      }
    >
      <DataTable
        list={inverters}
        columns={columns}
        target={(row) => ({
          to: ofIntegrator ? 'integrator-inverter-detail' : 'device-inverter-detail',
          query: { id: row.deviceID },
        })}
      />
      <MarkLegend qualities={inverters.rows?.map(({ todayQuality }) => todayQuality) ?? []} />
    </ListScreen>
  );
}
