import { type BatteryPlan, DAY_MINUTES, type PlanPeriod, periodsOfWeek, plannedBatteryW } from './battery-plan.ts';

/** What was recorded last of a plant with a battery, W: + = discharge, + = import. */
export interface LastRecorded {
  readonly batteryW: number;
  readonly socPercent: number;
  /** All generation, and all consumption. */
  readonly generationW: number;
  readonly demandW: number;
  readonly gridW: number;
}

/**
 * Why the battery does what it does: the period that holds, or the rule of the mode that does; `full` and `empty` where the state of charge keeps it from
 * more, `balanced` where there is nothing to do, `otherwise` where what is recorded is not what the plan asks for.
 */
export const PLAN_REASONS = [
  'gridCharge',
  'sunCharge',
  'discharge',
  'hold',
  'reached',
  'surplus',
  'deficit',
  'full',
  'empty',
  'balanced',
  'feedsFirst',
  'overFeedLimit',
  'reserveHeld',
  'reserveFilled',
  'overPeak',
  'underPeak',
  'refill',
  'otherwise',
] as const;
export type PlanReason = (typeof PLAN_REASONS)[number];

export interface PlanNow {
  readonly does: 'charges' | 'discharges' | 'idle';
  readonly why: PlanReason;
  /** Place of the period that holds; null: none. */
  readonly period: number | null;
  /** Minutes until another period, or none, holds; null: it stays so for a week. */
  readonly nextInMin: number | null;
  /** Place of the period that holds then; null: none. */
  readonly nextPeriod: number | null;
}

/** Less battery power than this is none, W. */
const IDLE_W = 30;
const FULL_PERCENT = 98;
const EMPTY_PERCENT = 0.5;
const RESTART_PERCENT = 3;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** What the battery does and why, from what was recorded and the plan that holds; and what is next. */
export function planNow(
  plan: BatteryPlan,
  at: LastRecorded,
  weekMinute: number,
  limits: { chargeW: number; dischargeW: number; ratedW: number },
): PlanNow {
  const week = periodsOfWeek(plan.mode === 'batterySupport' ? plan.periods : []);
  const held = week[weekMinute] as number;
  let ahead = 1;
  while (ahead < WEEK_MINUTES && week[(weekMinute + ahead) % WEEK_MINUTES] === held) ahead += 1;
  const next = week[(weekMinute + ahead) % WEEK_MINUTES] as number;
  const period = plan.periods[held];
  const does = at.batteryW > IDLE_W ? 'discharges' : at.batteryW < -IDLE_W ? 'charges' : 'idle';
  return {
    does,
    why: whyOf(plan, at, does, period, limits),
    period: held < 0 ? null : held,
    nextInMin: ahead === WEEK_MINUTES ? null : ahead,
    nextPeriod: ahead === WEEK_MINUTES || next < 0 ? null : next,
  };
}

function whyOf(
  plan: BatteryPlan,
  at: LastRecorded,
  does: PlanNow['does'],
  period: PlanPeriod | undefined,
  limits: { chargeW: number; dischargeW: number; ratedW: number },
): PlanReason {
  const surplusW = at.generationW - at.demandW;
  const askedW = plannedBatteryW(plan, {
    surplusW,
    socPercent: at.socPercent,
    chargeLimitW: limits.chargeW,
    dischargeLimitW: limits.dischargeW,
    ratedW: limits.ratedW,
    period,
  });
  const isFull = at.socPercent >= FULL_PERCENT;
  const isEmpty = at.socPercent <= plan.minSocPercent + RESTART_PERCENT;
  if (does === 'idle') {
    if (askedW < -IDLE_W) return isFull ? 'full' : 'otherwise';
    if (askedW > IDLE_W) return isEmpty ? 'empty' : 'otherwise';
    if (period !== undefined && plan.mode === 'batterySupport') return idleIn(period, at.socPercent);
    if (plan.mode === 'backup') return 'reserveHeld';
    if (plan.mode === 'peakShaving' && surplusW <= 0) return 'underPeak';
    if (plan.mode === 'feedInPriority' && surplusW > IDLE_W) return 'feedsFirst';
    if (isFull && surplusW >= 0) return 'full';
    return at.socPercent <= plan.minSocPercent + EMPTY_PERCENT ? 'empty' : 'balanced';
  }
  if (Math.sign(askedW) !== Math.sign(at.batteryW) || Math.abs(askedW) <= IDLE_W) return 'otherwise';
  if (period !== undefined && plan.mode === 'batterySupport') return period.action;
  switch (plan.mode) {
    case 'backup':
      return 'reserveFilled';
    case 'feedInPriority':
      return does === 'charges' ? 'overFeedLimit' : 'deficit';
    case 'peakShaving':
      if (does === 'discharges') return 'overPeak';
      return surplusW > 0 ? 'surplus' : 'refill';
    default:
      return does === 'charges' ? 'surplus' : 'deficit';
  }
}

function idleIn(period: PlanPeriod, socPercent: number): PlanReason {
  if (period.action === 'hold') return 'hold';
  if (period.action === 'discharge') return socPercent <= period.minSocPercent ? 'reached' : 'discharge';
  return socPercent >= period.fdSocPercent ? 'reached' : period.action;
}
