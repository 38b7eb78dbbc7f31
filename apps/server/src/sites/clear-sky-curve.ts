import { clearSky, dayOfYear, extraterrestrialNormalWm2, hayDaviesPlane } from '@sonnenwarte/energy/physics/irradiance';
import { faimanTemperatureC, pvWattsDcW } from '@sonnenwarte/energy/physics/module';
import { sunPosition } from '@sonnenwarte/energy/physics/sun';
import type { SiteFrame } from './sites.store.ts';

const LINKE_TURBIDITY = 3;
const AMBIENT_C = 20;
const WIND_MS = 1;
const GAMMA_PER_K = -0.0035;
const LOSS_FRACTION = 0.1;
const DEFAULT_TILT_DEG = 30;

type Position = { latitude: number; longitude: number; altitudeM: number };
interface PvArray {
  ratedW: number;
  plane: { tiltDeg: number; azimuthDeg: number };
}

/** The arrays as entered, or else the whole size facing the equator. */
function arraysOf(site: SiteFrame, latitude: number): PvArray[] {
  const entered = site.arrays.filter(({ kwp }) => kwp > 0);
  if (entered.length > 0) {
    return entered.map(({ kwp, inclinationDeg, azimuthDeg }) => ({
      ratedW: kwp * 1_000,
      plane: { tiltDeg: inclinationDeg, azimuthDeg },
    }));
  }
  if (!(site.systemSizeKwp > 0)) return [];
  const plane = { tiltDeg: DEFAULT_TILT_DEG, azimuthDeg: latitude < 0 ? 0 : 180 };
  return [{ ratedW: site.systemSizeKwp * 1_000, plane }];
}

function powerW(tsMs: number, { latitude, longitude, altitudeM }: Position, arrays: readonly PvArray[]): number {
  const sun = sunPosition(tsMs, latitude, longitude);
  if (sun.apparentElevationDeg <= 0) return 0;
  const outsideWm2 = extraterrestrialNormalWm2(dayOfYear(tsMs));
  const sky = clearSky(sun.apparentElevationDeg, altitudeM, LINKE_TURBIDITY, outsideWm2);
  const zenithDeg = 90 - sun.apparentElevationDeg;
  return arrays.reduce((sum, { ratedW, plane }) => {
    const { totalWm2 } = hayDaviesPlane(sky, zenithDeg, sun.azimuthDeg, plane, outsideWm2);
    const moduleC = faimanTemperatureC(totalWm2, AMBIENT_C, WIND_MS);
    return sum + pvWattsDcW({ ratedW, gammaPerK: GAMMA_PER_K, lossFraction: LOSS_FRACTION }, totalWm2, moduleC);
  }, 0);
}

/** PV power under a clear sky at the middle of each bucket, W; null without a position or a size. */
export function clearSkyCurve(site: SiteFrame, tsMs: readonly number[], bucketMs: number): number[] | null {
  const { latitude, longitude } = site;
  if (latitude === null || longitude === null) return null;
  const arrays = arraysOf(site, latitude);
  if (arrays.length === 0) return null;
  const position = { latitude, longitude, altitudeM: site.altitudeM ?? 0 };
  return tsMs.map((startMs) => Math.round(powerW(startMs + bucketMs / 2, position, arrays)));
}
