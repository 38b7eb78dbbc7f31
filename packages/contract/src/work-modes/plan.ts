import * as z from 'zod/mini';

/** Work modes, in the order of their numbers in `Setting/WorkMode`, from 1. */
export const planModes = ['selfUse', 'feedInPriority', 'backup', 'batterySupport', 'peakShaving'] as const;
export const planMode = z.enum(planModes);
export type PlanMode = z.infer<typeof planMode>;

/** What a period makes the battery do, in the order of the numbers in column `mode` of `Setting/Schedule`, from 1. */
export const planActions = ['gridCharge', 'discharge', 'hold', 'sunCharge'] as const;
export const planAction = z.enum(planActions);
export type PlanAction = z.infer<typeof planAction>;

export const DAY_MINUTES = 1_440;
export const LEAST_PERIOD_MIN = 30;
export const MOST_PERIODS = 8;
export const MOST_POWER_W = 6_000;
export const MOST_PEAK_W = 5_000_000;
export const LEAST_SOC = 10;
export const MOST_SOC = 100;
export const EVERY_DAY = 127;
export const MOST_CHARGE_PERIODS = 2;

const soc = z.int().check(z.gte(LEAST_SOC), z.lte(MOST_SOC));
/** `days` bit 0 = Monday. */
const times = {
  startMin: z.int().check(z.gte(0), z.lte(DAY_MINUTES - 1)),
  endMin: z.int().check(z.gte(1), z.lte(DAY_MINUTES)),
  days: z.int().check(z.gte(1), z.lte(EVERY_DAY)),
};

/** A period in minutes of the plant's clock, its end exclusive. */
export interface Span {
  readonly startMin: number;
  readonly endMin: number;
  readonly days: number;
}

/** Whether two periods have a minute of a weekday in common. */
export const overlaps = (one: Span, other: Span): boolean =>
  (one.days & other.days) !== 0 && one.startMin < other.endMin && other.startMin < one.endMin;

export const isLongEnough = ({ startMin, endMin }: Pick<Span, 'startMin' | 'endMin'>): boolean =>
  endMin - startMin >= LEAST_PERIOD_MIN;

/** Places of periods that overlap with one before them. */
export const overlapping = (periods: readonly Span[]): number[] =>
  periods.flatMap((period, place) => (periods.slice(0, place).some((other) => overlaps(other, period)) ? [place] : []));

const apart = z.refine<readonly Span[]>((periods) => overlapping(periods).length === 0, 'periodsOverlap');
const longEnough = z.refine<Span>(isLongEnough, { error: 'periodTooShort', path: ['endMin'] });

export const planPeriod = z
  .object({
    ...times,
    action: planAction,
    powerW: z.int().check(z.gte(0), z.lte(MOST_POWER_W)),
    minSoc: soc,
    fdSoc: soc,
  })
  .check(
    longEnough,
    z.refine(({ minSoc, fdSoc }) => minSoc <= fdSoc, { error: 'fdSocBelowMin', path: ['fdSoc'] }),
  );
export type PlanPeriod = z.infer<typeof planPeriod>;

/** A price of grid energy in a period, in hundredths of the currency per kWh. */
export const pricePeriod = z
  .object({ ...times, price: z.number().check(z.gte(-1_000), z.lte(1_000)) })
  .check(longEnough);
export type PricePeriod = z.infer<typeof pricePeriod>;

export const planPeriods = z.array(planPeriod).check(z.maxLength(MOST_PERIODS), apart);
export const pricePeriods = z.array(pricePeriod).check(z.maxLength(MOST_PERIODS), apart);

/** What does not go below the minimum of the plan: where its periods charge to, or discharge to. */
const targetsAbove = z.refine<{ minSoc: number; periods: readonly PlanPeriod[] }>(
  ({ minSoc, periods }) => periods.every((period) => period.action === 'hold' || targetOf(period) >= minSoc),
  { error: 'targetBelowMin', path: ['minSoc'] },
);

/** State of charge at which a period has done its work. */
export const targetOf = ({ action, minSoc, fdSoc }: Pick<PlanPeriod, 'action' | 'minSoc' | 'fdSoc'>): number =>
  action === 'discharge' ? minSoc : fdSoc;

/** A plan as it is written: what is null is left as the device has it. */
export const plan = z
  .object({
    mode: planMode,
    minSoc: soc,
    backupSoc: z.nullable(soc),
    gridCharge: z.nullable(z.boolean()),
    peakLimitW: z.nullable(z.int().check(z.gte(0), z.lte(MOST_PEAK_W))),
    periods: planPeriods,
    pricePeriods: z.nullable(pricePeriods),
  })
  .check(
    targetsAbove,
    z.refine(({ minSoc, backupSoc }) => backupSoc === null || backupSoc >= minSoc, {
      error: 'backupBelowMin',
      path: ['backupSoc'],
    }),
  );
export type Plan = z.infer<typeof plan>;

/** Between what a value lies so that each of the devices that take a plan has it. */
const between = z.object({ least: z.number(), most: z.number(), canWrite: z.boolean() });
export const planBounds = z.object({ minSoc: between, backupSoc: between, peakLimitW: between });
export type PlanBounds = z.infer<typeof planBounds>;

/** A plan as a device has it, which may break rules of those that are written here. */
export const toldPlan = z.object({
  mode: planMode,
  minSoc: z.number(),
  backupSoc: z.nullable(z.number()),
  gridCharge: z.nullable(z.boolean()),
  peakLimitW: z.nullable(z.number()),
  periods: z.array(
    z.object({
      startMin: z.number(),
      endMin: z.number(),
      days: z.number(),
      action: planAction,
      powerW: z.number(),
      minSoc: z.number(),
      fdSoc: z.number(),
    }),
  ),
  pricePeriods: z.nullable(
    z.array(z.object({ startMin: z.number(), endMin: z.number(), days: z.number(), price: z.number() })),
  ),
});
export type ToldPlan = z.infer<typeof toldPlan>;

/** What a template keeps of a plan. */
export const templateContent = z
  .object({ mode: planMode, minSoc: soc, periods: planPeriods, pricePeriods: z.nullable(pricePeriods) })
  .check(targetsAbove);
export type TemplateContent = z.infer<typeof templateContent>;
