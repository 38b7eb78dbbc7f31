import { randomUUID } from 'node:crypto';
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/**
 * Columns by which a row counts as the same: where it belongs and what people enter. What changes by itself (last seen,
 * online) is not among them.
 */
export const imagedColumns = {
  organisations: ['disabled_at', 'deleted_at'],
  accounts: ['organisation_id', 'level', 'leads', 'department_id', 'disabled_at', 'deleted_at'],
  sites: [
    'organisation_id',
    'owner_account_id',
    'name',
    'type',
    'country',
    'city',
    'address',
    'postcode',
    'latitude',
    'longitude',
    'altitude_m',
    'time_zone',
    'system_size_kwp',
    'rated_power_w',
    'feed_in_price',
    'purchase_price',
    'feed_in_periods',
    'purchase_periods',
    'purchase_market',
    'currency',
    'commissioned_on',
    'grid_connected_on',
    'arrays',
    'place_zone',
    'installer_contact',
    'user_contact',
    'deleted_at',
  ],
  loggers: ['organisation_id', 'site_id', 'revoked_at'],
} as const satisfies { [T in keyof Database]?: readonly (keyof Database[T])[] };

export type ImagedTable = keyof typeof imagedColumns;
export const imagedTables = Object.keys(imagedColumns) as ImagedTable[];

type Row = Readonly<Record<string, unknown>>;

/** A row as it was and as it became. */
export interface RowImage {
  readonly id: string;
  readonly before: Row;
  readonly after: Row;
}

/** Rows by their ids, or by a condition on `t`. */
export type WhichRows = Partial<Record<ImagedTable, readonly string[] | RawBuilder<SqlBool>>>;

/** Rows of one statement, so that none takes long, however many there are. */
const ROWS_AT_ONCE = 1_000;

