import { isDeepStrictEqual } from 'node:util';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { inSlices } from '../ingestion/in-slices.ts';
import type { Database } from '../stores/schema.ts';

type Tx = Transaction<Database>;

/**
 * Columns by which a row counts as the same: where it belongs and what people enter. What changes by itself (last seen,
 * online) is not among them.
 */
const columns = {
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
    'currency',
    'commissioned_on',
    'grid_connected_on',
    'arrays',
    'deleted_at',
  ],
  loggers: ['organisation_id', 'site_id', 'revoked_at'],
} as const satisfies { [T in keyof Database]?: readonly (keyof Database[T])[] };

export type ImagedTable = keyof typeof columns;
export const imagedTables = Object.keys(columns) as ImagedTable[];

type Row = Readonly<Record<string, unknown>>;

/** Rows as they are, by table and id. */
export type Snapshot = Readonly<Record<ImagedTable, ReadonlyMap<string, Row>>>;

/** A row as it was and as it became. */
export interface RowImage {
  readonly table: ImagedTable;
  readonly id: string;
  readonly before: Row;
  readonly after: Row;
}

/** What a move changed, kept so that it can be undone. Plain JSON. */
export type RowImages = readonly RowImage[];

export type RowIds = Partial<Record<ImagedTable, readonly string[]>>;

const ROWS_AT_ONCE = 1_000;

// A time as text must not depend on the zone of the connection.
const timeColumns: readonly string[] = ['disabled_at', 'deleted_at', 'revoked_at'];
const columnValue = (column: string): RawBuilder<unknown> =>
  timeColumns.includes(column)
    ? sql`to_char(t.${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : sql`t.${sql.ref(column)}`;

const imageColumn = (table: ImagedTable): RawBuilder<Row> =>
  sql`jsonb_build_object(${sql.join(columns[table].map((column) => sql`${sql.lit(column)}, ${columnValue(column)}`))})`;

/** The rows as they are now, locked until the transaction ends. */
export async function imagesOf(tx: Tx, ids: RowIds): Promise<Snapshot> {
  const snapshot: Record<ImagedTable, Map<string, Row>> = {
    organisations: new Map(),
    accounts: new Map(),
    sites: new Map(),
    loggers: new Map(),
  };
  for (const table of imagedTables) {
    const wanted = ids[table] ?? [];
    if (wanted.length === 0) continue;
    const { rows } = await sql<{ id: string; image: Row }>`
      select t.id, ${imageColumn(table)} as image from ${sql.table(table)} t
      where t.id = any(${wanted}::uuid[]) order by t.id for update`.execute(tx);
    for (const { id, image } of rows) snapshot[table].set(id, image);
  }
  return snapshot;
}

/** What became of the rows of a snapshot: those that changed since. */
export async function changesSince(tx: Tx, snapshot: Snapshot): Promise<RowImages> {
  const now = await imagesOf(tx, idsOf(snapshot));
  const changes: RowImage[] = [];
  for (const table of imagedTables) {
    await inSlices(snapshot[table], ([id, before]) => {
      const after = now[table].get(id);
      if (after !== undefined && !isDeepStrictEqual(before, after)) changes.push({ table, id, before, after });
    });
  }
  return changes;
}

const idsOf = (snapshot: Snapshot): RowIds =>
  Object.fromEntries(imagedTables.map((table) => [table, [...snapshot[table].keys()]]));

/** Images whose rows are not as the image says they became, or are gone. */
export async function changedRows(tx: Tx, images: RowImages): Promise<RowImage[]> {
  const now = await imagesOf(
    tx,
    Object.fromEntries(
      imagedTables.map((table) => [table, images.filter((image) => image.table === table).map(({ id }) => id)]),
    ),
  );
  const changed: RowImage[] = [];
  await inSlices(images, (image) => {
    if (!isDeepStrictEqual(now[image.table].get(image.id), image.after)) changed.push(image);
  });
  return changed;
}

/** Writes the rows as they were. */
export async function writeBack(tx: Tx, images: RowImages): Promise<void> {
  for (const table of imagedTables) {
    const rows = images.filter((image) => image.table === table).map(({ id, before }) => ({ ...before, id }));
    const assigned = columns[table].map((column) => sql`${sql.ref(column)} = was.${sql.ref(column)}`);
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      await sql`
        update ${sql.table(table)} t set ${sql.join(assigned)}
        from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows.slice(at, at + ROWS_AT_ONCE))}::jsonb) was
        where t.id = was.id`.execute(tx);
    }
  }
}

/** As they are stored. Many make a text of many megabytes, which is not written in one go. */
export async function jsonOf(images: RowImages): Promise<string> {
  const parts: string[] = [];
  await inSlices(images, (image) => parts.push(JSON.stringify(image)));
  return `[${parts.join(',')}]`;
}

/** The images of a deletion or a transfer, read one by one for the same reason. */
export async function storedImages(
  db: Kysely<Database>,
  table: 'deletions' | 'account_migrations',
  id: string,
): Promise<RowImages> {
  const { rows } = await sql<{ image: RowImage }>`
    select image from ${sql.table(table)} stored, jsonb_array_elements(stored.rows) with ordinality as each (image, place)
    where stored.id = ${id} order by place`.execute(db);
  return rows.map(({ image }) => image);
}
