/** What a plan makes of a battery: the work mode of a plant's inverters or of its EMS, with what belongs to it. */
export const PLAN_MODES = ['selfUse', 'feedInPriority', 'backup', 'batterySupport', 'peakShaving'] as const;
export type PlanMode = (typeof PLAN_MODES)[number];

/**
 * What a period makes the battery do. `gridCharge`: charge with its power, from the grid where the sun does not suffice; `sunCharge`: charge from surplus
 * alone, with no more than its power; both up to `fdSocPercent`. `discharge`: discharge with its power down to `minSocPercent`. `hold`: neither.
 */
export const PLAN_ACTIONS = ['gridCharge', 'discharge', 'hold', 'sunCharge'] as const;
export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** A period in minutes of the plant's clock, its end exclusive; `days` bit 0 = Monday. */
export interface PlanPeriod {
  readonly startMin: number;
  readonly endMin: number;
  readonly days: number;
  readonly action: PlanAction;
  readonly powerW: number;
  readonly minSocPercent: number;
  readonly fdSocPercent: number;
}

export interface BatteryPlan {
  readonly mode: PlanMode;
  /** Discharging stops there in every mode. */
  readonly minSocPercent: number;
  /** Held by `backup` for a loss of the grid. */
  readonly backupSocPercent: number;
  /** Whether `backup` and `peakShaving` may charge from the grid; periods say it themselves. */
  readonly gridCharge: boolean;
  /** Null: none. */
  readonly exportLimitW: number | null;
  readonly peakLimitW: number | null;
  /** Of `batterySupport`; outside them it is as `selfUse`. */
  readonly periods: readonly PlanPeriod[];
}

/** What decides at one moment, powers in W. */
export interface PlanMoment {
  /** Generation less all consumption, W. */
  readonly surplusW: number;
  readonly socPercent: number;
  /** What the battery can take and give now, W, both >= 0. */
  readonly chargeLimitW: number;
  readonly dischargeLimitW: number;
  /** What the inverters can feed in together, W: the export limit where none is set. */
  readonly ratedW: number;
  readonly period: PlanPeriod | undefined;
}

/** Peak shaving charges from the grid only this far below its limit, W. */
export const PEAK_MARGIN_W = 500;

/** Battery power that a plan asks for, W, + = discharge, within the limits of the battery. */
export function plannedBatteryW(plan: BatteryPlan, at: PlanMoment): number {
  return Math.min(at.dischargeLimitW, Math.max(-at.chargeLimitW, askedW(plan, at)));
}

function askedW(plan: BatteryPlan, { surplusW, socPercent, chargeLimitW, ratedW, period }: PlanMoment): number {
  switch (plan.mode) {
    case 'selfUse':
      return -surplusW;
    case 'feedInPriority':
      return surplusW > 0 ? -Math.max(0, surplusW - (plan.exportLimitW ?? ratedW)) : -surplusW;
    case 'backup':
      if (socPercent >= plan.backupSocPercent) return 0;
      return -Math.max(0, surplusW, plan.gridCharge ? chargeLimitW / 2 : 0);
    case 'batterySupport':
      return period === undefined ? -surplusW : periodW(period, surplusW, socPercent);
    case 'peakShaving': {
      const { peakLimitW } = plan;
      const needW = -surplusW;
      if (peakLimitW !== null && needW > peakLimitW) return needW - peakLimitW;
      if (needW < 0) return needW;
      return plan.gridCharge && peakLimitW !== null ? -Math.max(0, peakLimitW - PEAK_MARGIN_W - needW) : 0;
    }
  }
}

function periodW(period: PlanPeriod, surplusW: number, socPercent: number): number {
  switch (period.action) {
    case 'gridCharge':
      return socPercent < period.fdSocPercent ? -period.powerW : 0;
    case 'sunCharge':
      return socPercent < period.fdSocPercent ? -Math.min(period.powerW, Math.max(0, surplusW)) : 0;
    case 'discharge':
      return socPercent > period.minSocPercent ? period.powerW : 0;
    case 'hold':
      return 0;
  }
}

/** Minutes of a day, and days of a week. */
export const DAY_MINUTES = 1_440;
const WEEK_DAYS = 7;

/** Which period of a plan holds at each minute of a week, Monday first; -1 = none. The first one where several overlap. */
export function periodsOfWeek(periods: readonly PlanPeriod[]): Int8Array {
  const week = new Int8Array(WEEK_DAYS * DAY_MINUTES).fill(-1);
  for (let place = periods.length - 1; place >= 0; place -= 1) {
    const { days, startMin, endMin } = periods[place] as PlanPeriod;
    for (let day = 0; day < WEEK_DAYS; day += 1) {
      if ((days & (1 << day)) === 0) continue;
      week.fill(place, day * DAY_MINUTES + startMin, day * DAY_MINUTES + Math.max(startMin, endMin));
    }
  }
  return week;
}
