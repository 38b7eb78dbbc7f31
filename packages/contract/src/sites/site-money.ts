import * as z from 'zod/mini';
import { quality } from '../status.ts';

/** Decimal string, rounded to the currency's decimals; `null` without a price or without the energies that it needs. */
const amount = z.nullable(z.string());

/** What a plant was worth on the running local day. */
export const siteMoney = z.object({
  currency: z.string(),
  /** Purchase that own energy avoided. */
  saved: amount,
  /** Feed-in payment. */
  earned: amount,
  /** Price of the energy that was bought from the grid. */
  paid: amount,
  /** What the same consumption would have cost: `saved` and `paid` together. */
  without: amount,
  /** Whether the plant has any price: without one there is no money. */
  hasPrices: z.boolean(),
  /** A market has not told the price of a part of the day that has passed, so that `saved` and `paid` are not known. */
  isPartUnknown: z.boolean(),
  /** Per kWh, as they are valid now. */
  priceNow: z.object({
    purchase: amount,
    feedIn: amount,
    /** The purchase price follows a market that has not told it for now: there is one, but it is not known. */
    isPurchaseUnknown: z.boolean(),
    /** When other prices are valid, within a day from now; `null` = not so soon. */
    untilMs: z.nullable(z.int()),
  }),
  quality,
});
export type SiteMoney = z.infer<typeof siteMoney>;
