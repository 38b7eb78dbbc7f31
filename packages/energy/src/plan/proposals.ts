import type { BatteryPlan, PlanPeriod } from './battery-plan.ts';
import { endChargeWorth } from './end-charge.ts';
import { type BucketPrices, type PlanCost, planCost } from './plan-money.ts';
import type { Opening, RecordedSpan } from './recorded-span.ts';
import { type Replayed, type ReplayedRecord, replay, type StorageModel } from './replay.ts';

/** What proposals are sought for. */
export interface ProposalGround {
  readonly record: ReplayedRecord & Pick<RecordedSpan, 'weekMinute'>;
  readonly model: StorageModel;
  readonly opening: Opening;
  readonly prices: BucketPrices;
  /** The plan whose minimum, reserve and limits every proposal keeps. */
  readonly plan: BatteryPlan;
}

export interface Outcome {
  readonly plan: BatteryPlan;
  readonly replayed: Replayed;
  readonly cost: PlanCost;
  /** What the battery holds in the end, in the currency of the prices (see `endChargeWorth`). */
  readonly endWorth: number;
}

/**
 * `price`: the cheapest; `balanced`: cheap for how much it wears; `gentle`: the least wear that keeps half of what a battery saves; each by its cost less what
 * the battery holds in the end.
 */
export const PROPOSAL_KINDS = ['price', 'balanced', 'gentle'] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

export type Proposals = Record<ProposalKind, Outcome | null>;

const QUARTER_MIN = 15;
const QUARTERS = 96;
const MOST_PERIODS = 8;
const MOST_POWER_W = 6_000;
const EVERY_DAY = 127;
const LEAST_QUARTERS = 2;
/** Hours of the cheapest time in a row in which the grid charges, and up to where. */
const CHEAP_HOURS = [2, 3, 4, 6];
const CHARGE_TO_PERCENT = [40, 60, 80, 100];
/** Below it in the order of the day's prices the battery is kept for dearer hours: not at all, a third, half of the day. */
const HELD_SHARES = [0, 1 / 3, 1 / 2];
/** Of what the cheapest plan saves with each cycle: what a cycle must bring to be worth its wear. */
const WEAR_SHARE = 0.5;

/** What it costs to replay a plan. */
export function outcomeOf(ground: ProposalGround, plan: BatteryPlan): Outcome {
  const replayed = replay(ground.record, plan, ground.model, ground.opening);
  const endWorth = endChargeWorth(ground, dayPrices(ground).purchase, replayed);
  return { plan, replayed, cost: planCost(replayed, ground.prices), endWorth };
}

/** Self-use with the limits of a plan: what proposals are held against. */
export const selfUseOf = (plan: BatteryPlan): BatteryPlan => ({ ...plan, mode: 'selfUse', periods: [] });

/** The battery does nothing at all. */
const noBattery = (plan: BatteryPlan): BatteryPlan => ({
  ...plan,
  mode: 'batterySupport',
  periods: [periodOf(plan, { startMin: 0, endMin: 1_440, action: 'hold' })],
});

function periodOf(
  plan: BatteryPlan,
  own: Pick<PlanPeriod, 'startMin' | 'endMin' | 'action'> & Partial<PlanPeriod>,
): PlanPeriod {
  return { days: EVERY_DAY, powerW: 0, minSocPercent: plan.minSocPercent, fdSocPercent: 100, ...own };
}

/** Prices per kWh by quarter of an hour of the plant's day; NaN where there is none. */
export interface QuarterPrices {
  readonly purchase: readonly number[];
  readonly feedIn: readonly number[];
}

/** Mean price of purchase and of feeding in by quarter of an hour of the plant's day. */
export function dayPrices({ record, prices }: Pick<ProposalGround, 'record' | 'prices'>): QuarterPrices {
  const of = (name: 'purchasePricePerKwh' | 'feedInPricePerKwh') => {
    const sums = new Array<number>(QUARTERS).fill(0);
    const counts = new Array<number>(QUARTERS).fill(0);
    const values = prices.prices.map((each) => (each[name] === null ? Number.NaN : Number(each[name])));
    for (let place = 0; place < record.length; place += 1) {
      const price = values[prices.ofBucket[place] as number] ?? Number.NaN;
      if (Number.isNaN(price)) continue;
      const quarter = Math.floor(((record.weekMinute[place] as number) % 1_440) / QUARTER_MIN);
      sums[quarter] = (sums[quarter] as number) + price;
      counts[quarter] = (counts[quarter] as number) + 1;
    }
    return sums.map((sum, quarter) => sum / (counts[quarter] as number));
  };
  return { purchase: of('purchasePricePerKwh'), feedIn: of('feedInPricePerKwh') };
}

/** The run of so many quarters within the day whose values add up to the least, or to the most. */
function bestRun(values: readonly number[], quarters: number, sign: 1 | -1): { from: number; sum: number } {
  let best = { from: 0, sum: Number.POSITIVE_INFINITY };
  for (let from = 0; from + quarters <= QUARTERS; from += 1) {
    const sum = sign * values.slice(from, from + quarters).reduce((all, each) => all + each, 0);
    if (sum < best.sum - 1e-9) best = { from, sum };
  }
  return best;
}

/** Runs of quarters of at least half an hour. */
function runsOf(isIn: (quarter: number) => boolean): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
    if (!isIn(quarter)) continue;
    const last = runs.at(-1);
    if (last?.to === quarter) last.to = quarter + 1;
    else runs.push({ from: quarter, to: quarter + 1 });
  }
  return runs.filter(({ from, to }) => to - from >= LEAST_QUARTERS);
}