// A time as text must not depend on the zone of the connection.
const timeColumns: readonly string[] = ['disabled_at', 'deleted_at', 'revoked_at'];
const columnValue = (column: string): RawBuilder<unknown> =>
  timeColumns.includes(column)
    ? sql`to_char(t.${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : sql`t.${sql.ref(column)}`;

const imageColumn = (table: ImagedTable): RawBuilder<Row> =>
  sql`jsonb_build_object(${sql.join(imagedColumns[table].map((column) => sql`${sql.lit(column)}, ${columnValue(column)}`))})`;

const which = (table: ImagedTable, rows: WhichRows): RawBuilder<SqlBool> | undefined => {
  const wanted = rows[table];
  if (wanted === undefined || !('length' in wanted)) return wanted;
  return wanted.length === 0 ? undefined : sql<SqlBool>`t.id = any(${wanted}::uuid[])`;
};

/** The ids that a change has of a table. */
export const idsOf = (change: string, table: ImagedTable): RawBuilder<string> =>
  sql`select row_id from row_images where change_id = ${change} and table_name = ${table}`;

const isOf = (change: string, table: ImagedTable): RawBuilder<SqlBool> =>
  sql`i.change_id = ${change} and i.table_name = ${table}`;

/** Locks the rows until the transaction ends, in the order in which everybody does. */
export async function holdRows(tx: Tx, rows: WhichRows): Promise<void> {
  for (const table of imagedTables) {
    const wanted = which(table, rows);
    if (wanted === undefined) continue;
    await sql`
      select count(*) from (select from ${sql.table(table)} t where ${wanted} order by t.id for update) held`.execute(
      tx,
    );
  }
}

const rowsOf = (change: string): WhichRows =>
  Object.fromEntries(imagedTables.map((table) => [table, sql<SqlBool>`t.id in (${idsOf(change, table)})`]));

/**
 * Notes the rows as they are, locked until the transaction ends, and answers the id of what is about to change. They stay in
 * the database: a fleet of plants would stop everything else on its way through this process.
 */
export async function noteBefore(tx: Tx, rows: WhichRows): Promise<string> {
  const change = randomUUID();
  for (const table of imagedTables) {
    const wanted = which(table, rows);
    if (wanted === undefined) continue;
    await sql`
      insert into row_images (change_id, table_name, row_id, before)
      select ${change}, ${table}, held.id, held.image from (
        select t.id, ${imageColumn(table)} as image from ${sql.table(table)} t where ${wanted} order by t.id for update) held`.execute(
      tx,
    );
  }
  return change;
}

/** Notes what became of the rows of a change; of what stayed the same nothing is kept. */
export async function noteAfter(tx: Tx, change: string): Promise<void> {
  for (const table of imagedTables) {
    await sql`
      update row_images i set after = ${imageColumn(table)} from ${sql.table(table)} t
      where ${isOf(change, table)} and t.id = i.row_id`.execute(tx);
  }
  await sql`delete from row_images where change_id = ${change} and (after is null or after = before)`.execute(tx);
}

/** How many rows of each table a change has, those that it deleted apart from others. */
export async function countsOf(
  db: Db,
  change: string,
): Promise<readonly { table: ImagedTable; isDeletion: boolean; count: number }[]> {
  const { rows } = await sql<{ table: ImagedTable; isDeletion: boolean; count: number }>`
    select table_name as "table", ${isDeletion} as "isDeletion", count(*)::int as count from row_images i
    where change_id = ${change} group by 1, 2`.execute(db);
  return rows;
}

const isDeletion = sql<boolean>`(i.before ? 'deleted_at' and i.before ->> 'deleted_at' is null
  and i.after ->> 'deleted_at' is not null)`;

/** The ids of what a change deleted of a table, in parts. */
export async function* deletedParts(db: Db, change: string, table: ImagedTable): AsyncGenerator<string[]> {
  for await (const ids of parts(db, sql<SqlBool>`${isOf(change, table)} and ${isDeletion}`)) yield ids;
}

/** The ids of the dataloggers that a change shut out, in parts. */
export async function* shutOutParts(db: Db, change: string): AsyncGenerator<string[]> {
  const isShutOut = sql<SqlBool>`i.before ->> 'revoked_at' is null and i.after ->> 'revoked_at' is not null`;
  for await (const ids of parts(db, sql<SqlBool>`${isOf(change, 'loggers')} and ${isShutOut}`)) yield ids;
}

async function* parts(db: Db, those: RawBuilder<SqlBool>): AsyncGenerator<string[]> {
  let last: string | undefined;
  for (;;) {
    const after = last === undefined ? sql<SqlBool>`true` : sql<SqlBool>`i.row_id > ${last}`;
    const { rows } = await sql<{ id: string }>`
      select i.row_id as id from row_images i where ${those} and ${after}
      order by i.row_id limit ${ROWS_AT_ONCE}`.execute(db);
    last = rows.at(-1)?.id;
    if (last === undefined) return;
    yield rows.map(({ id }) => id);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

export interface ChangedRow extends RowImage {
  readonly table: ImagedTable;
  /** As it is; null where it is gone. */
  readonly now: Row | null;
}

/** Rows, locked, that are not as the change left them, or are gone: so many of them at most. */
export async function changedSince(tx: Tx, change: string, most: number): Promise<ChangedRow[]> {
  await holdRows(tx, rowsOf(change));
  const changed: ChangedRow[] = [];
  for (const table of imagedTables) {
    const { rows } = await sql<ChangedRow>`
      select ${table} as "table", i.row_id as id, i.before, i.after, now.image as now from row_images i
      left join lateral (select ${imageColumn(table)} as image from ${sql.table(table)} t where t.id = i.row_id) now on true
      where ${isOf(change, table)} and now.image is distinct from i.after
      order by i.row_id limit ${most - changed.length}`.execute(tx);
    changed.push(...rows);
  }
  return changed;
}

/** Writes the rows of a change as they were. */
export async function writeBack(tx: Tx, change: string): Promise<void> {
  for (const table of imagedTables) {
    const assigned = imagedColumns[table].map((column) => sql`${sql.ref(column)} = was.${sql.ref(column)}`);
    for await (const ids of parts(tx, isOf(change, table))) {
      await sql`
        update ${sql.table(table)} t set ${sql.join(assigned)}
        from row_images i, jsonb_populate_record(null::${sql.table(table)}, i.before) was
        where ${isOf(change, table)} and i.row_id = any(${ids}::uuid[]) and t.id = i.row_id`.execute(tx);
    }
  }
}

/** What a change did to rows of a table. */
export async function imagesOf(db: Db, change: string, table: ImagedTable): Promise<RowImage[]> {
  const { rows } = await sql<RowImage>`
    select i.row_id as id, i.before, i.after from row_images i where ${isOf(change, table)} order by i.row_id`.execute(
    db,
  );
  return rows;
}

export const forgetImages = (db: Db, change: string): Promise<unknown> =>
  db.deleteFrom('row_images').where('change_id', '=', change).execute();
