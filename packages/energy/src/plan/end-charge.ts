import type { BatteryPlan } from './battery-plan.ts';
import type { Replayed, StorageModel } from './replay.ts';

interface CountedFor {
  readonly model: StorageModel;
  /** Whose minimum is left in the battery. */
  readonly plan: Pick<BatteryPlan, 'minSocPercent'>;
}

const median = (values: readonly number[]): number => {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

/**
 * What a battery holds in the end above the minimum, in the currency of the prices: as much as it could give, as it would be bought at the median price.
 * Plans are held against each other with it: who empties the battery has not saved what is still in it under another plan.
 *
 * @param prices of purchase by quarter of an hour, per kWh; NaN where there is none.
 */
export function endChargeWorth(
  { model, plan }: CountedFor,
  prices: readonly number[],
  { socPercent }: Pick<Replayed, 'socPercent'>,
): number {
  const above = Math.max(0, (socPercent.at(-1) ?? 0) - plan.minSocPercent) / 100;
  return (above * model.capacityWh * model.dischargeEfficiency * Math.max(0, median(prices))) / 1_000;
}
