import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line, text } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { chargingTimes } from './charging-times.ts';

const readers = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const owners = [1] as const satisfies readonly Level[];

export const MOST_PILES_OF_A_SITE = 10;
/** What the standard of vehicles (IEC 61851) lets a vehicle draw at least, A. */
export const LEAST_CHARGING_A = 6;
export const MOST_CHARGING_A = 80;

export const chargingModes = ['fast', 'solar', 'scheduled'] as const;
export const chargingMode = z.enum(chargingModes);
export type ChargingMode = z.infer<typeof chargingMode>;

/** Phases on which it charges; `switching`: one or three, as it is told. */
export const pilePhases = z.enum(['one', 'three', 'switching']);
export type PilePhases = z.infer<typeof pilePhases>;

/** Why a pile charges as it does, or does not. */
export const chargingReasons = [
  'offline',
  'faulted',
  'noCar',
  'stopped',
  'vehicleWaits',
  'fast',
  'solar',
  'minimum',
  'waitingForSun',
  'contactorPause',
  'switchingPhases',
  'unknownSurplus',
  'scheduled',
  'outsideTimes',
  'noLimits',
] as const;
export const chargingReason = z.enum(chargingReasons);
export type ChargingReason = z.infer<typeof chargingReason>;

/** Firmware updates as OCPP 1.6 and 2.0.1 tell them. */
export const firmwareStates = ['idle', 'downloading', 'downloaded', 'installing', 'installed', 'failed'] as const;

/** By what its device calls itself: a part of its address. */
export const pileSN = text(32, 1).check(z.regex(/^[A-Za-z0-9_-]{1,32}$/));
const currentA = z.int().check(z.gte(LEAST_CHARGING_A), z.lte(MOST_CHARGING_A));
const watts = z.nullable(z.number());

export const pile = z.object({
  deviceID: z.string(),
  deviceSN: z.string(),
  name: z.string(),
  ratedPowerW: z.number(),
  phases: pilePhases,
  mostCurrentA: z.int(),
  mode: chargingMode,
  /** What it may draw at most, by choice; `null`: as much as it can. */
  limitA: z.nullable(z.int()),
  times: chargingTimes,
  online: z.boolean(),
  /** Protocol of its connection, and who made it; empty until it has told. */
  protocol: z.string(),
  vendor: z.string(),
  model: z.string(),
  firmware: z.string(),
  firmwareState: z.nullable(z.enum(firmwareStates)),
  /** A vehicle hangs on its cable. */
  isPlugged: z.boolean(),
  isCharging: z.boolean(),
  /** Somebody has stopped it by hand. */
  isStopped: z.boolean(),
  powerW: watts,
  /** What the vehicle may draw now, A; 0: nothing. `null` where nothing was told to the pile yet. */
  offeredA: z.nullable(z.number()),
  /** On so many phases it may. */
  offeredPhases: z.nullable(z.int()),
  why: chargingReason,
  /** Until when the reason lasts at least, where that is known. */
  whyUntilMs: z.nullable(z.int()),
  /** What is not used otherwise and could go into the vehicle, W; of solar charging alone. */
  surplusW: watts,
  /** Of the running session. */
  sessionWh: z.nullable(z.number()),
  sessionBeganMs: z.nullable(z.int()),
  updatedAtMs: z.nullable(z.int()),
  can: z.object({ control: z.boolean(), edit: z.boolean(), remove: z.boolean() }),
});
export type Pile = z.infer<typeof pile>;

export const list = endpoint({
  method: 'GET',
  path: '/c/v0/pile/list',
  feature: 'chargers',
  summary: 'Charging piles of a plant that speak OCPP, with what they do now and why.',
  callers: readers,
  input: z.object({ stationID: z.uuid() }),
  result: z.object({
    stationName: z.string(),
    ianaTimezone: z.string(),
    piles: z.array(pile),
    can: z.object({ add: z.boolean() }),
  }),
  names: { stationID: 'site' },
});

/** Shown once: the portal keeps no more than a hash of the password. */
const access = z.object({
  deviceID: z.string(),
  /** Address of the portal for charge points, with and without the serial number at its end. */
  address: z.string(),
  baseAddress: z.string(),
  user: z.string(),
  password: z.string(),
});
export type PileAccess = z.infer<typeof access>;

