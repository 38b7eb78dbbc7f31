import { type Kysely, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

/** Prices per kWh as decimals; null = there is none. */
export interface Prices {
  readonly feedInPrice: string | null;
  readonly purchasePrice: string | null;
  readonly currency: string;
}

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
          .select(['feed_in_price as feedInPrice', 'purchase_price as purchasePrice', 'currency'])
          .where('site_id', '=', siteId)
          .where('valid_from', '<=', new Date(tsMs))
          .orderBy('valid_from', 'desc')
          .limit(1)
          .executeTakeFirst();
  if (later !== undefined) return later;
  return db
    .selectFrom('sites')
    .select(['feed_in_price as feedInPrice', 'purchase_price as purchasePrice', 'currency'])
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow();
}

/** Sets the prices from a time on, until the next that are known; null = those from the beginning. */
export async function setPrices(
  tx: Transaction<Database>,
  siteId: string,
  { feedInPrice, purchasePrice, currency }: Prices,
  validFromMs: number | null,
): Promise<void> {
  const prices = { feed_in_price: feedInPrice, purchase_price: purchasePrice, currency };
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
