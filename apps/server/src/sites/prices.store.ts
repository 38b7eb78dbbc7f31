import type { DayPrices } from '@sonnenwarte/energy/accounting/day-prices';
import type { Tariff } from '@sonnenwarte/energy/accounting/money';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible } from '../access/scope.ts';
import type { MarketBooks } from '../market-prices/market-book.ts';
import { marketBooks, marketTariffOf } from '../market-prices/market-prices.store.ts';
import type { Database } from '../stores/schema.ts';
import type { KeptMarket } from '../stores/schema-plants.ts';

/** Prices per kWh as decimals; null = there is none. Those by the time of day stand in place of the one, which is then null. */
export interface Prices {
  readonly feedInPrice: string | null;
  readonly purchasePrice: string | null;
  readonly feedInPeriods: DayPrices | null;
  readonly purchasePeriods: DayPrices | null;
  /** The same of a market that is followed. */
  readonly purchaseMarket: KeptMarket | null;
  readonly currency: string;
}

const priceColumns = [
  'feed_in_price as feedInPrice',
  'purchase_price as purchasePrice',
  'feed_in_periods as feedInPeriods',
  'purchase_periods as purchasePeriods',
  'purchase_market as purchaseMarket',
  'currency',
] as const;

/** A plant in scope, its row locked: its prices and zone stay as they are until the transaction ends. */
export const holdSite = (tx: Transaction<Database>, scope: Scope, id: string) =>
  tx
    .selectFrom('sites')
    .select(['sites.id', 'sites.name', 'sites.organisation_id', 'sites.time_zone'])
    .where(siteIsVisible(scope))
    .where('sites.id', '=', id)
    .forUpdate('sites')
    .executeTakeFirst();

/** The newest row of `site_prices` of a row of `sites` that is valid at a time, for a lateral join. */
export const laterPricesAt = (nowMs: number) =>
  sql<Database['site_prices']>`(select * from site_prices p where p.site_id = sites.id
    and p.valid_from <= ${new Date(nowMs)} order by p.valid_from desc limit 1)`;

/** Prices of a plant that are valid at a time; null = those from the beginning. The plant is one that the caller may see. */
export async function pricesAt(db: Kysely<Database>, siteId: string, tsMs: number | null): Promise<Prices> {
  const later =
    tsMs === null
      ? undefined
      : await db
          .selectFrom('site_prices')
          .select(priceColumns)
          .where('site_id', '=', siteId)
          .where('valid_from', '<=', new Date(tsMs))
          .orderBy('valid_from', 'desc')
          .limit(1)
          .executeTakeFirst();
  if (later !== undefined) return later;
  return db.selectFrom('sites').select(priceColumns).where('id', '=', siteId).executeTakeFirstOrThrow();
}

const periodsText = (periods: DayPrices | null): string | null => (periods === null ? null : JSON.stringify(periods));

/** Prices as the columns that keep them. */
export const priceRowOf = (prices: Prices) => ({
  feed_in_price: prices.feedInPeriods === null ? prices.feedInPrice : null,
  purchase_price: prices.purchasePeriods === null && prices.purchaseMarket === null ? prices.purchasePrice : null,
  feed_in_periods: periodsText(prices.feedInPeriods),
  purchase_periods: periodsText(prices.purchaseMarket === null ? prices.purchasePeriods : null),
  purchase_market: prices.purchaseMarket === null ? null : JSON.stringify(prices.purchaseMarket),
  currency: prices.currency,
});

/** Sets the prices from a time on, until the next that are known; null = those from the beginning. */
export async function setPrices(
  tx: Transaction<Database>,
  siteId: string,
  entered: Prices,
  validFromMs: number | null,
): Promise<void> {
  const prices = priceRowOf(entered);
  if (validFromMs === null) {
    await tx.updateTable('sites').set(prices).where('id', '=', siteId).execute();
    return;
  }
  await tx
    .insertInto('site_prices')
    .values({ site_id: siteId, valid_from: new Date(validFromMs), ...prices })
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'valid_from']).doUpdateSet({ ...prices, written_at: new Date() }),
    )
    .execute();
}

/** Forgets the prices of a plant that begin within a span, its end excluded. */
export const dropPricesWithin = (tx: Transaction<Database>, siteId: string, fromMs: number, untilMs: number) =>
  tx
    .deleteFrom('site_prices')
    .where('site_id', '=', siteId)
    .where('valid_from', '>=', new Date(fromMs))
    .where('valid_from', '<', new Date(untilMs))
    .execute();

/** The currency of a plant now, and since when it is that; null = from the beginning. */
export async function currencyOf(
  db: Kysely<Database>,
  siteId: string,
  nowMs: number,
): Promise<{ currency: string; sinceMs: number | null }> {
  const first = await pricesAt(db, siteId, null);
  const later = await db
    .selectFrom('site_prices')
    .select(['valid_from', 'currency'])
    .where('site_id', '=', siteId)
    .where('valid_from', '<=', new Date(nowMs))
    .orderBy('valid_from')
    .execute();
  let { currency } = first;
  let sinceMs: number | null = null;
  for (const row of later) {
    if (row.currency === currency) continue;
    currency = row.currency;
    sinceMs = row.valid_from.getTime();
  }
  return { currency, sinceMs };
}

/** Prices of a plant from a time on; null = from the beginning. */
export interface PricesFrom extends Prices {
  readonly from: Date | null;
}

/** All prices that a plant has had, has and will have, the oldest first. The plant is one that the caller may see. */
export async function allPrices(db: Kysely<Database>, siteId: string): Promise<PricesFrom[]> {
  const [first, later] = await Promise.all([
    pricesAt(db, siteId, null),
    db
      .selectFrom('site_prices')
      .select([...priceColumns, 'valid_from as from'])
      .where('site_id', '=', siteId)
      .orderBy('valid_from')
      .execute(),
  ]);
  return [{ ...first, from: null }, ...later];
}

/** What markets tell of prices that follow them. */
export const booksOf = (
  db: Kysely<Database>,
  prices: readonly Pick<Prices, 'purchaseMarket'>[],
): Promise<MarketBooks> =>
  marketBooks(
    db,
    prices.flatMap(({ purchaseMarket }) => purchaseMarket?.zone ?? []),
  );

/** Prices as they are reckoned with. */
export const tariffOf = (prices: Prices, fromMs: number, books: MarketBooks): Tariff => ({
  fromMs,
  feedInPricePerKwh: prices.feedInPrice,
  purchasePricePerKwh: prices.purchasePrice,
  feedInPeriods: prices.feedInPeriods,
  purchasePeriods: prices.purchasePeriods,
  purchaseMarket: marketTariffOf(prices.purchaseMarket, books),
  currency: prices.currency,
});

/** The same of all prices of a plant, ascending; the first hold from the beginning. The plant is one that the caller may see. */
export async function tariffsOf(db: Kysely<Database>, siteId: string): Promise<Tariff[]> {
  const all = await allPrices(db, siteId);
  const books = await booksOf(db, all);
  return all.map((prices) => tariffOf(prices, prices.from?.getTime() ?? Number.NEGATIVE_INFINITY, books));
}

/** Takes back the prices of a plant that are valid from a time on. */
export const dropPrices = (tx: Transaction<Database>, siteId: string, from: Date) =>
  tx
    .deleteFrom('site_prices')
    .where('site_id', '=', siteId)
    .where('valid_from', '=', from)
    .returning(priceColumns)
    .executeTakeFirst();
