import * as z from 'zod/mini';

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
