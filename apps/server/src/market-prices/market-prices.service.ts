import type { Result } from '@sonnenwarte/contract/endpoint';
import type { marketPriceEndpoints } from '@sonnenwarte/contract/market-prices/market-prices';
import type { Uses } from '../services.ts';
import { sourceStates } from './market-prices.store.ts';

/** Markets whose prices are read, and how far they are known. */
export async function marketSourcesOf({
  db,
}: Uses<'db'>): Promise<Result<(typeof marketPriceEndpoints)['marketSources']>> {
  const sources = await sourceStates(db);
  return {
    sources: sources.map(({ zone, currency, isConfigured, knownUntilMs }) => ({
      zone,
      currency,
      isRead: isConfigured,
      knownUntilMs,
    })),
  };
}
