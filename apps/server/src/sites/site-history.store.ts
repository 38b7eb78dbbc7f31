import type { ClickHouseClient } from '@clickhouse/client';
import { type EnergySum, type SumColumn, type SummedRow, toSum } from './site-energy.store.ts';
import type { SiteFrame } from './sites.store.ts';

/** Energies of the five minutes of a span, by their start in seconds. */
export async function bucketSums(
  telemetry: ClickHouseClient,
  site: Pick<SiteFrame, 'key'>,
  { startMs, endMs }: { startMs: number; endMs: number },
  columns: readonly SumColumn[],
): Promise<Map<number, EnergySum>> {
  const answer = await telemetry.query({
    query: `SELECT toUnixTimestamp(ts) AS second, qualities AS marks, ${columns.map((column) => `${column} AS sum_${column}`).join(', ')}
      FROM site_5m FINAL
      WHERE site = {site:UInt32} AND ts >= toDateTime({start:UInt32}, 'UTC') AND ts < toDateTime({end:UInt32}, 'UTC')
      SETTINGS do_not_merge_across_partitions_select_final = 1`,
    query_params: { site: site.key, start: startMs / 1_000, end: endMs / 1_000 },
    format: 'JSONEachRow',
  });
  const rows = await answer.json<SummedRow & { second: number }>();
  return new Map(rows.map((row) => [row.second, toSum(row)]));
}
