import { clearSky, dayOfYear, erbsSplit, extraterrestrialNormalWm2, hayDaviesPlane } from './irradiance.ts';
import { faimanTemperatureC, pvWattsDcW } from './module.ts';
import { type SunPosition, sunPosition } from './sun.ts';
import {
  AMBIENT_C,
  type EnteredArrays,
  GAMMA_PER_K,
  LINKE_TURBIDITY,
  LOSS_FRACTION,
  usualArrays,
  WIND_MS,
} from './usual-plant.ts';

export interface PvArray {
  ratedW: number;
  plane: { tiltDeg: number; azimuthDeg: number };
}

/** Where the modules of a plant stand and how they face. */
export interface PvPlant {
  /** Degrees, north and east positive. */
  latitude: number;
  longitude: number;
  altitudeM: number;
  arrays: readonly PvArray[];
}

/** A plant as it was entered; azimuth clockwise from north, inclination from the horizontal. */
export interface EnteredPlant extends EnteredArrays {
  latitude: number | null;
  longitude: number | null;
  altitudeM: number | null;
}

/** Light and air of a moment, as a weather service tells them. */
export interface Weather {
  /** Global horizontal irradiance, W/m2. */
  ghiWm2: number;
  ambientC: number;
  windMs: number;
}

/** The plant that can be computed: its arrays as entered, or else its whole size facing the equator; null without a position or a size. */
export function pvPlantOf(entered: EnteredPlant): PvPlant | null {
  const { latitude, longitude, altitudeM } = entered;
  if (latitude === null || longitude === null) return null;
  const arrays = usualArrays(entered, latitude).map(({ ratedW, ...plane }) => ({ ratedW, plane }));
  return arrays.length === 0 ? null : { latitude, longitude, altitudeM: altitudeM ?? 0, arrays };
}

/** DC power of a plant under a clear sky (Linke turbidity 3) in air of 20 degC, W. */
export function clearSkyPowerW(tsMs: number, plant: PvPlant): number {
  const sun = sunPosition(tsMs, plant.latitude, plant.longitude);
  if (sun.apparentElevationDeg <= 0) return 0;
  const outsideWm2 = extraterrestrialNormalWm2(dayOfYear(tsMs));
  const sky = clearSky(sun.apparentElevationDeg, plant.altitudeM, LINKE_TURBIDITY, outsideWm2);
  return powerUnderW(plant, sun, sky, outsideWm2, { ambientC: AMBIENT_C, windMs: WIND_MS });
}

/** DC power of a plant in weather that is told, W: its light split after Erbs. */
export function weatherPowerW(tsMs: number, plant: PvPlant, { ghiWm2, ...air }: Weather): number {
  const sun = sunPosition(tsMs, plant.latitude, plant.longitude);
  if (sun.apparentElevationDeg <= 0) return 0;
  const outsideWm2 = extraterrestrialNormalWm2(dayOfYear(tsMs));
  const sky = erbsSplit(ghiWm2, 90 - sun.apparentElevationDeg, outsideWm2);
  return powerUnderW(plant, sun, sky, outsideWm2, air);
}

function powerUnderW(
  { arrays }: PvPlant,
  sun: SunPosition,
  sky: Parameters<typeof hayDaviesPlane>[0],
  outsideWm2: number,
  { ambientC, windMs }: Omit<Weather, 'ghiWm2'>,
): number {
  const zenithDeg = 90 - sun.apparentElevationDeg;
  return arrays.reduce((sum, { ratedW, plane }) => {
    const { totalWm2 } = hayDaviesPlane(sky, zenithDeg, sun.azimuthDeg, plane, outsideWm2);
    const moduleC = faimanTemperatureC(totalWm2, ambientC, windMs);
    return sum + pvWattsDcW({ ratedW, gammaPerK: GAMMA_PER_K, lossFraction: LOSS_FRACTION }, totalWm2, moduleC);
  }, 0);
}
