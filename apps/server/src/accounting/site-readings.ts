import { BUCKET_MS, bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import type { DeviceBucket } from '@sonnenwarte/energy/accounting/buckets';
import { correctedBucket } from '@sonnenwarte/energy/accounting/corrections';
import { CARRIED_BUCKETS, isInGap } from '@sonnenwarte/energy/accounting/gap-balance';
import type { SiteReadings } from '@sonnenwarte/energy/accounting/site-balance';
import type { SiteTopology } from '@sonnenwarte/energy/accounting/site-topology';
import type { SiteEntry } from '../ingestion/registry/plant-model.ts';
import { topologyOf } from '../ingestion/registry/site-devices.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { eachRowOf, ONE_THREAD } from '../ingestion/samples/row-reader.ts';
import { Turns } from '../turns.ts';
import type { Reads } from './recompute-windows.ts';
import { DEVICE_5M_READ, readDeviceBucket } from './rollup-tables.ts';
import { asleepBucket, lastHeard, Newcomers, RETIRED_AFTER_MS, silenceOf } from './silences.ts';

/** What lies this far beside a bucket takes part in its balance. */
const BESIDE_MS = CARRIED_BUCKETS * BUCKET_MS;
const FIRST_STEP_MS = 6 * 3_600_000;
/** A gap that reaches further from what is written is balanced as far as here. */
const FURTHEST_MS = 8 * 86_400_000;
/** Buckets of devices that are held at once; gaps of a plant of so many that they would be more are balanced less far. */
export const MOST_BUCKETS_HELD = 300_000;

export interface SiteWork {
  site: SiteEntry;
  topology: SiteTopology;
  /** Buckets to write, ascending: the touched ones and those whose balance hangs together with theirs. */
  wanted: ReadonlySet<number>;
  readings: SiteReadings[];
}

type ByDevice = Map<number, DeviceBucket>;

/** What the devices of a site told. */
interface Told {
  byBucket: Map<number, ByDevice>;
  /** Buckets that hold part of a gap. */
  gaps: Set<number>;
  /** In how many buckets each device told anything. */
  bucketsOf: Map<number, number>;
}

const nothingTold = (): Told => ({ byBucket: new Map(), gaps: new Set(), bucketsOf: new Map() });

/** Reads what sites' devices told in and around the buckets that were touched, of so many at a time as may be held. */
export async function* readSites(
  telemetry: Reads,
  sites: ReadonlyMap<SiteEntry, readonly number[]>,
  fromMs: number,
  toMs: number,
): AsyncGenerator<SiteWork> {
  const turns = new Turns();
  let open = [...sites.keys()];
  for (let besideMs = BESIDE_MS; open.length > 0; ) {
    const span = { fromMs: fromMs - besideMs, toMs: toMs + besideMs };
    const nextMs = Math.min(FURTHEST_MS, Math.max(FIRST_STEP_MS, 4 * besideMs));
    const isFurthest = besideMs >= FURTHEST_MS;
    const further: SiteEntry[] = [];
    for (const group of groupsOf(open, MOST_BUCKETS_HELD / bucketsIn(span))) {
      const told = await readDevices(telemetry, group, span);
      const heard = await heardBefore(telemetry, group, told, span.fromMs);
      for (const site of group) {
        const own = told.get(site) ?? nothingTold();
        const touched = sites.get(site) ?? [];
        const silent = silencesOf(site, { touched, told: own, heard });
        const wanted = wantedOf([...touched, ...silent], own);
        const reaches = (edgeMs: number): boolean => wanted.has(edgeMs) && own.gaps.has(edgeMs);
        const isSilentToEdge = silent.some((bucketMs) => bucketMs > toMs && bucketMs >= span.toMs - BESIDE_MS);
        const mayReachOut =
          !isFurthest && site.devices.size * bucketsIn({ fromMs, toMs: fromMs + 2 * nextMs }) <= MOST_BUCKETS_HELD;
        if (mayReachOut && (isSilentToEdge || reaches(span.fromMs) || reaches(span.toMs))) further.push(site);
        else yield await workOf({ site, wanted, told: own, heard, turns });
      }
    }
    open = further;
    besideMs = nextMs;
  }
}

/** Sites with so many devices at most in each group, or one alone. */
export function* groupsOf(sites: Iterable<SiteEntry>, mostDevices: number): Generator<SiteEntry[]> {
  let group: SiteEntry[] = [];
  let devices = 0;
  for (const site of sites) {
    if (group.length > 0 && devices + site.devices.size > mostDevices) {
      yield group;
      group = [];
      devices = 0;
    }
    group.push(site);
    devices += site.devices.size;
  }
  if (group.length > 0) yield group;
}

function bucketsIn({ fromMs, toMs }: { fromMs: number; toMs: number }): number {
  return 1 + Math.ceil((toMs - fromMs) / BUCKET_MS);
}

async function readDevices(
  telemetry: Reads,
  sites: readonly SiteEntry[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<Map<SiteEntry, Told>> {
  const siteOf = new Map<number, SiteEntry>();
  for (const site of sites) for (const device of site.devices) if (device.key > 0) siteOf.set(device.key, site);
  const told = new Map<SiteEntry, Told>();
  await eachRowOf(
    telemetry.client,
    [...siteOf.keys()],
    (keys) => `SELECT ${DEVICE_5M_READ} FROM device_5m FINAL
     WHERE device IN (${keys}) AND ts >= ${seconds(fromMs)} AND ts <= ${seconds(toMs)} ${ONE_THREAD}`,
    (rows) => {
      const { device, bucket } = readDeviceBucket(rows);
      const site = siteOf.get(device);
      if (site === undefined || (bucket.samples === 0 && Object.keys(bucket.energyWh).length === 0)) return;
      const { byBucket, gaps, bucketsOf } = entryOf(told, site, nothingTold);
      entryOf(byBucket, bucket.bucketMs, (): ByDevice => new Map()).set(device, bucket);
      if (isInGap(bucket)) gaps.add(bucket.bucketMs);
      bucketsOf.set(device, (bucketsOf.get(device) ?? 0) + 1);
    },
  );
  for (const site of sites) correct(site, told, { fromMs, toMs });
  return told;
}

/** Puts what was corrected in place of what devices told. */
function correct(
  site: SiteEntry,
  told: Map<SiteEntry, Told>,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): void {
  for (const { key, corrections } of site.devices) {
    for (const correction of corrections) {
      const { byBucket, gaps } = entryOf(told, site, nothingTold);
      const lastMs = Math.min(toMs, correction.toMs - BUCKET_MS);
      for (let bucketMs = Math.max(bucketStart(fromMs), correction.fromMs); bucketMs <= lastMs; bucketMs += BUCKET_MS) {
        const byDevice = entryOf(byBucket, bucketMs, (): ByDevice => new Map());
        const bucket = correctedBucket(byDevice.get(key), bucketMs, [correction]);
        if (bucket === undefined) continue;
        byDevice.set(key, bucket);
        if (![...byDevice.values()].some(isInGap)) gaps.delete(bucketMs);
      }
    }
  }
}

/** When devices that are silent at first within what was read were heard before. */
async function heardBefore(
  telemetry: Reads,
  sites: readonly SiteEntry[],
  told: ReadonlyMap<SiteEntry, Told>,
  fromMs: number,
): Promise<Map<number, DeviceBucket>> {
  const silent: number[] = [];
  for (const site of sites) {
    const own = told.get(site);
    if (own === undefined) continue;
    for (const { key } of site.devices)
      if (key > 0 && (own.bucketsOf.get(key) ?? 0) < own.byBucket.size) silent.push(key);
  }
  return lastHeard(telemetry, silent, fromMs);
}

/** The touched buckets, those that make up for them, and the whole of a gap that one of them lies in. */
function wantedOf(touched: readonly number[], { byBucket, gaps }: Told): Set<number> {
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
      while (gaps.has(atMs) || gaps.has(atMs + stepMs)) {
        atMs += stepMs;
        if (seeds.has(atMs) || !byBucket.has(atMs)) break;
        wanted.add(atMs);
      }
    }
  }
  return wanted;
}

/**
 * Buckets that come after devices were heard of which nothing was known before: there they are missing, which nobody could know
 * when these were written.
 */
function silencesOf(
  { devices }: SiteEntry,
  {
    touched,
    told: { byBucket, bucketsOf },
    heard,
  }: { touched: readonly number[]; told: Told; heard: ReadonlyMap<number, DeviceBucket> },
): number[] {
  const silent = new Set<number>();
  const isTouched = new Set(touched);
  for (const { key } of devices) {
    const buckets = bucketsOf.get(key) ?? 0;
    if (buckets === 0 || buckets === byBucket.size || heard.has(key)) continue;
    let firstMs = Number.POSITIVE_INFINITY;
    let lastMs = Number.NEGATIVE_INFINITY;
    for (const [bucketMs, byDevice] of byBucket) {
      if (!byDevice.has(key)) continue;
      firstMs = Math.min(firstMs, bucketMs);
      lastMs = Math.max(lastMs, bucketMs);
    }
    if (!isTouched.has(firstMs)) continue;
    for (const bucketMs of byBucket.keys())
      if (bucketMs > lastMs && bucketMs - lastMs <= RETIRED_AFTER_MS) silent.add(bucketMs);
  }
  return [...silent];
}

async function workOf({
  site,
  wanted,
  told: { byBucket },
  heard,
  turns,
}: {
  site: SiteEntry;
  wanted: Set<number>;
  told: Told;
  heard: ReadonlyMap<number, DeviceBucket>;
  turns: Turns;
}): Promise<SiteWork> {
  const topology = topologyOf(site);
  const newcomers = new Newcomers(site, topology.devices);
  const last = new Map<number, DeviceBucket>();
  for (const { deviceKey } of topology.devices) {
    const before = heard.get(deviceKey);
    if (before !== undefined) last.set(deviceKey, before);
  }
  const times = [...new Set([...byBucket.keys(), ...wanted])].sort((a, b) => a - b);
  const isNeeded = (bucketMs: number): boolean => {
    for (let step = 0; step <= CARRIED_BUCKETS; step += 1) if (wanted.has(bucketMs + step * BUCKET_MS)) return true;
    return false;
  };
  const readings: SiteReadings[] = [];
  for (const bucketMs of times) {
    const told = byBucket.get(bucketMs);
    const byDevice: ByDevice = new Map();
    const excused = new Set<number>();
    for (const device of topology.devices) {
      if (turns.isOver) await turns.giveBack();
      const key = device.deviceKey;
      const bucket = told?.get(key);
      if (bucket !== undefined) {
        byDevice.set(key, bucket);
        if (bucket.samples > 0) last.set(key, bucket);
        continue;
      }
      const before = last.get(key);
      const silence = silenceOf(device, before, bucketMs, newcomers.hasReplaced(device, before));
      if (silence === 'asleep' && before !== undefined && told !== undefined)
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
