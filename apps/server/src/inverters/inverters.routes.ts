import { inverterEndpoints } from '@sonnenwarte/contract/inverters/inverters';
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
} from './inverters.service.ts';

export function bindInverters(api: Api, stores: SiteStores): void {
  const find: FindRows<typeof inverterEndpoints.list> = (input, { scope }) => deviceList(stores, scope, input);
  serveList(api, inverterEndpoints.list, find);
  serveExport(api, inverterEndpoints.exportList, {
    find,
    own: {
      alarm: ({ alarm }, { language }) => (alarm === null ? null : alarmName(alarm.code, language)),
      version: ({ version: { master, slave, manager, afci } }) =>
        [master, slave, manager, afci].filter((each) => each !== '').join(' / '),
    },
  });
  serve(api, inverterEndpoints.statusAll, (_, { scope }) => inverterStatusAll(stores, scope));
  serve(api, inverterEndpoints.addressbook, ({ deviceID }, { scope }) => addressbookOf(stores, scope, deviceID));
  serve(api, inverterEndpoints.variables, ({ deviceID }, { scope }) => variablesOf(stores, scope, deviceID));
  serve(api, inverterEndpoints.real, ({ deviceID }, { scope }) => realOf(stores, scope, deviceID));
  serve(api, inverterEndpoints.historyRaw, (input, { scope }) => historyRawOf(stores, scope, input));
  serve(api, inverterEndpoints.earnings, ({ deviceID }, { scope }) => earningsOf(stores, scope, deviceID));
}
