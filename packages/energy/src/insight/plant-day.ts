import type { ExpectedDay } from './expected-power.ts';
import type { PeerReference } from './peers.ts';
import type { PlantProfile } from './profile.ts';

/** Buckets of a plant's figures: five minutes of UTC. */
export const BUCKET_MS = 300_000;
export const BUCKET_HOURS = BUCKET_MS / 3_600_000;

/** One string, or a tracker where its strings are not measured one by one. */
export interface StringDay {
  /** Name that stays the same from day to day, such as `MPPT2` or `String3`. */
  key: string;
  /** Size, kWp; null = not known. */
  kwp: number | null;
  /** Place in the model's `arrays` of the plane it lies in; null = not known. */
  array: number | null;
  /** DC power per bucket, W; NaN = not known. */
  powerW: Float64Array;
}

export interface InverterDay {
  /** Name that stays the same from day to day: its serial number or id, as alarms name it. */
  key: string;
  ratedAcW: number | null;
  /** Size of the arrays behind it, kWp; null = not known, then its share of the plant is that of its rating. */
  kwp: number | null;
  /** 1 where anything was heard of it in the bucket. */
  heard: Uint8Array;
  /** AC power per bucket, W, + = delivered (with the battery's where one hangs at it); NaN = not known. */
  acW: Float64Array;
  /** DC power of its arrays per bucket, W; NaN = not known. */
  dcW: Float64Array;
  strings: readonly StringDay[];
}

export interface AlarmSpan {
  /** Key of the inverter, or the name of any other device. */
  device: string;
  /** Code of the alarm catalogue. */
  code: number;
  /** 1 notice, 2 warning, 3 fault, 4 critical. */
  level: 1 | 2 | 3 | 4;
  fromMs: number;
  /** null = still standing. */
  untilMs: number | null;
}

export interface BatteryDay {
  capacityWh: number | null;
  /** State of charge per bucket, %; NaN = not known. */
  socPercent: Float64Array;
}

/**
 * A day of a plant as it was told: buckets of five minutes from local midnight to local midnight, so 276, 288 or 300 of them. All
 * series have that length; NaN = not known. Powers in W at the AC bus, + of the battery = discharge, + of the grid = import.
 */
export interface PlantDay {
  /** Start of the first bucket, epoch ms. */
  startMs: number;
  /** Size, kWp; null = not known. */
  kwp: number | null;
  /** What the sun could give to this plant on this day; null without a position or a size. */
  expected: ExpectedDay | null;
  pvW: Float64Array;
  /** As the meter told it, where that is known: a balanced one hides a wrong sign. */
  gridW: Float64Array;
  loadW: Float64Array;
  batteryW: Float64Array;
  battery: BatteryDay | null;
  inverters: readonly InverterDay[];
  alarms: readonly AlarmSpan[];
  /** What may be fed in at most, W; null = no limit, or none known. */
  exportLimitW: number | null;
  /** What the inverters may give at most, W, where they are set below their rating; null or absent = no limit, or none known. */
  powerLimitW?: number | null;
  /** Whether any device tells what may be fed in. */
  isLimitTold?: boolean;
  /** Irradiance measured in the plane of an array, W/m2; null = no sensor. */
  sensor: {
    planeWm2: Float64Array;
    /** Place in the model's `arrays` of the sensor's plane. */
    array: number;
    moduleC: Float64Array | null;
  } | null;
  /** Air temperature, degC, where anything measures it. */
  ambientC: Float64Array | null;
  /** What the neighbours had of the light; null = fewer than five of them. */
  neighbours: PeerReference | null;
  /** What the plant did before this day; null = nothing known yet. */
  profile: PlantProfile | null;
}

/** Whether feeding in, or what the inverters give, is at its limit in a bucket. */
export function isAtLimit(
  { exportLimitW, powerLimitW = null, gridW, pvW }: PlantDay,
  { kwp }: ExpectedDay,
  at: number,
): boolean {
  const isAt = (limitW: number | null, watts: number): boolean =>
    limitW !== null && watts >= limitW - Math.max(30, 0.03 * limitW, 3 * kwp);
  return isAt(exportLimitW, -(gridW[at] as number)) || isAt(powerLimitW, pvW[at] as number);
}
