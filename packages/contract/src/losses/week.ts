import * as z from 'zod/mini';
import { lossReason } from './reasons.ts';

const energyWh = z.nullable(z.number());

/** What would have to be known for more to be told. */
export const missingKind = z.enum([
  'place',
  'size',
  'reference',
  'power',
  'history',
  'strings',
  'grid',
  'state-of-charge',
  'export-limit',
  'rating',
  'counters',
  'price',
]);
export type MissingKind = z.infer<typeof missingKind>;

/** Where the light of a day is known from; `null` = nothing told of it. */
export const lightSource = z.nullable(z.enum(['sensor', 'neighbours']));

/** Days of which losses are summed. */
export const WEEK_DAYS = 7;

/** What a plant lost in its newest seven whole days. Energies in Wh; `null` = not known. */
export const lossWeek = z.object({
  first: z.string(),
  last: z.string(),
  /** Of each day what the plant gave of what it could, and the middle half of its neighbours in the same terms. */
  days: z.array(
    z.object({
      day: z.string(),
      share: z.nullable(z.number()),
      low: z.nullable(z.number()),
      high: z.nullable(z.number()),
      lossWh: energyWh,
    }),
  ),
  lossWh: energyWh,
  lossMoney: z.nullable(z.string()),
  currency: z.string(),
  /** Expected while nothing was heard: nobody knows whether it was given. */
  unknownWh: z.number(),
  source: lightSource,
  /** Neighbours that count, and whether they stand within 50 km or only in the same climate. */
  peers: z.int(),
  basis: z.nullable(z.enum(['near', 'climate'])),
  /** The likeliest first. */
  reasons: z
    .array(
      z.object({
        reason: lossReason,
        lossWh: energyWh,
        days: z.int(),
        /** The local day on which it began: that of its alarm, else the first on which it held, up to 28 days before the seven. */
        since: z.string(),
        isStanding: z.boolean(),
        confidence: z.number(),
      }),
    )
    .check(z.maxLength(12)),
  missing: z.array(missingKind),
  /** The day that shows it best. */
  evidenceDay: z.string(),
});
export type LossWeek = z.infer<typeof lossWeek>;
