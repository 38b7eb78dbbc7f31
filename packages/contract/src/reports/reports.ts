import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import {
  daysInOrder,
  hasThings,
  MOST_REPORTED,
  reported,
  reportedDays,
  reportFormats,
  reportIntervals,
  reportName,
  reportPreview,
  reportRow,
  reportVariable,
  rhythm,
  scheduleRhythms,
  scheduleRow,
} from './report.ts';
import { reportStates } from './report-moves.ts';

const reporters = [3, 4, 10, 255] as const satisfies readonly Level[];
/** Reports that one call removes or cancels. */
export const MOST_REPORTS_AT_ONCE = 200;

export const reportFields = fieldsOf(reportRow)({
  name: is.text,
  state: is.choice('reports.state', reportStates),
  interval: unsorted(is.choice('reports.interval', reportIntervals)),
  askedMs: is.time,
  finishedMs: unsorted(is.time),
  keptUntilMs: unsorted(is.time),
  rows: is.count,
  bytes: is.own,
  account: unsorted(is.text),
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/report/list',
  feature: 'reports',
  summary: 'Reports that the caller has asked for, the newest first; administrators see those of all.',
  callers: reporters,
  code: 'report:query',
  reads: true,
  list: { rows: 'reports', key: 'reportID', fields: reportFields },
  input: z.object({
    ...paging,
    condition: filteredBy({
      states: z.optional(z.array(z.enum(reportStates)).check(z.maxLength(reportStates.length))),
      /** `mine` where it is not said. */
      whose: z.optional(z.enum(['mine', 'all'])),
    }),
    sort: sortedBy(reportFields, 'askedMs', 'desc'),
  }),
  result: z.object({ ...paged, reports: z.array(reportRow) }),
});
export const exportList = exportOf(list);

export const detail = endpoint({
  method: 'GET',
  path: '/c/v0/report/detail',
  feature: 'reports',
  summary: 'A report with what was asked for.',
  callers: reporters,
  code: 'report:query',
  input: z.object({ id: z.uuid() }),
  result: z.object({ report: reportRow, ...reported, ...reportedDays }),
  names: { id: 'report' },
});

export const variables = endpoint({
  method: 'POST',
  path: '/c/v0/report/variables',
  feature: 'reports',
  summary: 'What a report can hold of some devices: numbers that the catalogue knows of their kinds.',
  callers: reporters,
  code: 'report:query',
  reads: true,
  input: z.object({ deviceIDs: z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_REPORTED)) }),
  result: z.object({ variables: z.array(reportVariable) }),
  names: { deviceIDs: 'device' },
});

export const plants = endpoint({
  method: 'POST',
  path: '/c/v0/report/plants',
  feature: 'reports',
  summary: 'Plants in scope that match a text, of which a report can tell.',
  callers: reporters,
  code: 'report:query',
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

export const preview = endpoint({
  method: 'POST',
  path: '/c/v0/report/preview',
  feature: 'reports',
  summary: 'The first rows of a report, how large it becomes and how long that takes; nothing is made.',
  callers: reporters,
  code: 'report:query',
  reads: true,
  input: z.object({ ...reported, ...reportedDays }).check(hasThings, daysInOrder),
  result: reportPreview,
  names: { deviceIDs: 'device', stationIDs: 'site' },
});

export const create = endpoint({
  method: 'POST',
  path: '/c/v0/report/create',
  feature: 'reports',
  summary: 'Asks for a report of devices or plants over up to 15 days, which is made in the background.',
  callers: reporters,
  code: 'report:export',
  changes: ['reports'],
  input: z.object({ name: reportName, ...reported, ...reportedDays }).check(hasThings, daysInOrder),
  result: z.object({ reportID: z.string() }),
  names: { deviceIDs: 'device', stationIDs: 'site' },
});

const ids = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_REPORTS_AT_ONCE));
const done = z.object({ done: z.int() });

export const cancel = endpoint({
  method: 'POST',
  path: '/c/v0/report/cancel',
  feature: 'reports',
  summary: 'Cancels reports that wait or are made.',
  callers: reporters,
  code: 'report:export',
  changes: ['reports'],
  input: z.object({ ids }),
  result: done,
  names: { ids: 'report' },
});

