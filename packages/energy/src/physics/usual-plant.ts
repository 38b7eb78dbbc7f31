/** What is taken of sky, air and modules where nobody has measured them, and of arrays where nobody has entered them. */

/** Linke turbidity of a usual sky of the middle latitudes. */
export const LINKE_TURBIDITY = 3;
/** Air by which modules are warmed, degC. */
export const AMBIENT_C = 20;
/** Wind by which they are cooled, m/s. */
export const WIND_MS = 1;
/** Power of crystalline modules by their temperature, 1/K. */
export const GAMMA_PER_K = -0.0035;
/** Soiling, mismatch, wiring (PVWatts v5 has 14 % with ageing and shading; what is left without them). */
export const LOSS_FRACTION = 0.1;
const TILT_DEG = 30;

/** One array: DC rating in W, inclination from the horizontal, azimuth clockwise from north. */
export interface UsualArray {
  ratedW: number;
  tiltDeg: number;
  azimuthDeg: number;
}

/** Size and arrays of a plant as they were entered. */
export interface EnteredArrays {
  systemSizeKwp: number;
  arrays: readonly { kwp: number; inclinationDeg: number; azimuthDeg: number }[];
}

/** The arrays as entered, or else the whole size facing the equator; none without a size. */
export function usualArrays({ systemSizeKwp, arrays }: EnteredArrays, latitude: number): UsualArray[] {
  const entered = arrays.filter(({ kwp }) => kwp > 0);
  if (entered.length > 0) {
    return entered.map(({ kwp, inclinationDeg, azimuthDeg }) => ({
      ratedW: kwp * 1_000,
      tiltDeg: inclinationDeg,
      azimuthDeg,
    }));
  }
  if (!(systemSizeKwp > 0)) return [];
  return [{ ratedW: systemSizeKwp * 1_000, tiltDeg: TILT_DEG, azimuthDeg: latitude < 0 ? 0 : 180 }];
}
