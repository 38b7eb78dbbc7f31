import type { MarketTariff } from '@sonnenwarte/energy/accounting/market-price';
import { type Kysely, sql } from 'kysely';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import type { KeptMarket } from '../stores/schema-plants.ts';
import { MarketBook, type MarketBooks } from './market-book.ts';
import type { ToldQuarters } from './told-prices.ts';

type Db = Kysely<Database>;

/** What is held of each zone, by the database that it was read from. */
const held = new WeakMap<Db, Map<string, MarketBook>>();

async function readInto(db: Db, book: MarketBook, changes: number, currency: string | null): Promise<void> {
  const rows = await db
    .selectFrom('market_prices')
    .select(['start_at', 'micro'])
    .where('zone', '=', book.zone)
    .where('written', '>', book.changes)
    .execute();
  for (const { start_at, micro } of rows) book.put(start_at.getTime(), micro);
  // What was written meanwhile is read again the next time.
  book.changes = Math.max(book.changes, changes);
  book.currency = currency;
}

/** The prices of zones as they are known now; what was read before is read no second time. They are nobody's: all may see them. */
export async function marketBooks(db: Db, zones: Iterable<string>): Promise<MarketBooks> {
  const wanted = [...new Set(zones)];
  if (wanted.length === 0) return new Map();
  const books = held.get(db) ?? new Map<string, MarketBook>();
  if (!db.isTransaction) held.set(db, books);
  const rows = await db
    .selectFrom('market_sources')
    .select(['zone', 'changes', 'currency'])
    .where(sql<boolean>`zone = any(${wanted}::text[])`)
    .execute();
  for (const { zone, changes, currency } of rows) {
    const book = books.get(zone) ?? new MarketBook(zone);
    books.set(zone, book);
    if (book.changes < changes) await readInto(db, book, changes, currency);
  }
  return books;
}

/** A price of purchase that follows a market, with what is known of it. */
export const marketTariffOf = (market: KeptMarket | null, books: MarketBooks): MarketTariff | null =>
  market === null
    ? null
    : {
        prices: books.get(market.zone) ?? new MarketBook(market.zone),
        markupPerKwh: market.markup,
        vatPercent: market.vat,
      };

/** The zones of prices that follow markets. */
export const zonesOf = (rows: Iterable<{ readonly purchase_market: KeptMarket | null }>): string[] =>
  [...rows].flatMap(({ purchase_market: market }) => (market === null ? [] : [market.zone]));

/** Notes which zones have a source; the others keep what they told. */
export async function noteSources(db: Db, zones: readonly string[]): Promise<void> {
  await sql`insert into market_sources (zone, is_configured)
    select zone, true from unnest(${zones}::text[]) as zone
    on conflict (zone) do update set is_configured = true where not market_sources.is_configured`.execute(db);
  await db
    .updateTable('market_sources')
    .set({ is_configured: false })
    .where('is_configured', '=', true)
    .where(sql<boolean>`not zone = any(${zones}::text[])`)
    .execute();
}

export interface SourceState {
  zone: string;
  currency: string | null;
  isConfigured: boolean;
  askedMs: number | null;
  answeredMs: number | null;
  /** End of the last quarter of an hour whose price is known. */
  knownUntilMs: number | null;
}

/** All zones that have or had a source. They are nobody's: all may see them. */
export async function sourceStates(db: Db): Promise<SourceState[]> {
  const rows = await db
    .selectFrom('market_sources')
    .select(['zone', 'currency', 'is_configured', 'asked_at', 'answered_at'])
    .select(
      sql<Date | null>`(select max(start_at) + interval '15 minutes' from market_prices p where p.zone = market_sources.zone)`.as(
        'known_until',
      ),
    )
    .orderBy('zone')
    .execute();
  return rows.map((row) => ({
    zone: row.zone,
    currency: row.currency,
    isConfigured: row.is_configured,
    askedMs: row.asked_at?.getTime() ?? null,
    answeredMs: row.answered_at?.getTime() ?? null,
    knownUntilMs: row.known_until?.getTime() ?? null,
  }));
}

/** Notes that a source was asked, before it answers. */
export const noteAsked = (db: Db, zone: string, nowMs: number) =>
  db
    .updateTable('market_sources')
    .set({ asked_at: new Date(nowMs) })
    .where('zone', '=', zone)
    .execute();

/**
 * Keeps what a source told: what is new or other than before is written, and the plants that reckon with it are told. A source that changes its currency is
 * refused, since amounts of two are never added up.
 *
 * @returns how many quarters of an hour were written
 */
export const keepPrices = (db: Db, zone: string, { currency, micro }: ToldQuarters, nowMs: number): Promise<number> =>
  inTransaction(db, async (tx) => {
    const source = await tx
      .selectFrom('market_sources')
      .select(['changes', 'currency'])
      .where('zone', '=', zone)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (currency !== null && source.currency !== null && currency !== source.currency) {
      throw new Error('it tells another currency than before');
    }
    const starts = [...micro.keys()].map((startMs) => new Date(startMs).toISOString());
    const written = await sql<{ start_at: Date }>`insert into market_prices (zone, start_at, micro, written)
      select ${zone}, start_at, micro, ${source.changes + 1}
        from unnest(${starts}::timestamptz[], ${[...micro.values()]}::int[]) as told (start_at, micro)
      on conflict (zone, start_at) do update set micro = excluded.micro, written = excluded.written
        where market_prices.micro <> excluded.micro
      returning start_at`.execute(tx);
    const times = written.rows.map(({ start_at }) => start_at.getTime());
    await tx
      .updateTable('market_sources')
      .set({ answered_at: new Date(nowMs), currency: currency ?? source.currency })
      .$if(times.length > 0, (update) => update.set({ changes: source.changes + 1 }))
      .where('zone', '=', zone)
      .execute();
    if (times.length > 0) {
      const [from, until] = [Math.min(...times), Math.max(...times)];
      await sql`select market_prices_came(${zone}, ${new Date(from)}, ${new Date(until)})`.execute(tx);
    }
    return times.length;
  });
