import { inverterEndpoints } from '@sonnenwarte/contract/inverters/inverters';
import { alarmName } from '../exports/alarm-name.ts';
import { serveExport, timeCell } from '../exports/serve-export.ts';
import type { Api } from '../http/serve.ts';
import type { SiteStores } from '../sites/sites.service.ts';
import { deviceList } from './inverters.service.ts';

/** The list of inverters as a file: powers in W, energies in Wh. */
export function bindInverterExport(api: Api, stores: SiteStores): void {
  serveExport(api, inverterEndpoints.exportList, {
    page: async (input, { scope }) => {
      const { devices, total } = await deviceList(stores, scope, input);
      return { rows: devices, total };
    },
    columns: {
      deviceSN: { label: 'inverters.field.deviceSN', value: (device) => device.deviceSN },
      state: { label: 'inverters.field.state', value: (device, { text }) => text(`states.${device.state}`) },
      deviceType: { label: 'inverters.field.deviceType', value: (device) => device.deviceType },
      plantName: { label: 'inverters.field.plantName', value: (device) => device.plantName },
      powerW: { label: 'inverters.field.powerW', kind: 'number', unit: 'W', value: (device) => device.powerW },
      todayWh: {
        label: 'inverters.field.todayWh',
        kind: 'number',
        unit: 'Wh',
        value: (device) => device.todayWh,
        quality: (device) => device.todayQuality,
      },
      totalWh: { label: 'inverters.field.totalWh', kind: 'number', unit: 'Wh', value: (device) => device.totalWh },
      alarm: {
        label: 'inverters.field.alarm',
        value: (device, { language }) => (device.alarm === null ? null : alarmName(device.alarm.code, language)),
      },
      version: {
        label: 'inverters.field.version',
        value: ({ version }) =>
          [version.master, version.slave, version.manager, version.afci].filter((each) => each !== '').join(' / '),
      },
      moduleSN: { label: 'inverters.field.moduleSN', value: (device) => device.moduleSN },
      odmSN: { label: 'inverters.field.odmSN', value: (device) => device.odmSN },
      lastSeenMs: { label: 'inverters.field.lastSeenMs', kind: 'time', value: (device) => timeCell(device.lastSeenMs) },
    },
  });
}
