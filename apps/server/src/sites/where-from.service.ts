import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { roundMoney, roundParts, type TariffSpan, tariffSpans } from '@sonnenwarte/energy/accounting/money';
import { qualityOf } from '@sonnenwarte/energy/accounting/site-marks';
import {
  chargingSessions,
  type Divided,
  divided,
  type OriginBucket,
  originMoney,
  quarterHours,
} from '@sonnenwarte/energy/accounting/where-from';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { decimalsOf } from './currency-decimals.ts';
import { tariffsOf } from './prices.store.ts';
import type { SiteStores } from './sites.service.ts';
import { isHeld, siteFrame } from './sites.store.ts';
import { lastChargedBefore, originsOf } from './where-from.store.ts';

type Sites = typeof siteEndpoints;

/** A session that ended no longer ago than the next bucket takes to come goes on. */
const RUNNING_MS = 15 * 60_000;
/** Less was not charged but taken by the pile. */
const CHARGED_WH = 10;

const shownOf = ({ takenWh, from, undividedWh }: Divided) => ({
  wh: withoutNoise(takenWh),
  pvWh: withoutNoise(from.pv),
  externalWh: withoutNoise(from.external),
  batteryWh: withoutNoise(from.battery),
  gridWh: withoutNoise(from.grid),
  undividedWh: withoutNoise(undividedWh),
});

/** Prices of a day, if it was paid in one currency. */
function pricesOf(spans: readonly TariffSpan[]): { currency: string; spans: readonly TariffSpan[] } {
  const currency = spans.at(-1)?.tariff.currency ?? '';
  if (spans.every(({ tariff }) => tariff.currency === currency)) return { currency, spans };
  const priceless = spans.map((span) => ({
    ...span,
    tariff: { ...span.tariff, purchasePricePerKwh: null, feedInPricePerKwh: null },
  }));
  return { currency, spans: priceless };
}

/** Where the energy of house and vehicles came from on a day. */
export async function siteWhereFromOf(
  { db, telemetry, nowMs }: SiteStores,
  { stationID, date }: Parsed<Sites['whereFrom']>,
  { scope }: Scoped,
): Promise<Result<Sites['whereFrom']>> {
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  const bounds = dayBounds(date, site.timeZone);
  const [origins, tariffs, last] = await Promise.all([
    originsOf(telemetry, site, bounds),
    tariffsOf(db, site.id),
    lastChargedBefore(telemetry, site, date),
  ]);
  const { currency, spans } = pricesOf(tariffSpans(tariffs, bounds, site.timeZone));
  const decimals = decimalsOf(currency);
  const rounded = (amount: string | null): string | null => (amount === null ? null : roundMoney(amount, decimals));
  // While its history is coming, a day is not known.
  const { load, charger } = isHeld(site, date) ? origins : { load: [], charger: [] };

  const destinationOf = (buckets: readonly OriginBucket[], quantity: 'load' | 'charger') => {
    const { paid, gridOnly, forgone } = originMoney(buckets, spans);
    return {
      ...shownOf(divided(buckets)),
      quality: qualityOf(origins.marks, [quantity]),
      paid: rounded(paid),
      gridOnly: rounded(gridOnly),
      forgone: rounded(forgone),
      quarters: quarterHours(buckets).map(({ startMs, ...quarter }) => ({ startMs, ...shownOf(quarter) })),
    };
  };

  const sessions = chargingSessions(charger, spans);
  const known = sessions.flatMap(({ paid }) => (paid === null ? [] : [paid]));
  const amounts = known.length < sessions.length ? [] : roundParts(known, decimals);
  const car = destinationOf(charger, 'charger');
  const prices = new Set(spans.map(({ tariff }) => tariff.purchasePricePerKwh));
  return {
    date,
    ianaTimezone: site.timeZone,
    currency,
    purchasePrice: prices.size === 1 ? (spans[0]?.tariff.purchasePricePerKwh ?? null) : null,
    tells: origins.tells,
    house: load.length === 0 ? null : destinationOf(load, 'load'),
    car:
      charger.length === 0 && last === null
        ? null
        : {
            ...car,
            sessions: sessions.map((session, place) => ({
              startMs: session.startMs,
              endMs: session.endMs,
              runs: nowMs() - session.endMs < RUNNING_MS && nowMs() < bounds.endMs,
              ...shownOf(session),
              paid: amounts[place] ?? null,
            })),
            last: car.wh >= CHARGED_WH ? null : last,
          },
  };
}
