import type { DeviceRow, ListedDeviceRow } from '@sonnenwarte/contract/devices/device';
import {
  batteryList,
  emsList,
  exportBatteryList,
  exportEmsList,
  exportGatewayList,
  exportMeterList,
  gatewayList,
  meterList,
} from '@sonnenwarte/contract/devices/device-lists';
import { exportList, type ListedKind, list } from '@sonnenwarte/contract/devices/devices';
import type { ListEndpoint } from '@sonnenwarte/contract/endpoint';
import type { ExportEndpoint } from '@sonnenwarte/contract/exports';
import type { ReactNode } from 'react';
import type { ShownField } from '../blocks/list/columns.tsx';
import { FieldFilter } from '../blocks/list/filters.tsx';
import type { FilteredList } from '../blocks/list/use-list.ts';
import {
  AlarmName,
  DeviceState,
  Drifts,
  freshnessCell,
  loadCell,
  Notes,
  PlantTitle,
  Strategy,
  serialCell,
  soFar,
  versionCell,
} from './device-cells.tsx';

export type FamilyKind = Exclude<ListedKind, 'module'>;

/** What the list of a kind shows. */
export interface Family<L extends ListEndpoint> {
  readonly kind: FamilyKind;
  readonly list: L;
  readonly file: ExportEndpoint<L>;
  readonly shown: readonly ShownField<L>[];
  /** The same on a phone, whose cards are named by the plant. */
  readonly shownOnPhone: readonly ShownField<L>[];
  /** What several of a kind are compared by. */
  readonly compared: string;
  /** It has settings of its own. */
  readonly isSettable?: boolean;
  /** Filters of this kind alone. */
  readonly filters?: (list: FilteredList<L>) => ReactNode;
}

type CommonField = 'deviceSN' | 'state' | 'plantName' | 'alarm' | 'moduleSN' | 'odmSN' | 'deviceType' | 'updatedAtMs';
type Common = Readonly<Record<CommonField, unknown>>;

const head = [
  { field: 'deviceSN', card: 'title', cell: serialCell },
  { field: 'state', card: 'aside', cell: (row: DeviceRow) => <DeviceState row={row} /> },
  { field: 'plantName', card: 'foot' },
] as const;
const headOnPhone = [
  { field: 'plantName', card: 'title', cell: (row: ListedDeviceRow) => <PlantTitle row={row} /> },
  { field: 'state', card: 'aside' },
  { field: 'deviceSN', card: 'foot', cell: serialCell },
] as const;
const tail = [
  { field: 'alarm', optional: true, cell: (row: DeviceRow) => <AlarmName row={row} /> },
  { field: 'deviceType', optional: true },
  { field: 'moduleSN', optional: true },
  { field: 'odmSN', optional: true },
  { field: 'updatedAtMs', card: 'foot', cell: freshnessCell, stays: true },
] as const;

/** What to look at in passing: settings that have drifted, and the firmware. */
const notes = {
  headerKey: 'devices.notes',
  cell: (row: ListedDeviceRow, plain: ReactNode) => <Notes row={row} firmware={plain} />,
} as const;
const drifts = {
  field: 'drifts',
  optional: true,
  meaning: 'devices.hint.drifts',
  cell: (row: ListedDeviceRow) => <Drifts row={row} />,
} as const;

/** A kind's own fields between those of all kinds. */
function family<const L extends ListEndpoint>(
  own: Omit<Family<L>, 'shown' | 'shownOnPhone'> & { readonly fields: readonly ShownField<L>[] },
): Family<L> {
  const { fields, ...rest } = own;
  const around = (first: readonly { readonly field: keyof Common }[]) =>
    [...first, ...fields, ...tail] as unknown as readonly ShownField<L>[];
  return { ...rest, shown: around(head), shownOnPhone: around(headOnPhone) } as Family<L>;
}

export const inverters = family({
  kind: 'inverter',
  compared: 'AC/ActivePower',
  isSettable: true,
  list,
  file: exportList,
  fields: [
    { field: 'powerW', card: 'figure' },
    { field: 'loadPercent', card: 'figure', cell: loadCell, yields: 1 },
    { field: 'todayWh', card: 'figure', cell: soFar('todayWh') },
    { field: 'yesterdayWh', optional: true },
    { field: 'monthWh', optional: true, meaning: 'devices.hint.monthWh' },
    { field: 'yearWh', optional: true, meaning: 'devices.hint.monthWh' },
    { field: 'totalWh', optional: true },
    {
      ...notes,
      field: 'version',
      yields: 2,
      cell: (row: ListedDeviceRow) => <Notes row={row} firmware={versionCell(row)} />,
    },
  ],
});

export const batteries = family({
  kind: 'battery',
  compared: 'Bat/Soc',
  list: batteryList,
  file: exportBatteryList,
  fields: [
    { field: 'batteryStatus', yields: 3 },
    { field: 'socPercent', card: 'figure' },
    { field: 'nowW', card: 'figure' },
    { field: 'sohPercent', card: 'figure' },
    { field: 'spreadMv', meaning: 'devices.hint.spread' },
    { field: 'cycles', yields: 2 },
    { field: 'firmware', yields: 1 },
  ],
  filters: (devices) => <FieldFilter list={devices} field="batteryStatus" />,
});

export const meters = family({
  kind: 'meter',
  compared: 'Meter/ActivePower',
  isSettable: true,
  list: meterList,
  file: exportMeterList,
  fields: [
    { field: 'meterRole' },
    { field: 'phases', yields: 2 },
    { field: 'ctRatio', meaning: 'devices.hint.ctRatio', yields: 1 },
    { field: 'nowW', card: 'figure', meaning: 'devices.hint.meterPower' },
    { field: 'importTodayWh', card: 'figure', cell: soFar('importTodayWh') },
    { field: 'exportTodayWh', card: 'figure', cell: soFar('exportTodayWh') },
    { field: 'importWh', optional: true },
    { field: 'exportWh', optional: true },
    { ...notes, field: 'firmware', yields: 3 },
    drifts,
  ],
  filters: (devices) => <FieldFilter list={devices} field="meterRole" />,
});

export const emsUnits = family({
  kind: 'ems',
  compared: 'Ems/PlantPv',
  isSettable: true,
  list: emsList,
  file: exportEmsList,
  fields: [
    { field: 'deviceCount', card: 'figure', yields: 1 },
    { field: 'devicesOnline', card: 'figure' },
    { field: 'strategy', cell: ({ strategy }: { readonly strategy: string }) => <Strategy told={strategy} /> },
    { field: 'exportLimitW', card: 'figure' },
    { field: 'peakLimitW', yields: 2 },
    { ...notes, field: 'firmware', yields: 3 },
    drifts,
  ],
});

export const gateways = family({
  kind: 'gateway',
  compared: 'Gw/HeatPumpPower',
  list: gatewayList,
  file: exportGatewayList,
  fields: [
    { field: 'grid', card: 'foot', meaning: 'devices.hint.grid' },
    { field: 'relay1', card: 'foot' },
    { field: 'relay2', yields: 3 },
    { field: 'sgReady', yields: 2 },
    { field: 'heatPumpW', card: 'figure' },
    { field: 'firmware', yields: 1 },
  ],
});
