import * as z from 'zod/mini';
import { commandState } from '../commands/command.ts';
import { endpoint } from '../endpoint.ts';
import { plantLevels } from '../sites/sites.ts';
import { toldPlan } from './plan.ts';

/** Why a day is planned as it is; see `day-plan.ts` of the energy package. */
export const dayReasons = ['cheapCharge', 'sellsDear', 'keptForDear', 'sunLater', 'feedsFirst', 'selfUse'] as const;

/**
 * What a step of the portal says. Besides the reasons of a day: `started`, `stopped`, `byHand` (somebody wrote a plan, which ended it), `changedElsewhere`
 * (the device has another plan than the portal wrote, which ended it), `noPrices` (a price of the day is not known), `noForecast` (nothing is recorded,
 * or the charge of the battery is not known: nothing can be expected).
 */
export const followReasons = [
  ...dayReasons,
  'started',
  'stopped',
  'byHand',
  'changedElsewhere',
  'noPrices',
  'noForecast',
] as const;
export type FollowReason = (typeof followReasons)[number];

/**
 * Why a day is planned anew within the day: prices have come or are others, the battery holds something else than was expected, or sun or consumption are
 * others.
 */
export const followCauses = ['prices', 'charge', 'sun', 'consumption'] as const;
export type FollowCause = (typeof followCauses)[number];

/** Why the portal cannot follow prices: nothing takes a plan, its plan is not told, what the battery holds is not known, there is no price of purchase. */
export const followObstacles = ['noTaker', 'planUntold', 'noBattery', 'noPrice'] as const;
export type FollowObstacle = (typeof followObstacles)[number];

/** An hour of the day with its price per kWh. */
const pricedHour = z.object({ startMin: z.int(), price: z.string() });

const step = z.object({
  stepID: z.string(),
  atMs: z.int(),
  /** Local day that it is about. */
  day: z.string(),
  reason: z.enum(followReasons),
  /** Why the day is planned anew within the day; null: it is not. */
  cause: z.nullable(z.enum(followCauses)),
  by: z.string(),
  /** Against self-use, as it was expected; null where nothing was reckoned. */
  saved: z.nullable(z.string()),
  currency: z.string(),
  /** What was expected of the rest of the day, Wh. */
  generationWh: z
    .nullable(z.number())
    .check(
      z.describe(
        "Wh of PV and other generation at the AC bus: what the inverters' AC terminals give less what batteries do.",
      ),
    ),
  demandWh: z.nullable(z.number()),
  cheapest: z.nullable(pricedHour),
  dearest: z.nullable(pricedHour),
  /** What was written; null: nothing. */
  plan: z.nullable(toldPlan),
  /** Of the commands that wrote it, the one that is least far; null: there was none, or it is no more. */
  state: z.nullable(commandState),
});
export type FollowStep = z.infer<typeof step>;

/** What a step went by. */
export type FollowDetail = {
  readonly [name in
    | 'cause'
    | 'saved'
    | 'currency'
    | 'generationWh'
    | 'demandWh'
    | 'cheapest'
    | 'dearest'
    | 'plan']?: NonNullable<FollowStep[name]>;
};

export const followed = endpoint({
  method: 'GET',
  path: '/c/v0/plant/workMode/followed',
  feature: 'work-modes',
  summary:
    'Whether the portal plans the battery of a plant day by day by prices and sun, and its last steps with their reasons.',
  callers: plantLevels,
  input: z.object({ stationID: z.uuid() }),
  result: z.object({
    ianaTimezone: z.string(),
    /** Null: it does not. */
    since: z.nullable(z.object({ atMs: z.int(), by: z.string(), tradesWithGrid: z.boolean() })),
    obstacle: z.nullable(z.enum(followObstacles)),
    /** The newest first. */
    steps: z.array(step),
    can: z.object({ write: z.boolean() }),
  }),
  names: { stationID: 'site' },
});
export type Followed = z.output<typeof followed.result>;

export const follow = endpoint({
  method: 'POST',
  path: '/c/v0/plant/workMode/follow',
  feature: 'work-modes',
  summary: 'Lets the portal plan the battery of a plant day by day by prices and sun, from now on.',
  callers: plantLevels,
  changes: ['work-modes', 'devices'],
  /** Whether the battery may be charged from the grid, and may sell to it. */
  input: z.object({ stationID: z.uuid(), tradesWithGrid: z.boolean() }),
  result: z.object({}),
  names: { stationID: 'site' },
});

export const unfollow = endpoint({
  method: 'POST',
  path: '/c/v0/plant/workMode/unfollow',
  feature: 'work-modes',
  summary: 'Ends that the portal plans the battery of a plant; the plan from before is written again.',
  callers: plantLevels,
  changes: ['work-modes', 'devices'],
  input: z.object({ stationID: z.uuid() }),
  result: z.object({}),
  names: { stationID: 'site' },
});

export const followEndpoints = { followed, follow, unfollow };
