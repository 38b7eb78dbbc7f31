import { BUCKET_MS } from '../accounting/bucket-span.ts';
import { type Prices, purchaseCost, restOf, sumMoney, type TariffSpan } from '../accounting/money.ts';
import type { TimeBounds } from '../calendar.ts';
import type { Replayed } from './replay.ts';

/** Prices of the buckets of a span: which of `prices` each has. */
export interface BucketPrices {
  readonly prices: readonly Prices[];
  readonly ofBucket: Uint16Array;
}

/** The prices of each bucket of a span, from parts that cover it; a bucket is worth what is valid at its start. */
export function bucketPrices(spans: readonly TariffSpan[], { startMs, endMs }: TimeBounds): BucketPrices {
  const length = Math.max(0, Math.ceil((endMs - startMs) / BUCKET_MS));
  const ofBucket = new Uint16Array(length);
  const places = new Map<string, number>();
  const prices: Prices[] = [];
  for (const span of spans) {
    const { feedInPricePerKwh, purchasePricePerKwh, currency } = span.tariff;
    const key = `${feedInPricePerKwh} ${purchasePricePerKwh} ${currency}`;
    let place = places.get(key);
    if (place === undefined) {
      place = prices.push(span.tariff) - 1;
      places.set(key, place);
    }
    const from = Math.max(0, Math.round((span.startMs - startMs) / BUCKET_MS));
    ofBucket.fill(place, from, Math.min(length, Math.round((span.endMs - startMs) / BUCKET_MS)));
  }
  return { prices, ofBucket };
}

/** What a plan costs: what is bought less what feeding in brings. Exact decimals; null where a price of what is bought is missing. */
export interface PlanCost {
  readonly bought: string | null;
  /** What is fed in without a price for it brings nothing. */
  readonly fedIn: string;
  readonly cost: string | null;
}

type Flowed = Pick<Replayed, 'importWh' | 'exportWh'>;

const roundedWh = (wh: number): number => Math.round(wh * 1_000) / 1_000;

/** The cost of what was bought and fed in, bucket by bucket at the price of its time. */
export function planCost({ importWh, exportWh }: Flowed, { prices, ofBucket }: BucketPrices): PlanCost {
  const bought = new Float64Array(prices.length);
  const fed = new Float64Array(prices.length);
  for (let place = 0; place < ofBucket.length; place += 1) {
    const at = ofBucket[place] as number;
    bought[at] = (bought[at] as number) + (importWh[place] as number);
    fed[at] = (fed[at] as number) + (exportWh[place] as number);
  }
  const paid: string[] = [];
  const earned: string[] = [];
  let isKnown = true;
  prices.forEach(({ purchasePricePerKwh, feedInPricePerKwh }, place) => {
    const [boughtWh, fedWh] = [roundedWh(bought[place] as number), roundedWh(fed[place] as number)];
    if (purchasePricePerKwh !== null) paid.push(purchaseCost(boughtWh, purchasePricePerKwh));
    else if (boughtWh > 0) isKnown = false;
    if (feedInPricePerKwh !== null) earned.push(purchaseCost(fedWh, feedInPricePerKwh));
  });
  const fedIn = sumMoney(earned);
  if (!isKnown) return { bought: null, fedIn, cost: null };
  const all = sumMoney(paid);
  return { bought: all, fedIn, cost: restOf(all, [fedIn]) };
}

/** The sum of a series, Wh. */
export function sumWh(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
