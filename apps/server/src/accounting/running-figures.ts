import { type Kysely, sql } from 'kysely';
import { readRows } from '../ingestion/samples/row-reader.ts';
import type { Database } from '../stores/schema.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';

/** Generation of the running day and month and since recording began. */
export interface Running {
  todayWh: number | undefined;
  monthWh: number | undefined;
  totalWh: number | undefined;
  /** Marks of the three, in this order. */
  marks: number;
}

interface Site {
  id: string;
  key: number;
}

/** What is recorded of sites up to a local day of each, by `sites.key`. */
export async function runningOf(
  telemetry: TelemetryHandle,
  dayOf: ReadonlyMap<Pick<Site, 'key'>, string>,
): Promise<Map<number, Running>> {
  const keys = [...dayOf.keys()].map(({ key }) => `toUInt32(${key})`).join(',');
  const days = [...dayOf.values()].map((day) => `toDate('${day}')`).join(',');
  const known = 'NOT isNaN(pv_wh)';
  const isToday = `${known} AND day = today`;
  const isMonth = `${known} AND toStartOfMonth(day) = toStartOfMonth(today) AND day <= today`;
  const rows = await readRows(
    telemetry.client,
    `SELECT site, if(countIf(${isToday}) = 0, nan, sumIf(pv_wh, ${isToday})),
       if(countIf(${isMonth}) = 0, nan, sumIf(pv_wh, ${isMonth})), if(countIf(${known}) = 0, nan, sumIf(pv_wh, ${known})),
       toUInt32(groupBitOrIf(pv_marks, ${isToday}) + 4 * groupBitOrIf(pv_marks, ${isMonth}) + 16 * groupBitOrIf(pv_marks, ${known}))
     FROM (SELECT site, day, pv_wh, bitAnd(qualities, 3) AS pv_marks, transform(site, [${keys}], [${days}], toDate(0)) AS today
       FROM site_day FINAL WHERE site IN (${keys})) GROUP BY site`,
  );
  const found = new Map<number, Running>();
  while (rows.hasMore) {
    const site = rows.uint32();
    found.set(site, {
      todayWh: orNone(rows.float64()),
      monthWh: orNone(rows.float64()),
      totalWh: orNone(rows.float64()),
      marks: rows.uint32(),
    });
  }
  return found;
}

/** Writes running figures of a local day; `onlyOfOtherDays` leaves those alone that are of that day already. */
export async function writeRunning(
  db: Kysely<Database>,
  figures: readonly ({ site: Pick<Site, 'id'>; day: string | undefined } & Partial<Running>)[],
  { onlyOfOtherDays = false } = {},
): Promise<void> {
  const rows = figures.map(({ site, day, todayWh, monthWh, totalWh, marks = 0 }) => ({
    site_id: site.id,
    local_day: day,
    today_wh: todayWh,
    month_wh: monthWh,
    total_wh: totalWh,
    pv_marks: marks,
  }));
  await sql`
    insert into site_latest as l (site_id, local_day, today_wh, month_wh, total_wh, pv_marks)
    select r.site_id, r.local_day, r.today_wh, r.month_wh, r.total_wh, r.pv_marks
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      site_id uuid, local_day date, today_wh float8, month_wh float8, total_wh float8, pv_marks smallint)
    join sites on sites.id = r.site_id order by r.site_id
    on conflict (site_id) do update set local_day = excluded.local_day, today_wh = excluded.today_wh,
      month_wh = excluded.month_wh, total_wh = excluded.total_wh, pv_marks = excluded.pv_marks
    where not ${onlyOfOtherDays}::boolean or l.local_day is distinct from excluded.local_day`.execute(db);
}

/** What was before recording and since; undefined where neither is known. */
export function sumOfKnown(a: number | null | undefined, b: number | undefined): number | undefined {
  return a === null || a === undefined ? b : a + (b ?? 0);
}

export function orNone(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
