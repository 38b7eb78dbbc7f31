import type { DeviceBucket, LedgerEvent } from '@sonnenwarte/energy/accounting/buckets';
import type { DeviceSample } from '@sonnenwarte/energy/accounting/channels';
import { ledgerOf, readSamples } from './recompute.ts';
import { type AccountedDevice, type Reads, windowsOf } from './recompute-windows.ts';

/** A span of a device as it is accounted: what it told, what that makes, and what was unusual. */
export interface Explained {
  samples: DeviceSample[];
  /** By their start, without what was corrected. */
  buckets: Map<number, DeviceBucket>;
  events: LedgerEvent[];
}

/** Accounts a span once more as accounting does, and writes nothing. The device is a copy: it may learn of what it told. */
export async function explained(
  telemetry: Reads,
  device: AccountedDevice,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<Explained> {
  const task = { device, fromMs, toMs, toNewest: false, isOpen: false, keptFromMs: Number.POSITIVE_INFINITY };
  const window = (await windowsOf(telemetry, device.layout, [task])).get(device.key);
  if (window === undefined) return { samples: [], buckets: new Map(), events: [] };
  const samples = (await readSamples(telemetry, device.layout, [{ device, window }])).get(device.key) ?? [];
  const ledger = await ledgerOf(telemetry, device, samples, window);
  const buckets = new Map<number, DeviceBucket>();
  for (const bucket of ledger.takeChanged()) buckets.set(bucket.bucketMs, bucket);
  return { samples, buckets, events: ledger.takeEvents() };
}
