import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { plantLevels } from '../sites/sites.ts';
import { plan, toldPlan } from './plan.ts';

export const whatIfSpans = ['yesterday', 'month'] as const;

/** What a plan would have made of the recorded days. Money is exact, rounded once; null where a price is missing. */
const outcome = z.object({
  plan: toldPlan,
  importWh: z.number(),
  exportWh: z.number(),
  /** What was bought less what feeding in brings. */
  cost: z.nullable(z.string()),
  /** What the battery holds in the end above the minimum, as it would be bought at the median price of the days. */
  endWorth: z.nullable(z.string()),
  /** Against self-use alone: by how much cost less `endWorth` is below that of self-use; null for that itself. */
  saved: z.nullable(z.string()),
  cycles: z.number(),
  /** State of charge at the end of the last of the days, percent. */
  endSoc: z.number(),
  /** Mean state of charge at the end of each quarter of an hour of the plant's day, percent; null: nothing recorded. */
  socByQuarter: z.array(z.nullable(z.number())),
});
export type Outcome = z.infer<typeof outcome>;

export const proposalKinds = ['price', 'balanced', 'gentle'] as const;

/** A quarter of an hour to come, percent: what the battery will likely hold, and between what it lies in eight of ten cases. */
const outlookPoint = z.object({ tsMs: z.int(), soc: z.number(), low: z.number(), high: z.number() });

export const whatIf = endpoint({
  method: 'POST',
  path: '/c/v0/plant/workMode/whatIf',
  feature: 'work-modes',
  summary:
    "Replays a plant's own recorded days under a plan and its prices, beside self-use; and what the battery will likely hold until midnight.",
  callers: plantLevels,
  reads: true,
  input: z.object({ stationID: z.uuid(), span: z.enum(whatIfSpans), plan }),
  result: z.object({
    /** Local days that are asked for, the first and the last. */
    fromDay: z.string(),
    toDay: z.string(),
    currency: z.string(),
    /** Of the days, what is recorded, percent. */
    recordedPercent: z.number(),
    /** Self-use, and the plan; null where no day is known by 80 % at least, or there is no battery: then there are no proposals either. */
    baseline: z.nullable(outcome),
    own: z.nullable(outcome),
    outlook: z.array(outlookPoint),
  }),
  names: { stationID: 'site' },
});

export const proposals = endpoint({
  method: 'POST',
  path: '/c/v0/plant/workMode/proposals',
  feature: 'work-modes',
  summary:
    'The best of the plans that rules suggest for the recorded days of a plant: the cheapest, a balanced and a gentle one.',
  callers: plantLevels,
  reads: true,
  input: z.object({ stationID: z.uuid(), span: z.enum(whatIfSpans), plan }),
  result: z.object({ proposals: z.array(z.object({ kind: z.enum(proposalKinds), outcome })) }),
  names: { stationID: 'site' },
});
