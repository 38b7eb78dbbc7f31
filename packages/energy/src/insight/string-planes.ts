import { cosIncidence } from '../physics/irradiance.ts';
import type { DayLedger } from './day-ledger.ts';
import { arrayPowerW, clearnessOf, type ModelArray } from './expected-power.ts';
import type { StringDay } from './plant-day.ts';

/** How a string would lie in one of its plant's planes. */
export interface PlaneFit {
  /** How far its course over the day is from that of the plane, 0 = the same: 1 - the cosine between the two series. */
  miss: number;
  /** Size at which the plane gives what the string gave, kWp. */
  kwp: number;
}

/** Plants of more planes do not have theirs looked at. */
const MOST_PLANES = 8;

/** The light by which strings are held against planes: that of the day, or what the plant's own power tells. */
export const stringLight = (ledger: DayLedger): Float64Array =>
  ledger.isCompared ? ledger.light.clearness : clearnessOf(ledger.expected, ledger.day.pvW, ledger.level);

/** Where the sun stands lower over a plane, or behind it, models of a bright sky differ by a multiple in what it has. */
const LEAST_INCIDENCE = 0.17;
/** Darker skies are the same from all sides. */
const DULL_CLEARNESS = 0.45;

/**
 * What a kWp in a plane gives in each bucket, W DC; NaN where the light is not known, or where it is bright and the plane has none of it straight from the
 * sun, or it is not sure that it is this plane.
 */
export function planePowerW(
  { expected }: DayLedger,
  { array, isSure }: LikelyPlane,
  clearness: Float64Array,
): Float64Array {
  const { sky, model } = expected;
  const plane = model.arrays[array];
  return clearness.map((light, at) => {
    if (plane === undefined || !(plane.ratedW > 0)) return Number.NaN;
    const isInSun =
      isSure && cosIncidence(sky.zenithDeg[at] as number, sky.azimuthDeg[at] as number, plane) >= LEAST_INCIDENCE;
    if (!isInSun && light > DULL_CLEARNESS) return Number.NaN;
    return arrayPowerW(expected, array, at, light) / (plane.ratedW / 1000);
  });
}

/**
 * A string against each plane of its plant over some buckets, in the order of the model's arrays; empty where nothing follows.
 *
 * @param planesW what a kWp in each plane gives (`planePowerW`).
 */
export function planeFits(planesW: readonly Float64Array[], { powerW }: StringDay, usable: Uint8Array): PlaneFit[] {
  if (planesW.length > MOST_PLANES) return [];
  const fits = planesW.map((planeW) => {
    let ownSquares = 0;
    let planeSquares = 0;
    let products = 0;
    let ownSum = 0;
    let planeSum = 0;
    for (let at = 0; at < usable.length; at += 1) {
      const ownW = powerW[at] as number;
      const wantedW = planeW[at] as number;
      if (usable[at] === 0 || Number.isNaN(ownW) || Number.isNaN(wantedW)) continue;
      ownSquares += ownW * ownW;
      planeSquares += wantedW * wantedW;
      products += ownW * wantedW;
      ownSum += ownW;
      planeSum += wantedW;
    }
    return { miss: 1 - products / Math.sqrt(ownSquares * planeSquares), kwp: ownSum / planeSum };
  });
  return fits.every(({ miss, kwp }) => Number.isFinite(miss) && Number.isFinite(kwp)) ? fits : [];
}

/** A string goes by so much better with its own plane than with another one once there were hours of sun. */
const LEAST_MARGIN = 0.004;
/** A string that goes with none better lies elsewhere than was entered, or nothing was. Under single clouds its own one misses by up to 0.02. */
const MOST_MISS = 0.035;
/** Planes that differ less stand for one another. */
const ALIKE_COS = Math.cos((20 * Math.PI) / 180);

export interface LikelyPlane {
  /** Its place among the model's arrays. */
  array: number;
  /** Whether it goes with the string well, and no other that differs from it does alike, as under dull skies all do. */
  isSure: boolean;
}

/** The plane in which a string lies; undefined where none is known. */
export function likeliestPlane(fits: readonly PlaneFit[], arrays: readonly ModelArray[]): LikelyPlane | undefined {
  const [best, ...others] = fits.map(({ miss }, array) => ({ miss, array })).toSorted((a, b) => a.miss - b.miss);
  if (best === undefined || fits.length !== arrays.length) return undefined;
  const own = arrays[best.array] as ModelArray;
  const isRival = ({ miss, array }: { miss: number; array: number }): boolean =>
    miss - best.miss < LEAST_MARGIN && cosBetween(own, arrays[array] as ModelArray) < ALIKE_COS;
  return { array: best.array, isSure: best.miss <= MOST_MISS && !others.some(isRival) };
}

/** Of the angle between two planes: as of a plane and a sun that stands over the other. */
const cosBetween = (a: ModelArray, b: ModelArray): number => cosIncidence(a.tiltDeg, a.azimuthDeg, b);
