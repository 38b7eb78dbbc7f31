import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { plantDay } from '../fields.ts';
import type { Level } from '../levels.ts';
import { paged, paging, sortedBy } from '../lists.ts';
import { counts } from '../status.ts';
import { site, siteDay, siteFields, siteFigures, siteLive, siteRow } from './site.ts';
import { siteCondition } from './site-condition.ts';
import { siteMoney } from './site-money.ts';

export const plantLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const stationID = z.uuid();

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

export const money = endpoint({
  method: 'GET',
  path: '/c/v0/plant/money',
  feature: 'sites',
  summary: 'What a plant saved, earned and paid on the running local day.',
  callers: plantLevels,
  input: z.object({ stationID }),
  result: siteMoney,
  names: { stationID: 'site' },
});

export const day = endpoint({
  method: 'GET',
  path: '/c/v0/plant/day',
  feature: 'sites',
  summary: 'Powers and state of charge of a plant-local day in five-minute means.',
  callers: plantLevels,
  input: z.object({ stationID, date: plantDay() }),
  result: siteDay,
  names: { stationID: 'site' },
});
