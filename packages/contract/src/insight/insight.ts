import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { plantDay } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { paged, paging, sortedBy } from '../lists.ts';
import { lossReason } from '../losses/reasons.ts';
import { siteRow } from '../sites/site.ts';
import { siteCondition } from '../sites/site-condition.ts';
import { plantLevels } from '../sites/sites.ts';
import { dayEvidence } from './evidence.ts';
import { pauseReason } from './pauses.ts';

const operators = [2, 3, 4, 255] as const satisfies readonly Level[];
const stationID = z.uuid();
const named = { names: { stationID: 'site' } } as const;

export const evidence = endpoint({
  method: 'GET',
  path: '/c/v0/plant/insight',
  feature: 'insight',
  summary:
    'A plant-local day against what the plant could have given: curve, neighbours, loss, reasons and what spoke against others.',
  callers: plantLevels,
  input: z.object({ stationID, date: z.optional(plantDay()) }),
  result: dayEvidence,
  ...named,
});

/** Days after which what was put off comes back, where nobody says another. */
export const PAUSE_DAYS = 14;
export const LONGEST_PAUSE_DAYS = 366;

export const pause = endpoint({
  method: 'POST',
  path: '/c/v0/plant/insight/pause',
  feature: 'insight',
  summary:
    'Leaves a plant out of what needs attention until a day of its clock, or until it loses twice as much. What its owner puts off is put off for the owner alone.',
  callers: plantLevels,
  changes: ['insight', 'fleet'],
  input: z.object({ stationID, reason: pauseReason, until: plantDay() }),
  result: z.object({}),
  ...named,
});

export const resume = endpoint({
  method: 'POST',
  path: '/c/v0/plant/insight/resume',
  feature: 'insight',
  summary: 'Takes back that a plant was put off.',
  callers: plantLevels,
  changes: ['insight', 'fleet'],
  input: z.object({ stationID }),
  result: z.object({}),
  ...named,
});

/** Days that are shown where no period is named: whole days up to yesterday. */
export const DEV_OPS_DAYS = 30;
/** The longest period. */
export const MOST_DEV_OPS_DAYS = 800;

/** A plant over a period, in the terms of IEC 61724-1. Energies in Wh, rates in percent; `null` = not known. */
export const devOpsRow = z.extend(
  z.pick(siteRow, {
    stationID: true,
    name: true,
    state: true,
    city: true,
    country: true,
    ianaTimezone: true,
    systemCapacity: true,
    updatedAtMs: true,
    intervalS: true,
  }),
  {
    performanceRatio: z.nullable(z.number()),
    /** kWh/kWp over the period. */
    specificYield: z.nullable(z.number()),
    /** Median of the plants within 50 km over the same days; `null` where fewer than five of them are known. */
    peersYield: z.nullable(z.number()),
    /** How many these are. */
    peers: z.int(),
    /** Far from the middle of its neighbours: more than 2.5 times their usual distance from it. */
    outlier: z.nullable(z.enum(['low', 'high'])),
    availability: z.nullable(z.number()),
    completeness: z.nullable(z.number()),
    actualWh: z.nullable(z.number()),
    expectedWh: z.nullable(z.number()),
    lossWh: z.nullable(z.number()),
    lossMoney: z.nullable(z.string()),
    currency: z.string(),
    /** What cost most within the last seven days. */
    reason: z.nullable(lossReason),
    /** Days of the period that were reckoned. */
    days: z.int(),
    /** Its history is still coming or its figures are made anew, so that all of this may change. */
    isPreliminary: z.boolean(),
  },
);
export type DevOpsRow = z.infer<typeof devOpsRow>;

export const devOpsFields = fieldsOf(devOpsRow)({
  name: is.text,
  state: is.state,
  city: is.text,
  country: is.country,
  systemCapacity: is.capacity,
  performanceRatio: is.percent,
  specificYield: is.specificYield,
  peersYield: unsorted(is.specificYield),
  outlier: unsorted(is.choice('insight.outlier', ['low', 'high'])),
  availability: is.percent,
  completeness: is.percent,
  actualWh: is.energy,
  expectedWh: is.energy,
  lossWh: is.energy,
  lossMoney: is.own,
  currency: unsorted(is.text),
  reason: is.own,
  updatedAtMs: is.time,
});

/** The period in plant-local days, both included. */
const devOpsCondition = z.extend(siteCondition, { first: z.optional(plantDay()), last: z.optional(plantDay()) });

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/plant/devOps/list',
  feature: 'insight',
  summary:
    'Performance ratio, specific yield against the neighbours, availability, completeness and loss of plants in scope over a period, by page, filter and order.',
  callers: operators,
  reads: true,
  list: { rows: 'plants', key: 'stationID', fields: devOpsFields },
  input: z.object({
    ...paging,
    condition: z._default(devOpsCondition, { status: 0, contentType: 0, content: '' }),
    sort: sortedBy(devOpsFields, 'lossWh', 'desc'),
  }),
  result: z.object({ ...paged, plants: z.array(devOpsRow) }),
});

export const exportList = exportOf(list);

export const degradation = endpoint({
  method: 'GET',
  path: '/c/v0/plant/degradation',
  feature: 'insight',
  summary: 'How much less a plant gives each year, with its confidence; known where two years are stored.',
  callers: plantLevels,
  input: z.object({ stationID }),
  result: z.object({
    /** Days that are known, and those that it takes. */
    days: z.int(),
    daysNeeded: z.int(),
    /** Share a year, negative = less; with its intervals of 68.2 and 95 %. */
    found: z.nullable(
      z.object({
        perYear: z.number(),
        low68: z.number(),
        high68: z.number(),
        low95: z.number(),
        high95: z.number(),
        pairs: z.int(),
      }),
    ),
  }),
  ...named,
});

export const insightEndpoints = { evidence, pause, resume, list, exportList, degradation };
