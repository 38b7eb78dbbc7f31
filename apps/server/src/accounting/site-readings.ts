import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import type { DeviceBucket } from '@sonnenwarte/energy/accounting/buckets';
import { CARRIED_BUCKETS, isInGap } from '@sonnenwarte/energy/accounting/gap-balance';
import type { SiteReadings } from '@sonnenwarte/energy/accounting/site-balance';
import type { SiteTopology } from '@sonnenwarte/energy/accounting/site-topology';
import type { SiteEntry } from '../ingestion/registry/plant-model.ts';
import { topologyOf } from '../ingestion/registry/site-devices.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { readRows } from '../ingestion/samples/row-reader.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { DEVICE_5M_READ, readDeviceBucket } from './rollup-tables.ts';
import { asleepBucket, isReplaced, lastHeard, silenceOf } from './silences.ts';

/** What lies this far beside a bucket takes part in its balance. */
const BESIDE_MS = CARRIED_BUCKETS * BUCKET_MS;
const FIRST_STEP_MS = 6 * 3_600_000;
/** A gap that reaches further from what is written is balanced as far as here. */
const FURTHEST_MS = 8 * 86_400_000;

export interface SiteWork {
  site: SiteEntry;
  topology: SiteTopology;
  /** Buckets to write, ascending: the touched ones and those whose balance hangs together with theirs. */
  wanted: ReadonlySet<number>;
  readings: SiteReadings[];
}

type ByBucket = Map<number, Map<number, DeviceBucket>>;

/** Reads what sites' devices told in and around the buckets that were touched. */
export async function readSites(
  telemetry: TelemetryHandle,
  sites: ReadonlyMap<SiteEntry, readonly number[]>,
  fromMs: number,
  toMs: number,
): Promise<SiteWork[]> {
  const done: SiteWork[] = [];
  let open = [...sites.keys()];
  for (let besideMs = BESIDE_MS; open.length > 0; besideMs = Math.max(FIRST_STEP_MS, 4 * besideMs)) {
    const span = { fromMs: fromMs - besideMs, toMs: toMs + besideMs };
    const isFurthest = besideMs >= FURTHEST_MS;
    const told = await readDevices(telemetry, open, span);
    const heard = await heardBefore(telemetry, open, told, span.fromMs);
    const further: SiteEntry[] = [];
    for (const site of open) {
      const byBucket = told.get(site) ?? new Map();
      const wanted = wantedOf(sites.get(site) ?? [], byBucket);
      const reaches = (edgeMs: number): boolean => wanted.has(edgeMs) && hasGap(byBucket.get(edgeMs));
      if (!isFurthest && (reaches(span.fromMs) || reaches(span.toMs))) further.push(site);
      else done.push(workOf(site, wanted, byBucket, heard));
    }
    open = further;
  }
  return done;
}

async function readDevices(
  telemetry: TelemetryHandle,
  sites: readonly SiteEntry[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<Map<SiteEntry, ByBucket>> {
  const siteOf = new Map<number, SiteEntry>();
  for (const site of sites) for (const device of site.devices) if (device.key > 0) siteOf.set(device.key, site);
  const told = new Map<SiteEntry, ByBucket>();
  if (siteOf.size === 0) return told;
  const rows = await readRows(
    telemetry.client,
    `SELECT ${DEVICE_5M_READ} FROM device_5m FINAL
     WHERE device IN (${[...siteOf.keys()].join(',')}) AND ts >= ${seconds(fromMs)} AND ts <= ${seconds(toMs)}`,
  );
  while (rows.hasMore) {
    const { device, bucket } = readDeviceBucket(rows);
    const site = siteOf.get(device);
    if (site === undefined || (bucket.samples === 0 && Object.keys(bucket.energyWh).length === 0)) continue;
    const byBucket = entryOf(told, site, () => new Map<number, Map<number, DeviceBucket>>());
    entryOf(byBucket, bucket.bucketMs, () => new Map<number, DeviceBucket>()).set(device, bucket);
  }
  return told;
}

/** When devices that are silent at first within what was read were heard before. */
async function heardBefore(
  telemetry: TelemetryHandle,
  sites: readonly SiteEntry[],
  told: ReadonlyMap<SiteEntry, ByBucket>,
  fromMs: number,
): Promise<Map<number, DeviceBucket>> {
  const silent: number[] = [];
  for (const site of sites) {
    const buckets = [...(told.get(site)?.values() ?? [])];
    if (buckets.length === 0) continue;
    for (const { key } of site.devices) if (key > 0 && buckets.some((devices) => !devices.has(key))) silent.push(key);
  }
  return lastHeard(telemetry, silent, fromMs);
}

/** The touched buckets, those that make up for them, and the whole of a gap that one of them lies in. */
function wantedOf(touched: readonly number[], byBucket: ByBucket): Set<number> {
  const seeds = new Set(touched);
  for (const bucketMs of touched) {
    for (let step = 1; step <= CARRIED_BUCKETS; step += 1) {
      const laterMs = bucketMs + step * BUCKET_MS;
      if (byBucket.has(laterMs)) seeds.add(laterMs);
    }
  }
  const wanted = new Set(seeds);
  for (const seedMs of seeds) {
    for (const stepMs of [-BUCKET_MS, BUCKET_MS]) {
      let atMs = seedMs;
      // The ends of a gap, in which the device was heard, belong to its balance.
      while (hasGap(byBucket.get(atMs)) || hasGap(byBucket.get(atMs + stepMs))) {
        atMs += stepMs;
        if (seeds.has(atMs) || !byBucket.has(atMs)) break;
        wanted.add(atMs);
      }
    }
  }
  return wanted;
}

function hasGap(devices: ReadonlyMap<number, DeviceBucket> | undefined): boolean {
  if (devices === undefined) return false;
  for (const bucket of devices.values()) if (isInGap(bucket)) return true;
  return false;
}

function workOf(
  site: SiteEntry,
  wanted: Set<number>,
  byBucket: ByBucket,
  heard: ReadonlyMap<number, DeviceBucket>,
): SiteWork {
  const topology = topologyOf(site);
  const last = new Map(heard);
  const times = [...new Set([...byBucket.keys(), ...wanted])].sort((a, b) => a - b);
  const isNeeded = (bucketMs: number): boolean => {
    for (let step = 0; step <= CARRIED_BUCKETS; step += 1) if (wanted.has(bucketMs + step * BUCKET_MS)) return true;
    return false;
  };
  const readings: SiteReadings[] = [];
  for (const bucketMs of times) {
    const told = byBucket.get(bucketMs) ?? new Map<number, DeviceBucket>();
    const byDevice = new Map<number, DeviceBucket>();
    const excused = new Set<number>();
    for (const device of topology.devices) {
      const key = device.deviceKey;
      const bucket = told.get(key);
      if (bucket !== undefined) {
        byDevice.set(key, bucket);
        if (bucket.samples > 0) last.set(key, bucket);
        continue;
      }
      const before = last.get(key);
      const silence = silenceOf(device, before, bucketMs, isReplaced(site, topology.devices, device, before));
      if (silence === 'asleep' && before !== undefined && told.size > 0)
        byDevice.set(key, asleepBucket(before, bucketMs));
      else if (silence !== 'missing') excused.add(key);
    }
    if (isNeeded(bucketMs)) readings.push({ bucketMs, byDevice, excused });
  }
  return { site, topology, wanted, readings };
}

function seconds(tsMs: number): number {
  return Math.max(0, Math.round(tsMs / 1_000));
}
