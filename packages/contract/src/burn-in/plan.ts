import * as z from 'zod/mini';
import { line } from '../fields.ts';

export const MOST_PLANS = 200;
export const MOST_STEPS = 24;
export const MOST_UNITS = 200;
export const LEAST_MINUTES = 60;
export const MOST_MINUTES = 14 * 24 * 60;
export const MOST_STEP_MINUTES = 24 * 60;
export const MOST_ALLOWED_CODES = 50;
/** At the beginning of a step the power still follows: these minutes do not count, at most a quarter of the step. */
export const SETTLING_MINUTES = 3;
/** Efficiency is judged where so much of the rated power or more is asked, percent. */
export const EFFICIENCY_FROM_PERCENT = 50;

/** A unit passes only where so much of its time was recorded, percent. */
export const LEAST_COVERAGE_PERCENT = 90;
/** A shorter step has no minute in which its power has settled. */
export const LEAST_STEP_MINUTES = 2;

const bounded = (low: number, high: number) => z._default(z.nullable(z.number().check(z.gte(low), z.lte(high))), null);

export const loadStep = z.object({
  minutes: z.int().check(z.gte(1), z.lte(MOST_STEP_MINUTES)),
  /** Of the rated power. */
  percent: z.number().check(z.gte(0), z.lte(110)),
});
export type LoadStep = z.output<typeof loadStep>;
const plannedStep = z.object({
  ...loadStep.shape,
  minutes: z.int().check(z.gte(LEAST_STEP_MINUTES), z.lte(MOST_STEP_MINUTES)),
});

/** The load that an inverter is told for a step: a limit is whole percents of its rating, and no more than all of it. */
export const orderedPercent = (percent: number): number => Math.min(100, Math.round(percent));

/** What a run asks for, and judges by. */
export const askedSteps = (steps: readonly LoadStep[], setsLoad: boolean): readonly LoadStep[] =>
  setsLoad ? steps.map((step) => ({ ...step, percent: orderedPercent(step.percent) })) : steps;

/** Limits of a plan; `null`: not judged. */
export const burnInLimits = z.object({
  /** Least share of what a step asks for, its mean, percent. */
  minOutputPercent: bounded(10, 100),
  minEfficiencyPercent: bounded(10, 100),
  maxTemperatureC: bounded(0, 150),
  /** Of the heat sink above what it had at the beginning, K. */
  maxRiseK: bounded(1, 120),
  minVoltageV: bounded(50, 1_000),
  maxVoltageV: bounded(50, 1_000),
  minFrequencyHz: bounded(40, 70),
  maxFrequencyHz: bounded(40, 70),
  minInsulationKOhm: bounded(1, 100_000),
  /** The longest that nothing is recorded, minutes. */
  maxSilenceMinutes: z._default(z.nullable(z.int().check(z.gte(1), z.lte(24 * 60))), null),
  /** Alarms of this level and above fail a unit. */
  failLevel: z._default(z.nullable(z.int().check(z.gte(1), z.lte(4))), null),
  /** Codes that do not. */
  allowedCodes: z._default(z.array(z.int().check(z.gte(1), z.lte(99_999))).check(z.maxLength(MOST_ALLOWED_CODES)), []),
});
export type BurnInLimits = z.output<typeof burnInLimits>;

/** What is judged, in the order in which it is shown. Hard ones fail a unit at once, the others at its end. */
export const judgedLimits = [
  'minOutputPercent',
  'minEfficiencyPercent',
  'maxTemperatureC',
  'maxRiseK',
  'minVoltageV',
  'maxVoltageV',
  'minFrequencyHz',
  'maxFrequencyHz',
  'minInsulationKOhm',
  'maxSilenceMinutes',
  'failLevel',
] as const;
export type JudgedLimit = (typeof judgedLimits)[number];

export const softLimits: readonly JudgedLimit[] = ['minOutputPercent', 'minEfficiencyPercent'];
/** Limits that the value may not fall below. */
export const isLowest = (limit: JudgedLimit): boolean => limit.startsWith('min');
export const unitOf = {
  minOutputPercent: '%',
  minEfficiencyPercent: '%',
  maxTemperatureC: '°C',
  maxRiseK: 'K',
  minVoltageV: 'V',
  maxVoltageV: 'V',
  minFrequencyHz: 'Hz',
  maxFrequencyHz: 'Hz',
  minInsulationKOhm: 'kΩ',
  maxSilenceMinutes: 'min',
  failLevel: '',
} as const satisfies Record<JudgedLimit, string>;

