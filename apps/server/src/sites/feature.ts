import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { featureOf } from '../feature.ts';
import { siteAlarmsOf } from './site-alarms.service.ts';
import { siteCalendarOf } from './site-calendar.service.ts';
import { siteComparisonOf } from './site-comparison.service.ts';
import { siteConditionsOf } from './site-conditions.service.ts';
import { siteEstimatesOf } from './site-estimates.service.ts';
import { siteHistoryFile } from './site-history.service.ts';
import { siteMoneyOf } from './site-money.service.ts';
import { siteCells, siteCountries, siteMapView, sitePositions, siteRows } from './site-places.service.ts';
import {
  siteDayOf,
  siteDevices,
  siteFiguresOf,
  siteList,
  siteLiveOf,
  siteOf,
  siteReport,
  siteStatusAll,
} from './sites.service.ts';
import { siteWhereFromOf } from './where-from.service.ts';

/** Plants: lists, places, one plant, its live flow, figures, curves, reports and devices. */
export const feature = featureOf(siteEndpoints, {
  list: siteList,
  exportList: { find: siteList, own: {} },
  statusAll: siteStatusAll,
  detail: siteOf,
  live: siteLiveOf,
  figures: siteFiguresOf,
  day: siteDayOf,
  historyReport: siteReport,
  devices: siteDevices,
  positions: sitePositions,
  mapView: siteMapView,
  rows: siteRows,
  cells: siteCells,
  countriesOfSites: siteCountries,
  alarms: siteAlarmsOf,
  calendar: siteCalendarOf,
  money: siteMoneyOf,
  estimates: siteEstimatesOf,
  conditions: siteConditionsOf,
  whereFrom: siteWhereFromOf,
  comparison: siteComparisonOf,
  historyExport: siteHistoryFile,
});
