import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import {
  restOf,
  roundMoney,
  roundParts,
  sumMoney,
  type TariffSpan,
  tariffSpans,
} from '@sonnenwarte/energy/accounting/money';
import { qualityOf } from '@sonnenwarte/energy/accounting/site-marks';
import {
  chargingSessions,
  type Divided,
  divided,
  type OriginBucket,
  originMoney,
  type Purchase,
  purchaseOf,
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
import { lastChargedBefore, originsOf, sessionBegins } from './where-from.store.ts';

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

interface Amounts {
  house: string | null;
  car: string | null;
  sessions: readonly (string | null)[];
  battery: string | null;
  lost: string | null;
  all: string | null;
}

/**
 * What was paid for each part, rounded so that house, car, battery and loss add up to the day, and sessions, with what the pile took while it
 * stood by, to the car. Where one of them is not known each is rounded by itself.
 */
function amountsOf(
  { house, car, sessions }: Pick<Amounts, 'house' | 'car' | 'sessions'>,
  bought: Purchase,
  decimals: number,
): Amounts {
  const known = sessions.filter((paid) => paid !== null);
  const { paid, batteryPaid, restPaid } = bought;
  const rounded = (amount: string | null) => (amount === null ? null : roundMoney(amount, decimals));
  if (
    house === null ||
    car === null ||
    paid === null ||
    batteryPaid === null ||
    restPaid === null ||
    known.length < sessions.length
  ) {
    const ofSessions = known.length < sessions.length ? sessions.map(() => null) : roundParts(known, decimals);
    return {
      house: rounded(house),
      car: rounded(car),
      sessions: ofSessions,
      battery: rounded(batteryPaid),
      lost: rounded(restPaid),
      all: rounded(paid),
    };
  }
  const [ofHouse = '0', ...others] = roundParts([house, ...known, restOf(car, known), batteryPaid, restPaid], decimals);
  const [ofBattery = '0', ofLost = '0'] = others.slice(-2);
  return {
    house: ofHouse,
    car: roundMoney(sumMoney(others.slice(0, -2)), decimals),
    sessions: others.slice(0, known.length),
    battery: ofBattery,
    lost: ofLost,
    all: rounded(paid),
  };
}

/** Where the energy of house and vehicles came from on a day. */
export async function siteWhereFromOf(
  { db, telemetry, nowMs }: SiteStores,
  { stationID, date }: Parsed<Sites['whereFrom']>,
  { scope }: Scoped,
): Promise<Result<Sites['whereFrom']>> {
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  const bounds = dayBounds(date, site.timeZone);
  const [origins, tariffs, begins, last] = await Promise.all([
    originsOf(telemetry, site, bounds),
    tariffsOf(db, site.id),
    sessionBegins(db, site, bounds),
    lastChargedBefore(telemetry, site, date),
  ]);
  const { currency, spans } = pricesOf(tariffSpans(tariffs, bounds, site.timeZone));
  const decimals = decimalsOf(currency);
  const rounded = (amount: string | null): string | null => (amount === null ? null : roundMoney(amount, decimals));
  // While its history is coming, a day is not known.
  const { load, charger, bought } = isHeld(site, date) ? origins : { load: [], charger: [], bought: [] };
  const sessions = chargingSessions(charger, spans, begins);
  const money = { load: originMoney(load, spans), charger: originMoney(charger, spans) };
  const purchase = purchaseOf(bought, spans);
  const paid = amountsOf(
    { house: money.load.paid, car: money.charger.paid, sessions: sessions.map((session) => session.paid) },
    purchase,
    decimals,
  );

  const destinationOf = (buckets: readonly OriginBucket[], quantity: 'load' | 'charger', amount: string | null) => {
    const { gridOnly, forgone } = money[quantity];
    // By what is rounded so that it adds up, all of it must not cost less than a part.
    const isAllBought =
      amount !== null && gridOnly !== null && Number(restOf(roundMoney(gridOnly, decimals), [amount])) < 0;
    return {
      ...shownOf(divided(buckets)),
      quality: qualityOf(origins.marks, [quantity]),
      paid: amount,
      gridOnly: isAllBought ? amount : rounded(gridOnly),
      forgone: rounded(forgone),
      quarters: quarterHours(buckets).map(({ startMs, ...quarter }) => ({ startMs, ...shownOf(quarter) })),
    };
  };

  const car = destinationOf(charger, 'charger', paid.car);
  const prices = new Set(spans.map(({ tariff }) => tariff.purchasePricePerKwh));
  return {
    date,
    ianaTimezone: site.timeZone,
    currency,
    purchasePrice: prices.size === 1 ? (spans[0]?.tariff.purchasePricePerKwh ?? null) : null,
    tells: origins.tells,
    bought:
      bought.length === 0
        ? null
        : {
            wh: withoutNoise(purchase.boughtWh),
            paid: paid.all,
            batteryWh: withoutNoise(purchase.batteryWh),
            batteryPaid: paid.battery,
            lostWh: withoutNoise(purchase.restWh),
            lostPaid: paid.lost,
          },
    house: load.length === 0 ? null : destinationOf(load, 'load', paid.house),
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
              paid: paid.sessions[place] ?? null,
            })),
            last: car.wh >= CHARGED_WH ? null : last,
          },
  };
}
