import type { ClickHouseClient } from '@clickhouse/client';
import type { SiteFrame } from './sites.store.ts';

/**
 * Energies of plants from the rollups. A site is named by its frame, which only a query with a scope gives.
 * `null` = not known.
 */

/** Columns of energy that `site_hour` and `site_day` share. */
export const energyColumns = [
  'pv_wh',
  'external_wh',
  'load_wh',
  'charger_wh',
  'charge_wh',
  'discharge_wh',
  'import_wh',
  'export_wh',
  'ac_out_wh',
  'pv_to_load_wh',
  'pv_to_charger_wh',
  'pv_to_battery_wh',
  'pv_to_grid_wh',
  'external_to_load_wh',
  'external_to_charger_wh',
  'external_to_battery_wh',
  'external_to_grid_wh',
  'battery_to_load_wh',
  'battery_to_charger_wh',
  'battery_to_grid_wh',
  'grid_to_load_wh',
  'grid_to_charger_wh',
  'grid_to_battery_wh',
  'loss_wh',
  'fuel_wh',
  'fuel_to_grid_wh',
] as const;
export type EnergyColumn = (typeof energyColumns)[number];

export type Energies = Record<EnergyColumn, number | null>;

/** Energies of a span with the marks of all its parts (see `marksOf`). */
export interface EnergySum extends Energies {
  marks: number;
}

/** Those of a period of days, with money as exact decimal strings. */
export interface PeriodSum extends EnergySum {
  income: string | null;
  saving: string | null;
  /** The first day of the period that was recorded, and the first of them that has an amount of money. */
  firstDay?: string | null;
  firstMoneyDay?: string | null;
}

type SiteKey = Pick<SiteFrame, 'key'>;

// One key lies in one partition only, so that parts of different partitions need no merging.
const newestOnly = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

const sums = (columns: readonly EnergyColumn[]): string =>
  columns.map((column) => `sumOrNullIf(${column}, isFinite(${column})) AS sum_${column}`).join(', ');

const allMarks = 'groupBitOr(qualities) AS marks';

type SummedRow = { marks: number } & Partial<Record<`sum_${EnergyColumn}`, number | null>>;

function toSum(row: SummedRow): EnergySum {
  const energies = Object.fromEntries(energyColumns.map((column) => [column, row[`sum_${column}`] ?? null]));
  return { ...(energies as Energies), marks: row.marks };
}

async function ask<T>(telemetry: ClickHouseClient, query: string, params: Record<string, unknown>): Promise<T[]> {
  const answer = await telemetry.query({ query, query_params: params, format: 'JSONEachRow' });
  return answer.json<T>();
}

export const periods = ['today', 'yesterday', 'month', 'year', 'total'] as const;
export type Period = (typeof periods)[number];

/** Sums of the running local day, the one before, the running month and year, and all days up to today. */
export async function periodSums(
  telemetry: ClickHouseClient,
  site: SiteKey,
  days: { today: string; yesterday: string },
): Promise<Map<Period, PeriodSum>> {
  const rows = await ask<
    SummedRow & {
      period: Period;
      income: string | null;
      saving: string | null;
      firstDay: string | null;
      firstMoneyDay: string | null;
    }
  >(
    telemetry,
    `SELECT arrayJoin(arrayFilter(name -> name != '', [
        if(day = {today:Date}, 'today', ''),
        if(day = {yesterday:Date}, 'yesterday', ''),
        if(toStartOfMonth(day) = toStartOfMonth({today:Date}), 'month', ''),
        if(toStartOfYear(day) = toStartOfYear({today:Date}), 'year', ''),
        'total'])) AS period,
      ${allMarks}, toString(sumOrNull(income)) AS income, toString(sumOrNull(saving)) AS saving,
      toString(minOrNull(day)) AS firstDay,
      toString(minOrNullIf(day, has_money)) AS firstMoneyDay,
      ${sums(energyColumns)}
    FROM (SELECT *, income IS NOT NULL OR saving IS NOT NULL AS has_money
      FROM site_day FINAL WHERE site = {site:UInt32} AND day <= {today:Date})
    GROUP BY period ${newestOnly}`,
    { site: site.key, ...days },
  );
  return new Map(
    rows.map((row) => {
      const { income, saving, firstDay, firstMoneyDay } = row;
      return [row.period, { ...toSum(row), income, saving, firstDay, firstMoneyDay }];
    }),
  );
}

