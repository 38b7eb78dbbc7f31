import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { plantDay } from '../fields.ts';
import { plantLevels } from './sites.ts';

const figure = z.nullable(z.number());
const sums = z.object({
  generationWh: z.nullable(z.number()).check(z.describe('Energy of PV arrays at the DC inputs (pvWh).')),
  consumptionWh: figure,
  feedInWh: figure,
  purchaseWh: figure,
  selfSufficiencyPercent: figure,
});
export type ComparedSums = z.infer<typeof sums>;

/** A span and another one; where the span still runs, both are counted from their start to the same moment. */
export const siteComparison = z.object({
  first: z.string(),
  last: z.string(),
  against: z.object({ first: z.string(), last: z.string() }),
  /** Up to when the span is counted, where it still runs: the end of its newest values. */
  untilMs: z.nullable(z.int()),
  now: sums,
  /** `null` where what is to be compared is not wholly recorded. */
  before: z.nullable(sums),
  /** The first day that was ever recorded. */
  firstDay: z.nullable(z.string()),
});
export type SiteComparison = z.infer<typeof siteComparison>;

export const comparison = endpoint({
  method: 'GET',
  path: '/c/v0/plant/comparison',
  feature: 'sites',
  summary: 'Figures of a plant-local day, month or year beside those of another one, both up to the same moment.',
  callers: plantLevels,
  input: z.object({
    stationID: z.uuid(),
    span: z.enum(['day', 'month', 'year']),
    /** A day within the span. */
    date: plantDay(),
    /** The span before, or the same one a year earlier. */
    against: z.enum(['previous', 'lastYear']),
  }),
  result: siteComparison,
  names: { stationID: 'site' },
});
