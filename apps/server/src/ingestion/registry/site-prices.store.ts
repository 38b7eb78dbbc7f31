import { isDeepStrictEqual } from 'node:util';
import type { DayPrices } from '@sonnenwarte/energy/accounting/day-prices';
import type { Tariff } from '@sonnenwarte/energy/accounting/money';
import { type Kysely, sql } from 'kysely';
import type { MarketBooks } from '../../market-prices/market-book.ts';
import { marketBooks, marketTariffOf, zonesOf } from '../../market-prices/market-prices.store.ts';
import type { Database } from '../../stores/schema.ts';
import type { KeptMarket } from '../../stores/schema-plants.ts';
import { entryOf } from '../samples/entry-of.ts';
import type { SiteEntry } from './plant-model.ts';

/** The prices of a row of `sites`: those from the beginning, and how often later ones were changed. */
export const priceColumns = [
  'feed_in_price',
  'purchase_price',
  'feed_in_periods',
  'purchase_periods',
  'purchase_market',
  'currency',
  'price_changes',
] as const;

interface Prices {
  feed_in_price: string | null;
  purchase_price: string | null;
  feed_in_periods: DayPrices | null;
  purchase_periods: DayPrices | null;
  purchase_market: KeptMarket | null;
  currency: string;
}

interface PriceRow extends Prices {
  id: string;
  price_changes: number;
}

const tariffOf = (row: Prices, fromMs: number, books: MarketBooks): Tariff => ({
  fromMs,
  feedInPricePerKwh: row.feed_in_price,
  purchasePricePerKwh: row.purchase_price,
  feedInPeriods: row.feed_in_periods,
  purchasePeriods: row.purchase_periods,
  purchaseMarket: marketTariffOf(row.purchase_market, books),
  currency: row.currency,
});

/** Whether a site's row says other prices than are known of it. */
export function hasOtherPrices(
  { tariffs: [first], priceChanges }: SiteEntry,
  row: PriceRow,
  books: MarketBooks,
): boolean {
  return (
    first === undefined ||
    priceChanges !== row.price_changes ||
    !isDeepStrictEqual(first, tariffOf(row, Number.NEGATIVE_INFINITY, books))
  );
}

/** Takes the prices of a site's row, and those of later times. */
export function setPrices(site: SiteEntry, row: PriceRow, books: MarketBooks, later: readonly Tariff[] = []): void {
  site.tariffs = [tariffOf(row, Number.NEGATIVE_INFINITY, books), ...later];
  site.priceChanges = row.price_changes;
}

/** Prices of sites from later times on, ascending. */
export async function laterTariffs(db: Kysely<Database>, siteIds: readonly string[]): Promise<Map<string, Tariff[]>> {
  const tariffs = new Map<string, Tariff[]>();
  if (siteIds.length === 0) return tariffs;
  const rows = await db
    .selectFrom('site_prices')
    .select([
      'site_id',
      'valid_from',
      'feed_in_price',
      'purchase_price',
      'feed_in_periods',
      'purchase_periods',
      'purchase_market',
      'currency',
    ])
    .where(sql<boolean>`site_id = any(${siteIds}::uuid[])`)
    .orderBy('valid_from')
    .execute();
  const books = await marketBooks(db, zonesOf(rows));
  for (const row of rows) {
    entryOf(tariffs, row.site_id, () => []).push(tariffOf(row, row.valid_from.getTime(), books));
  }
  return tariffs;
}

/** All prices of sites, those from the beginning first, by their ids. */
export async function tariffsOf(db: Kysely<Database>, siteIds: readonly string[]): Promise<Map<string, Tariff[]>> {
  if (siteIds.length === 0) return new Map();
  const [rows, later] = await Promise.all([
    db
      .selectFrom('sites')
      .select(['id', ...priceColumns])
      .where(sql<boolean>`id = any(${siteIds}::uuid[])`)
      .execute(),
    laterTariffs(db, siteIds),
  ]);
  const books = await marketBooks(db, zonesOf(rows));
  return new Map(
    rows.map((row) => [row.id, [tariffOf(row, Number.NEGATIVE_INFINITY, books), ...(later.get(row.id) ?? [])]]),
  );
}
