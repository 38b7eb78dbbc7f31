import type { ClickHouseClient } from '@clickhouse/client';
import { energyColumns, type PeriodSum } from './site-energy.store.ts';
import type { SiteFrame } from './sites.store.ts';

/** Whole local days from one to before another, and after them a part of a day. */
export interface CountedSpan {
  first: string;
  before: string;
  startMs: number;
  endMs: number;
}

const NEWEST_ONLY = 'SETTINGS do_not_merge_across_partitions_select_final = 1';
const second = (tsMs: number): string => `toDateTime(${Math.floor(tsMs / 1_000)}, 'UTC')`;

/** Energies of a span, and of how many of its whole days something is known. */
export async function sumOfSpan(
  telemetry: ClickHouseClient,
  { key }: Pick<SiteFrame, 'key'>,
  { first, before, startMs, endMs }: CountedSpan,
): Promise<{ sum: PeriodSum; days: number }> {
  const columns = energyColumns.join(', ');
  const answer = await telemetry.query({
    query: `SELECT groupBitOr(qualities) AS marks, countIf(is_day AND (isFinite(pv_wh) OR isFinite(load_wh) OR isFinite(external_wh))) AS days,
      ${energyColumns.map((column) => `sumOrNullIf(${column}, isFinite(${column})) AS sum_${column}`).join(', ')}
    FROM (
      SELECT 1 AS is_day, qualities, ${columns} FROM site_day FINAL
      WHERE site = {site:UInt32} AND day >= {first:Date} AND day < {before:Date}
      UNION ALL
      SELECT 0 AS is_day, qualities, ${columns} FROM site_5m FINAL
      WHERE site = {site:UInt32} AND ts >= ${second(startMs)} AND ts < ${second(endMs)}
    ) ${NEWEST_ONLY}`,
    query_params: { site: key, first, before },
    format: 'JSONEachRow',
  });
  const [row] = await answer.json<Record<string, number | string | null>>();
  const energies = Object.fromEntries(
    energyColumns.map((column) => [column, (row?.[`sum_${column}`] as number | null | undefined) ?? null]),
  );
  return {
    sum: { ...energies, marks: Number(row?.marks ?? 0), income: null, saving: null, paid: null } as PeriodSum,
    days: Number(row?.days ?? 0),
  };
}

/** The end of the newest five minutes of a span; `null` where there are none. */
export async function newestBucketEnd(
  telemetry: ClickHouseClient,
  { key }: Pick<SiteFrame, 'key'>,
  { startMs, endMs }: { startMs: number; endMs: number },
): Promise<number | null> {
  const answer = await telemetry.query({
    query: `SELECT toUnixTimestamp(maxOrNull(ts)) AS newest FROM site_5m
      WHERE site = {site:UInt32} AND ts >= ${second(startMs)} AND ts < ${second(endMs)}`,
    query_params: { site: key },
    format: 'JSONEachRow',
  });
  const [row] = await answer.json<{ newest: number | null }>();
  return row?.newest ? row.newest * 1_000 + 300_000 : null;
}
