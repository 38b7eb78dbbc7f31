import { pricesOf, type Tariff, tariffAt } from '@sonnenwarte/energy/accounting/money';
import { weekMinuteOf } from '@sonnenwarte/energy/plan/recorded-span';

const DAY_MINUTES = 1_440;

interface Priced {
  readonly startMin: number;
  readonly price: string;
}

/** The cheapest and the dearest of some quarters of an hour, each the first of its price; null where one has none, or all have the same. */
export function extremePrices(
  tariffs: readonly Tariff[],
  times: readonly number[],
  zone: string,
): { cheapest: Priced; dearest: Priced } | null {
  const priced = times.map((tsMs) => ({
    startMin: weekMinuteOf(tsMs, zone) % DAY_MINUTES,
    price: pricesOf(tariffAt(tariffs, tsMs), tsMs, zone).purchasePricePerKwh,
  }));
  const isKnown = (each: { startMin: number; price: string | null }): each is Priced => each.price !== null;
  const known = priced.filter(isKnown);
  const [first] = known;
  if (first === undefined || known.length < priced.length) return null;
  const cheapest = known.reduce((best, each) => (Number(each.price) < Number(best.price) ? each : best), first);
  const dearest = known.reduce((best, each) => (Number(each.price) > Number(best.price) ? each : best), first);
  return cheapest.price === dearest.price ? null : { cheapest, dearest };
}
