import type { ClickHouseClient } from '@clickhouse/client';
import { type EnergyColumn, type EnergySum, energyColumns } from './site-energy.store.ts';
import type { SiteFrame } from './sites.store.ts';

/** Energies of the five minutes of a span, by their start in seconds. */
export async function bucketSums(
  telemetry: ClickHouseClient,
  site: Pick<SiteFrame, 'key'>,
  { startMs, endMs }: { startMs: number; endMs: number },
  columns: readonly EnergyColumn[],
): Promise<Map<number, EnergySum>> {
  const answer = await telemetry.query({
    query: `SELECT toUnixTimestamp(ts), qualities, ${columns.join(', ')} FROM site_5m FINAL
      WHERE site = {site:UInt32} AND ts >= toDateTime({start:UInt32}, 'UTC') AND ts < toDateTime({end:UInt32}, 'UTC')
      SETTINGS do_not_merge_across_partitions_select_final = 1`,
    query_params: { site: site.key, start: startMs / 1_000, end: endMs / 1_000 },
    format: 'JSONCompactEachRow',
  });
  const rows = await answer.json<[tsS: number, marks: number, ...energies: (number | null)[]]>();
  const nothing = Object.fromEntries(energyColumns.map((column) => [column, null])) as Record<EnergyColumn, null>;
  return new Map(
    rows.map(([tsS, marks, ...energies]) => [
      tsS,
      { ...nothing, ...Object.fromEntries(columns.map((column, place) => [column, energies[place] ?? null])), marks },
    ]),
  );
}
