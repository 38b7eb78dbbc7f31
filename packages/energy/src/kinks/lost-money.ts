import Big from 'big.js';
import type { TariffSpan } from '../accounting/money.ts';
import { HOUR_MS, type Series } from './curve.ts';
import type { Kink } from './find-kinks.ts';

/**
 * What the missing energy of a kink would have been worth, exact decimal: as much of it as was bought meanwhile at the purchase price, the
 * rest at the feed-in price, each bucket at the prices of its start. null where a price that it needs is not known.
 *
 * @param gridW power at the grid, W, + = bought, by the buckets of the kink; what is not known counts as nothing bought.
 */
export function lostMoney(kink: Kink, gridW: Series, bucketMs: number, spans: readonly TariffSpan[]): string | null {
  if (kink.shape === 'gap') return null;
  let sum = new Big(0);
  for (const [place, lostWh] of kink.lostWh.entries()) {
    if (lostWh <= 0) continue;
    const tsMs = kink.fromMs + place * bucketMs;
    const tariff = spans.find(({ startMs, endMs }) => startMs <= tsMs && tsMs < endMs)?.tariff;
    const boughtWh = Math.min(lostWh, (Math.max(0, gridW[place] ?? 0) * bucketMs) / HOUR_MS);
    const parts = [
      [boughtWh, tariff?.purchasePricePerKwh ?? null],
      [lostWh - boughtWh, tariff?.feedInPricePerKwh ?? null],
    ] as const;
    for (const [wh, price] of parts) {
      if (wh <= 0) continue;
      if (price === null) return null;
      sum = sum.plus(new Big(price).times(wh).div(1_000));
    }
  }
  return sum.toString();
}
