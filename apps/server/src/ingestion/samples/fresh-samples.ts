import { inSlices } from '../../in-slices.ts';
import type { IngestionMetrics } from '../metrics.ts';
import type { DeviceEntry } from '../registry/plant-model.ts';
import type { KindLayout } from '../sessions/kinds.ts';
import type { RefusalReason } from '../sessions/reasons.ts';
import { entryOf } from './entry-of.ts';
import { mergeInto, type Sample } from './sample.ts';
import type { StoredRows } from './stored-rows.ts';

const WIDE_MS = 10 * 60_000;

type ByTime = Map<number, Sample>;

/** Why a sample that was taken cannot be stored after all: its device's row told so. */
export function refusedFor({ device, layout }: Sample): RefusalReason | undefined {
  return device.refusedFor ?? (layout === device.layout ? undefined : 'kind-changed');
}

/** Of a batch what is new: one sample for each device and time, joined with what is stored, without duplicates. */
export async function freshSamples(
  samples: readonly Sample[],
  stored: StoredRows,
  metrics: IngestionMetrics,
): Promise<Sample[]> {
  const fresh: Sample[] = [];
  const late = new Map<DeviceEntry, ByTime>();
  const newest = new Map<DeviceEntry, Sample>();
  const unknown = new Set<DeviceEntry>();
  await inSlices(samples, (sample) => {
    const { device, tsMs, isUnplaced } = sample;
    const reason = refusedFor(sample);
    if (reason !== undefined) {
      metrics.rejected.inc({ reason });
      return;
    }
    if (device.key === 0) throw new Error(`the device ${device.sn} is not registered yet`);
    if (isUnplaced) return;
    const last = newest.get(device);
    if (last !== undefined ? tsMs > last.tsMs : tsMs > device.newestTsMs) {
      if (last === undefined) noteEmpty(device, device.newestTsMs, tsMs);
      newest.set(device, sample);
      fresh.push(sample);
      return;
    }
    if (last !== undefined && last.tsMs === tsMs) {
      if (!mergeInto(last, sample, device.layout.isDouble)) metrics.duplicates.inc();
      return;
    }
    if (Number.isNaN(device.newestTsMs)) unknown.add(device);
    const times = entryOf(late, device, (): ByTime => new Map());
    const twin = times.get(tsMs);
    if (twin === undefined) times.set(tsMs, sample);
    else if (!mergeInto(twin, sample, device.layout.isDouble)) metrics.duplicates.inc();
  });
  if (unknown.size > 0) await stored.learnNewest(unknown);
  if (late.size > 0) await addLate(late, stored, fresh, metrics);
  for (const { device, tsMs } of fresh) if (tsMs > device.newestTsMs) device.newestTsMs = tsMs;
  return fresh;
}

/** Adds those that are not the newest of their device: at once where nothing is stored, else joined with the stored row. */
async function addLate(
  late: ReadonlyMap<DeviceEntry, ByTime>,
  stored: StoredRows,
  fresh: Sample[],
  metrics: IngestionMetrics,
): Promise<void> {
  const firstInOrder = new Map<DeviceEntry, number>();
  for (const sample of fresh) {
    if (!firstInOrder.has(sample.device)) firstInOrder.set(sample.device, sample.tsMs);
    const twin = late.get(sample.device)?.get(sample.tsMs);
    if (twin === undefined) continue;
    if (!mergeInto(sample, twin, sample.device.layout.isDouble)) metrics.duplicates.inc();
    late.get(sample.device)?.delete(sample.tsMs);
  }
  const wanted = new Map<KindLayout, Map<DeviceEntry, ByTime>>();
  for (const [device, times] of late) {
    const ordered = [...times].sort(([a], [b]) => a - b);
    const firstNew = ordered.find(([tsMs]) => tsMs > device.newestTsMs);
    if (firstNew !== undefined && firstNew[0] < (firstInOrder.get(device) ?? Number.POSITIVE_INFINITY)) {
      noteEmpty(device, device.newestTsMs, firstNew[0]);
    }
    for (const [tsMs, sample] of ordered) {
      const isInGap = tsMs > device.emptyFromMs && tsMs < device.emptyToMs;
      if (isInGap) device.emptyFromMs = tsMs;
      if (isInGap || tsMs > device.newestTsMs) fresh.push(sample);
      else {
        const devices = entryOf(wanted, device.layout, () => new Map<DeviceEntry, ByTime>());
        entryOf(devices, device, (): ByTime => new Map()).set(tsMs, sample);
      }
    }
  }
  for (const [kind, devices] of wanted) await addStored(kind, devices, late, stored, fresh, metrics);
}

async function addStored(
  kind: KindLayout,
  devices: ReadonlyMap<DeviceEntry, ByTime>,
  late: ReadonlyMap<DeviceEntry, ByTime>,
  stored: StoredRows,
  fresh: Sample[],
  metrics: IngestionMetrics,
): Promise<void> {
  const found = await stored.find(kind, devices);
  const missed = new Map<DeviceEntry, number>();
  for (const [device, times] of devices) {
    for (const [tsMs, sample] of times) {
      const old = found.get(device)?.get(tsMs);
      if (old === undefined) {
        fresh.push(sample);
        missed.set(device, tsMs);
        continue;
      }
      if (!mergeInto(old, sample, kind.isDouble)) {
        metrics.duplicates.inc();
        continue;
      }
      old.receivedMs = Math.max(sample.receivedMs, old.receivedMs + 1);
      old.historical = sample.historical;
      fresh.push(old);
    }
  }
  for (const [device, tsMs] of missed) if (tsMs < Math.max(...(late.get(device)?.keys() ?? []))) missed.delete(device);
  if (missed.size === 0) return;
  for (const [device, nextMs] of await stored.nextAfter(kind, missed)) {
    noteEmpty(device, missed.get(device) ?? nextMs, nextMs);
  }
}

/** Remembers a stretch in which a device has nothing stored: the newest that is worth it. */
function noteEmpty(device: DeviceEntry, fromMs: number, toMs: number): void {
  const wide = Math.min(WIDE_MS, device.emptyToMs - device.emptyFromMs);
  if (!(toMs - fromMs > wide)) return;
  device.emptyFromMs = fromMs;
  device.emptyToMs = toMs;
}
