import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { pause } from '../insight/pauses.ts';
import { levels } from '../levels.ts';
import { toldWeek } from '../losses/told-week.ts';
import { siteRow } from '../sites/site.ts';
import { siteAlarm, siteSilence } from '../sites/site-alarms.ts';
import { counts, quality } from '../status.ts';

/** Money of plants of one currency: feed-in payment and savings together, decimals; `null` where that is not known. */
export const fleetMoney = z.object({
  currency: z.string(),
  /** How many have their prices in it. */
  plants: z.int(),
  today: z.nullable(z.string()),
  month: z.nullable(z.string()),
  todayQuality: quality,
  monthQuality: quality,
});
export type FleetMoney = z.infer<typeof fleetMoney>;

/** Sums over the sites in scope, from rollups; of an integrator over its granted inverters. */
export const fleetSummary = z.object({
  plants: counts,
  devices: counts,
  /** kWp of the plants; `null` for an integrator, who sees no plants. */
  installedCapacity: z.nullable(z.number()),
  pvPowerW: z.nullable(z.number()),
  todayWh: z.nullable(z.number()),
  /** Plants that `todayWh` sums, and their kWp: those of which something of their running local day is known. */
  todayPlants: z.int(),
  todayCapacity: z.nullable(z.number()),
  monthWh: z.nullable(z.number()),
  totalWh: z.nullable(z.number()),
  /** What today's and all generation has avoided, each plant's by the grid of its country; `null` where that is not known. */
  co2TodayKg: z.nullable(z.number()),
  co2TotalKg: z.nullable(z.number()),
  /** How the three sums of generation came about: `estimated` where sums that are estimated make up 5 % of them or more. */
  todayQuality: quality,
  monthQuality: quality,
  totalQuality: quality,
  /** By currency, that of most plants first; none for an integrator. */
  money: z.array(fleetMoney),
  /** Plants that are not offline: those whose powers `pvPowerW` sums. */
  reporting: z.int(),
  /** Plants whose history is still coming or whose figures are made anew, so that the sums may change; of an integrator, its inverters there. */
  preliminary: z.int(),
  asOfMs: z.int(),
});
export type FleetSummary = z.infer<typeof fleetSummary>;

export const summary = endpoint({
  method: 'GET',
  path: '/c/v0/fleet/summary',
  feature: 'fleet',
  summary: 'Plants by state, power and energy now of all plants in scope.',
  callers: levels,
  input: z.object({}),
  result: fleetSummary,
});

/** Hours that are shown of the fleet's power: seven days. */
export const WEEK_HOURS = 168;

export const week = endpoint({
  method: 'GET',
  path: '/c/v0/fleet/week',
  feature: 'fleet',
  summary: 'PV power of all plants in scope over the last 168 full hours, from rollups.',
  callers: [2, 3, 4, 255],
  input: z.object({}),
  result: z.object({
    /** Start of the first hour. */
    startMs: z.int(),
    /** Mean power of each hour; `null` where no plant has a value. */
    powerW: z.array(z.nullable(z.number())),
    /** Plants that have a value of the hour. */
    plants: z.array(z.int()),
    /** When this was worked out: large fleets are summed less often. */
    asOfMs: z.int(),
  }),
});
export type FleetWeek = z.infer<typeof week.result>;

/** Plants of a page of what needs attention. */
export const MOST_TROUBLED = 20;

/** A plant that loses energy or is not normal, and what is wrong with it. */
export const troubledSite = z.extend(
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
    /** The worst alarm that stands, of an offline plant that of before; `null` where none does. */
    alarm: z.nullable(siteAlarm),
    alarms: z.int(),
    /** Why it is offline; `null` while it is not. */
    silence: z.nullable(siteSilence),
    /** Its newest seven whole days; `null` where nothing was reckoned yet. */
    week: z.nullable(toldWeek),
    /** Days of it are about to be reckoned anew. */
    isDue: z.boolean(),
    /** Whether it stands here for what it loses, and not for its state alone. */
    isLosing: z.boolean(),
    pause: z.nullable(pause),
    can: z.object({ pause: z.boolean() }),
  },
);
export type TroubledSite = z.infer<typeof troubledSite>;

export const attention = endpoint({
  method: 'GET',
  path: '/c/v0/fleet/attention',
  feature: 'fleet',
  summary: 'Plants in scope that lose energy or are not normal, the costliest and the worst first.',
  callers: [1, 2, 3, 4, 255],
  input: z.object({
    currentPage: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000)), 1),
    /** Those that were put off, in place of the others. */
    paused: z.optional(z.enum(['yes'])),
  }),
  result: z.object({
    total: z.int(),
    plants: z.array(troubledSite).check(z.maxLength(MOST_TROUBLED)),
    /** Plants that were put off. */
    paused: z.int(),
    /** Sums of those whose loss is known in money, by currency; the most plants first. */
    sums: z.array(z.object({ currency: z.string(), plants: z.int(), lossWh: z.number(), lossMoney: z.string() })),
  }),
});

export const fleetEndpoints = { summary, week, attention };
