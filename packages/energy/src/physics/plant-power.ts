import { clearSky, dayOfYear, erbsSplit, extraterrestrialNormalWm2, hayDaviesPlane } from './irradiance.ts';
import { faimanTemperatureC, pvWattsDcW } from './module.ts';
import { type SunPosition, sunPosition } from './sun.ts';

const LINKE_TURBIDITY = 3;
const AMBIENT_C = 20;
const WIND_MS = 1;
const GAMMA_PER_K = -0.0035;
const LOSS_FRACTION = 0.1;
const DEFAULT_TILT_DEG = 30;

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
export interface EnteredPlant {
  latitude: number | null;
  longitude: number | null;
  altitudeM: number | null;
  systemSizeKwp: number;
  arrays: readonly { kwp: number; inclinationDeg: number; azimuthDeg: number }[];
}

/** Light and air of a moment, as a weather service tells them. */
export interface Weather {
  /** Global horizontal irradiance, W/m2. */
  ghiWm2: number;
  ambientC: number;
  windMs: number;
}

/** The plant that can be computed: its arrays as entered, or else its whole size facing the equator; null without a position or a size. */
export function pvPlantOf({ latitude, longitude, altitudeM, systemSizeKwp, arrays }: EnteredPlant): PvPlant | null {
  if (latitude === null || longitude === null) return null;
  const place = { latitude, longitude, altitudeM: altitudeM ?? 0 };
  const entered = arrays.filter(({ kwp }) => kwp > 0);
  if (entered.length > 0) {
    return {
      ...place,
      arrays: entered.map(({ kwp, inclinationDeg, azimuthDeg }) => ({
        ratedW: kwp * 1_000,
        plane: { tiltDeg: inclinationDeg, azimuthDeg },
      })),
    };
  }
  if (!(systemSizeKwp > 0)) return null;
  const plane = { tiltDeg: DEFAULT_TILT_DEG, azimuthDeg: latitude < 0 ? 0 : 180 };
  return { ...place, arrays: [{ ratedW: systemSizeKwp * 1_000, plane }] };
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
