import { getPosition } from 'suncalc';

export interface SunPosition {
  /** Degrees clockwise from north, [0, 360). */
  azimuthDeg: number;
  /** Geometric elevation of the centre of the disc, without refraction, degrees. */
  elevationDeg: number;
  /** Elevation as seen through the atmosphere, degrees. */
  apparentElevationDeg: number;
}

/** Below this geometric elevation the disc is wholly under the horizon: no PV power. */
export const SUNRISE_ELEVATION_DEG = -0.833;

const RADIANS = Math.PI / 180;

/** Atmospheric refraction, degrees, at a geometric elevation (Meeus, Astronomical Algorithms, 16.4; constant below 0). */
export function refractionDeg(elevationDeg: number): number {
  const height = Math.max(0, elevationDeg);
  return 1.02 / 60 / Math.tan((height + 10.3 / (height + 5.11)) * RADIANS);
}

/** Inverse of apparent = geometric + refraction; the slope of refraction is small, so plain iteration converges. */
function geometricElevationDeg(apparentDeg: number): number {
  let elevationDeg = apparentDeg;
  for (let round = 0; round < 12; round += 1) elevationDeg = apparentDeg - refractionDeg(elevationDeg);
  return elevationDeg;
}

/**
 * Position of the sun (suncalc 2, after Meeus ch. 25). Within 0.02 degrees of the NREL SPA.
 *
 * @param latitudeDeg north positive.
 * @param longitudeDeg east positive.
 */
export function sunPosition(tsMs: number, latitudeDeg: number, longitudeDeg: number): SunPosition {
  const { azimuth, altitude } = getPosition(new Date(tsMs), latitudeDeg, longitudeDeg);
  return { azimuthDeg: azimuth, elevationDeg: geometricElevationDeg(altitude), apparentElevationDeg: altitude };
}