const usualDecimals: Readonly<Partial<Record<JudgedLimit, number>>> = {
  minFrequencyHz: 2,
  maxFrequencyHz: 2,
  minInsulationKOhm: 0,
};
const MOST_DECIMALS = 3;

/** With how many decimals a limit and what was measured are written, so that they are seen to differ where they do. */
export function decimalsOf(limit: JudgedLimit, allowed: number, measured: number | null): number {
  const values = measured === null ? [allowed] : [allowed, measured];
  let decimals = values.every((value) => Number.isInteger(value)) ? 0 : (usualDecimals[limit] ?? 1);
  if (measured === null || measured === allowed) return decimals;
  while (decimals < MOST_DECIMALS && measured.toFixed(decimals) === allowed.toFixed(decimals)) decimals += 1;
  return decimals;
}

/** Why a unit failed: a limit, nothing recorded at all, or a limit of which nothing was ever measured. */
export const failReasons = [...judgedLimits, 'noData', 'notMeasured'] as const;
export type FailReason = (typeof failReasons)[number];
/** A unit that fails for such a reason has run to its end. */
export const isEndReason = (reason: FailReason | null): boolean =>
  reason === 'noData' || reason === 'notMeasured' || softLimits.some((limit) => limit === reason);

interface Windows {
  minVoltageV: number | null;
  maxVoltageV: number | null;
  minFrequencyHz: number | null;
  maxFrequencyHz: number | null;
}
const isOrdered = (low: number | null, high: number | null) => low === null || high === null || low < high;
const voltagesInOrder = z.refine<{ limits: Windows }>(
  ({ limits }) => isOrdered(limits.minVoltageV, limits.maxVoltageV),
  { error: 'order', path: ['limits', 'maxVoltageV'] },
);
const frequenciesInOrder = z.refine<{ limits: Windows }>(
  ({ limits }) => isOrdered(limits.minFrequencyHz, limits.maxFrequencyHz),
  { error: 'order', path: ['limits', 'maxFrequencyHz'] },
);

export const planFacts = {
  name: line(64, 1),
  durationMinutes: z.int().check(z.gte(LEAST_MINUTES), z.lte(MOST_MINUTES)),
  steps: z.array(plannedStep).check(z.minLength(1), z.maxLength(MOST_STEPS)),
  limits: burnInLimits,
};
export const inOrder = [voltagesInOrder, frequenciesInOrder] as const;

/** A step of a run as it comes: the profile is repeated until the end, which may cut the last one. */
export interface RunStep {
  readonly index: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly percent: number;
}

/** The step at a moment since the start of a run, ms; undefined before it and after its end. */
export function stepAt(steps: readonly LoadStep[], durationMs: number, sinceMs: number): RunStep | undefined {
  const roundMs = steps.reduce((sum, { minutes }) => sum + minutes, 0) * 60_000;
  if (sinceMs < 0 || sinceMs >= durationMs || roundMs <= 0) return undefined;
  const rounds = Math.floor(sinceMs / roundMs);
  let startMs = rounds * roundMs;
  for (const [place, { minutes, percent }] of steps.entries()) {
    const endMs = startMs + minutes * 60_000;
    if (sinceMs < endMs)
      return { index: rounds * steps.length + place, startMs, endMs: Math.min(endMs, durationMs), percent };
    startMs = endMs;
  }
  return undefined;
}

/** Whether a moment since the start of a run is beyond the settling of its step. */
export function isSettled(step: RunStep, sinceMs: number): boolean {
  return sinceMs - step.startMs >= settlingMs(step);
}

const settlingMs = ({ startMs, endMs }: RunStep): number => Math.min(SETTLING_MINUTES * 60_000, (endMs - startMs) / 4);

/** How many minutes of a step are beyond its settling. */
export const settledMinutes = (step: RunStep): number =>
  Math.max(0, Math.ceil((step.endMs - step.startMs) / 60_000) - Math.ceil(settlingMs(step) / 60_000));
