import type { ClickHouseClient } from '@clickhouse/client';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { DEFAULT_GAP_MS } from '@sonnenwarte/energy/accounting/buckets';
import { type SiteDevice, weightedSocPercent } from '@sonnenwarte/energy/accounting/site-topology';
import type { TimeBounds } from '@sonnenwarte/energy/calendar';
import { chargeAtEdges } from '@sonnenwarte/energy/plan/charge-at-edges';
import type { Kysely } from 'kysely';
import { systemScope } from '../access/scope.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { eachRowOf } from '../ingestion/samples/row-reader.ts';
import type { Database } from '../stores/schema.ts';
import { rawTable, toldOf } from '../stores/telemetry-tables.ts';

/** Of plants with more batteries the charge is taken as it is accounted. */
const MOST_BATTERIES = 16;

/** Batteries of a plant. What they held is the same for all who see the plant. */
async function batteriesOf(db: Kysely<Database>, siteId: string): Promise<SiteDevice[]> {
  const rows = await db
    .selectFrom('devices')
    .where(visibleDevices(systemScope))
    .where('site_id', '=', siteId)
    .where('kind', '=', 'battery')
    .select(['key', 'capacity_wh'])
    .orderBy('key')
    .limit(MOST_BATTERIES + 1)
    .execute();
  return rows.map(({ key, capacity_wh }) => ({
    deviceKey: key,
    kind: 'battery',
    ...(capacity_wh !== null && { capacityWh: capacity_wh }),
  }));
}

/**
 * What the batteries of a plant held at the edges of the buckets of a span, from the beginning of the first on, percent; NaN where they did not tell it. The
 * first and the last sample of each bucket say it: energies are accounted at these edges, and what a bucket keeps is the last that was told within it.
 */
export async function siteChargeAtEdges(
  db: Kysely<Database>,
  telemetry: ClickHouseClient,
  siteId: string,
  span: TimeBounds,
): Promise<Float64Array | undefined> {
  const batteries = await batteriesOf(db, siteId);
  if (batteries.length === 0 || batteries.length > MOST_BATTERIES) return undefined;
  const told = new Map<number, { timesMs: number[]; percent: number[] }>();
  const [fromMs, toMs] = [span.startMs - DEFAULT_GAP_MS, span.endMs + DEFAULT_GAP_MS];
  await eachRowOf(
    telemetry,
    batteries.map(({ deviceKey }) => deviceKey),
    (list) => `SELECT device, toInt64(min(at)) AS first, argMin(soc, at), toInt64(max(at)), argMax(soc, at) FROM (
        SELECT device, toUnixTimestamp64Milli(ts) AS at, toFloat64(${toldOf('battery', { name: 'Bat/Soc' })}) AS soc FROM ${rawTable('battery')} FINAL
        WHERE device IN (${list}) AND ts >= fromUnixTimestamp64Milli(${fromMs}) AND ts < fromUnixTimestamp64Milli(${toMs}))
      WHERE isFinite(soc) GROUP BY device, intDiv(at, ${BUCKET_MS}) ORDER BY device, first
      SETTINGS do_not_merge_across_partitions_select_final = 1`,
    (rows) => {
      const { timesMs, percent } = entryOf(told, rows.uint32(), () => ({ timesMs: [], percent: [] }));
      for (let each = 0; each < 2; each += 1) {
        const atMs = rows.int64();
        const soc = rows.float64();
        if (timesMs.at(-1) === atMs) continue;
        timesMs.push(atMs);
        percent.push(soc);
      }
    },
  );
  const edgesOf = new Map([...told].map(([device, charges]) => [device, chargeAtEdges(charges, span)]));
  const [any] = edgesOf.values();
  return any?.map(
    (_, edge) => weightedSocPercent({ devices: batteries }, (device) => edgesOf.get(device)?.[edge]) ?? Number.NaN,
  );
}
