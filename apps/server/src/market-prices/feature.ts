import { marketPriceEndpoints } from '@sonnenwarte/contract/market-prices/market-prices';
import { featureOf } from '../feature.ts';
import type { Services } from '../services.ts';
import { PriceReader } from './market-prices.job.ts';
import { marketSourcesOf } from './market-prices.service.ts';
import { noteSources } from './market-prices.store.ts';

/** Prices of markets by quarters of an hour, where a source of them is configured. */
export const feature = featureOf(marketPriceEndpoints, { marketSources: marketSourcesOf }, start);

function start(services: Services): Services {
  const { config, db, nowMs, logger, jobs } = services;
  const { priceSources: sources, pricesPrivate: isPrivate } = config;
  const rules = { privateAddresses: isPrivate, plainLoopback: isPrivate, plainPrivate: isPrivate };
  const reader = new PriceReader({ db, nowMs, logger, sources, rules });
  const zones = sources.map(({ zone }) => zone);
  jobs.every('market-prices.read', '* * * * *', async (ending) => {
    await noteSources(db, zones);
    if (sources.length > 0) await reader.read(ending);
  });
  return services;
}
