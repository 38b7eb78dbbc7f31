import type { ClickHouseClient } from '@clickhouse/client';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import type { TimeBounds } from '@sonnenwarte/energy/calendar';
import type { RecordedBucket } from '@sonnenwarte/energy/plan/recorded-span';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { siteChargeAtEdges } from './charges.store.ts';

/** A bucket with what its arrays gave, Wh of direct current; null: not told. */
export interface PlanBucket extends RecordedBucket {
  readonly pvWh: number | null;
}

export interface PlanBuckets {
  readonly buckets: readonly PlanBucket[];
  /** State of charge when the span begins, percent; null: not told. */
  readonly socBefore: number | null;
}

const columns = ['import_wh', 'export_wh', 'charge_wh', 'discharge_wh', 'load_wh', 'charger_wh', 'pv_wh'] as const;

type Row = [tsS: number, soc: number | null, ...energies: (number | null)[]];

/**
 * Five-minute energies of a plant in a span, and what its battery held at the end of each; where its samples do not tell that, what was told last in it. Only
 * buckets in which grid, battery and house are all known: of one that lacks any of them nothing can be replayed. The plant is one that the caller may see.
 */
export async function planBuckets(
  db: Kysely<Database>,
  telemetry: ClickHouseClient,
  site: { readonly id: string; readonly key: number },
  { startMs, endMs }: TimeBounds,
): Promise<PlanBuckets> {
  const [answer, charges] = await Promise.all([
    telemetry.query({
      query: `SELECT toUnixTimestamp(ts), soc_percent, ${columns.join(', ')} FROM site_5m FINAL
        WHERE site = {site:UInt32} AND ts >= toDateTime({start:UInt32}, 'UTC') AND ts < toDateTime({end:UInt32}, 'UTC')
        ORDER BY ts SETTINGS do_not_merge_across_partitions_select_final = 1`,
      query_params: {
        site: site.key,
        start: Math.floor((startMs - BUCKET_MS) / 1_000),
        end: Math.floor(endMs / 1_000),
      },
      format: 'JSONCompactEachRow',
    }),
    siteChargeAtEdges(db, telemetry, site.id, { startMs, endMs }),
  ]);
  const rows = await answer.json<Row>();
  const chargeAt = (ms: number, accounted: number | null): number | null => {
    const sampled = charges?.[Math.round((ms - startMs) / BUCKET_MS)];
    return sampled === undefined || Number.isNaN(sampled) ? accounted : sampled;
  };
  const before = rows.find(([tsS]) => tsS * 1_000 < startMs);
  const buckets = rows.flatMap(([tsS, soc, ...energies]) => {
    const [importWh = null, exportWh = null, chargeWh = null, dischargeWh = null, loadWh = null, charger, pv] =
      energies;
    const tsMs = tsS * 1_000;
    if (tsMs < startMs) return [];
    if (importWh === null || exportWh === null || chargeWh === null || dischargeWh === null || loadWh === null)
      return [];
    const demandWh = loadWh + (charger ?? 0);
    const socPercent = chargeAt(tsMs + BUCKET_MS, soc);
    return [{ tsMs, importWh, exportWh, chargeWh, dischargeWh, demandWh, socPercent, pvWh: pv ?? null }];
  });
  return { buckets, socBefore: chargeAt(startMs, before?.[1] ?? null) };
}
