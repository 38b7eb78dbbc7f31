import * as z from 'zod/mini';
import { deviceRow } from '../devices/device.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { country } from '../fields.ts';
import { is } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { paged, paging, searchText, sortedBy } from '../lists.ts';
import { counts, state, states } from '../status.ts';
import {
  queryDate,
  report,
  reportType,
  reportVariable,
  site,
  siteDay,
  siteFields,
  siteFigures,
  siteLive,
  siteRow,
  siteType,
} from './site.ts';

const plantLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const stationID = z.uuid();

/** Where the text of the filter is looked for. */
export const siteContentType = is.choice('sites.contentType', [1, 2, 3, 4]);

/** `status` 0 all, 1 normal, 2 abnormal, 3 offline; `contentType` 1 installer, 2 name, 3 city, 4 owner, 0 any of them. */
export const siteCondition = z.object({
  status: z._default(z.int().check(z.gte(0), z.lte(3)), 0),
  state: z.optional(state),
  states: z.optional(states),
  contentType: z._default(z.int().check(z.gte(0), z.lte(4)), 0),
  content: z._default(searchText, ''),
  country: z.optional(country),
  type: z.optional(siteType),
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v1/plant/list',
  feature: 'sites',
  summary: 'Plants in scope, by page, filter and order.',
  callers: plantLevels,
  reads: true,
  list: { rows: 'plants', key: 'stationID', fields: siteFields },
  input: z.object({
    ...paging,
    condition: z._default(siteCondition, { status: 0, contentType: 0, content: '' }),
    sort: sortedBy(siteFields, 'state'),
  }),
  result: z.object({ ...paged, plants: z.array(siteRow) }),
});

export const exportList = exportOf(list);

export const statusAll = endpoint({
  method: 'GET',
  path: '/c/v0/plant/status/all',
  feature: 'sites',
  summary: 'Number of plants in scope by state.',
  callers: plantLevels,
  input: z.object({}),
  result: counts,
});

export const detail = endpoint({
  method: 'GET',
  path: '/c/v0/plant/detail',
  feature: 'sites',
  summary: 'One plant.',
  callers: plantLevels,
  input: z.object({ stationID }),
  result: site,
  names: { stationID: 'site' },
});

export const live = endpoint({
  method: 'GET',
  path: '/c/v0/plant/live',
  feature: 'sites',
  summary: 'Powers of a plant now, by node of the flow.',
  callers: plantLevels,
  input: z.object({ stationID }),
  result: siteLive,
  names: { stationID: 'site' },
});

export const figures = endpoint({
  method: 'GET',
  path: '/c/v0/plant/figures',
  feature: 'sites',
  summary: 'Key figures of a plant: today, yesterday, month, year, total in plant-local time.',
  callers: plantLevels,
  input: z.object({ stationID }),
  result: siteFigures,
  names: { stationID: 'site' },
});

export const day = endpoint({
  method: 'GET',
  path: '/c/v0/plant/day',
  feature: 'sites',
  summary: 'Powers and state of charge of a plant-local day in five-minute means.',
  callers: plantLevels,
  input: z.object({ stationID, date: z.iso.date() }),
  result: siteDay,
  names: { stationID: 'site' },
});

export const historyReport = endpoint({
  method: 'POST',
  path: '/generic/w/v0/plant/history/report',
  feature: 'sites',
  summary: 'Energies of a plant by hour of a day, day of a month, month of a year, or year.',
  callers: plantLevels,
  reads: true,
  input: z.object({
    stationID,
    reportType,
    variables: z.array(reportVariable).check(z.minLength(1), z.maxLength(32)),
    queryDate,
  }),
  result: report,
  names: { stationID: 'site' },
});

export const devices = endpoint({
  method: 'GET',
  path: '/c/v0/plant/devices',
  feature: 'sites',
  summary: 'All devices of a plant with their dataloggers.',
  callers: plantLevels,
  input: z.object({ stationID }),
  result: z.object({
    modules: z.array(
      z.object({
        moduleSN: z.string(),
        state,
        type: z.string(),
        version: z.string(),
        signalDbm: z.nullable(z.number()),
        lastSeenMs: z.nullable(z.int()),
        intervalS: z.int(),
      }),
    ),
    devices: z.array(deviceRow),
  }),
  names: { stationID: 'site' },
});

export const siteEndpoints = { list, exportList, statusAll, detail, live, figures, day, historyReport, devices };
