import type { ToldPlan } from '@sonnenwarte/contract/work-modes/plan';
import type { Outcome } from '@sonnenwarte/contract/work-modes/what-if';
import { restOf, roundMoney, sumMoney } from '@sonnenwarte/energy/accounting/money';
import { sumWh } from '@sonnenwarte/energy/plan/plan-money';
import type { Outcome as Replayed } from '@sonnenwarte/energy/plan/proposals';
import { withoutNoise } from '@sonnenwarte/energy/rounding';

const QUARTERS = 96;
const BUCKETS_OF_QUARTER = 3;
const PRECISE_DECIMALS = 9;

/** Mean state of charge at the end of each quarter of an hour of the plant's day. */
function socByQuarter(
  soc: Float64Array,
  weekMinute: Int32Array,
  isKnown: (place: number) => boolean,
): (number | null)[] {
  const sums = new Array<number>(QUARTERS).fill(0);
  const counts = new Array<number>(QUARTERS).fill(0);
  for (let place = BUCKETS_OF_QUARTER - 1; place < soc.length; place += 1) {
    const minute = (weekMinute[place] as number) % 1_440;
    if (minute % 15 !== 10 || !isKnown(place)) continue;
    const quarter = Math.floor(minute / 15);
    sums[quarter] = (sums[quarter] as number) + (soc[place] as number);
    counts[quarter] = (counts[quarter] as number) + 1;
  }
  return sums.map((sum, at) => {
    const count = counts[at] as number;
    return count === 0 ? null : Math.round((10 * sum) / count) / 10;
  });
}

interface ShownFrom {
  readonly plan: ToldPlan;
  readonly replayed: Replayed;
  /** What it is held against; null: it is that itself. */
  readonly against: Replayed | null;
  /** Amounts of several currencies are no sum: then no money is told. */
  readonly isOfOneCurrency: boolean;
  readonly weekMinute: Int32Array;
  /** Of each bucket; NaN where it is not known. */
  readonly surplusW: Float64Array;
  readonly decimals: number;
}

/** Cost and what the battery holds in the end, each rounded once; null where a price is missing. */
function roundedOf(
  { cost: { cost }, endWorth }: Replayed,
  decimals: number,
): { cost: string; endWorth: string } | null {
  if (cost === null) return null;
  return { cost: roundMoney(cost, decimals), endWorth: roundMoney(endWorth.toFixed(PRECISE_DECIMALS), decimals) };
}

/** What became of a plan, as it is told: money rounded once, the saving as the difference of what is shown. */
export function shownOutcome(shown: ShownFrom): Outcome {
  const { plan, replayed, against, isOfOneCurrency, weekMinute, surplusW, decimals } = shown;
  const { replayed: told } = replayed;
  const own = isOfOneCurrency ? roundedOf(replayed, decimals) : null;
  const other = against && roundedOf(against, decimals);
  return {
    plan,
    importWh: withoutNoise(sumWh(told.importWh)),
    exportWh: withoutNoise(sumWh(told.exportWh)),
    cost: own?.cost ?? null,
    endWorth: own?.endWorth ?? null,
    saved:
      own && other
        ? roundMoney(restOf(sumMoney([other.cost, own.endWorth]), [own.cost, other.endWorth]), decimals)
        : null,
    cycles: withoutNoise(told.cycles),
    endSoc: withoutNoise(told.socPercent.at(-1) ?? 0),
    socByQuarter: socByQuarter(told.socPercent, weekMinute, (place) => !Number.isNaN(surplusW[place])),
  };
}
