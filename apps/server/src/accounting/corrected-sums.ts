import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import type { DeviceBucket } from '@sonnenwarte/energy/accounting/buckets';
import { correctedBucket } from '@sonnenwarte/energy/accounting/corrections';
import { markOf } from '@sonnenwarte/energy/accounting/quality';
import { UNMARKED_WH } from '@sonnenwarte/energy/accounting/site-energies';
import type { TimeBounds } from '@sonnenwarte/energy/calendar';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { eachRowOf } from '../ingestion/samples/row-reader.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { DEVICE_5M_READ, readDeviceBucket } from './rollup-tables.ts';

/** What a device generated in a span; null where nothing is known. */
export interface Generated {
  wh: number | null;
  /** How it came about (see `markOf`). */
  marks: number;
}

/** Whether somebody corrected what a device generated within a span. */
export const isCorrected = ({ corrections }: Pick<DeviceEntry, 'corrections'>, { startMs, endMs }: TimeBounds) =>
  corrections.some(({ channel, fromMs, toMs }) => channel === 'pv' && toMs > startMs && fromMs < endMs);

/** What a device generated in each of some spans, as it was corrected. Its buckets are read once. */
export async function correctedSums(
  telemetry: TelemetryHandle,
  device: DeviceEntry,
  spans: readonly TimeBounds[],
): Promise<Generated[]> {
  const startMs = Math.min(...spans.map((span) => span.startMs));
  const endMs = Math.max(...spans.map((span) => span.endMs));
  const told = new Map<number, DeviceBucket>();
  const isBefore = Number.isFinite(endMs) ? `AND ts < ${Math.round(endMs / 1_000)}` : '';
  await eachRowOf(
    telemetry.client,
    [device.key],
    (keys) => `SELECT ${DEVICE_5M_READ} FROM device_5m FINAL
      WHERE device IN (${keys}) AND ts >= ${Math.round(startMs / 1_000)} ${isBefore}`,
    (rows) => {
      const { bucket } = readDeviceBucket(rows);
      told.set(bucket.bucketMs, bucket);
    },
  );
  const corrections = device.corrections.filter(({ channel }) => channel === 'pv');
  const times = new Set(told.keys());
  for (const { fromMs, toMs } of corrections)
    for (let atMs = fromMs; atMs < toMs; atMs += BUCKET_MS) if (atMs >= startMs && atMs < endMs) times.add(atMs);
  const sums = spans.map((): Generated => ({ wh: null, marks: 0 }));
  for (const bucketMs of times) {
    const bucket = correctedBucket(told.get(bucketMs), bucketMs, corrections);
    const wh = bucket?.energyWh.pv;
    const isByHand = bucket?.corrected !== undefined;
    const quality = isByHand ? 'corrected' : (bucket?.energyQuality?.pv ?? 'measured');
    const mark = isByHand || (wh ?? 0) >= UNMARKED_WH ? markOf(quality, 0) : 0;
    spans.forEach((span, place) => {
      const sum = sums[place];
      if (sum === undefined || bucketMs < span.startMs || bucketMs >= span.endMs) return;
      sum.marks |= mark;
      if (wh !== undefined) sum.wh = (sum.wh ?? 0) + wh;
    });
  }
  return sums;
}
