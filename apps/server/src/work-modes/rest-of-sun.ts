import type { SiteForecast } from '@sonnenwarte/contract/forecast/forecast';
import type { Scope } from '../access/scope.ts';
import { type ForecastParts, tellForecast } from '../forecast/forecast.service.ts';
import type { SiteFrame } from '../sites/sites.store.ts';
import type { RestOfSun } from './expected-day.ts';

/** What the forecast tells of the rest of today, and of tomorrow; null where it tells nothing. */
export async function sunAhead(
  forecast: ForecastParts,
  site: SiteFrame,
  scope: Scope,
): Promise<{ today: RestOfSun | null; tomorrow: RestOfSun | null }> {
  const { today, tomorrow } = await tellForecast(forecast, site, scope);
  return { today: restOf(today), tomorrow: tomorrow.range };
}

/** What the forecast tells of the rest of today; null where it tells nothing. */
export const restOfSun = async (forecast: ForecastParts, site: SiteFrame, scope: Scope): Promise<RestOfSun | null> =>
  (await sunAhead(forecast, site, scope)).today;

function restOf(today: SiteForecast['today']): RestOfSun | null {
  if (today.isOver) return { p10Wh: 0, p50Wh: 0, p90Wh: 0 };
  if (today.range === null || today.soFarWh === null) return null;
  const rest = (wh: number) => Math.max(0, wh - (today.soFarWh ?? 0));
  return { p10Wh: rest(today.range.p10Wh), p50Wh: rest(today.range.p50Wh), p90Wh: rest(today.range.p90Wh) };
}
