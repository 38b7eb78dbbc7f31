import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { roundMoney, sumMoney, type Tariff, tariffSpans } from '@sonnenwarte/energy/accounting/money';
import { worseQuality } from '@sonnenwarte/energy/accounting/quality';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { decimalsOf } from './currency-decimals.ts';
import { tariffsOf } from './prices.store.ts';
import { figuresOf, type SiteStores } from './sites.service.ts';
import { siteFrame } from './sites.store.ts';

type Sites = typeof siteEndpoints;

const DAY_MS = 86_400_000;

/** The prices that are valid at a time, and until when. */
function priceAt(tariffs: readonly Tariff[], tsMs: number, zone: string): Result<Sites['money']>['priceNow'] {
  const [valid, next] = tariffSpans(tariffs, { startMs: bucketStart(tsMs), endMs: tsMs + DAY_MS }, zone);
  return {
    purchase: valid?.tariff.purchasePricePerKwh ?? null,
    feedIn: valid?.tariff.feedInPricePerKwh ?? null,
    isPurchaseUnknown: valid?.tariff.isPurchaseUnknown === true,
    untilMs: next?.startMs ?? null,
  };
}

/** What a plant saved, earned and paid today. */
export async function siteMoneyOf(
  stores: SiteStores,
  { stationID }: Parsed<Sites['money']>,
  { scope }: Scoped,
): Promise<Result<Sites['money']>> {
  const site = found(await siteFrame(stores.db, scope, stationID), 'siteNotFound');
  const [{ figures }, tariffs] = await Promise.all([figuresOf(stores, site), tariffsOf(stores.db, site.id)]);
  const { today, currency } = figures;
  const now = stores.nowMs();
  const spans = tariffSpans(tariffs, dayBounds(localDay(now, site.timeZone), site.timeZone), site.timeZone);
  const rounded = (amount: string | null): string | null =>
    amount === null ? null : roundMoney(amount, decimalsOf(currency));
  const [saved, earned, paid] = [rounded(today.saving), rounded(today.income), rounded(today.paid)];
  return {
    currency,
    saved,
    earned,
    paid,
    without: saved === null || paid === null ? null : rounded(sumMoney([saved, paid])),
    hasPrices: spans.some(({ tariff }) => tariff.purchasePricePerKwh !== null || tariff.feedInPricePerKwh !== null),
    isPartUnknown: spans.some(({ tariff, startMs }) => tariff.isPurchaseUnknown === true && startMs < now),
    priceNow: priceAt(tariffs, now, site.timeZone),
    quality: (['saving', 'income', 'paid'] as const).reduce<typeof today.quality>(
      (worst, name) => worseQuality(worst, today.qualities[name]),
      'measured',
    ),
  };
}
