import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { degradation, LEAST_DEGRADATION_DAYS, storedDays } from '@sonnenwarte/energy/insight/degradation';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { siteFrame } from '../sites/sites.store.ts';
import { normalisedDays } from './insight-rows.store.ts';

type Degradation = (typeof insightEndpoints)['degradation'];

/** How much less a plant gives each year, from the days that are stored of it. */
export async function degradationOf(
  { db, telemetry }: Uses<'db' | 'telemetry'>,
  { stationID }: Parsed<Degradation>,
  { scope }: Scoped,
): Promise<Result<Degradation>> {
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  const days = await normalisedDays(telemetry, site.key);
  return {
    days: storedDays(days),
    daysNeeded: LEAST_DEGRADATION_DAYS,
    // The same plant is told the same, however often it is asked.
    found: degradation(days, { seed: site.key }),
  };
}
