import { type BurnInLimits, isLowest, type JudgedLimit, type LoadStep } from '@sonnenwarte/contract/burn-in/plan';
import type { UnitProgress, Worst } from '../stores/schema-burn-in.ts';

/** What was recorded of a unit within a minute; null where it told nothing of it. */
export interface Minute {
  readonly atMs: number;
  /** Its first sample and its last. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** When the last of it came. */
  readonly receivedMs: number;
  readonly acW: number | null;
  readonly dcW: number | null;
  readonly temperatureC: number | null;
  readonly lowVoltageV: number | null;
  readonly highVoltageV: number | null;
  readonly lowFrequencyHz: number | null;
  readonly highFrequencyHz: number | null;
  readonly insulationKOhm: number | null;
}

/** What a unit is judged by. */
export interface Frame {
  readonly startMs: number;
  readonly endMs: number;
  /** As they were asked for. */
  readonly steps: readonly LoadStep[];
  readonly limits: BurnInLimits;
  readonly ratedW: number | null;
  /** So often its datalogger tells. */
  readonly intervalMs: number;
}

const isWorse = (limit: JudgedLimit, value: number, than: number): boolean =>
  isLowest(limit) ? value < than : value > than;

export const breaks = (limit: JudgedLimit, value: number, { limits }: Pick<Frame, 'limits'>): boolean => {
  const allowed = limits[limit];
  return allowed !== null && isWorse(limit, value, allowed);
};

export const withWorst = (progress: UnitProgress, limit: JudgedLimit, worst: Worst): UnitProgress => {
  const known = progress.worst?.[limit];
  if (known !== undefined && !isWorse(limit, worst[0], known[0])) return progress;
  return { ...progress, worst: { ...progress.worst, [limit]: worst } };
};

export const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
