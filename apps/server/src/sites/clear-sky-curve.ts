import { expectedDay, type ModelArray, skyDay } from '@sonnenwarte/energy/insight/expected-power';
import type { SiteFrame } from './sites.store.ts';

const DEFAULT_TILT_DEG = 30;

/** The arrays as entered, or else the whole size facing the equator. */
function arraysOf(site: SiteFrame, latitude: number): ModelArray[] {
  const entered = site.arrays.filter(({ kwp }) => kwp > 0);
  if (entered.length > 0) {
    return entered.map(({ kwp, inclinationDeg, azimuthDeg }) => ({
      ratedW: kwp * 1_000,
      tiltDeg: inclinationDeg,
      azimuthDeg,
    }));
  }
  if (!(site.systemSizeKwp > 0)) return [];
  return [{ ratedW: site.systemSizeKwp * 1_000, tiltDeg: DEFAULT_TILT_DEG, azimuthDeg: latitude < 0 ? 0 : 180 }];
}

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
  const model = { place, arrays: arraysOf(site, latitude), ratedAcW: null, commissionedMs: null };
  const expected = expectedDay(model, skyDay(place, startMs, tsMs.length));
  return expected === null ? null : Array.from(expected.clearW, Math.round);
}
