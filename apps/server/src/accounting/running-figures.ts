import { type Kysely, sql } from 'kysely';
import { readRows } from '../ingestion/samples/row-reader.ts';
import type { Database } from '../stores/schema.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import type { RunningMoney } from './running-money.ts';

/** Generation of the running day and month and since recording began. */
export interface Running {
  todayWh: number | undefined;
  monthWh: number | undefined;
  totalWh: number | undefined;
  /** Marks of the three, in this order. */
  marks: number;
  /** Feed-in payment and savings together of the day and the month, millionths. */
  todayMicro: number | undefined;
  monthMicro: number | undefined;
}

/** What is written of a site's local day. */
export interface RunningRow extends Partial<Omit<Running, 'todayMicro' | 'monthMicro'>>, Partial<RunningMoney> {
  readonly site: Pick<Site, 'id'>;
  readonly day: string | undefined;
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
  const hasMoney = '(isNotNull(income) OR isNotNull(saving))';
  const isOfMonth = 'toStartOfMonth(day) = toStartOfMonth(today) AND day <= today';
  const rows = await readRows(
    telemetry.client,
    `SELECT site, if(countIf(${isToday}) = 0, nan, sumIf(pv_wh, ${isToday})),
       if(countIf(${isMonth}) = 0, nan, sumIf(pv_wh, ${isMonth})), if(countIf(${known}) = 0, nan, sumIf(pv_wh, ${known})),
       toUInt32(groupBitOrIf(pv_marks, ${isToday}) + 4 * groupBitOrIf(pv_marks, ${isMonth}) + 16 * groupBitOrIf(pv_marks, ${known})),
       toUInt8(countIf(${hasMoney} AND day = today) > 0), sumIf(micro, day = today),
       toUInt8(countIf(${hasMoney} AND ${isOfMonth}) > 0), sumIf(micro, ${isOfMonth})
     FROM (SELECT site, day, pv_wh, income, saving,
         toInt64(ifNull(income, 0) * 1000000) + toInt64(ifNull(saving, 0) * 1000000) AS micro, bitAnd(qualities, 3) AS pv_marks, transform(site, [${keys}], [${days}], toDate(0)) AS today
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
      todayMicro: orUnknown(rows.uint8() === 1, rows.int64()),
      monthMicro: orUnknown(rows.uint8() === 1, rows.int64()),
    });
  }
  return found;
}

/** Writes running figures of a local day; `onlyOfOtherDays` leaves those alone that are of that day already. */
export async function writeRunning(
  db: Kysely<Database>,
  figures: readonly RunningRow[],
  { onlyOfOtherDays = false } = {},
): Promise<void> {
  const rows = figures.map(({ site, day, todayWh, monthWh, totalWh, marks = 0, currency, todayMoney, monthMoney }) => ({
    site_id: site.id,
    local_day: day,
    today_wh: todayWh,
    month_wh: monthWh,
    total_wh: totalWh,
    pv_marks: marks,
    money_currency: currency,
    today_money: todayMoney,
    month_money: monthMoney,
  }));
  await sql`
    insert into site_latest as l (site_id, local_day, today_wh, month_wh, total_wh, pv_marks, money_currency, today_money, month_money)
    select r.site_id, r.local_day, r.today_wh, r.month_wh, r.total_wh, r.pv_marks, r.money_currency, r.today_money, r.month_money
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      site_id uuid, local_day date, today_wh float8, month_wh float8, total_wh float8, pv_marks smallint,
      money_currency text, today_money numeric, month_money numeric)
    join sites on sites.id = r.site_id order by r.site_id
    on conflict (site_id) do update set local_day = excluded.local_day, today_wh = excluded.today_wh,
      month_wh = excluded.month_wh, total_wh = excluded.total_wh, pv_marks = excluded.pv_marks,
      money_currency = excluded.money_currency, today_money = excluded.today_money, month_money = excluded.month_money
    where not ${onlyOfOtherDays}::boolean or l.local_day is distinct from excluded.local_day`.execute(db);
}

/** What was before recording and since; undefined where neither is known. */
export function sumOfKnown(a: number | null | undefined, b: number | undefined): number | undefined {
  return a === null || a === undefined ? b : a + (b ?? 0);
}

const orUnknown = (isKnown: boolean, value: number): number | undefined => (isKnown ? value : undefined);

export function orNone(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
