import type { Endpoint, Parsed } from '@sonnenwarte/contract/endpoint';
import type { Fields, SortField } from '@sonnenwarte/contract/kinds';
import type { paging } from '@sonnenwarte/contract/lists';
import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './schema.ts';

/** A pattern of LIKE and ILIKE in which nothing but the text itself has a meaning. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Where an ordered query stopped: what its last row is ordered by, as the database writes it. */
export type Place = readonly (string | null)[];

/** A page by its number, or as many rows as follow a place; from the first one on where it is `null`. */
export type Span =
  | { readonly pageSize: number; readonly currentPage: number }
  | { readonly pageSize: number; readonly after: Place | null };

/** What is asked of a list: its filters and order, and a page of it or what follows a place. */
export type Asked<L extends Endpoint> = Omit<Parsed<L>, keyof typeof paging> & Span;

/** Rows of a list. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  /** How many match altogether; 0 after a place. */
  readonly total: number;
  /** Where to read on, unless these were the last. */
  readonly end: Place | undefined;
}

/** What a list is ordered by for each of its fields that it can be sorted by. */
export type SortKeys<F extends Fields> = Readonly<Record<SortField<F>, RawBuilder<unknown>>>;

interface Ordering {
  readonly key: RawBuilder<unknown>;
  /** By what rows of an equal key are ordered, never unknown; together they tell all rows apart. */
  readonly apart: readonly RawBuilder<unknown>[];
  readonly order: 'asc' | 'desc';
  /** The key is never null, so that an index of it serves both orders. */
  readonly isKnown?: boolean;
}

const tuple = (parts: readonly unknown[]): RawBuilder<unknown> => sql`(${sql.join(parts)})`;

/** Whether a row comes after a place. Rows of an unknown key come last in either order. */
function isAfter(place: Place, { key, apart, order, isKnown = false }: Ordering): RawBuilder<SqlBool> {
  const beyond = sql.raw(order === 'asc' ? '>' : '<');
  const [at, ...rest] = place;
  if (at === null) return sql<SqlBool>`(${key} is null and ${tuple(apart)} ${beyond} ${tuple(rest)})`;
  const isBeyond = sql<SqlBool>`${tuple([key, ...apart])} ${beyond} ${tuple(place)}`;
  return isKnown ? isBeyond : sql<SqlBool>`(${isBeyond} or ${key} is null)`;
}

/**
 * Rows of a query in an order; how many it finds is counted with a page and at the beginning, not again while reading on. Of a query
 * that reads all to find some, a page is counted in the same pass.
 */
export async function pageOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  ordering: Ordering,
  span: Span,
  { countsWithin = false, counts = totalOf }: { countsWithin?: boolean; counts?: Counting } = {},
): Promise<Found<Row>> {
  const { key, apart, order, isKnown = false } = ordering;
  const nulls = sql.raw(isKnown ? '' : ' nulls last');
  const direction = sql.raw(order);
  const isPage = 'currentPage' in span;
  let page = query
    .orderBy(sql`${key} ${direction}${nulls}`)
    .$call((ordered) => apart.reduce((by, each) => by.orderBy(sql`${each} ${direction}`), ordered))
    .limit(span.pageSize);
  if (isPage) page = page.offset((span.currentPage - 1) * span.pageSize);
  else if (span.after !== null) page = page.where(isAfter(span.after, ordering));
  const texts = [key, ...apart].map((each) => sql`(${each})::text`);
  if (isPage && countsWithin) return countedPage(page, query);
  const placed = isPage ? page : page.select(sql<Place>`json_build_array(${sql.join(texts)})`.as('place'));
  const [rows, total] = await Promise.all([placed.execute(), isPage || span.after === null ? counts(query) : 0]);
  const last = rows.length < span.pageSize ? undefined : (rows.at(-1) as { place?: Place } | undefined);
  return { rows: rows as Row[], total, end: last?.place };
}

async function countedPage<DB, TB extends keyof DB, Row>(
  page: SelectQueryBuilder<DB, TB, Row>,
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<Found<Row>> {
  const found = await page.select(sql<number>`(count(*) over ())::int`.as('found')).execute();
  const rows = found as (Row & { found: number })[];
  // A page beyond the last has no row that could say.
  return { rows, total: rows[0]?.found ?? (await totalOf(query)), end: undefined };
}

/** The same page with rows that are read by their ids, without those that are gone. */
export async function withRows<Row extends { id: string }>(
  { rows: page, ...found }: Found<{ id: string }>,
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<Found<Row>> {
  if (page.length === 0) return { ...found, rows: [] };
  const ids = page.map(({ id }) => id);
  return { ...found, rows: inOrderOf(ids, await read(ids)) };
}

/** Rows that were read by their ids, in the order of these; without those that are gone. */
export function inOrderOf<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The same rows as somebody is told of them. */
export const toRows = <Stored, Row>({ rows, ...found }: Found<Stored>, toRow: (row: Stored) => Row): Found<Row> => ({
  ...found,
  rows: rows.map(toRow),
});

interface Page {
  readonly pageSize: number;
  readonly currentPage: number;
}

/** Leaves one page of an ordered query. */
export const onPage =
  ({ pageSize, currentPage }: Page) =>
  <DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>): SelectQueryBuilder<DB, TB, Row> =>
    query.limit(pageSize).offset((currentPage - 1) * pageSize);

/** How many rows a query finds. */
export async function totalOf<DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>): Promise<number> {
  const counted = query.clearSelect().select(sql`count(*)::int`.as('total'));
  // The compiler cannot work out a row of tables that it does not know here.
  const { total } = (await counted.executeTakeFirstOrThrow()) as { total: number };
  return total;
}

/** Says how many rows a query finds. */
type Counting = <DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>) => Promise<number>;

/** The same up to a bound, so that no more rows are looked at. */
export const upTo =
  (db: Kysely<Database>, most: number): Counting =>
  async (query) => {
    const found = query.clearSelect().select(sql`1`.as('one')).limit(most);
    const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${found}) as found`.execute(db);
    return rows[0]?.total ?? 0;
  };
