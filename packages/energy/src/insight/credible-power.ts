import type { InverterDay } from './plant-day.ts';

/** What is known of the size of a plant, or of an inverter with its arrays. */
export interface Nameplate {
  /** Rated DC power of the arrays, kWp; null = not known. */
  kwp: number | null;
  /** Rated AC power of the inverters, W; null = not known. */
  ratedAcW: number | null;
}

/** At the edge of a cloud modules get more light than under a clear sky: means of minutes reach 1.3 times the rating (Gueymard 2017). */
export const CLOUD_EDGE = 1.3;
/** What an inverter delivers for minutes beyond its rating, and what its meter is wrong by. */
const AC_MARGIN = 1.2;
/** Arrays are rarely larger than so many ratings of their inverter. */
const MOST_DC_PER_AC = 1.5;
/** A smaller rating is one in kW by mistake. */
const LEAST_RATING_W = 100;
/** Of the size: what arrays cannot give once the sun is gone. */
const DARK_SHARE = 0.02;
const LEAST_DARK_W = 50;

const isSize = (value: number | null): value is number => value !== null && Number.isFinite(value) && value > 0;

/**
 * The most PV power that can be, mean of a bucket, W: by the size of the arrays, else by the inverters' rating. What charges a battery
 * on the DC side passes no rating. Infinity where neither is known.
 */
export function mostPvW({ kwp, ratedAcW }: Nameplate): number {
  if (isSize(kwp)) return CLOUD_EDGE * kwp * 1_000;
  return MOST_DC_PER_AC * mostAcW(ratedAcW);
}

/** The most power at the AC terminals of inverters, mean of a bucket, W; Infinity where their rating (W) is not known. */
export function mostAcW(ratedAcW: number | null): number {
  return isSize(ratedAcW) && ratedAcW >= LEAST_RATING_W ? AC_MARGIN * ratedAcW : Number.POSITIVE_INFINITY;
}

/** Whether nothing can come of the sun in a bucket. */
export type IsDark = (at: number) => boolean;

/**
 * PV power without what cannot be: NaN where a value is beyond the bound, either way, where it comes of no sun, or is none. A small one
 * below 0 is what a sleeping inverter takes, and none of the arrays.
 *
 * @param powerW per bucket, W; NaN = not known.
 * @param mostW see `mostPvW`.
 */
export function crediblePvW(powerW: Float64Array, mostW: number, isDark: IsDark = () => false): Float64Array {
  const darkW = Math.max(LEAST_DARK_W, (DARK_SHARE * mostW) / CLOUD_EDGE);
  return powerW.map((watts, at) => {
    if (!Number.isFinite(watts) || Math.abs(watts) > mostW || (isDark(at) && watts > darkW)) return Number.NaN;
    return Math.max(0, watts);
  });
}

const within = (powerW: Float64Array, mostW: number): Float64Array =>
  powerW.map((watts) => (Number.isFinite(watts) && Math.abs(watts) <= mostW ? watts : Number.NaN));

/**
 * What an inverter and its strings told, without what they cannot give.
 *
 * @param plantMostW the most that the whole plant can give, W; it holds where nothing is known of the inverter.
 */
export function credibleInverter<T extends InverterDay>(inverter: T, plantMostW: number): T {
  const dcMostW = Math.min(plantMostW, mostPvW(inverter));
  const acMostW = mostAcW(inverter.ratedAcW);
  return {
    ...inverter,
    acW: within(inverter.acW, Number.isFinite(acMostW) ? acMostW : AC_MARGIN * plantMostW),
    dcW: within(inverter.dcW, dcMostW),
    strings: inverter.strings.map((string) => ({ ...string, powerW: within(string.powerW, dcMostW) })),
  };
}
