import Big from 'big.js';
import { BUCKET_MS } from './bucket-span.ts';

/** Market prices are those of quarters of an hour (EU regulation 2019/943, article 8: the imbalance settlement period). */
export const QUARTER_MS = 3 * BUCKET_MS;

/** What energy costs at a market, by quarters of an hour. */
export interface MarketPrices {
  /** Per kWh in millionths of the currency, net, of the quarter in which a time lies; null = not known. */
  microAt(tsMs: number): number | null;
}

/** A price of purchase that follows the market. */
export interface MarketTariff {
  readonly prices: MarketPrices;
  /** What the supplier and the grid take per kWh, net, as a decimal; it may be less than nothing. */
  readonly markupPerKwh: string;
  /** Percent, as a decimal, of price and markup together. */
  readonly vatPercent: string;
}

const MICRO = new Big('0.000001');
const PERCENT = new Big('0.01');

/** What a kWh costs at a time, exactly; null where the market price of its quarter of an hour is not known. */
export function marketPriceAt({ prices, markupPerKwh, vatPercent }: MarketTariff, tsMs: number): string | null {
  const micro = prices.microAt(tsMs);
  if (micro === null) return null;
  const net = MICRO.times(micro).plus(markupPerKwh);
  return net.times(new Big(vatPercent).plus(100)).times(PERCENT).toFixed();
}
