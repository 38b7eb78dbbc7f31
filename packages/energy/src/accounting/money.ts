import Big from 'big.js';
import type { TimeBounds } from '../calendar.ts';
import { BUCKET_MS } from './bucket-span.ts';

export interface EarningsInput {
  exportWh: number;
  /** Generation used on site, Wh. */
  selfUsedWh: number;
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

/** Prices per kWh from a time on, epoch ms; decimals in plain notation, null = there is none. */
export interface Tariff {
  fromMs: number;
  feedInPricePerKwh: string | null;
  purchasePricePerKwh: string | null;
  /** ISO 4217. */
  currency: string;
}

/** A part of a span in which one tariff is valid. */
export interface TariffSpan extends TimeBounds {
  tariff: Tariff;
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

/** The parts of a span by tariff. A bucket belongs to the tariff that is valid at its start, so parts end between buckets. */
export function tariffSpans(tariffs: readonly Tariff[], { startMs, endMs }: TimeBounds): TariffSpan[] {
  const spans: TariffSpan[] = [];
  let atMs = startMs;
  let tariff = tariffAt(tariffs, startMs);
  for (const next of tariffs) {
    const fromMs = Math.ceil(next.fromMs / BUCKET_MS) * BUCKET_MS;
    if (fromMs >= endMs) break;
    if (next.fromMs <= startMs) continue;
    if (fromMs > atMs && !hasSamePrices(next, tariff)) {
      spans.push({ startMs: atMs, endMs: fromMs, tariff });
      atMs = fromMs;
    }
    tariff = next;
  }
  spans.push({ startMs: atMs, endMs, tariff });
  return spans;
}

function hasSamePrices(one: Tariff, other: Tariff): boolean {
  return (
    one.feedInPricePerKwh === other.feedInPricePerKwh &&
    one.purchasePricePerKwh === other.purchasePricePerKwh &&
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
 * What a span earned: exported energy at the feed-in price and purchase avoided by own use. Exact; round once, at the end,
 * with `roundMoney`. Throws for a value that is not a finite decimal.
 */
export function earnings(input: EarningsInput): Earnings {
  const feedIn = kwh(input.exportWh).times(input.feedInPricePerKwh);
  const saved = kwh(input.selfUsedWh).times(input.purchasePricePerKwh);
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

/** Rounds half away from zero to a number of decimals (2 for most currencies) and keeps trailing zeros: `1.50`. */
export function roundMoney(amount: string, decimals = 2): string {
  return new Big(amount).toFixed(decimals, Big.roundHalfUp);
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
