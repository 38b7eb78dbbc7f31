import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import { alarmName } from '../exports/alarm-name.ts';
import { serveExport } from '../exports/serve-export.ts';
import { type Api, serve } from '../http/serve.ts';
import { type FindRows, serveList } from '../http/serve-list.ts';
import type { SiteStores } from '../sites/sites.service.ts';
import {
  addressbookOf,
  deviceList,
  earningsOf,
  historyRawOf,
  inverterStatusAll,
  realOf,
  variablesOf,
} from './devices.service.ts';

export function bindDevices(api: Api, stores: SiteStores): void {
  const find: FindRows<typeof deviceEndpoints.list> = (input, { scope }) => deviceList(stores, scope, input);
  serveList(api, deviceEndpoints.list, find);
  serveExport(api, deviceEndpoints.exportList, {
    find,
    own: {
      alarm: ({ alarm }, { language }) => (alarm === null ? null : alarmName(alarm.code, language)),
      version: ({ version: { master, slave, manager, afci } }) =>
        [master, slave, manager, afci].filter((each) => each !== '').join(' / '),
    },
  });
  serve(api, deviceEndpoints.statusAll, (_, { scope }) => inverterStatusAll(stores, scope));
  serve(api, deviceEndpoints.addressbook, ({ deviceID }, { scope }) => addressbookOf(stores, scope, deviceID));
  serve(api, deviceEndpoints.variables, ({ deviceID }, { scope }) => variablesOf(stores, scope, deviceID));
  serve(api, deviceEndpoints.real, ({ deviceID }, { scope }) => realOf(stores, scope, deviceID));
  serve(api, deviceEndpoints.historyRaw, (input, { scope }) => historyRawOf(stores, scope, input));
  serve(api, deviceEndpoints.earnings, ({ deviceID }, { scope }) => earningsOf(stores, scope, deviceID));
}
