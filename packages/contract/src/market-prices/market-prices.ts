import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import type { Level } from '../levels.ts';

const editors = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

/** A zone of a market: letters and digits, as `DE-LU`. */
export const marketZone = z.string().check(z.maxLength(16), z.regex(/^[A-Z0-9][A-Z0-9-]{0,15}$/));

/** A price of purchase that follows a market: (price of the market + markup) and VAT on both. */
export const purchaseMarket = z.object({
  zone: marketZone,
  /** Net, per kWh, as a decimal; it may be less than nothing. */
  markup: z.string().check(z.maxLength(16), z.regex(/^-?\d{1,4}(?:\.\d{1,6})?$/)),
  /** Percent, as a decimal. */
  vat: z.string().check(z.maxLength(6), z.regex(/^\d{1,2}(?:\.\d{1,3})?$/)),
});

/** The same as it is kept. */
export const keptPurchaseMarket = z.object({ zone: z.string(), markup: z.string(), vat: z.string() });
export type KeptPurchaseMarket = z.infer<typeof keptPurchaseMarket>;

export const marketSources = endpoint({
  method: 'GET',
  path: '/c/v0/market/sources',
  feature: 'market-prices',
  summary: 'Markets whose prices a tariff can follow, and how far they are known.',
  callers: editors,
  code: 'site:edit',
  input: z.object({}),
  result: z.object({
    sources: z.array(
      z.object({
        zone: z.string(),
        /** ISO 4217; null = no price came yet. */
        currency: z.nullable(z.string()),
        /** False where it is no longer configured: what came before stays. */
        isRead: z.boolean(),
        /** End of the last quarter of an hour whose price is known. */
        knownUntilMs: z.nullable(z.int()),
      }),
    ),
  }),
});

export const marketPriceEndpoints = { marketSources } as const;
