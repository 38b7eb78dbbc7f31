import type { BatteryPlan } from '@sonnenwarte/energy/plan/battery-plan';
import { aheadRecord, type DayGround } from '@sonnenwarte/energy/plan/day-plan';
import { outcomeOf } from '@sonnenwarte/energy/plan/proposals';

export interface PlanValue {
  /** What it costs, less what the battery holds in the end, in the currency of the prices. */
  readonly cost: number;
  /** What the battery holds at the end of each quarter of an hour, percent. */
  readonly socPercent: readonly number[];
}

const BUCKETS_OF_QUARTER = 3;

/** What a plan costs on what is expected, by the measure by which `dayPlanSteps` chooses: what the battery holds in the end is worth the median price. */
export function planValue(ground: DayGround, plan: BatteryPlan): PlanValue {
  const { quarters, timeZone } = ground;
  const record = aheadRecord(quarters, timeZone);
  const { replayed, cost, endWorth } = outcomeOf({ ...ground, record }, plan);
  return {
    cost: Number(cost.cost) - endWorth,
    socPercent: quarters.map((_, place) => replayed.socPercent[(place + 1) * BUCKETS_OF_QUARTER - 1] ?? 0),
  };
}
