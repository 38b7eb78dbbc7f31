import { type Kysely, sql } from 'kysely';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import type { Database } from '../stores/schema.ts';
import type { Generated } from './corrected-sums.ts';

/** What lists hold of an inverter: generated before a local day, of the day before and of its month and year. */
export interface ListedEnergies {
  /** End of that day; 0 where nothing is written. */
  readonly dayEndsMs: number;
  readonly yesterday: Generated;
  readonly month: Generated;
  readonly year: Generated;
}

/** What is written of devices, by id. */
export async function listedEnergies(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<Map<string, ListedEnergies>> {
  const rows = await db
    .selectFrom('device_listed')
    .select(['device_id', 'day_ends_at', 'yesterday_wh', 'month_wh', 'year_wh', 'energy_marks'])
    .where(sql<boolean>`device_id = any(${ids}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ device_id, day_ends_at, yesterday_wh, month_wh, year_wh, energy_marks: marks }) => {
      const at = (wh: number | null, place: number): Generated => ({ wh, marks: (marks >> (2 * place)) & 3 });
      return [
        device_id,
        {
          dayEndsMs: day_ends_at?.getTime() ?? 0,
          yesterday: at(yesterday_wh, 0),
          month: at(month_wh, 1),
          year: at(year_wh, 2),
        },
      ];
    }),
  );
}

/** Writes them, in the order of ids as all who write these rows do. */
export async function writeListedEnergies(
  db: Kysely<Database>,
  { monthEndsMs, yearEndsMs }: { readonly monthEndsMs: number; readonly yearEndsMs: number },
  energies: readonly (readonly [DeviceEntry, ListedEnergies])[],
): Promise<void> {
  if (energies.length === 0) return;
  const timeOf = (ms: number): string => new Date(ms).toISOString();
  const rows = energies.map(([{ id }, { dayEndsMs, yesterday, month, year }]) => ({
    id,
    day_ends_at: timeOf(dayEndsMs),
    yesterday_wh: yesterday.wh,
    month_wh: month.wh,
    year_wh: year.wh,
    marks: yesterday.marks | (month.marks << 2) | (year.marks << 4),
  }));
  await sql`
    update device_listed as l set day_ends_at = n.day_ends_at, month_ends_at = ${timeOf(monthEndsMs)},
      year_ends_at = ${timeOf(yearEndsMs)}, yesterday_wh = n.yesterday_wh, month_wh = n.month_wh, year_wh = n.year_wh,
      energy_marks = n.marks
    from (select k.device_id, r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r (
        id uuid, day_ends_at timestamptz, yesterday_wh float8, month_wh float8, year_wh float8, marks smallint)
      join device_listed k on k.device_id = r.id order by k.device_id for update of k) as n
    where l.device_id = n.device_id`.execute(db);
}
