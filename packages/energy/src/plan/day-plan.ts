import { BUCKET_MS } from '../accounting/bucket-span.ts';
import type { BatteryPlan } from './battery-plan.ts';
import {
  candidatePlans,
  dayPrices,
  type Outcome,
  outcomeOf,
  type ProposalGround,
  type QuarterPrices,
  selfUseOf,
} from './proposals.ts';
import { weekMinuteOf } from './recorded-span.ts';
import { evenCourse } from './surplus-course.ts';

/** What is expected of a quarter of an hour, W. */
export interface QuarterAhead {
  readonly tsMs: number;
  readonly generationW: number;
  readonly demandW: number;
}

/** Why a day is planned as it is: what of its plan makes the difference. */
export const DAY_REASONS = ['cheapCharge', 'sellsDear', 'keptForDear', 'sunLater', 'feedsFirst', 'selfUse'] as const;
export type DayReason = (typeof DAY_REASONS)[number];

export interface DayChoice {
  readonly plan: BatteryPlan;
  readonly reason: DayReason;
  /** Against self-use, in the currency of the prices, with what the battery holds in the end; 0 for that itself. */
  readonly saved: number;
  readonly endSocPercent: number;
}

/** What a day to come is planned for. */
export interface DayGround extends Omit<ProposalGround, 'record'> {
  /** The quarters that are left of the day, without a gap. */
  readonly quarters: readonly QuarterAhead[];
  readonly timeZone: string;
  /** Whether the battery may take from the grid, and give to it. */
  readonly tradesWithGrid: boolean;
}

const BUCKETS_OF_QUARTER = 3;
/** What is less is not worth that a plan is written, in units of the currency. */
const LEAST_SAVED = 0.05;
const QUARTERS_OF_DAY = 96;

/** What is expected, as a record that can be replayed. */
export function aheadRecord(quarters: readonly QuarterAhead[], timeZone: string): ProposalGround['record'] {
  const length = quarters.length * BUCKETS_OF_QUARTER;
  const firstMs = quarters[0]?.tsMs ?? 0;
  const ofBucket = (place: number) => quarters[Math.floor(place / BUCKETS_OF_QUARTER)] as QuarterAhead;
  const surplusW = Float64Array.from({ length }, (_, place) => {
    const { generationW, demandW } = ofBucket(place);
    return generationW - demandW;
  });
  return {
    length,
    demandWh: Float64Array.from({ length }, (_, place) => (ofBucket(place).demandW * BUCKET_MS) / 3_600_000),
    weekMinute: Int32Array.from({ length }, (_, place) => weekMinuteOf(firstMs + place * BUCKET_MS, timeZone)),
    surplus: evenCourse(surplusW),
  };
}

/** Quarters that are over, or that the clock leaves out, are as dear and as badly paid as any: no window is put there. */
function wholeDay({ purchase, feedIn }: QuarterPrices): QuarterPrices {
  const filled = (prices: readonly number[], most: (...all: number[]) => number) => {
    const known = prices.filter((price) => !Number.isNaN(price));
    return known.length === 0 ? prices : prices.map((price) => (Number.isNaN(price) ? most(...known) : price));
  };
  return { purchase: filled(purchase, Math.max), feedIn: filled(feedIn, Math.min) };
}

function reasonOf({ mode, periods }: BatteryPlan): DayReason {
  const does = (action: string) => periods.some((period) => period.action === action);
  if (does('gridCharge')) return 'cheapCharge';
  if (does('discharge')) return 'sellsDear';
  if (does('hold')) return 'keptForDear';
  if (does('sunCharge')) return 'sunLater';
  return mode === 'feedInPriority' ? 'feedsFirst' : 'selfUse';
}

/**
 * Seeks the plan with which what is left of a day costs least, by what sun, consumption and prices are expected to be. What the battery holds in the
 * end counts as it would be bought at the median price of these hours. Self-use, where nothing saves enough. It may be left off after each candidate.
 * Undefined where a price of purchase is missing, or nothing is left of the day.
 */
export function* dayPlanSteps(ground: DayGround): Generator<void, DayChoice | undefined> {
  const { quarters, timeZone, tradesWithGrid, plan, prices } = ground;
  if (quarters.length === 0 || quarters.length > QUARTERS_OF_DAY + 8) return undefined;
  if (prices.prices.some(({ purchasePricePerKwh }) => purchasePricePerKwh === null)) return undefined;
  const record = aheadRecord(quarters, timeZone);
  const day = dayPrices({ record, prices });
  const costOf = ({ cost, endWorth }: Outcome): number => Number(cost.cost) - endWorth;
  const own = outcomeOf({ ...ground, record }, selfUseOf(plan));
  let best = own;
  for (const candidate of candidatePlans({ ...ground, record }, wholeDay(day))) {
    yield;
    const trades = candidate.periods.some(({ action }) => action === 'gridCharge' || action === 'discharge');
    if (trades && !tradesWithGrid) continue;
    if (candidate.minSocPercent !== plan.minSocPercent) continue;
    const outcome = outcomeOf({ ...ground, record }, candidate);
    if (costOf(outcome) < costOf(best) - 1e-9) best = outcome;
  }
  const saved = costOf(own) - costOf(best);
  const chosen = saved >= LEAST_SAVED ? best : own;
  return {
    plan: chosen.plan,
    reason: reasonOf(chosen.plan),
    saved: chosen === own ? 0 : saved,
    endSocPercent: chosen.replayed.socPercent.at(-1) ?? 0,
  };
}
