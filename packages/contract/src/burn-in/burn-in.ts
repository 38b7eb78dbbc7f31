import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line } from '../fields.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { runStates, unitStates } from './moves.ts';
import { burnInLimits, failReasons, inOrder, loadStep, MOST_UNITS, planFacts } from './plan.ts';
import {
  alarmFields,
  alarmRow,
  boardUnit,
  figure,
  planFields,
  planRow,
  runFields,
  runRow,
  unitAlarm,
  unitFields,
  unitPlace,
  unitRow,
  unitSn,
  verdict,
} from './rows.ts';

const makers = [255] as const satisfies readonly Level[];

const id = z.uuid();

const states = <const S extends readonly string[]>(all: S) =>
  z.optional(z.array(z.enum(all)).check(z.maxLength(all.length)));

/** Serial numbers on a rack without its empty positions. */
const placed = (sns: readonly string[]): string[] => sns.filter((sn) => sn !== '');

export const planList = endpoint({
  method: 'POST',
  path: '/c/v0/aging/plan/list',
  feature: 'burn-in',
  summary: 'Plans of burn-in runs: how long, with what load, within which limits.',
  callers: makers,
  reads: true,
  input: z.object({ ...paging, condition: filteredBy({}), sort: sortedBy(planFields, 'name') }),
  list: { rows: 'plans', key: 'planID', fields: planFields, texts: 'burn-in.plans' },
  result: z.object({ ...paged, plans: z.array(planRow) }),
});

