import * as z from 'zod/mini';
import { commandState } from '../commands/command.ts';
import { endpoint } from '../endpoint.ts';
import { line } from '../fields.ts';
import { plantLevels } from '../sites/sites.ts';
import { followEndpoints } from './follow.ts';
import { MOST_CHARGE_PERIODS, overlapping, plan, planBounds, planPeriod, templateContent, toldPlan } from './plan.ts';
import { proposals, whatIf } from './what-if.ts';

export const MOST_PLANTS_OF_A_WRITE = 100;
export const MOST_TEMPLATES = 100;

/** Why the battery does what it does; see `plan-reason.ts` of the energy package. */
export const planReasons = [
  'gridCharge',
  'sunCharge',
  'discharge',
  'hold',
  'reached',
  'surplus',
  'deficit',
  'full',
  'empty',
  'balanced',
  'feedsFirst',
  'overFeedLimit',
  'reserveHeld',
  'reserveFilled',
  'overPeak',
  'underPeak',
  'refill',
  'otherwise',
] as const;

const watts = z.number();
const generationW = z
  .number()
  .check(
    z.describe(
      "W of PV and other generation at the AC bus: what the inverters' AC terminals give less what batteries do.",
    ),
  );

/** What was recorded last, and why the battery does it by the plan of its device. */
const now = z.object({
  atMs: z.int(),
  does: z.enum(['charges', 'discharges', 'idle']),
  why: z.enum(planReasons),
  batteryW: watts,
  socPercent: z.number(),
  generationW,
  demandW: watts,
  /** + = import. */
  gridW: watts,
  /** Place of the period that holds, and of the one after it; null: none. */
  period: z.nullable(z.int()),
  nextMs: z.nullable(z.int()),
  nextPeriod: z.nullable(z.int()),
});

/** A command that writes a plan, or a part of one. */
const written = z.object({
  commandID: z.string(),
  deviceID: z.string(),
  deviceSN: z.string(),
  state: commandState,
  code: z.nullable(z.int()),
  message: z.string(),
  createdMs: z.int(),
  waitsForDevice: z.boolean(),
});
export type Written = z.infer<typeof written>;

const price = z.nullable(z.string());
/** A minute of the plant's day from which on a price per kWh holds. */
const pricedMinute = z.object({ startMin: z.int(), price: z.string() });

export const view = endpoint({
  method: 'GET',
  path: '/c/v0/plant/workMode',
  feature: 'work-modes',
  summary:
    'Work mode of a plant: the plan of its devices, what is wanted, what the battery does now and why, today and prices.',
  callers: plantLevels,
  input: z.object({ stationID: z.uuid() }),
  result: z.object({
    stationName: z.string(),
    ianaTimezone: z.string(),
    currency: z.string(),
    capacityWh: z.nullable(z.number()),
    /** What takes the plan: the EMS, or the inverters with batteries; empty: nothing does. */
    devices: z.array(
      z.object({ deviceID: z.string(), deviceSN: z.string(), kind: z.enum(['ems', 'inverter']), online: z.boolean() }),
    ),
    /** As its device has it; null: not told yet. Of several the first one's. */
    reported: z.nullable(toldPlan),
    reportedMs: z.nullable(z.int()),
    /** Several devices that have different plans. */
    differs: z.boolean(),
    /** As it was written here last. */
    wanted: z.nullable(toldPlan),
    /** Open commands and those of the last ten minutes, the newest first. */
    commands: z.array(written),
    now: z.nullable(now),
    today: z.object({
      startMs: z.int(),
      endMs: z.int(),
      /** Every five minutes: time, state of charge, generation, consumption; null: not known. */
      recorded: z.array(z.tuple([z.int(), z.nullable(z.number()), z.nullable(watts), z.nullable(watts)])),
      /** What is expected until midnight, by quarter of an hour. */
      expected: z.array(z.object({ tsMs: z.int(), generationW, demandW: watts })),
    }),
    /** Per kWh, by quarter of an hour from midnight on. */
    prices: z.array(z.object({ tsMs: z.int(), purchase: price, feedIn: price })),
    /** Of tomorrow, once all its prices of purchase are known and differ: the first of the cheapest and of the dearest quarters. */
    tomorrow: z.nullable(z.object({ cheapest: pricedMinute, dearest: pricedMinute })),
    limits: z.object({
      chargeW: watts,
      dischargeW: watts,
      capacityWh: z.number(),
      efficiencyPercent: z.number(),
      /** Whether capacity and efficiency were measured by the record of the battery. */
      isMeasured: z.boolean(),
    }),
    /** What its devices let be written; what lies beyond is refused. */
    bounds: planBounds,
    can: z.object({ write: z.boolean() }),
  }),
  names: { stationID: 'site' },
});
export type WorkMode = z.output<typeof view.result>;

