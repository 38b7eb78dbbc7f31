import { siteEndpoints } from '@sonnenwarte/contract/sites/sites';
import { featureOf } from '../feature.ts';
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

/** Plants: lists, one plant, its live flow, figures, curves, reports and devices. */
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
});
