import type { DeviceRow } from '@sonnenwarte/contract/devices/device';
import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import { alarmName } from '../exports/alarm-name.ts';
import type { ExportWords } from '../exports/serve-export.ts';
import { featureOf } from '../feature.ts';
import { deviceDayFile } from './device-file.service.ts';
import {
  batteryListOf,
  deviceList,
  emsListOf,
  gatewayListOf,
  kindCountsOf,
  meterListOf,
  statusAllOf,
} from './device-lists.service.ts';
import { treeOf } from './device-tree.service.ts';
import { addressbookOf, deviceSurroundings, earningsOf, historyRawOf, realOf, variablesOf } from './devices.service.ts';

const own = {
  alarm: ({ alarm }: Pick<DeviceRow, 'alarm'>, { language }: ExportWords) =>
    alarm === null ? null : alarmName(alarm.code, language),
};

/** Devices of all kinds: lists, tree, identity, newest values, history, earnings. */
export const feature = featureOf(deviceEndpoints, {
  list: deviceList,
  exportList: {
    find: deviceList,
    title: 'routes.device-inverter',
    own: {
      ...own,
      version: ({ version: { master, slave, manager, afci } }) =>
        [master, slave, manager, afci].filter((each) => each !== '').join(' / '),
    },
  },
  batteryList: batteryListOf,
  exportBatteryList: { find: batteryListOf, title: 'routes.device-battery', own },
  emsList: emsListOf,
  exportEmsList: { find: emsListOf, title: 'routes.device-ems', own },
  gatewayList: gatewayListOf,
  exportGatewayList: { find: gatewayListOf, title: 'routes.device-gateway', own },
  meterList: meterListOf,
  exportMeterList: { find: meterListOf, title: 'routes.meter-list', own },
  tree: treeOf,
  statusAll: statusAllOf,
  kindCounts: kindCountsOf,
  addressbook: addressbookOf,
  variables: variablesOf,
  real: realOf,
  historyRaw: historyRawOf,
  exportHistory: deviceDayFile,
  surroundings: deviceSurroundings,
  earnings: earningsOf,
});
