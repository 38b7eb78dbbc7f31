import { expectedDay, skyDay } from '@sonnenwarte/energy/insight/expected-power';
import { usualArrays } from '@sonnenwarte/energy/physics/usual-plant';
import type { SiteFrame } from './sites.store.ts';

/**
 * PV power under a clear sky in each bucket of five minutes, W; null without a position or a size.
 *
 * @param tsMs starts of buckets that follow one another.
 */
export function clearSkyCurve(site: SiteFrame, tsMs: readonly number[]): number[] | null {
  const { latitude, longitude } = site;
  const [startMs] = tsMs;
  if (latitude === null || longitude === null) return null;
  if (startMs === undefined) return [];
  const place = { latitude, longitude, altitudeM: site.altitudeM ?? 0 };
  const model = { place, arrays: usualArrays(site, latitude), ratedAcW: null, commissionedMs: null };
  const expected = expectedDay(model, skyDay(place, startMs, tsMs.length));
  return expected === null ? null : Array.from(expected.clearW, Math.round);
}
