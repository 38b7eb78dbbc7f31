import { inverterEndpoints } from '@sonnenwarte/contract/inverters/inverters';
import { type Api, serve } from '../http/serve.ts';
import type { SiteStores } from '../sites/sites.service.ts';
import { bindInverterExport } from './inverters.export.ts';
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
  serve(api, inverterEndpoints.list, (input, { scope }) => deviceList(stores, scope, input));
  bindInverterExport(api, stores);
  serve(api, inverterEndpoints.statusAll, (_, { scope }) => inverterStatusAll(stores, scope));
  serve(api, inverterEndpoints.addressbook, ({ deviceID }, { scope }) => addressbookOf(stores, scope, deviceID));
  serve(api, inverterEndpoints.variables, ({ deviceID }, { scope }) => variablesOf(stores, scope, deviceID));
  serve(api, inverterEndpoints.real, ({ deviceID }, { scope }) => realOf(stores, scope, deviceID));
  serve(api, inverterEndpoints.historyRaw, (input, { scope }) => historyRawOf(stores, scope, input));
  serve(api, inverterEndpoints.earnings, ({ deviceID }, { scope }) => earningsOf(stores, scope, deviceID));
}