/** Candidates by the rules above: self-use, feeding in first, a gentler range, and where prices differ charging in cheap hours and keeping it for dear ones. */
export function candidatePlans(ground: ProposalGround, day = dayPrices(ground)): BatteryPlan[] {
  const { plan, model } = ground;
  const own = selfUseOf(plan);
  const support = (periods: readonly PlanPeriod[]): BatteryPlan => ({ ...own, mode: 'batterySupport', periods });
  const gentle = Math.min(90, plan.minSocPercent + 20);
  const powerW = Math.min(MOST_POWER_W, Math.max(100, Math.round(model.maxChargeW / 100) * 100));
  const plans: BatteryPlan[] = [
    own,
    { ...own, minSocPercent: gentle },
    { ...own, minSocPercent: Math.min(90, gentle + 10) },
    { ...own, mode: 'feedInPriority' },
    support([periodOf(plan, { startMin: 420, endMin: 1_020, action: 'sunCharge', powerW, fdSocPercent: 80 })]),
    support([
      periodOf(plan, { startMin: 420, endMin: 660, action: 'hold' }),
      periodOf(plan, { startMin: 660, endMin: 960, action: 'sunCharge', powerW }),
    ]),
  ];
  const { purchase, feedIn } = day;
  const known = purchase.filter((price) => !Number.isNaN(price));
  if (known.length === QUARTERS && Math.max(...known) > Math.min(...known)) {
    const sorted = [...known].sort((one, other) => one - other);
    for (const heldShare of HELD_SHARES) {
      const belowPrice = heldShare === 0 ? Number.NEGATIVE_INFINITY : (sorted[Math.floor(QUARTERS * heldShare)] ?? 0);
      const held = (quarter: number) => (purchase[quarter] as number) < belowPrice;
      const keeping = (charged: { from: number; to: number } | null) =>
        runsOf((quarter) => held(quarter) && !(charged && quarter >= charged.from && quarter < charged.to)).map(
          ({ from, to }) => periodOf(plan, { startMin: from * QUARTER_MIN, endMin: to * QUARTER_MIN, action: 'hold' }),
        );
      if (heldShare > 0) plans.push(support(keeping(null)));
      for (const hours of CHEAP_HOURS) {
        const quarters = hours * 4;
        const { from } = bestRun(purchase, quarters, 1);
        for (const fdSocPercent of CHARGE_TO_PERCENT.filter((soc) => soc > plan.minSocPercent)) {
          const charging = periodOf(plan, {
            startMin: from * QUARTER_MIN,
            endMin: (from + quarters) * QUARTER_MIN,
            action: 'gridCharge',
            powerW,
            fdSocPercent,
          });
          plans.push(support([charging, ...keeping({ from, to: from + quarters })]));
        }
      }
    }
  }
  if (feedIn.every((price) => !Number.isNaN(price)) && Math.max(...feedIn) > Math.min(...feedIn)) {
    for (const hours of [1, 2]) {
      const { from } = bestRun(feedIn, hours * 4, -1);
      const startMin = from * QUARTER_MIN;
      plans.push(
        support([
          periodOf(plan, {
            startMin,
            endMin: startMin + hours * 60,
            action: 'discharge',
            powerW: Math.min(MOST_POWER_W, Math.max(100, Math.round(model.maxDischargeW / 100) * 100)),
          }),
        ]),
      );
    }
  }
  return plans
    .filter(({ periods }) => periods.length <= MOST_PERIODS)
    .map((each) => ({ ...each, periods: [...each.periods].sort((one, other) => one.startMin - other.startMin) }));
}

/** Which of the outcomes to propose; none where a price of purchase is not known. */
export function chosenOf(outcomes: readonly Outcome[], ground: ProposalGround): Proposals {
  const isPriced = ground.prices.prices.every(({ purchasePricePerKwh }) => purchasePricePerKwh !== null);
  const known = isPriced ? outcomes : [];
  const costOf = ({ cost, endWorth }: Outcome): number => Number(cost.cost) - endWorth;
  const idle = outcomeOf(ground, noBattery(ground.plan));
  const taken: Outcome[] = [];
  const take = (score: (each: Outcome) => number): Outcome | null => {
    let best: Outcome | null = null;
    for (const each of known) {
      if (taken.includes(each) || !Number.isFinite(score(each))) continue;
      if (best === null || score(each) < score(best) - 1e-9) best = each;
    }
    if (best !== null) taken.push(best);
    return best;
  };
  const price = take(costOf);
  if (price === null || idle.cost.cost === null) return { price, balanced: null, gentle: null };
  const saved = costOf(idle) - costOf(price);
  const wear = (WEAR_SHARE * Math.max(0, saved)) / Math.max(price.replayed.cycles, 0.1);
  const balanced = take((each) => costOf(each) + wear * each.replayed.cycles);
  const half = costOf(idle) - saved / 2;
  const gentle = take((each) => (costOf(each) <= half ? each.replayed.cycles : Number.POSITIVE_INFINITY));
  return { price, balanced, gentle };
}

/** Seeks the best three by the rules above; it may be left off after each candidate. */
export function* proposalSteps(ground: ProposalGround): Generator<void, Proposals> {
  const outcomes: Outcome[] = [];
  for (const plan of candidatePlans(ground)) {
    outcomes.push(outcomeOf(ground, plan));
    yield;
  }
  return chosenOf(outcomes, ground);
}