/** The last local day before another one that has an amount of money. */
export async function lastMoneyDayBefore(
  telemetry: ClickHouseClient,
  site: SiteKey,
  day: string,
): Promise<string | undefined> {
  const [row] = await ask<{ last: string | null }>(
    telemetry,
    `SELECT toString(maxOrNull(day)) AS last FROM site_day FINAL
    WHERE site = {site:UInt32} AND day < {day:Date} AND (income IS NOT NULL OR saving IS NOT NULL) ${newestOnly}`,
    { site: site.key, day },
  );
  return row?.last ?? undefined;
}

/** The last local day before another one of which energies were recorded. */
export async function lastDayBefore(telemetry: ClickHouseClient, site: SiteKey, day: string): Promise<string | null> {
  const [row] = await ask<{ last: string | null }>(
    telemetry,
    `SELECT toString(maxOrNull(day)) AS last FROM site_day FINAL
    WHERE site = {site:UInt32} AND day < {day:Date} AND (isFinite(pv_wh) OR isFinite(load_wh) OR isFinite(external_wh))
    ${newestOnly}`,
    { site: site.key, day },
  );
  return row?.last ?? null;
}

/** Energy that was bought in each of some spans, Wh. */
export async function importsOf(
  telemetry: ClickHouseClient,
  site: SiteKey,
  spans: readonly { startMs: number; endMs: number }[],
): Promise<number[]> {
  const within = ({ startMs, endMs }: { startMs: number; endMs: number }): string =>
    `sumIf(import_wh, isFinite(import_wh) AND ts >= toDateTime(${startMs / 1_000}, 'UTC')
      AND ts < toDateTime(${endMs / 1_000}, 'UTC'))`;
  const [row] = await ask<{ sums: number[] }>(
    telemetry,
    `SELECT [${spans.map(within).join(', ')}] AS sums FROM site_5m FINAL
    WHERE site = {site:UInt32} AND ts >= toDateTime({start:UInt32}, 'UTC') AND ts < toDateTime({end:UInt32}, 'UTC')
    ${newestOnly}`,
    { site: site.key, start: (spans[0]?.startMs ?? 0) / 1_000, end: (spans.at(-1)?.endMs ?? 0) / 1_000 },
  );
  return row?.sums ?? [];
}

/** The first local day that was recorded. */
export async function firstDayOf(telemetry: ClickHouseClient, site: SiteKey): Promise<string | null> {
  const [row] = await ask<{ first: string | null }>(
    telemetry,
    'SELECT toString(minOrNull(day)) AS first FROM site_day WHERE site = {site:UInt32}',
    { site: site.key },
  );
  return row?.first ?? null;
}

/** Sums of each of the local days between two, both included, by the day, the oldest first. */
export async function sumsOfDays(
  telemetry: ClickHouseClient,
  site: SiteKey,
  span: { first: string; last: string },
): Promise<Map<string, PeriodSum>> {
  const rows = await ask<SummedRow & { name: string; income: string | null; saving: string | null }>(
    telemetry,
    `SELECT toString(day) AS name, ${allMarks}, toString(sumOrNull(income)) AS income,
      toString(sumOrNull(saving)) AS saving, ${sums(energyColumns)}
    FROM site_day FINAL
    WHERE site = {site:UInt32} AND day BETWEEN {first:Date} AND {last:Date}
    GROUP BY name ORDER BY name ${newestOnly}`,
    { site: site.key, ...span },
  );
  return new Map(rows.map((row) => [row.name, { ...toSum(row), income: row.income, saving: row.saving }]));
}

