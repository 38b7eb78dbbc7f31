import type { DeviceSample } from '@sonnenwarte/energy/accounting/channels';
import { ENERGY_CHANNELS } from '@sonnenwarte/energy/accounting/channels';
import { type DeviceKind, sampleFields } from '@sonnenwarte/energy/accounting/device-sample';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { deviceSampleOf } from '../ingestion/registry/site-devices.ts';
import { readRows } from '../ingestion/samples/row-reader.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';

/**
 * Whether a counter of the device was last read before the rows that are at hand: one that reports only what changes
 * may leave a counter out for hours.
 */
export function needsOlderCounters(
  device: DeviceEntry,
  samples: readonly DeviceSample[],
  { readFromMs, bucketFromMs }: { readFromMs: number; bucketFromMs: number },
): boolean {
  return ENERGY_CHANNELS.some((channel) => {
    const firstMs = device.firstReadMs[channel];
    if (firstMs === undefined || firstMs >= readFromMs) return false;
    for (const { tsMs, counters } of samples) {
      if (tsMs >= bucketFromMs) break;
      if (counters[channel] !== undefined) return false;
    }
    return true;
  });
}

/** The last reading of each counter before a time, oldest first, without powers. */
export async function olderCounters(
  telemetry: TelemetryHandle,
  device: DeviceEntry & { kind: DeviceKind },
  beforeMs: number,
): Promise<DeviceSample[]> {
  const kind = device.layout;
  const indexes = sampleFields(device.kind).flatMap((name) => kind.indexOf.get(name) ?? []);
  const columns = indexes.map((index) => {
    const told = kind.numbersSql[index];
    return `toInt64(toUnixTimestamp64Milli(maxIf(ts, NOT isNaN(${told})))), toFloat64(argMaxIf(${told}, ts, NOT isNaN(${told})))`;
  });
  const rows = await readRows(
    telemetry.client,
    `SELECT ${columns.join(', ')} FROM ${kind.table} FINAL
     WHERE device = ${device.key} AND ts < fromUnixTimestamp64Milli(${beforeMs}, 'UTC')`,
  );
  const byTime = new Map<number, number[]>();
  if (!rows.hasMore) return [];
  for (const index of indexes) {
    const tsMs = rows.int64();
    const value = rows.float64();
    if (tsMs <= 0) continue;
    const values = byTime.get(tsMs) ?? kind.emptyValues.slice();
    values[index] = value;
    byTime.set(tsMs, values);
  }
  const samples: DeviceSample[] = [];
  for (const [tsMs, values] of [...byTime].sort(([a], [b]) => a - b)) {
    const { counters } = deviceSampleOf(device, tsMs, values);
    if (Object.keys(counters).length > 0) samples.push({ tsMs, powers: {}, counters });
  }
  return samples;
}
