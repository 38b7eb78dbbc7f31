import type { LoadStep } from '@sonnenwarte/contract/burn-in/plan';
import type { PlanRow } from '@sonnenwarte/contract/burn-in/rows';

export interface PlanValues {
  name: string;
  /** Hours, as they are typed. */
  durationMinutes: unknown;
  steps: { minutes: unknown; percent: unknown }[];
  limits: Record<string, unknown>;
}

/** What a first plan may begin with: a day at changing load, within the limits of the usual grids. */
export const firstPlan: PlanValues = {
  name: '',
  durationMinutes: 24 * 60,
  steps: [
    { minutes: 60, percent: 50 },
    { minutes: 120, percent: 100 },
  ],
  limits: {
    minOutputPercent: 97,
    minEfficiencyPercent: 95,
    maxTemperatureC: 80,
    maxRiseK: '',
    minVoltageV: 207,
    maxVoltageV: 253,
    minFrequencyHz: 47.5,
    maxFrequencyHz: 51.5,
    minInsulationKOhm: '',
    maxSilenceMinutes: 10,
    failLevel: '3',
    allowedCodes: '',
  },
};

export const valuesOf = ({ name, durationMinutes, steps, limits }: PlanRow): PlanValues => ({
  name,
  durationMinutes,
  steps: steps.map((step) => ({ ...step })),
  limits: {
    ...Object.fromEntries(Object.entries(limits).map(([limit, value]) => [limit, value ?? ''])),
    failLevel: limits.failLevel === null ? '' : String(limits.failLevel),
    allowedCodes: limits.allowedCodes.join(', '),
  },
});

/** Numbers of a typed list; what is none stays, and is refused as such. */
const codesIn = (text: unknown): unknown[] =>
  String(text ?? '')
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d{1,5}$/.test(part) ? Number(part) : part));

const orNull = (value: unknown): unknown => (value === '' || value === undefined ? null : value);

/** As it is sent: what is empty is no limit. */
export const sentOf = ({ name, durationMinutes, steps, limits }: PlanValues) => ({
  name,
  durationMinutes,
  steps,
  limits: {
    ...Object.fromEntries(Object.entries(limits).map(([limit, value]) => [limit, orNull(value)])),
    failLevel: limits.failLevel === '' ? null : Number(limits.failLevel),
    allowedCodes: codesIn(limits.allowedCodes),
  },
});

/** The steps that can be drawn already. */
export const drawnSteps = (steps: PlanValues['steps']): LoadStep[] =>
  steps.flatMap(({ minutes, percent }) =>
    typeof minutes === 'number' && minutes >= 1 && typeof percent === 'number' && percent >= 0
      ? [{ minutes, percent: Math.min(110, percent) }]
      : [],
  );
