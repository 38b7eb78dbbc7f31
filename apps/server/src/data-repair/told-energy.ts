import type { ClickHouseClient } from '@clickhouse/client';
import type { RepairChannel } from '@sonnenwarte/contract/data-repair/corrections';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import type { DeviceBucket } from '@sonnenwarte/energy/accounting/buckets';
import { correctedBucket, overlaps, type Span } from '@sonnenwarte/energy/accounting/corrections';
import type { CounterReading } from '@sonnenwarte/energy/accounting/counters';
import { readSamples } from '../accounting/recompute.ts';
import type { AccountedDevice } from '../accounting/recompute-windows.ts';
import { DEVICE_5M_READ, readDeviceBucket } from '../accounting/rollup-tables.ts';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { eachRowOf } from '../ingestion/samples/row-reader.ts';

/** Energy by bucket, Wh. */
export type ByBucket = Map<number, number>;

const HOUR_MS = 3_600_000;
/** A reading at an edge of a span is not looked for further away. */
const EDGE_MS = 24 * HOUR_MS;

/** What counts of a channel of devices in a span, corrections included, by the device's key. */
export async function energiesOf(
  telemetry: ClickHouseClient,
  devices: readonly DeviceEntry[],
  channel: RepairChannel,
  { fromMs, toMs }: Span,
): Promise<Map<number, ByBucket>> {
  const told = new Map<number, Map<number, DeviceBucket>>();
  const keys = devices.map(({ key }) => key).filter((key) => key > 0);
  await eachRowOf(
    telemetry,
    keys,
    (list) => `SELECT ${DEVICE_5M_READ} FROM device_5m FINAL WHERE device IN (${list})
      AND ts >= toDateTime(${Math.floor(fromMs / 1_000)}, 'UTC') AND ts < toDateTime(${Math.floor(toMs / 1_000)}, 'UTC')`,
    (rows) => {
      const { device, bucket } = readDeviceBucket(rows);
      entryOf(told, device, () => new Map<number, DeviceBucket>()).set(bucket.bucketMs, bucket);
    },
  );
  const found = new Map<number, ByBucket>();
  for (const { key, corrections } of devices) {
    const own = told.get(key) ?? new Map<number, DeviceBucket>();
    const near = corrections.filter((each) => each.channel === channel && overlaps(each, { fromMs, toMs }));
    const times = new Set(own.keys());
    for (const each of near)
      for (let atMs = Math.max(fromMs, each.fromMs); atMs < Math.min(toMs, each.toMs); atMs += BUCKET_MS)
        times.add(atMs);
    const energies: ByBucket = new Map();
    for (const bucketMs of [...times].sort((a, b) => a - b)) {
      const wh = correctedBucket(own.get(bucketMs), bucketMs, near)?.energyWh[channel];
      if (wh !== undefined) energies.set(bucketMs, wh);
    }
    found.set(key, energies);
  }
  return found;
}

/** The last reading of a counter before a span and the first after it, within a day. */
export async function readingsBeside(
  telemetry: ClickHouseClient,
  device: AccountedDevice,
  channel: RepairChannel,
  { fromMs, toMs }: Span,
): Promise<{ before: CounterReading | undefined; after: CounterReading | undefined }> {
  const readings = async (readFromMs: number, readToMs: number): Promise<CounterReading[]> => {
    const window = { readFromMs, readToMs };
    const samples = await readSamples({ client: telemetry }, device.layout, [{ device, window }]);
    return (samples.get(device.key) ?? []).flatMap(({ tsMs, counters }) => {
      const wh = counters[channel];
      return wh === undefined ? [] : [{ tsMs, wh }];
    });
  };
  const [before, after] = await Promise.all([readings(fromMs - EDGE_MS, fromMs), readings(toMs, toMs + EDGE_MS)]);
  return { before: before.at(-1), after: after[0] };
}

const columns: Readonly<Record<RepairChannel, string>> = {
  pv: 'pv_wh',
  external: 'external_wh',
  load: 'load_wh',
  charger: 'charger_wh',
  charge: 'charge_wh',
  discharge: 'discharge_wh',
  import: 'import_wh',
  export: 'export_wh',
  acOut: 'ac_out_wh',
};

/** Which energies devices have told, ever, by key. */
export async function tellingChannels(
  telemetry: ClickHouseClient,
  devices: readonly DeviceEntry[],
): Promise<Map<number, ReadonlySet<RepairChannel>>> {
  const names = Object.keys(columns) as RepairChannel[];
  const told = names.map((name) => `toUInt8(countIf(NOT isNaN(${columns[name]})) > 0)`);
  const found = new Map<number, ReadonlySet<RepairChannel>>();
  await eachRowOf(
    telemetry,
    devices.map(({ key }) => key),
    (keys) => `SELECT device, ${told.join(', ')} FROM device_5m WHERE device IN (${keys}) GROUP BY device`,
    (rows) => {
      const key = rows.uint32();
      // All of a row are read, one after the other.
      const flags = names.map(() => rows.uint8());
      found.set(key, new Set(names.filter((_, place) => flags[place] === 1)));
    },
  );
  return found;
}
