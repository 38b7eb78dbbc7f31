import type { DeviceLedger } from '@sonnenwarte/energy/accounting/buckets';
import type { DeviceSample } from '@sonnenwarte/energy/accounting/channels';
import { ENERGY_CHANNELS } from '@sonnenwarte/energy/accounting/channels';
import { counterFields, type DeviceKind } from '@sonnenwarte/energy/accounting/device-sample';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { deviceSampleOf } from '../ingestion/registry/site-devices.ts';
import { readRows } from '../ingestion/samples/row-reader.ts';
import type { Reads } from './recompute-windows.ts';

const LOOK_BACK_MS = 86_400_000;

/**
 * Whether what a ledger makes of the rows at hand depends on readings before them: one that reports only what changes may leave
 * a counter out for hours, and the first reading may be one that is not to be believed.
 */
export function needsOlderCounters(device: DeviceEntry, ledger: DeviceLedger, readFromMs: number): boolean {
  return ENERGY_CHANNELS.some((channel) => {
    const firstMs = device.firstReadMs[channel];
    return firstMs !== undefined && firstMs < readFromMs && !ledger.isSure(channel);
  });
}

/** The last reading of each counter before a time, and those of the day before it, oldest first, without powers. */
export async function olderCounters(
  telemetry: Reads,
  device: DeviceEntry & { kind: DeviceKind },
  beforeMs: number,
): Promise<DeviceSample[]> {
  const kind = device.layout;
  const indexes = counterFields(device.kind).flatMap((name) => kind.indexOf.get(name) ?? []);
  const told = indexes.map((index) => kind.numbersSql[index] ?? '');
  if (told.length === 0) return [];
  const of = `FROM ${kind.table} FINAL WHERE device = ${device.key} AND ts < ${time(beforeMs)}`;
  const lasts = await readRows(
    telemetry.client,
    `SELECT ${told.map((value) => `toInt64(toUnixTimestamp64Milli(maxIf(ts, NOT isNaN(${value}))))`).join(', ')} ${of}`,
  );
  let firstMs = Number.POSITIVE_INFINITY;
  for (let left = lasts.hasMore ? told.length : 0; left > 0; left -= 1) {
    const tsMs = lasts.int64();
    if (tsMs > 0) firstMs = Math.min(firstMs, tsMs);
  }
  if (!Number.isFinite(firstMs)) return [];
  const rows = await readRows(
    telemetry.client,
    `SELECT toInt64(toUnixTimestamp64Milli(ts)), ${told.map((value) => `toFloat64(${value})`).join(', ')} ${of}
       AND ts >= ${time(Math.max(0, firstMs - LOOK_BACK_MS))} AND (${told.map((value) => `NOT isNaN(${value})`).join(' OR ')})
     ORDER BY ts`,
  );
  const samples: DeviceSample[] = [];
  const values = kind.emptyValues.slice();
  while (rows.hasMore) {
    const tsMs = rows.int64();
    for (const index of indexes) values[index] = rows.float64();
    samples.push({ tsMs, powers: {}, counters: deviceSampleOf(device, tsMs, values).counters });
  }
  return samples;
}

function time(tsMs: number): string {
  return `fromUnixTimestamp64Milli(${tsMs}, 'UTC')`;
}
