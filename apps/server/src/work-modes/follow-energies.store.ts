import type { ClickHouseClient } from '@clickhouse/client';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';

/** What has come of a plant since a time. */
export interface Come {
  /** Of whole five minutes, those of which all is known. */
  readonly buckets: number;
  /** End of the last of them. */
  readonly untilMs: number;
  readonly generationWh: number;
  readonly demandWh: number;
}

/** Of half an hour and less nothing is said yet. */
export const LEAST_BUCKETS = 6;

type Row = [site: number, buckets: number, lastS: number, generationWh: number, demandWh: number];

/**
 * What plants have generated and taken, each since a time of its own, Wh at the AC bus; of the five minutes in which grid, battery and house are all
 * known. Plants of which nothing is known are left out.
 */
export async function energiesSince(
  telemetry: ClickHouseClient,
  plants: readonly { readonly key: number; readonly fromMs: number }[],
): Promise<Map<number, Come>> {
  if (plants.length === 0) return new Map();
  const froms = plants.map(({ fromMs }) => Math.floor(fromMs / 1_000));
  const answer = await telemetry.query({
    query: `WITH load_wh + if(isFinite(charger_wh), charger_wh, 0) AS taken_wh
      SELECT site, count(), toUnixTimestamp(max(ts)), sum(greatest(0, export_wh + charge_wh - import_wh - discharge_wh + taken_wh)), sum(taken_wh)
      FROM site_5m FINAL
      WHERE site IN {sites:Array(UInt32)} AND ts >= toDateTime({first:UInt32}, 'UTC')
        AND toUnixTimestamp(ts) >= transform(site, {sites:Array(UInt32)}, {froms:Array(UInt32)}, toUInt32(4294967295))
        AND isFinite(import_wh + export_wh + charge_wh + discharge_wh + load_wh)
      GROUP BY site SETTINGS do_not_merge_across_partitions_select_final = 1`,
    query_params: { sites: plants.map(({ key }) => key), froms, first: Math.min(...froms) },
    format: 'JSONCompactEachRow',
  });
  return new Map(
    (await answer.json<Row>()).map(([site, buckets, lastS, generationWh, demandWh]) => [
      site,
      { buckets: Number(buckets), untilMs: lastS * 1_000 + BUCKET_MS, generationWh, demandWh },
    ]),
  );
}