export const retry = endpoint({
  method: 'POST',
  path: '/c/v0/report/retry',
  feature: 'reports',
  summary: 'Has a report made again that failed or was cancelled.',
  callers: reporters,
  code: 'report:export',
  changes: ['reports'],
  input: z.object({ id: z.uuid() }),
  result: z.object({}),
  names: { id: 'report' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/report/delete',
  feature: 'reports',
  summary: 'Deletes reports and their files.',
  callers: reporters,
  code: 'report:export',
  changes: ['reports'],
  input: z.object({ ids }),
  result: done,
  names: { ids: 'report' },
});

export const download = endpoint({
  method: 'POST',
  path: '/c/v0/report/download',
  feature: 'reports',
  summary: 'A completed report as a CSV, XLSX or Parquet file.',
  callers: reporters,
  code: 'report:export',
  reads: true,
  file: true,
  input: z.object({ id: z.uuid(), format: z._default(z.enum(reportFormats), 'csv') }),
  result: z.null(),
  names: { id: 'report' },
});

export const scheduleFields = fieldsOf(scheduleRow)({
  name: is.text,
  interval: unsorted(is.choice('reports.interval', reportIntervals)),
  every: is.choice('reports.every', scheduleRhythms),
  at: is.own,
  nextMs: is.time,
  lastMs: is.time,
});

export const scheduleList = endpoint({
  method: 'POST',
  path: '/c/v0/report/schedule/list',
  feature: 'reports',
  summary: 'Schedules by which the caller has reports made, those first that are due next.',
  callers: reporters,
  code: 'report:query',
  reads: true,
  list: { rows: 'schedules', key: 'scheduleID', fields: scheduleFields, texts: 'reports.schedules' },
  input: z.object({ ...paging, condition: filteredBy({}), sort: sortedBy(scheduleFields, 'nextMs') }),
  result: z.object({ ...paged, schedules: z.array(scheduleRow) }),
});
export const exportSchedules = exportOf(scheduleList);

const repeated = { name: reportName, ...reported, ...rhythm };

export const scheduleAdd = endpoint({
  method: 'POST',
  path: '/c/v0/report/schedule/add',
  feature: 'reports',
  summary: 'Has a report made again and again, of the day, the week or the month before.',
  callers: reporters,
  code: 'report:export',
  changes: ['reports'],
  input: z.object(repeated).check(hasThings),
  result: z.object({ scheduleID: z.string(), nextMs: z.int() }),
  names: { deviceIDs: 'device', stationIDs: 'site' },
});

export const scheduleEdit = endpoint({
  method: 'POST',
  path: '/c/v0/report/schedule/edit',
  feature: 'reports',
  summary: 'Changes the name of a schedule, and when its reports are made.',
  callers: reporters,
  code: 'report:export',
  changes: ['reports'],
  input: z.object({ id: z.uuid(), name: reportName, ...rhythm }),
  result: z.object({ nextMs: z.nullable(z.int()) }),
  names: { id: 'reportSchedule' },
});

export const schedulePause = endpoint({
  method: 'POST',
  path: '/c/v0/report/schedule/pause',
  feature: 'reports',
  summary: 'Pauses a schedule, or lets it go on; what was due meanwhile is not made up for.',
  callers: reporters,
  code: 'report:export',
  changes: ['reports'],
  input: z.object({ id: z.uuid(), isPaused: z.boolean() }),
  result: z.object({}),
  names: { id: 'reportSchedule' },
});

export const scheduleRemove = endpoint({
  method: 'POST',
  path: '/c/v0/report/schedule/delete',
  feature: 'reports',
  summary: 'Ends a schedule; what it had made stays.',
  callers: reporters,
  code: 'report:export',
  changes: ['reports'],
  input: z.object({ id: z.uuid() }),
  result: z.object({}),
  names: { id: 'reportSchedule' },
});

export const reportEndpoints = {
  list,
  exportList,
  detail,
  variables,
  plants,
  preview,
  create,
  cancel,
  retry,
  remove,
  download,
  scheduleList,
  exportSchedules,
  scheduleAdd,
  scheduleEdit,
  schedulePause,
  scheduleRemove,
} as const;