const described = {
  name: line(64, 1),
  ratedPowerW: z.int().check(z.gte(1_000), z.lte(100_000)),
  phases: pilePhases,
  mostCurrentA: currentA,
};
const changed = ['chargers', 'sites', 'devices'] as const;

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/pile/add',
  feature: 'chargers',
  summary: 'Adds a charging pile to a plant, and says how it reaches the portal.',
  callers: owners,
  changes: changed,
  input: z.object({ stationID: z.uuid(), deviceSN: pileSN, ...described }),
  result: access,
  names: { stationID: 'site' },
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/pile/edit',
  feature: 'chargers',
  summary: 'Name, rating, phases and greatest current of a charging pile.',
  callers: owners,
  changes: changed,
  input: z.object({ deviceID: z.uuid(), ...described }),
  result: z.object({}),
  names: { deviceID: 'pile' },
});

export const renewPassword = endpoint({
  method: 'POST',
  path: '/c/v0/pile/renewPassword',
  feature: 'chargers',
  summary: 'A new password for a charging pile; the one before ends at once.',
  callers: owners,
  changes: ['chargers'],
  input: z.object({ deviceID: z.uuid() }),
  result: access,
  names: { deviceID: 'pile' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/pile/remove',
  feature: 'chargers',
  summary: 'Takes away a charging pile that has never told anything.',
  callers: owners,
  changes: changed,
  input: z.object({ deviceID: z.uuid() }),
  result: z.object({}),
  names: { deviceID: 'pile' },
});

export const setMode = endpoint({
  method: 'POST',
  path: '/c/v0/pile/mode',
  feature: 'chargers',
  summary:
    'How a charging pile charges: as fast as it can, by sun only, or at times of the day; and with how much current at most.',
  callers: owners,
  changes: ['chargers'],
  input: z.object({
    deviceID: z.uuid(),
    mode: chargingMode,
    limitA: z.nullable(currentA),
    times: chargingTimes,
  }),
  result: z.object({}),
  names: { deviceID: 'pile' },
});

const command = {
  method: 'POST',
  feature: 'chargers',
  callers: owners,
  changes: ['chargers'],
  input: z.object({ deviceID: z.uuid() }),
  result: z.object({}),
  names: { deviceID: 'pile' },
} as const;

export const start = endpoint({
  ...command,
  path: '/c/v0/pile/start',
  summary: 'Lets a charging pile charge again, in its mode.',
});

export const stop = endpoint({
  ...command,
  path: '/c/v0/pile/stop',
  summary: 'Ends charging, until it is started again or another vehicle comes.',
});

/**
 * Why a session has no cost: `origin`: of too much of its energy it is not known where it came from; `price`: a price of its time is
 * missing; `currencies`: it changed its currency.
 */
export const noCostReasons = ['origin', 'price', 'currencies'] as const;

export const chargingSession = z.object({
  id: z.string(),
  deviceSN: z.string(),
  pile: z.string(),
  beganMs: z.int(),
  /** `null`: it runs. */
  endedMs: z.nullable(z.int()),
  /** `null` where its meter's readings contradict each other. */
  energyWh: z.nullable(z.number()),
  /** Of the plant's sun and other own generation; `null` where no flow explains the session. */
  sunPercent: z.nullable(z.number()),
  batteryPercent: z.nullable(z.number()),
  gridPercent: z.nullable(z.number()),
  /** Decimal string: what was bought of it, at the prices of its time; `null` where that is not known. */
  cost: z.nullable(z.string()),
  /** Why there is no cost. */
  noCost: z.nullable(z.enum(noCostReasons)),
  currency: z.string(),
});
export type ChargingSession = z.infer<typeof chargingSession>;

export const sessionFields = fieldsOf(chargingSession)({
  beganMs: is.time,
  endedMs: is.time,
  pile: is.text,
  energyWh: is.energy,
  sunPercent: unsorted(is.percent),
  batteryPercent: unsorted(is.percent),
  gridPercent: unsorted(is.percent),
  cost: is.own,
});

export const sessions = endpoint({
  method: 'POST',
  path: '/c/v0/pile/session/list',
  feature: 'chargers',
  summary: 'Charging sessions of the piles in scope, or of those of one plant, by page, filter and order.',
  callers: readers,
  reads: true,
  list: { rows: 'sessions', key: 'id', fields: sessionFields },
  input: z.object({
    ...paging,
    condition: filteredBy({ stationID: z.optional(z.uuid()) }),
    sort: sortedBy(sessionFields, 'beganMs', 'desc'),
  }),
  result: z.object({ ...paged, sessions: z.array(chargingSession) }),
});

export const exportSessions = exportOf(sessions);

export const chargerEndpoints = {
  list,
  add,
  edit,
  renewPassword,
  remove,
  setMode,
  start,
  stop,
  sessions,
  exportSessions,
} as const;
