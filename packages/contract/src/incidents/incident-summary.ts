import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { levels } from '../levels.ts';

const sumsOfLoss = z.object({
  /** `null` while nothing of it is known. */
  wh: z.nullable(z.number()),
  /** By currency, the greatest first. */
  money: z.array(z.object({ currency: z.string(), amount: z.string() })),
  /** So many open ones of which it is not known: `wh` is at least what there was. */
  unknown: z.int(),
});

export const summary = endpoint({
  method: 'GET',
  path: '/c/v0/alarm/summary',
  feature: 'incidents',
  summary: 'How many incidents in scope there are in each part of the list, and what they have cost.',
  callers: levels,
  input: z.object({}),
  result: z.object({
    counts: z.object({
      open: z.int(),
      unacknowledged: z.int(),
      mine: z.int(),
      muted: z.int(),
      /** Over since midnight by the caller's clock of the last 24 hours. */
      mended: z.int(),
    }),
    /** Of the mended: over within ten minutes. */
    brief: z.int(),
    /** Alarms that devices told which stand, folded or not. */
    told: z.int(),
    oldestUnacknowledgedMs: z.nullable(z.int()),
    /** On the running day of each plant, by all that stood on it. */
    lostToday: sumsOfLoss,
    /** Since they began, by all that are open. */
    lostOpen: sumsOfLoss,
    /** Grows with each new incident. */
    newest: z.int(),
  }),
});
export type IncidentSummary = z.infer<(typeof summary)['result']>;
