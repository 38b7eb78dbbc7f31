const RADIANS = Math.PI / 180;

/** Total solar irradiance, W/m2 (Kopp & Lean 2011). */
export const SOLAR_CONSTANT_WM2 = 1361;

/** Global horizontal, direct normal and diffuse horizontal irradiance, W/m2. */
export interface Irradiance {
  ghiWm2: number;
  dniWm2: number;
  dhiWm2: number;
}

/** Irradiance in the plane of an array, W/m2; `totalWm2` is the sum of the other three. */
export interface PlaneIrradiance {
  totalWm2: number;
  directWm2: number;
  skyWm2: number;
  groundWm2: number;
}

/** A plane: tilt 0 = horizontal, 90 = vertical; azimuth clockwise from north, 180 = facing south. */
export interface Plane {
  tiltDeg: number;
  azimuthDeg: number;
}

/** Day of the year, 1-366, in UTC. */
export function dayOfYear(tsMs: number): number {
  return Math.floor((tsMs - Date.UTC(new Date(tsMs).getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
}

/** Irradiance on a plane facing the sun above the atmosphere, W/m2 (Spencer 1971). */
export function extraterrestrialNormalWm2(day: number, solarConstantWm2: number = SOLAR_CONSTANT_WM2): number {
  const angle = (2 * Math.PI * (day - 1)) / 365;
  return (
    solarConstantWm2 *
    (1.00011 +
      0.034221 * Math.cos(angle) +
      0.00128 * Math.sin(angle) +
      0.000719 * Math.cos(2 * angle) +
      7.7e-5 * Math.sin(2 * angle))
  );
}

/** Relative air mass at sea level (Kasten & Young 1989) for an apparent zenith; NaN under the horizon. */
export function relativeAirmass(apparentZenithDeg: number): number {
  if (apparentZenithDeg > 90) return Number.NaN;
  return 1 / (Math.cos(apparentZenithDeg * RADIANS) + 0.50572 * (96.07995 - apparentZenithDeg) ** -1.6364);
}

/** Air mass corrected for the pressure at an altitude (scale height 8434.5 m). */
export function absoluteAirmass(relative: number, altitudeM: number): number {
  return relative * Math.exp(-altitudeM / 8434.5);
}

/**
 * Clear-sky irradiance after Ineichen & Perez 2002 in the form of Reno, Hansen & Stein (SAND2012-2389) as used by pvlib,
 * without the enhancement factor. All zero under the horizon.
 *
 * @param airmass absolute air mass.
 * @param linkeTurbidity about 2 (very clear) to 7 (hazy).
 */
export function ineichenClearSky(
  apparentZenithDeg: number,
  airmass: number,
  linkeTurbidity: number,
  altitudeM: number,
  extraterrestrialWm2: number,
): Irradiance {
  const cosZenith = Math.cos(apparentZenithDeg * RADIANS);
  if (!(cosZenith > 0) || Number.isNaN(airmass)) return { ghiWm2: 0, dniWm2: 0, dhiWm2: 0 };
  const fh1 = Math.exp(-altitudeM / 8000);
  const fh2 = Math.exp(-altitudeM / 1250);
  const cg1 = 5.09e-5 * altitudeM + 0.868;
  const cg2 = 3.92e-5 * altitudeM + 0.0387;
  const ghiWm2 = cg1 * extraterrestrialWm2 * cosZenith * Math.exp(-cg2 * airmass * (fh1 + fh2 * (linkeTurbidity - 1)));
  const beamWm2 = extraterrestrialWm2 * (0.664 + 0.163 / fh1) * Math.exp(-0.09 * airmass * (linkeTurbidity - 1));
  const beamLimitWm2 =
    ghiWm2 * Math.max(0, (1 - (0.1 - 0.2 * Math.exp(-linkeTurbidity)) / (0.1 + 0.882 / fh1)) / cosZenith);
  const dniWm2 = Math.max(0, Math.min(beamWm2, beamLimitWm2));
  return { ghiWm2, dniWm2, dhiWm2: Math.max(0, ghiWm2 - dniWm2 * cosZenith) };
}

/** Global clear-sky irradiance after Haurwitz 1945, W/m2. */
export function haurwitzGhiWm2(apparentZenithDeg: number): number {
  const cosZenith = Math.cos(apparentZenithDeg * RADIANS);
  return cosZenith > 0 ? 1098 * cosZenith * Math.exp(-0.059 / cosZenith) : 0;
}

/** Clear sky at a position of the sun; convenience of airmass and Ineichen. */
export function clearSky(
  apparentElevationDeg: number,
  altitudeM: number,
  linkeTurbidity: number,
  extraterrestrialWm2: number,
): Irradiance {
  const zenithDeg = 90 - apparentElevationDeg;
  const airmass = absoluteAirmass(relativeAirmass(zenithDeg), altitudeM);
  return ineichenClearSky(zenithDeg, airmass, linkeTurbidity, altitudeM, extraterrestrialWm2);
}

/**
 * Splits global horizontal irradiance into direct and diffuse (Erbs, Klein & Duffie 1982). Within 3 degrees of the horizon
 * and below it, all is diffuse.
 */
export function erbsSplit(ghiWm2: number, zenithDeg: number, extraterrestrialWm2: number): Irradiance {
  const ghi = Math.max(0, ghiWm2);
  const cosZenith = Math.cos(zenithDeg * RADIANS);
  if (zenithDeg > 87 || cosZenith <= 0) return { ghiWm2: ghi, dniWm2: 0, dhiWm2: ghi };
  const kt = Math.min(1, ghi / (extraterrestrialWm2 * cosZenith));
  const dhiWm2 = ghi * erbsDiffuseFraction(kt);
  return { ghiWm2: ghi, dniWm2: (ghi - dhiWm2) / cosZenith, dhiWm2 };
}

function erbsDiffuseFraction(kt: number): number {
  if (kt <= 0.22) return 1 - 0.09 * kt;
  if (kt <= 0.8) return 0.9511 - 0.1604 * kt + 4.388 * kt ** 2 - 16.638 * kt ** 3 + 12.336 * kt ** 4;
  return 0.165;
}

/** Cosine of the angle between the sun and the normal of a plane; negative = the sun is behind it. */
export function cosIncidence(zenithDeg: number, sunAzimuthDeg: number, plane: Plane): number {
  const zenith = zenithDeg * RADIANS;
  const tilt = plane.tiltDeg * RADIANS;
  const cosine =
    Math.cos(tilt) * Math.cos(zenith) +
    Math.sin(tilt) * Math.sin(zenith) * Math.cos((sunAzimuthDeg - plane.azimuthDeg) * RADIANS);
  return Math.min(1, Math.max(-1, cosine));
}

const GROUND_ALBEDO = 0.2;

/** Irradiance in a plane with an isotropic sky (Liu & Jordan 1963). */
export function isotropicPlane(
  irradiance: Irradiance,
  zenithDeg: number,
  sunAzimuthDeg: number,
  plane: Plane,
  albedo: number = GROUND_ALBEDO,
): PlaneIrradiance {
  const cosTilt = Math.cos(plane.tiltDeg * RADIANS);
  const directWm2 = irradiance.dniWm2 * Math.max(0, cosIncidence(zenithDeg, sunAzimuthDeg, plane));
  const skyWm2 = (irradiance.dhiWm2 * (1 + cosTilt)) / 2;
  return withGround(irradiance, directWm2, skyWm2, cosTilt, albedo);
}

/** Irradiance in a plane with a circumsolar part of the sky (Hay & Davies 1980). */
export function hayDaviesPlane(
  irradiance: Irradiance,
  zenithDeg: number,
  sunAzimuthDeg: number,
  plane: Plane,
  extraterrestrialWm2: number,
  albedo: number = GROUND_ALBEDO,
): PlaneIrradiance {
  const cosTilt = Math.cos(plane.tiltDeg * RADIANS);
  const projection = Math.max(0, cosIncidence(zenithDeg, sunAzimuthDeg, plane));
  const anisotropy = irradiance.dniWm2 / extraterrestrialWm2;
  // The floor keeps the ratio finite at the horizon (cosine of 89 degrees).
  const ratio = projection / Math.max(Math.cos(zenithDeg * RADIANS), 0.01745);
  const skyWm2 = irradiance.dhiWm2 * (anisotropy * ratio + ((1 - anisotropy) * (1 + cosTilt)) / 2);
  return withGround(irradiance, irradiance.dniWm2 * projection, Math.max(0, skyWm2), cosTilt, albedo);
}

function withGround(
  irradiance: Irradiance,
  directWm2: number,
  skyWm2: number,
  cosTilt: number,
  albedo: number,
): PlaneIrradiance {
  const groundWm2 = (irradiance.ghiWm2 * albedo * (1 - cosTilt)) / 2;
  return { totalWm2: directWm2 + skyWm2 + groundWm2, directWm2, skyWm2, groundWm2 };
}