export const plans = endpoint({
  method: 'POST',
  path: '/c/v0/aging/plan/choose',
  feature: 'burn-in',
  summary: 'Plans to choose from.',
  callers: makers,
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

export const planAdd = endpoint({
  method: 'POST',
  path: '/c/v0/aging/plan/add',
  feature: 'burn-in',
  summary: 'Keeps a plan of burn-in runs.',
  callers: makers,
  changes: ['burn-in'],
  input: z.object(planFacts).check(...inOrder),
  result: z.object({}),
});

export const planEdit = endpoint({
  method: 'POST',
  path: '/c/v0/aging/plan/edit',
  feature: 'burn-in',
  summary: 'Changes a plan. Runs that have begun keep what they began with; those that are planned follow.',
  callers: makers,
  changes: ['burn-in'],
  input: z.object({ planID: id, ...planFacts }).check(...inOrder),
  result: z.object({}),
  names: { planID: 'burnInPlan' },
});

export const planRemove = endpoint({
  method: 'POST',
  path: '/c/v0/aging/plan/delete',
  feature: 'burn-in',
  summary: 'Deletes a plan. Runs that were made with it keep what it said.',
  callers: makers,
  changes: ['burn-in'],
  input: z.object({ planID: id }),
  result: z.object({}),
  names: { planID: 'burnInPlan' },
});

export const batches = endpoint({
  method: 'POST',
  path: '/c/v0/aging/batch/choose',
  feature: 'burn-in',
  summary: 'Batches of inverters to choose from.',
  callers: makers,
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/aging/run/list',
  feature: 'burn-in',
  summary: 'Burn-in runs, by page, filter and order.',
  callers: makers,
  reads: true,
  input: z.object({
    ...paging,
    condition: filteredBy({ states: states(runStates), batchID: z.optional(id) }),
    sort: sortedBy(runFields, 'createdMs', 'desc'),
  }),
  list: { rows: 'runs', key: 'runID', fields: runFields },
  result: z.object({ ...paged, runs: z.array(runRow) }),
});

export const exportList = exportOf(list);

export const runs = endpoint({
  method: 'POST',
  path: '/c/v0/aging/run/choose',
  feature: 'burn-in',
  summary: 'Runs to choose from.',
  callers: makers,
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

export const board = endpoint({
  method: 'POST',
  path: '/c/v0/aging/run/board',
  feature: 'burn-in',
  summary: 'The rack of a run: each of its units now, and the load that is asked for.',
  callers: makers,
  reads: true,
  input: z.object({ runID: id }),
  result: z.object({
    run: runRow,
    nowMs: z.int(),
    steps: z.array(loadStep),
    limits: burnInLimits,
    /** The load now, of the rated power, and until when; null where the run does not run. */
    step: z.nullable(z.object({ index: z.int(), percent: z.number(), endsMs: z.int() })),
    units: z.array(boardUnit),
  }),
  names: { runID: 'burnInRun' },
});

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/aging/run/add',
  feature: 'burn-in',
  summary: `Plans a run: a rack, the serial numbers on its positions (at most ${MOST_UNITS}; an empty text leaves one empty), a plan, and the batch or its number.`,
  callers: makers,
  changes: ['burn-in'],
  input: z.object({
    planID: id,
    rack: line(40, 1),
    batchID: z.optional(z.nullable(id)),
    /** Where the batch is not listed yet. */
    batchNumber: z._default(line(64), ''),
    setsLoad: z._default(z.boolean(), false),
    sns: z
      .array(unitPlace)
      .check(z.minLength(1), z.maxLength(MOST_UNITS))
      .check(
        z.refine((sns: readonly string[]) => sns.length === 0 || placed(sns).length > 0, { error: 'empty' }),
        z.refine(
          (sns: readonly string[]) => new Set(placed(sns).map((sn) => sn.toUpperCase())).size === placed(sns).length,
          { error: 'duplicate' },
        ),
      ),
  }),
  result: z.object({ runID: z.string() }),
  names: { planID: 'burnInPlan' },
});

export const start = endpoint({
  method: 'POST',
  path: '/c/v0/aging/run/start',
  feature: 'burn-in',
  summary: 'Starts a planned run with what its plan says now.',
  callers: makers,
  changes: ['burn-in'],
  input: z.object({ runID: id }),
  result: z.object({}),
  names: { runID: 'burnInRun' },
});

export const abort = endpoint({
  method: 'POST',
  path: '/c/v0/aging/run/abort',
  feature: 'burn-in',
  summary: 'Aborts a run; units that have a verdict keep it.',
  callers: makers,
  changes: ['burn-in'],
  input: z.object({ runID: id, reason: line(200, 1) }),
  result: z.object({}),
  names: { runID: 'burnInRun' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/aging/run/delete',
  feature: 'burn-in',
  summary: 'Deletes a run that has never begun.',
  callers: makers,
  changes: ['burn-in'],
  input: z.object({ runID: id }),
  result: z.object({}),
  names: { runID: 'burnInRun' },
});

const ofUnit = { runID: id, sn: unitSn };

export const removeUnit = endpoint({
  method: 'POST',
  path: '/c/v0/aging/unit/remove',
  feature: 'burn-in',
  summary: 'Takes a unit off the rack before it has a verdict.',
  callers: makers,
  changes: ['burn-in'],
  input: z.object({ ...ofUnit, reason: line(200, 1) }),
  result: z.object({}),
  names: { runID: 'burnInRun' },
});

export const settleLoad = endpoint({
  method: 'POST',
  path: '/c/v0/aging/unit/load/settle',
  feature: 'burn-in',
  summary: 'Says that somebody has seen to it that a unit may give all its power again; the portal tells it no more.',
  callers: makers,
  changes: ['burn-in'],
  input: z.object(ofUnit),
  result: z.object({}),
  names: { runID: 'burnInRun' },
});

const ofRuns = { runID: z.optional(id), batchID: z.optional(id) };

export const unitList = endpoint({
  method: 'POST',
  path: '/c/v0/aging/unit/list',
  feature: 'burn-in',
  summary: 'Units of burn-in runs with their results, by page, filter and order.',
  callers: makers,
  reads: true,
  input: z.object({
    ...paging,
    condition: filteredBy({ states: states(unitStates), ...ofRuns }),
    sort: sortedBy(unitFields, 'startedMs', 'desc'),
  }),
  list: { rows: 'units', key: 'unitID', fields: unitFields, texts: 'burn-in.results' },
  result: z.object({ ...paged, units: z.array(unitRow) }),
});

export const exportUnits = exportOf(unitList);

const bin = z.object({ from: z.number(), to: z.number(), count: z.int() });

export const report = endpoint({
  method: 'POST',
  path: '/c/v0/aging/report',
  feature: 'burn-in',
  summary: 'What burn-in runs came to: units, first-pass yield, reasons of failures, temperatures and efficiencies.',
  callers: makers,
  reads: true,
  input: z.object(ofRuns),
  result: z.object({
    runs: z.int(),
    units: z.int(),
    passed: z.int(),
    failed: z.int(),
    /** Units whose first verdict this holds, and those of them that passed. */
    first: z.int(),
    firstPassed: z.int(),
    /** The most frequent first. */
    reasons: z.array(z.object({ reason: z.enum(failReasons), count: z.int() })),
    temperatures: z.array(bin),
    efficiencies: z.array(bin),
  }),
});

export const unit = endpoint({
  method: 'POST',
  path: '/c/v0/aging/unit/detail',
  feature: 'burn-in',
  summary: 'The result of a unit in a run: each limit with its worst value, its curves and its alarms.',
  callers: makers,
  reads: true,
  input: z.object(ofUnit),
  result: z.object({
    run: runRow,
    unit: unitRow,
    /** Null where the device is no more, or was never seen. */
    deviceID: z.nullable(z.string()),
    ratedPowerW: figure,
    removeReason: z.string(),
    reasonValue: figure,
    /** Of the time of the run that was recorded, percent; null while it runs. */
    coveragePercent: figure,
    /** It is over, and still limited to what the run told it, percent. */
    stillPercent: figure,
    verdicts: z.array(verdict),
    alarms: z.array(unitAlarm),
    curve: z.object({
      startMs: z.int(),
      endMs: z.int(),
      timesMs: z.array(z.int()),
      powerW: z.array(figure),
      askedW: z.array(figure),
      temperatureC: z.array(figure),
      voltageV: z.array(figure),
    }),
    can: z.object({ remove: z.boolean(), settle: z.boolean() }),
  }),
  names: { runID: 'burnInRun' },
});

export const alarmList = endpoint({
  method: 'POST',
  path: '/c/v0/aging/alarm/list',
  feature: 'burn-in',
  summary: 'Alarms of units while they were in a run, by page, filter and order.',
  callers: makers,
  reads: true,
  input: z.object({
    ...paging,
    condition: filteredBy({
      levels: z.optional(z.array(z.int().check(z.gte(1), z.lte(4))).check(z.maxLength(4))),
      ...ofRuns,
    }),
    sort: sortedBy(alarmFields, 'sinceMs', 'desc'),
  }),
  list: { rows: 'alarms', key: 'alarmID', fields: alarmFields, texts: 'burn-in.alarms' },
  result: z.object({ ...paged, alarms: z.array(alarmRow) }),
});

export const exportAlarms = exportOf(alarmList);

export const certificate = endpoint({
  method: 'POST',
  path: '/c/v0/aging/unit/certificate',
  feature: 'burn-in',
  summary: 'The certificate of a unit that has passed or failed, a page of PDF in the language of the caller.',
  callers: makers,
  reads: true,
  file: true,
  input: z.object(ofUnit),
  result: z.null(),
  names: { runID: 'burnInRun' },
});

export const runReport = endpoint({
  method: 'POST',
  path: '/c/v0/aging/run/report',
  feature: 'burn-in',
  summary: 'The report of a run that is over as PDF, in the language of the caller.',
  callers: makers,
  reads: true,
  file: true,
  input: z.object({ runID: id }),
  result: z.null(),
  names: { runID: 'burnInRun' },
});

export const burnInEndpoints = {
  planList,
  plans,
  planAdd,
  planEdit,
  planRemove,
  batches,
  list,
  exportList,
  runs,
  board,
  add,
  start,
  abort,
  remove,
  removeUnit,
  settleLoad,
  unitList,
  exportUnits,
  report,
  unit,
  alarmList,
  exportAlarms,
  certificate,
  runReport,
} as const;
