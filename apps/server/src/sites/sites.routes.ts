import { siteEndpoints } from '@sonnenwarte/contract/sites/sites';
import { serveExport } from '../exports/serve-export.ts';
import { type Api, serve } from '../http/serve.ts';
import { type FindRows, serveList } from '../http/serve-list.ts';
import {
  type SiteStores,
  siteDayOf,
  siteDevices,
  siteFiguresOf,
  siteList,
  siteLiveOf,
  siteOf,
  siteReport,
  siteStatusAll,
} from './sites.service.ts';

export function bindSites(api: Api, stores: SiteStores): void {
  const find: FindRows<typeof siteEndpoints.list> = (input, { scope }) => siteList(stores, scope, input);
  serveList(api, siteEndpoints.list, find);
  serveExport(api, siteEndpoints.exportList, { find, own: {} });
  serve(api, siteEndpoints.statusAll, (_, { scope }) => siteStatusAll(stores, scope));
  serve(api, siteEndpoints.detail, ({ stationID }, { scope }) => siteOf(stores, scope, stationID));
  serve(api, siteEndpoints.live, ({ stationID }, { scope }) => siteLiveOf(stores, scope, stationID));
  serve(api, siteEndpoints.figures, ({ stationID }, { scope }) => siteFiguresOf(stores, scope, stationID));
  serve(api, siteEndpoints.day, (input, { scope }) => siteDayOf(stores, scope, input));
  serve(api, siteEndpoints.historyReport, (input, { scope }) => siteReport(stores, scope, input));
  serve(api, siteEndpoints.devices, ({ stationID }, { scope }) => siteDevices(stores, scope, stationID));
}
