import type { Tariff } from '@sonnenwarte/energy/accounting/money';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../stores/schema.ts';
import { entryOf } from '../samples/entry-of.ts';
import type { SiteEntry } from './plant-model.ts';

/** The prices of a row of `sites`: those from the beginning, and how often later ones were changed. */
export const priceColumns = ['feed_in_price', 'purchase_price', 'currency', 'price_changes'] as const;

interface PriceRow {
  id: string;
  feed_in_price: string | null;
  purchase_price: string | null;
  currency: string;
  price_changes: number;
}

/** Whether a site's row says other prices than are known of it. */
export function hasOtherPrices({ tariffs: [first], priceChanges }: SiteEntry, row: PriceRow): boolean {
  return (
    first === undefined ||
    priceChanges !== row.price_changes ||
    first.feedInPricePerKwh !== row.feed_in_price ||
    first.purchasePricePerKwh !== row.purchase_price ||
    first.currency !== row.currency
  );
}

/** Takes the prices of a site's row, and those of later times. */
export function setPrices(site: SiteEntry, row: PriceRow, later: readonly Tariff[] = []): void {
  const first: Tariff = {
    fromMs: Number.NEGATIVE_INFINITY,
    feedInPricePerKwh: row.feed_in_price,
    purchasePricePerKwh: row.purchase_price,
    currency: row.currency,
  };
  site.tariffs = [first, ...later];
  site.priceChanges = row.price_changes;
}

/** Prices of sites from later times on, ascending. */
export async function laterTariffs(db: Kysely<Database>, siteIds: readonly string[]): Promise<Map<string, Tariff[]>> {
  const tariffs = new Map<string, Tariff[]>();
  if (siteIds.length === 0) return tariffs;
  const rows = await db
    .selectFrom('site_prices')
    .select(['site_id', 'valid_from', 'feed_in_price', 'purchase_price', 'currency'])
    .where(sql<boolean>`site_id = any(${siteIds}::uuid[])`)
    .orderBy('valid_from')
    .execute();
  for (const row of rows) {
    entryOf(tariffs, row.site_id, () => []).push({
      fromMs: row.valid_from.getTime(),
      feedInPricePerKwh: row.feed_in_price,
      purchasePricePerKwh: row.purchase_price,
      currency: row.currency,
    });
  }
  return tariffs;
}
