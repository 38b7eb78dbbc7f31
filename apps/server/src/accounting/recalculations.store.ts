import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';

export type Depth = 'samples' | 'devices' | 'calendar' | 'corrected';

/** Figures that are to be made anew. Times that are not known are open. */
export interface Recalculation {
  id: number;
  /** null: all plants. */
  siteId: string | null;
  /** Only where this device has recorded. */
  deviceId: string | null;
  depth: Depth;
  fromMs: number;
  toMs: number;
  /** Of all plants, those up to this key are done. */
  doneKey: number;
}

const MOST_ROWS = 500;

export async function nextRecalculations(db: Kysely<Database>): Promise<Recalculation[]> {
  const rows = await db.selectFrom('recalculations').selectAll().orderBy('id').limit(MOST_ROWS).execute();
  return rows.map((row) => ({
    id: row.id,
    siteId: row.site_id,
    deviceId: row.device_id,
    depth: row.depth,
    fromMs: row.from_at?.getTime() ?? Number.NEGATIVE_INFINITY,
    toMs: row.to_at?.getTime() ?? Number.POSITIVE_INFINITY,
    doneKey: row.done_key,
  }));
}

export async function isRecalculationDue(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('recalculations').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function noteDoneKey(db: Kysely<Database>, id: number, doneKey: number): Promise<void> {
  await db.updateTable('recalculations').set({ done_key: doneKey }).where('id', '=', id).execute();
}

export async function removeRecalculations(db: Kysely<Database>, ids: readonly number[]): Promise<void> {
  await sql`delete from recalculations where id = any(${ids}::bigint[])`.execute(db);
}

/** The next sites in the order of their keys. */
export async function sitesAfter(db: Kysely<Database>, afterKey: number, most: number) {
  const rows = db.selectFrom('sites').select(['id', 'key']).where('deleted_at', 'is', null).where('key', '>', afterKey);
  return rows.orderBy('key').limit(most).execute();
}

/** Whether figures of a row of `sites` are being made anew, so that sums may be incomplete. */
export const isRecalculated: RawBuilder<SqlBool> = sql<SqlBool>`(
  exists (select from recalculations r where r.site_id = sites.id)
  or exists (select from recalculations r where r.site_id is null and r.done_key < sites.key))`;

/** The same of plants by their id and key, for queries of many rows: what is being made anew is looked up once. */
export const isAmongRecalculated = (
  id: RawBuilder<string>,
  key: RawBuilder<number>,
): RawBuilder<SqlBool> => sql<SqlBool>`(
  ${id} in (select r.site_id from recalculations r where r.site_id is not null)
  or coalesce(${key} > (select min(r.done_key) from recalculations r where r.site_id is null), false))`;

/** Whether figures of any plant are being made anew: once for a statement, which reads no plant where there are none. */
export const areAnyRecalculated: RawBuilder<SqlBool> = sql<SqlBool>`exists (select from recalculations)`;
