import * as z from 'zod/mini';
import { commandStates } from '../commands/command.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { state } from '../status.ts';

const readers = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const operators = [2, 3, 4, 255] as const satisfies readonly Level[];

export const MOST_EXPORT_W = 5_000_000;

/** Who holds the export limit of a plant: a device (an EMS unit, or its only inverter) by its own controller, or the portal. */
export const gridControllers = ['device', 'portal'] as const;
export const gridController = z.enum(gridControllers);
export type GridController = z.infer<typeof gridController>;

/**
 * Why limits of inverters were set. `free`: nothing needs to be limited. `lowered`: more could have been sold than may be. `raised`: there was room for
 * more. `shared`: what one cannot use goes to the others. `blind`: the grid power was not known. `released`: nobody holds a limit any more.
 */
export const dispatchReasons = ['free', 'lowered', 'raised', 'shared', 'blind', 'released'] as const;
export const dispatchReason = z.enum(dispatchReasons);
export type DispatchReason = z.infer<typeof dispatchReason>;

const watts = z.nullable(z.number());
const percent = z.nullable(z.int());

/** Why the portal cannot hold a limit here. */
export const controlObstacles = ['noInverter', 'noGridPower', 'noRating'] as const;

const gridUnit = z.object({
  deviceID: z.string(),
  deviceSN: z.string(),
  deviceType: z.string(),
  state,
  ratedW: watts,
  powerW: watts,
  /** Share of its rating that it may give, as it said last. */
  limitPercent: percent,
  /** What it was told and has not confirmed yet. */
  pendingPercent: percent,
  updatedAtMs: z.nullable(z.int()),
});
export type GridUnit = z.infer<typeof gridUnit>;

export const gridLimit = endpoint({
  method: 'GET',
  path: '/c/v0/ems/grid/limit',
  feature: 'ems',
  summary: 'The limit at the grid point of a plant: who holds it, what is sold now, and what each inverter may give.',
  callers: readers,
  input: z.object({ stationID: z.uuid() }),
  result: z.object({
    stationID: z.string(),
    stationName: z.string(),
    ianaTimezone: z.string(),
    /** Null: nobody here. What inverters are set to themselves holds all the same. */
    controller: z.nullable(gridController),
    exportLimitW: watts,
    setBy: z.string(),
    setAtMs: z.nullable(z.int()),
    /** The device whose own controller can hold it, with what it says of its limits. */
    device: z.nullable(
      z.object({ deviceID: z.string(), deviceSN: z.string(), state, exportLimitW: watts, peakLimitW: watts }),
    ),
    /** + is bought, - is sold. */
    gridW: watts,
    gridMs: z.nullable(z.int()),
    units: z.array(gridUnit),
    last: z.nullable(z.object({ reason: dispatchReason, atMs: z.int(), capW: watts })),
    obstacle: z.nullable(z.enum(controlObstacles)),
    can: z.object({ edit: z.boolean() }),
  }),
  names: { stationID: 'site' },
});

export const setGridLimit = endpoint({
  method: 'POST',
  path: '/c/v0/ems/grid/limit/set',
  feature: 'ems',
  summary: 'Lets a device or the portal hold an export limit at the grid point of a plant.',
  callers: operators,
  changes: ['ems'],
  input: z.object({
    stationID: z.uuid(),
    controller: gridController,
    exportLimitW: z.int().check(z.gte(0), z.lte(MOST_EXPORT_W)),
  }),
  result: z.object({}),
  names: { stationID: 'site' },
});

export const releaseGridLimit = endpoint({
  method: 'POST',
  path: '/c/v0/ems/grid/limit/release',
  feature: 'ems',
  summary:
    'Ends the limit that the portal holds at the grid point of a plant: its inverters are told to give what they can.',
  callers: operators,
  changes: ['ems'],
  input: z.object({ stationID: z.uuid() }),
  result: z.object({}),
  names: { stationID: 'site' },
});

/** What became of a step: as its command ended, or `unknown` where that is no longer kept. */
const outcomes = [...commandStates, 'unknown'] as const;

export const dispatch = z.object({
  dispatchID: z.string(),
  atMs: z.int(),
  deviceID: z.string(),
  deviceSN: z.string(),
  reason: dispatchReason,
  /** At the grid point, + bought. */
  gridW: watts,
  /** What all inverters together may give. */
  capW: watts,
  fromPercent: percent,
  toPercent: z.int(),
  state: z.enum(outcomes),
});
export type Dispatch = z.infer<typeof dispatch>;

export const dispatchFields = fieldsOf(dispatch)({
  atMs: is.time,
  deviceSN: is.serial,
  fromPercent: unsorted(is.percent),
  toPercent: is.percent,
  reason: is.choice('ems.reason', dispatchReasons),
  gridW: is.power,
  capW: is.power,
  state: unsorted(is.choice('ems.outcomes', outcomes)),
});

export const dispatches = endpoint({
  method: 'POST',
  path: '/c/v0/ems/dispatch/list',
  feature: 'ems',
  summary:
    'Steps of the portal at the grid points of plants in scope, or of one plant, each with its reason. Kept for 90 days.',
  callers: readers,
  reads: true,
  list: { rows: 'data', key: 'dispatchID', fields: dispatchFields },
  input: z.object({
    ...paging,
    condition: filteredBy({ stationID: z.optional(z.uuid()) }),
    sort: sortedBy(dispatchFields, 'atMs', 'desc'),
  }),
  result: z.object({ ...paged, data: z.array(dispatch) }),
});

export const exportDispatches = exportOf(dispatches);

export const emsEndpoints = { gridLimit, setGridLimit, releaseGridLimit, dispatches, exportDispatches };
