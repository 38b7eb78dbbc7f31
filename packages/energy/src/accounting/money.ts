import Big from 'big.js';
import type { TimeBounds } from '../calendar.ts';
import { BUCKET_MS } from './bucket-span.ts';
import { type DayPrices, priceOfDay } from './day-prices.ts';
import { type MarketTariff, marketPriceAt } from './market-price.ts';

export interface EarningsInput {
  exportWh: number;
  /** What the plant supplied of the consumption, Wh. */
  suppliedWh: number;
  /** Decimal, in the plant's currency; a number is taken at its shortest decimal notation. */
  feedInPricePerKwh: string | number;
  purchasePricePerKwh: string | number;
}

/** Exact decimals in plain notation, not rounded. */
export interface Earnings {
  feedIn: string;
  saved: string;
  total: string;
}

/** Prices per kWh; decimals in plain notation, null = there is none. */
export interface Prices {
  feedInPricePerKwh: string | null;
  purchasePricePerKwh: string | null;
  /** ISO 4217. */
  currency: string;
  /** There is a price of purchase, but it is not known: the market has not told it. */
  isPurchaseUnknown?: true;
}

/** Prices from a time on, epoch ms. Where there are prices by the time of day, they are valid in place of the one. */
export interface Tariff extends Prices {
  fromMs: number;
  feedInPeriods?: DayPrices | null;
  purchasePeriods?: DayPrices | null;
  /** The price of the market, in place of all others of purchase. */
  purchaseMarket?: MarketTariff | null;
}

/** A part of a span in which the same prices are valid. */
export interface TariffSpan extends TimeBounds {
  tariff: Prices;
}

/** The tariff that is valid at a time, of ascending ones of which the first holds from the beginning. */
export function tariffAt(tariffs: readonly Tariff[], tsMs: number): Tariff {
  let low = 0;
  let high = tariffs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tariffs[middle] as Tariff).fromMs <= tsMs) low = middle;
    else high = middle - 1;
  }
  const tariff = tariffs[low];
  if (tariff === undefined) throw new RangeError('there is no tariff');
  return tariff;
}

/** The prices of a tariff at a time of the plant's clock. */
export function pricesOf(tariff: Omit<Tariff, 'fromMs'>, tsMs: number, zone: string): Prices {
  const { feedInPeriods, purchasePeriods, purchaseMarket, currency } = tariff;
  const feedInPricePerKwh = feedInPeriods ? priceOfDay(feedInPeriods, tsMs, zone) : tariff.feedInPricePerKwh;
  if (purchaseMarket) {
    const purchasePricePerKwh = marketPriceAt(purchaseMarket, tsMs);
    const unknown = purchasePricePerKwh === null ? { isPurchaseUnknown: true as const } : {};
    return { feedInPricePerKwh, purchasePricePerKwh, currency, ...unknown };
  }
  const purchasePricePerKwh = purchasePeriods ? priceOfDay(purchasePeriods, tsMs, zone) : tariff.purchasePricePerKwh;
  return { feedInPricePerKwh, purchasePricePerKwh, currency };
}

/** The parts of a span by price. A bucket is worth what is valid at its start, so parts end between buckets. */
export function tariffSpans(tariffs: readonly Tariff[], { startMs, endMs }: TimeBounds, zone: string): TariffSpan[] {
  const spans: TariffSpan[] = [];
  const put = (fromMs: number, toMs: number, tariff: Prices) => {
    const last = spans.at(-1);
    if (last !== undefined && hasSamePrices(last.tariff, tariff)) last.endMs = toMs;
    else spans.push({ startMs: fromMs, endMs: toMs, tariff });
  };
  const putTariff = (fromMs: number, toMs: number, tariff: Tariff) => {
    if (!tariff.feedInPeriods && !tariff.purchasePeriods && !tariff.purchaseMarket) return put(fromMs, toMs, tariff);
    let atMs = fromMs;
    do {
      const nextMs = Math.min(atMs + BUCKET_MS, toMs);
      put(atMs, nextMs, pricesOf(tariff, atMs, zone));
      atMs = nextMs;
    } while (atMs < toMs);
  };
  let atMs = startMs;
  let tariff = tariffAt(tariffs, startMs);
  for (const next of tariffs) {
    if (next.fromMs <= startMs) continue;
    const fromMs = Math.ceil(next.fromMs / BUCKET_MS) * BUCKET_MS;
    if (fromMs >= endMs) break;
    if (fromMs > atMs) {
      putTariff(atMs, fromMs, tariff);
      atMs = fromMs;
    }
    tariff = next;
  }
  putTariff(atMs, endMs, tariff);
  return spans;
}

function hasSamePrices(one: Prices, other: Prices): boolean {
  return (
    one.feedInPricePerKwh === other.feedInPricePerKwh &&
    one.purchasePricePerKwh === other.purchasePricePerKwh &&
    one.isPurchaseUnknown === other.isPurchaseUnknown &&
    one.currency === other.currency
  );
}

const WH_PER_KWH_EXPONENT = 3;

/** Wh to kWh by moving the decimal point, which is exact. */
function kwh(energyWh: number): Big {
  const value = new Big(energyWh);
  return value.eq(0) ? value : value.times(new Big(`1e-${WH_PER_KWH_EXPONENT}`));
}

/**
 * What a span earned: exported energy at the feed-in price, and what the plant supplied at the price of purchase. Exact; round once, at the end,
 * with `roundMoney`. Throws for a value that is not a finite decimal.
 */
export function earnings(input: EarningsInput): Earnings {
  const feedIn = kwh(input.exportWh).times(input.feedInPricePerKwh);
  const saved = kwh(input.suppliedWh).times(input.purchasePricePerKwh);
  return { feedIn: feedIn.toFixed(), saved: saved.toFixed(), total: feedIn.plus(saved).toFixed() };
}

/** Exact cost of a purchase. */
export function purchaseCost(importWh: number, purchasePricePerKwh: string | number): string {
  return kwh(importWh).times(purchasePricePerKwh).toFixed();
}

/** Exact sum of decimals. */
export function sumMoney(amounts: Iterable<string>): string {
  let total = new Big(0);
  for (const amount of amounts) total = total.plus(amount);
  return total.toFixed();
}

/** What parts leave of a whole, exactly. */
export function restOf(whole: string, parts: Iterable<string>): string {
  return new Big(whole).minus(sumMoney(parts)).toFixed();
}

/** Rounds half away from zero to a number of decimals (2 for most currencies) and keeps trailing zeros: `1.50`. Nothing has no sign. */
export function roundMoney(amount: string, decimals = 2): string {
  const rounded = new Big(amount).round(decimals, Big.roundHalfUp);
  return (rounded.eq(0) ? new Big(0) : rounded).toFixed(decimals);
}

/**
 * Rounds the parts of a whole so that what is shown adds up: each part is the difference of the rounded running totals.
 * Their sum is the rounded exact sum, and no part differs from its exact value by a whole last digit or more.
 */
export function roundParts(amounts: readonly string[], decimals = 2): string[] {
  let running = new Big(0);
  let shown = new Big(0);
  return amounts.map((amount) => {
    running = running.plus(amount);
    const rounded = running.round(decimals, Big.roundHalfUp);
    const part = rounded.minus(shown);
    shown = rounded;
    return part.toFixed(decimals);
  });
}
