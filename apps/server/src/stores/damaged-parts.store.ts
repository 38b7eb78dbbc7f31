import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** A part of a table that cannot be read. Times where they are known better than by the partition. */
export interface DamagedPart {
  table: string;
  part: string;
  partition: string;
  reason: string;
  fromMs?: number;
  toMs?: number;
  rows?: number;
}

/** From where the rows of a table can be made anew. Samples are made from nothing. */
const depthOf = { device_5m: 'samples', site_5m: 'devices', site_hour: 'calendar', site_day: 'calendar' } as const;

const isRollup = (table: string): table is keyof typeof depthOf => Object.hasOwn(depthOf, table);

const DAY_MS = 86_400_000;

/** Notes damaged parts that are not known yet, and that what they held is to be made anew; answers the new ones. */
export async function noteDamage(db: Kysely<Database>, parts: readonly DamagedPart[]): Promise<DamagedPart[]> {
  const found: DamagedPart[] = [];
  for (const part of parts) {
    await db.transaction().execute(async (tx) => {
      const noted = await tx
        .insertInto('damaged_parts')
        .values({
          table_name: part.table,
          part: part.part,
          partition_id: part.partition,
          reason: part.reason,
          from_at: part.fromMs === undefined ? null : new Date(part.fromMs),
          to_at: part.toMs === undefined ? null : new Date(part.toMs),
          rows: part.rows ?? null,
        })
        .onConflict((conflict) => conflict.columns(['table_name', 'part']).doNothing())
        .returning('part')
        .executeTakeFirst();
      if (noted === undefined) return;
      found.push(part);
      if (!isRollup(part.table)) return;
      const [from_at, to_at] = spanOf(part);
      await tx
        .insertInto('recalculations')
        .values({ site_id: null, device_id: null, depth: depthOf[part.table], from_at, to_at })
        .execute();
    });
  }
  return found;
}

/** All that was ever noted, by table and part. */
export async function knownDamage(db: Kysely<Database>): Promise<Map<string, DamagedPart>> {
  const rows = await db.selectFrom('damaged_parts').selectAll().execute();
  return new Map(
    rows.map((row) => [
      `${row.table_name} ${row.part}`,
      {
        table: row.table_name,
        part: row.part,
        partition: row.partition_id,
        reason: row.reason,
        ...(row.from_at !== null && row.to_at !== null && { fromMs: row.from_at.getTime(), toMs: row.to_at.getTime() }),
      },
    ]),
  );
}

/** The time of a part: what is known of it, else its partition (a day, month or year of UTC), else all time. */
function spanOf({ partition, fromMs, toMs }: DamagedPart): [from: Date | null, to: Date | null] {
  if (fromMs !== undefined && toMs !== undefined) return [new Date(fromMs), new Date(toMs)];
  const [, year, month, day] = /^(\d{4})(\d\d)?(\d\d)?$/.exec(partition) ?? [];
  if (year === undefined) return [null, null];
  const first = Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  const next =
    month === undefined
      ? Date.UTC(Number(year) + 1, 0, 1)
      : day === undefined
        ? Date.UTC(Number(year), Number(month), 1)
        : first + DAY_MS;
  // A year is one of plants' own days, which begin up to 14 hours before or after UTC's.
  return [new Date(first - DAY_MS), new Date(next + DAY_MS)];
}
