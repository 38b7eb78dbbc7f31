import {
  type BatteryLogRow,
  batteryLog,
  exportBatteryLog,
  MOST_BATTERY_DAYS,
} from '@sonnenwarte/contract/test-log/test-log';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { DayRangeFilter } from '../blocks/list/day-range-filter.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { Moment } from './moment.tsx';
import styles from './test-log.module.css';

type Measured = {
  [Name in keyof BatteryLogRow]: BatteryLogRow[Name] extends number | null ? Name : never;
}[keyof BatteryLogRow];

/** Decimals of what is measured, in the order of the columns; those behind the line are shown once chosen. */
const decimals = [
  ['socPercent', 1],
  ['powerW', 0],
  ['voltageV', 1],
  ['currentA', 2],
  ['temperatureC', 1],
  ['cellVoltageMaxV', 3],
  ['cellVoltageMinV', 3],
  ['cellTempMaxC', 1],
  ['cellTempMinC', 1],
  ['chargeLimitA', 1],
  ['dischargeLimitA', 1],
  ['sohPercent', 1],
  ['cycles', 0],
  ['faultBits', 0],
] as const satisfies readonly (readonly [Exclude<Measured, 'atMs'>, number])[];
const optional: readonly string[] = ['chargeLimitA', 'dischargeLimitA', 'sohPercent', 'cycles'];
const onCards: readonly string[] = ['socPercent', 'powerW', 'voltageV', 'currentA'];

export function BatteryLog({ choice }: { choice: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const format = useFormat();
  const samples = useList(batteryLog);
  const shown = useMemo(
    (): readonly ShownField<typeof batteryLog>[] => [
      {
        field: 'atMs',
        card: 'title',
        cell: ({ atMs }) => <Moment atMs={atMs} />,
      },
      {
        field: 'state',
        card: 'aside',
        cell: ({ state }) => (state === '' ? '–' : t(state as 'points.batteryIdle')),
      },
      ...decimals.map(
        ([field, places]): ShownField<typeof batteryLog> => ({
          field,
          cell: (row) => format.number(row[field], places),
          ...(onCards.includes(field) && { card: 'figure' }),
          ...(optional.includes(field) && { optional: true }),
        }),
      ),
    ],
    [t, format],
  );
  const columns = useColumns(samples, shown);
  const battery = samples.answer?.battery;
  const asked = samples.value.condition.content !== '';
  return (
    <ListScreen
      storedAs="battery-log"
      title={label('test-log')}
      list={samples}
      actions={
        <>
          {choice}
          <ExportButton endpoint={exportBatteryLog} list={samples} columns={columns} />
        </>
      }
      summary={
        <p className={styles.lead}>
          {!asked && t('test-log.battery.ask', { most: MOST_BATTERY_DAYS })}
          {asked && battery && t('test-log.battery.of', { sn: battery.deviceSN, plant: battery.plantName || '–' })}
        </p>
      }
      filters={
        <>
          <ListSearch list={samples} />
          <DayRangeFilter list={samples} from="fromMs" to="toMs" label={t('common.timeRange')} timeZone={localZone()} />
        </>
      }
    >
      <DataTable name={t('test-log.view.battery')} storedAs="battery-log" list={samples} columns={columns} />
    </ListScreen>
  );
}
