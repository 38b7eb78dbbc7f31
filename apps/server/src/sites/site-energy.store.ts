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

/** Energies of which the rollups know how much is estimated. */
export const markedColumns = [
  'pv_wh',
  'external_wh',
  'load_wh',
  'charger_wh',
  'charge_wh',
  'discharge_wh',
  'import_wh',
  'export_wh',
  'ac_out_wh',
] as const satisfies readonly EnergyColumn[];
export type MarkedColumn = (typeof markedColumns)[number];
export type EstimatedColumn = `estimated_${MarkedColumn}`;
export const estimatedColumn = (column: MarkedColumn): EstimatedColumn => `estimated_${column}`;
export type SumColumn = EnergyColumn | EstimatedColumn;

export const isMarked = (column: EnergyColumn): column is MarkedColumn =>
  (markedColumns as readonly EnergyColumn[]).includes(column);

export type Energies = Record<EnergyColumn, number | null>;

/** Energies of a span with the marks of all its parts (see `marksOf`). */
export interface EnergySum extends Energies {
  marks: number;
  /** What of them is estimated, as far as it was asked for. */
  estimated?: { readonly [column in MarkedColumn]?: number | null };
}

/** Money of a span as exact decimal strings. */
export interface Amounts {
  income: string | null;
  saving: string | null;
  paid: string | null;
}

/** Those of a period of days, with money. */
export interface PeriodSum extends EnergySum, Amounts {
  /** The first day of the period that was recorded, and the first of them that has an amount of money. */
  firstDay?: string | null;
  firstMoneyDay?: string | null;
}

type SiteKey = Pick<SiteFrame, 'key'>;

// One key lies in one partition only, so that parts of different partitions need no merging.
const newestOnly = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

const isEstimated = (column: SumColumn): column is EstimatedColumn => column.startsWith('estimated_');

/** Where it is not known of one part how much is estimated, it is not known of the sum. */
const sums = (columns: readonly SumColumn[]): string =>
  columns
    .map((column) => (isEstimated(column) ? `sum(${column})` : `sumOrNullIf(${column}, isFinite(${column}))`))
    .map((sum, place) => `${sum} AS sum_${columns[place]}`)
    .join(', ');

const allMarks = 'groupBitOr(qualities) AS marks';
const amounts = ['income', 'saving', 'paid'] as const satisfies readonly (keyof Amounts)[];
const allMoney = amounts.map((amount) => `toString(sumOrNull(${amount})) AS sum_${amount}`).join(', ');
const hasMoney = `(${amounts.map((amount) => `${amount} IS NOT NULL`).join(' OR ')})`;

export type SummedRow = { marks: number } & Partial<Record<`sum_${SumColumn}`, number | null>>;
type PaidRow = SummedRow & Record<`sum_${keyof Amounts}`, string | null>;

export function toSum(row: SummedRow): EnergySum {
  const energies = Object.fromEntries(energyColumns.map((column) => [column, row[`sum_${column}`] ?? null]));
  const asked = markedColumns.filter((column) => `sum_${estimatedColumn(column)}` in row);
  const estimated = Object.fromEntries(asked.map((column) => [column, row[`sum_${estimatedColumn(column)}`] ?? null]));
  return { ...(energies as Energies), marks: row.marks, estimated };
}

const toPeriodSum = (row: PaidRow): PeriodSum => ({
  ...toSum(row),
  income: row.sum_income,
  saving: row.sum_saving,
  paid: row.sum_paid,
});

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
  columns: readonly SumColumn[] = energyColumns,
): Promise<Map<Period, PeriodSum>> {
  const rows = await ask<PaidRow & { period: Period; firstDay: string | null; firstMoneyDay: string | null }>(
    telemetry,
    `SELECT arrayJoin(arrayFilter(name -> name != '', [
        if(day = {today:Date}, 'today', ''),
        if(day = {yesterday:Date}, 'yesterday', ''),
        if(toStartOfMonth(day) = toStartOfMonth({today:Date}), 'month', ''),
        if(toStartOfYear(day) = toStartOfYear({today:Date}), 'year', ''),
        'total'])) AS period,
      ${allMarks}, ${allMoney},
      toString(minOrNull(day)) AS firstDay,
      toString(minOrNullIf(day, has_money)) AS firstMoneyDay,
      ${sums(columns)}
    FROM (SELECT *, ${hasMoney} AS has_money
      FROM site_day FINAL WHERE site = {site:UInt32} AND day <= {today:Date})
    GROUP BY period ${newestOnly}`,
    { site: site.key, ...days },
  );
  return new Map(
    rows.map((row) => {
      const { period, firstDay, firstMoneyDay } = row;
      return [period, { ...toPeriodSum(row), firstDay, firstMoneyDay }];
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
    WHERE site = {site:UInt32} AND day < {day:Date} AND ${hasMoney} ${newestOnly}`,
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
  const rows = await ask<PaidRow & { name: string }>(
    telemetry,
    `SELECT toString(day) AS name, ${allMarks}, ${allMoney}, ${sums(energyColumns)}
    FROM site_day FINAL
    WHERE site = {site:UInt32} AND day BETWEEN {first:Date} AND {last:Date}
    GROUP BY name ORDER BY name ${newestOnly}`,
    { site: site.key, ...span },
  );
  return new Map(rows.map((row) => [row.name, toPeriodSum(row)]));
}

/** Sums of one local day each of many sites, by key. */
export async function daySums(
  telemetry: ClickHouseClient,
  wanted: readonly { key: number; day: string }[],
): Promise<Map<number, PeriodSum>> {
  if (wanted.length === 0) return new Map();
  const rows = await ask<PaidRow & { site: number }>(
    telemetry,
    `SELECT site, qualities AS marks, ${amounts.map((amount) => `toString(${amount}) AS sum_${amount}`).join(', ')},
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
  return new Map(rows.map((row) => [row.site, toPeriodSum(row)]));
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
  columns: readonly SumColumn[],
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
  columns: readonly SumColumn[],
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
