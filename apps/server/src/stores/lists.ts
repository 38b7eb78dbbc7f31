import { type OrderByItemBuilder, type SelectQueryBuilder, sql } from 'kysely';

/** A pattern of LIKE and ILIKE in which nothing but the text itself has a meaning. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Order in which unknown values come last, ascending and descending. */
export const unknownLast = (order: 'asc' | 'desc') => (by: OrderByItemBuilder) =>
  (order === 'desc' ? by.desc() : by.asc()).nullsLast();

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

/** Rows that were read by their ids, in the order of these; without those that are gone. */
export function inOrderOf<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
