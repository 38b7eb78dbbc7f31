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
export const MOST_PURCHASE_W = 5_000_000;

/** Who holds a limit of a plant: a device (an EMS unit, or its only inverter) by its own controller, or the portal. */
export const gridControllers = ['device', 'portal'] as const;
export const gridController = z.enum(gridControllers);
export type GridController = z.infer<typeof gridController>;

/**
 * Why inverters were told something. Of what is sold: `free`: nothing needs to be limited. `lowered`: more could have been sold than may be. `raised`: there
 * was room for more. `shared`: what one cannot use goes to the others. `blind`: the grid power was not known. Of what is bought: `peakBegun`: the inverter
 * is to hold the limit. `peakRaised`: more would have been bought than may be. `peakLowered`: less was needed. `peakShared`: shares follow the energy that
 * is left. `released`: nobody holds a limit any more.
 */
export const dispatchReasons = [
  'free',
  'lowered',
  'raised',
  'shared',
  'blind',
  'peakBegun',
  'peakRaised',
  'peakLowered',
  'peakShared',
  'released',
] as const;
export const dispatchReason = z.enum(dispatchReasons);
export type DispatchReason = z.infer<typeof dispatchReason>;

const watts = z.nullable(z.number());
const percent = z.nullable(z.int());

/** Why the portal cannot hold what is sold here. */
export const controlObstacles = ['noInverter', 'noGridPower', 'noRating'] as const;

/**
 * Why nobody can hold what is bought here: the plant has no battery; the inverter, or no inverter with a battery, has the settings for it; no one device
 * measures for all; an EMS unit directs the batteries; a plan that follows prices does; the grid power, or what an inverter can give, is not known.
 */
export const purchaseObstacles = [
  'noBattery',
  'noSetting',
  'noHolder',
  'directedByEms',
  'followsPlan',
  'noGridPower',
  'noRating',
] as const;
export const purchaseObstacle = z.enum(purchaseObstacles);
export type PurchaseObstacle = z.infer<typeof purchaseObstacle>;

/** Why more is bought now than may be: batteries are empty; they give all they can; it is being dealt with. */
export const purchaseShortfalls = ['empty', 'weak', 'underWay'] as const;

/**
 * What an inverter with a battery does for the limit of what is bought. `holds`: what it is told. `empty`: its battery has nothing to give. `away`: it is not
 * heard. `refused`: it refused what it was told. `own`: somebody has set it otherwise since, which counts.
 */
export const batteryParts = ['holds', 'empty', 'away', 'refused', 'own'] as const;
export const batteryPart = z.enum(batteryParts);
export type BatteryPart = z.infer<typeof batteryPart>;

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
  /** Of an inverter with a battery whose work mode can be set. */
  battery: z.nullable(
    z.object({
      socPercent: z.nullable(z.number()),
      /** + is given, - is taken. */
      powerW: watts,
      /** What it may give at most, as it said last. */
      mayGiveW: watts,
      /** What it was told and has not confirmed yet. */
      pendingW: watts,
      /** Null: the portal does not hold what is bought here. */
      part: z.nullable(batteryPart),
    }),
  ),
});
export type GridUnit = z.infer<typeof gridUnit>;

const lastStep = z.nullable(z.object({ reason: dispatchReason, atMs: z.int(), capW: watts }));

export const gridLimit = endpoint({
  method: 'GET',
  path: '/c/v0/ems/grid/limit',
  feature: 'ems',
  summary:
    'The limits at the grid point of a plant: who holds what may be sold and bought, what is, and what each inverter may give.',
  callers: readers,
  input: z.object({ stationID: z.uuid() }),
  result: z.object({
    stationID: z.string(),
    stationName: z.string(),
    ianaTimezone: z.string(),
    /** Who holds what may be sold. Null: nobody here. What inverters are set to themselves holds all the same. */
    controller: z.nullable(gridController),
    exportLimitW: watts,
    purchase: z.object({
      /** Who holds what may be bought. */
      controller: z.nullable(gridController),
      limitW: watts,
      /** Why a device, or the portal, cannot hold it here. */
      obstacles: z.object({ device: z.nullable(purchaseObstacle), portal: z.nullable(purchaseObstacle) }),
      /** Most that can be set with each. */
      mostW: z.object({ device: z.int(), portal: z.int() }),
      /** What is bought beyond the limit now, and why; null where that is not so. */
      shortfall: z.nullable(z.object({ missingW: z.number(), why: z.enum(purchaseShortfalls) })),
      last: lastStep,
    }),
    setBy: z.string(),
    setAtMs: z.nullable(z.int()),
    /** The device whose own controller can hold it, with what it says of its limits. */
    device: z.nullable(
      z.object({ deviceID: z.string(), deviceSN: z.string(), state, exportLimitW: watts, peakLimitW: watts }),
    ),
    /**
     * How often the dataloggers of the grid point and its inverters tell, the slowest of them, and within how many seconds of a change of the load the
     * portal holds a limit with that; null where they tell too seldom.
     */
    reports: z.nullable(z.object({ everyS: z.int(), holdsWithinS: z.nullable(z.int()) })),
    /** + is bought, - is sold. */
    gridW: watts,
    gridMs: z.nullable(z.int()),
    units: z.array(gridUnit),
    /** Of what is sold. */
    last: lastStep,
    obstacle: z.nullable(z.enum(controlObstacles)),
    can: z.object({ edit: z.boolean() }),
  }),
  names: { stationID: 'site' },
});

export const setGridLimit = endpoint({
  method: 'POST',
  path: '/c/v0/ems/grid/limit/set',
  feature: 'ems',
  summary: 'Lets a device or the portal hold what may be sold or bought at most at the grid point of a plant.',
  callers: operators,
  changes: ['ems'],
  input: z
    .object({
      stationID: z.uuid(),
      /** Who holds what may be sold. */
      controller: gridController,
      /** Most that may be sold, W; null: no limit. */
      exportLimitW: z.nullable(z.int().check(z.gte(0), z.lte(MOST_EXPORT_W))),
      /** Who holds what may be bought. */
      purchaseController: z._default(gridController, 'portal'),
      /** Most that may be bought, W; null: no limit. */
      purchaseLimitW: z._default(z.nullable(z.int().check(z.gte(0), z.lte(MOST_PURCHASE_W))), null),
    })
    .check(
      z.refine(({ exportLimitW, purchaseLimitW }) => exportLimitW !== null || purchaseLimitW !== null, {
        params: { reason: 'required' },
        path: ['exportLimitW'],
      }),
    ),
  result: z.object({}),
  names: { stationID: 'site' },
});

export const releaseGridLimit = endpoint({
  method: 'POST',
  path: '/c/v0/ems/grid/limit/release',
  feature: 'ems',
  summary:
    'Ends the limits at the grid point of a plant: its inverters get back what they were set to before, and give what they can.',
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
  /** What all inverters together may give; of what is bought, what their batteries have to. */
  capW: watts,
  /** Of its rating, of what is sold. */
  fromPercent: percent,
  toPercent: percent,
  /** What its battery may give, of what is bought. */
  fromW: watts,
  toW: watts,
  state: z.enum(outcomes),
});
export type Dispatch = z.infer<typeof dispatch>;

export const dispatchFields = fieldsOf(dispatch)({
  atMs: is.time,
  deviceSN: is.serial,
  fromPercent: unsorted(is.percent),
  toPercent: is.percent,
  fromW: unsorted(is.power),
  toW: is.power,
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
