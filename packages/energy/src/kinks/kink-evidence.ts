import type { Series } from './curve.ts';

/** A string, or a tracker where its strings are not measured one by one. */
export interface StringSeries {
  kind: 'string' | 'tracker';
  n: number;
  /** Current of each bucket, A. */
  values: Series;
}

export interface InverterSeries {
  /** Its id. */
  device: string;
  /** AC rating, W; null = not known. */
  ratedW: number | null;
  /** Power of its arrays of each bucket, W. */
  pvW: Series;
  strings: readonly StringSeries[];
}

export interface AlarmSpan {
  device: string;
  /** Code of the alarm catalogue. */
  code: number;
  /** 1 notice, 2 warning, 3 fault, 4 critical. */
  level: number;
  fromMs: number;
  /** null = still standing. */
  untilMs: number | null;
}

/** Something that somebody, or the plant itself, changed. */
export type KinkChange =
  | { what: 'correction'; device: string; fromMs: number; toMs: number }
  | { what: 'workMode'; device: string; atMs: number; mode: number };

/**
 * What is known of a plant around a kink. All series have buckets of the same length and begin at the same time; null = not
 * known. Powers are those of the AC bus, + of the battery = discharge, + of the grid = bought.
 */
export interface KinkEvidence {
  startMs: number;
  bucketMs: number;
  pvW: Series;
  /** What a clear sky offered, W; null = not known. */
  clearW: Series | null;
  gridW: Series;
  batteryW: Series;
  socPercent: Series;
  inverters: readonly InverterSeries[];
  /** Irradiance at the plant, W/m2; null = no sensor. */
  irradianceWm2: Series | null;
  alarms: readonly AlarmSpan[];
  changes: readonly KinkChange[];
  /** PV power of plants within 50 km, one series each, W. */
  neighbours: readonly Series[];
}

export type CloudSign = 'neighbours' | 'sensor' | 'inverters' | 'strings' | 'swaying';

/** Why a curve has a kink, with what it rests on. Percent are of what each gave just before, as the clear sky goes along. */
export type KinkCauseOf = {
  /** Nothing was heard of these devices. */
  gap: { devices: string[] };
  alarm: { device: string; code: number };
  /** One string fell, another one did not. */
  string: {
    device: string;
    kind: 'string' | 'tracker';
    n: number;
    percent: number;
    other: { n: number; percent: number };
    /** Code of the alarm that says so too. */
    code: number | null;
  };
  /** One inverter fell while others ran on. */
  inverter: { device: string; percent: number; others: number; othersPercent: number };
  /** All inverters were heard, and gave nothing. */
  standstill: { inverters: number };
  clipping: { ratedW: number };
  /** What is fed in stands at a limit. */
  'export-limit': { limitW: number };
  /** The same, since the battery takes no more. */
  'battery-full': { limitW: number; socPercent: number };
  correction: { device: string };
  workMode: { device: string; mode: number; atMs: number };
  /** All fell alike: strings or inverters of the plant, its sensor, or its neighbours; or the power swayed as it does under clouds. */
  cloud: { by: CloudSign; count: number; percent: number };
};
export type KinkCauseKind = keyof KinkCauseOf;

export type KinkCause = {
  [Kind in KinkCauseKind]: { kind: Kind; evidence: KinkCauseOf[Kind]; confidence: number };
}[KinkCauseKind];
