import type { KeptDayPrices } from '@sonnenwarte/contract/sites/day-prices';

/** The least and the greatest of prices by the time of day, which are decimals; one where they are the same. */
export function priceLimits({ weekday, weekend }: KeptDayPrices): readonly string[] {
  const prices = [...weekday, ...(weekend ?? [])].map(({ price }) => price).toSorted((a, b) => Number(a) - Number(b));
  return [...new Set([prices[0] ?? '', prices.at(-1) ?? ''])];
}