/** Sums of one local day each of many sites, by key. */
export async function daySums(
  telemetry: ClickHouseClient,
  wanted: readonly { key: number; day: string }[],
): Promise<Map<number, PeriodSum>> {
  if (wanted.length === 0) return new Map();
  const rows = await ask<SummedRow & { site: number; income: string | null; saving: string | null }>(
    telemetry,
    `SELECT site, qualities AS marks, toString(income) AS income, toString(saving) AS saving,
      ${energyColumns.map((column) => `if(isFinite(${column}), ${column}, NULL) AS sum_${column}`).join(', ')}
    FROM site_day FINAL
    WHERE site IN {keys:Array(UInt32)} AND day IN {days:Array(Date)}
      AND (site, day) IN (SELECT tupleElement(pair, 1), tupleElement(pair, 2)
        FROM (SELECT arrayJoin(arrayZip({keys:Array(UInt32)}, {dayOfKey:Array(Date)})) AS pair))
    ${newestOnly}`,
    {
      keys: wanted.map(({ key }) => key),
      dayOfKey: wanted.map(({ day }) => day),
      days: [...new Set(wanted.map(({ day }) => day))],
    },
  );
  return new Map(rows.map((row) => [row.site, { ...toSum(row), income: row.income, saving: row.saving }]));
}

export const curveColumns = [
  'pv_w',
  'external_w',
  'battery_w',
  'grid_w',
  'load_w',
  'charger_w',
  'soc_percent',
] as const;
export type CurveColumn = (typeof curveColumns)[number];
/** Start of the bucket in seconds, then the columns in order. */
export type CurveRow = [tsS: number, ...values: (number | null)[]];

const bothWays: readonly CurveColumn[] = ['battery_w', 'grid_w'];

/** Rows from before readings were cut may hold powers below 0 that flow one way only. */
const asShown = (column: CurveColumn): string =>
  bothWays.includes(column) ? column : `if(${column} < 0, 0, ${column})`;

/** Five-minute means of a span. */
export async function curve(
  telemetry: ClickHouseClient,
  site: SiteKey,
  span: { startMs: number; endMs: number },
): Promise<CurveRow[]> {
  const answer = await telemetry.query({
    query: `SELECT toUnixTimestamp(ts), ${curveColumns.map(asShown).join(', ')} FROM site_5m FINAL
      WHERE site = ${site.key} AND ts >= toDateTime(${span.startMs / 1_000}, 'UTC')
        AND ts < toDateTime(${span.endMs / 1_000}, 'UTC')
      ${newestOnly}`,
    format: 'JSONCompactEachRow',
  });
  return answer.json<CurveRow>();
}

/** Energies of the hours of a local day, by the hour's start in seconds. Of an hour in parts, those of the later are added to the first. */
export async function hourSums(
  telemetry: ClickHouseClient,
  site: SiteKey,
  span: { startMs: number; endMs: number; parts: ReadonlyMap<number, number> },
  columns: readonly EnergyColumn[],
): Promise<Map<string, EnergySum>> {
  const parts = [...span.parts].map(([partMs, hourMs]) => `, second = ${partMs / 1_000}, ${hourMs / 1_000}`).join('');
  const rows = await ask<SummedRow & { hour: number }>(
    telemetry,
    `WITH toUnixTimestamp(ts) AS second SELECT ${parts === '' ? 'second' : `multiIf(${parts.slice(2)}, second)`} AS hour, ${allMarks}, ${sums(columns)} FROM site_hour FINAL
    WHERE site = {site:UInt32} AND ts >= toDateTime({start:UInt32}, 'UTC') AND ts < toDateTime({end:UInt32}, 'UTC')
    GROUP BY hour ${newestOnly}`,
    { site: site.key, start: span.startMs / 1_000, end: span.endMs / 1_000 },
  );
  return new Map(rows.map((row) => [String(row.hour), toSum(row)]));
}

const groups = { day: 'toString(day)', month: "formatDateTime(day, '%Y-%m')", year: 'toString(toYear(day))' } as const;

/** Sums of days, months or years (`YYYY-MM-DD`, `YYYY-MM`, `YYYY`) between two days, both included. */
export async function daysGrouped(
  telemetry: ClickHouseClient,
  site: SiteKey,
  span: { first: string; last: string },
  by: keyof typeof groups,
  columns: readonly EnergyColumn[],
): Promise<Map<string, EnergySum>> {
  const rows = await ask<SummedRow & { name: string }>(
    telemetry,
    `SELECT ${groups[by]} AS name, ${allMarks}, ${sums(columns)} FROM site_day FINAL
    WHERE site = {site:UInt32} AND day BETWEEN {first:Date} AND {last:Date}
    GROUP BY name ORDER BY name ${newestOnly}`,
    { site: site.key, ...span },
  );
  return new Map(rows.map((row) => [row.name, toSum(row)]));
}