/**
 * What became of a plant of a write. `same`: all its devices have this plan; `noTaker`: none takes one; `underWay`: one is being written; `beyondBounds`: one of
 * them does not let it be written, or not so.
 */
const outcomeOfPlant = z.object({
  stationID: z.string(),
  stationName: z.string(),
  commands: z.int(),
  obstacle: z.nullable(z.enum(['same', 'noTaker', 'underWay', 'beyondBounds'])),
});

export const write = endpoint({
  method: 'POST',
  path: '/c/v0/plant/workMode/write',
  feature: 'work-modes',
  summary: 'Writes a plan to the devices of a plant, and of others, to each all or nothing.',
  callers: plantLevels,
  changes: ['work-modes', 'devices'],
  input: z.object({
    stationID: z.uuid(),
    plan,
    others: z._default(z.array(z.uuid()).check(z.maxLength(MOST_PLANTS_OF_A_WRITE - 1)), []),
  }),
  result: z.object({ plants: z.array(outcomeOfPlant) }),
  names: { stationID: 'site' },
});

export const template = z.object({
  templateID: z.string(),
  name: z.string(),
  content: templateContent,
  by: z.string(),
  can: z.object({ remove: z.boolean() }),
});
export type Template = z.infer<typeof template>;

export const templates = endpoint({
  method: 'GET',
  path: '/c/v0/workMode/templates',
  feature: 'work-modes',
  summary: 'Templates of plans: of the own organisation and those above it, or the own ones of an end user.',
  callers: plantLevels,
  input: z.object({}),
  result: z.object({ templates: z.array(template) }),
});

export const addTemplate = endpoint({
  method: 'POST',
  path: '/c/v0/workMode/templates/add',
  feature: 'work-modes',
  summary: 'Keeps a plan as a template; one of this name becomes what is sent.',
  callers: plantLevels,
  changes: ['work-modes'],
  input: z.object({ name: line(64, 1), content: templateContent }),
  result: z.object({ templateID: z.string() }),
});

export const removeTemplate = endpoint({
  method: 'POST',
  path: '/c/v0/workMode/templates/remove',
  feature: 'work-modes',
  summary: 'Removes a template.',
  callers: plantLevels,
  changes: ['work-modes'],
  input: z.object({ templateID: z.uuid() }),
  result: z.object({}),
  names: { templateID: 'workModeTemplate' },
});

const chargePeriods = z.array(planPeriod).check(
  z.maxLength(MOST_CHARGE_PERIODS),
  z.refine((periods) => overlapping(periods).length === 0, 'periodsOverlap'),
  z.refine((periods) => periods.every(({ action }) => action === 'gridCharge'), 'invalid'),
);

export const writeCharge = endpoint({
  method: 'POST',
  path: '/c/v0/plant/workMode/charge',
  feature: 'work-modes',
  summary: 'Writes the two charge periods of an inverter; its other periods stay as they are.',
  callers: plantLevels,
  changes: ['work-modes', 'devices'],
  input: z.object({ deviceID: z.uuid(), periods: chargePeriods }),
  result: z.object({ commandID: z.string() }),
  names: { deviceID: 'device' },
});

export const charge = endpoint({
  method: 'GET',
  path: '/c/v0/plant/workMode/charge',
  feature: 'work-modes',
  summary: 'Charge periods of the devices of a plant that take plans, with the other periods that they have.',
  callers: plantLevels,
  input: z.object({ stationID: z.uuid() }),
  result: z.object({
    stationName: z.string(),
    devices: z.array(
      z.object({
        deviceID: z.string(),
        deviceSN: z.string(),
        online: z.boolean(),
        /** Null: the device has not told its plan. */
        plan: z.nullable(toldPlan),
        commands: z.array(written),
      }),
    ),
    can: z.object({ write: z.boolean() }),
  }),
  names: { stationID: 'site' },
});

export const workModeEndpoints = {
  view,
  whatIf,
  proposals,
  write,
  templates,
  addTemplate,
  removeTemplate,
  charge,
  writeCharge,
  ...followEndpoints,
};
