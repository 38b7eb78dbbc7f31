import type { ClickHouseClient } from '@clickhouse/client';
import type { TimeBounds } from '@sonnenwarte/energy/calendar';
import type { RecordedBucket } from '@sonnenwarte/energy/plan/recorded-span';

/** A bucket with what its arrays gave, Wh of direct current; null: not told. */
export interface PlanBucket extends RecordedBucket {
  readonly pvWh: number | null;
}

const columns = ['import_wh', 'export_wh', 'charge_wh', 'discharge_wh', 'load_wh', 'charger_wh', 'pv_wh'] as const;

type Row = [tsS: number, soc: number | null, ...energies: (number | null)[]];

/**
 * Five-minute energies of a plant in a span, and what its battery held. Only buckets in which grid, battery and house are all known: of one that lacks any
 * of them nothing can be replayed. The plant is one that the caller may see.
 */
export async function planBuckets(
  telemetry: ClickHouseClient,
  siteKey: number,
  { startMs, endMs }: TimeBounds,
): Promise<PlanBucket[]> {
  const answer = await telemetry.query({
    query: `SELECT toUnixTimestamp(ts), soc_percent, ${columns.join(', ')} FROM site_5m FINAL
      WHERE site = {site:UInt32} AND ts >= toDateTime({start:UInt32}, 'UTC') AND ts < toDateTime({end:UInt32}, 'UTC')
      ORDER BY ts SETTINGS do_not_merge_across_partitions_select_final = 1`,
    query_params: { site: siteKey, start: Math.floor(startMs / 1_000), end: Math.floor(endMs / 1_000) },
    format: 'JSONCompactEachRow',
  });
  return (await answer.json<Row>()).flatMap(([tsS, soc, ...energies]) => {
    const [importWh = null, exportWh = null, chargeWh = null, dischargeWh = null, loadWh = null, charger, pv] =
      energies;
    if (importWh === null || exportWh === null || chargeWh === null || dischargeWh === null || loadWh === null)
      return [];
    const demandWh = loadWh + (charger ?? 0);
    return [
      { tsMs: tsS * 1_000, importWh, exportWh, chargeWh, dischargeWh, demandWh, socPercent: soc, pvWh: pv ?? null },
    ];
  });
}
