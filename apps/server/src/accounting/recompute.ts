import { BUCKET_MS, bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import type { DeviceBucket, LedgerEvent } from '@sonnenwarte/energy/accounting/buckets';
import { DeviceLedger, type LedgerOptions, RETAIN_MS } from '@sonnenwarte/energy/accounting/buckets';
import type { DeviceSample } from '@sonnenwarte/energy/accounting/channels';
import { REJOIN_MS } from '@sonnenwarte/energy/accounting/counters';
import { sampleFields } from '@sonnenwarte/energy/accounting/device-sample';
import type { Kysely } from 'kysely';
import { deviceSampleOf, knownReach } from '../ingestion/registry/site-devices.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { readRows } from '../ingestion/samples/row-reader.ts';
import type { KindLayout } from '../ingestion/sessions/kinds.ts';
import type { Database } from '../stores/schema.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { readJoints } from './device-events.ts';
import { needsOlderCounters, olderCounters } from './older-counters.ts';
import type { Openings } from './openings.ts';
import { hasForeign, rowsOfOtherKinds, withForeign } from './other-kinds.ts';
import {
  type AccountedDevice,
  pick,
  type Reads,
  type RecomputeTask,
  readNextCounters,
  time,
  WARM_UP_MS,
  type Window,
  windowsOf,
} from './recompute-windows.ts';
import { DEVICE_5M_DATA_BYTES, DEVICE_5M_READ, deviceBucketData } from './rollup-tables.ts';

export interface Recomputed {
  task: RecomputeTask;
  buckets: DeviceBucket[];
  /** Times of all buckets of the stretch, those included that stand already as they should. */
  reckonedMs: number[];
  events: LedgerEvent[];
  /** The ledger as it stands after the newest sample, if reading went so far. */
  ledger: DeviceLedger | undefined;
  /** First and last time that was accounted anew. */
  fromMs: number;
  toMs: number;
}

/** Over a silent counter, over what was told before it, and over one that was silent there as well. */
const MOST_ROUNDS = 6;

interface Feed {
  task: RecomputeTask;
  /** The stretch, with the joints that it depends on. */
  fromMs: number;
  toMs: number;
  window: Window;
  ledger: DeviceLedger | undefined;
}

type Feeds = Map<number, Feed>;

export function ledgerOptions(device: AccountedDevice): LedgerOptions {
  return { reach: knownReach(device), openings: device.opening };
}

/**
 * Accounts stretches of several devices of one kind anew from their raw rows: all buckets between the row before the stretch
 * and the row after it, since the energy between two rows belongs to the buckets between them. Where a counter was silent for
 * longer, all that it is spread over.
 */
export async function recompute(
  { db, telemetry }: { db: Kysely<Database>; telemetry: TelemetryHandle },
  tasks: readonly RecomputeTask[],
  openings: Openings,
): Promise<Recomputed[]> {
  const kind = tasks[0]?.device.layout;
  if (kind === undefined) return [];
  const joined = await withJoints(db, tasks);
  const windows = await windowsOf(telemetry, kind, joined);
  const feeds: Feeds = new Map();
  joined.forEach((task, index) => {
    const window = windows.get(task.device.key);
    const result = tasks[index];
    if (window === undefined || result === undefined) return;
    feeds.set(task.device.key, { task: result, fromMs: task.fromMs, toMs: task.toMs, window, ledger: undefined });
  });
  let open: Feeds = feeds;
  for (let round = 0; open.size > 0 && round < MOST_ROUNDS; round += 1) {
    await feed(telemetry, kind, open, openings);
    const undecided = await readOn(telemetry, kind, [...open.values()]);
    open = new Map([...open].filter(([, fed]) => widen(fed) || undecided.has(fed)));
  }
  return compared(telemetry, kind, [...feeds.values()]);
}

/** Where a reading is held back in the end, all depends on those that decide of it. Returns the stretches that have them. */
async function readOn(telemetry: TelemetryHandle, kind: KindLayout, feeds: readonly Feed[]): Promise<Set<Feed>> {
  const found = new Set<Feed>();
  const undecided = feeds.filter(({ task, window, ledger }) => {
    const fromMs = ledger?.undecidedFromMs;
    return fromMs !== undefined && !window.isNewest && !task.isOpen && fromMs <= window.bucketToMs;
  });
  if (undecided.length === 0) return found;
  const tasks = undecided.map(({ task }) => task);
  const next = await readNextCounters(
    telemetry,
    kind,
    tasks,
    undecided.map(({ window }) => window.readToMs),
  );
  const further = undecided.filter(({ task }) => (next.get(task.device.key) ?? 0) > 0);
  const windows = await windowsOf(
    telemetry,
    kind,
    further.map(({ task }) => ({ ...task, toMs: next.get(task.device.key) ?? task.toMs })),
  );
  for (const feed of further) {
    const wider = windows.get(feed.task.device.key);
    if (wider === undefined) continue;
    feed.window = {
      ...wider,
      readFromMs: Math.min(wider.readFromMs, feed.window.readFromMs),
      bucketFromMs: Math.min(wider.bucketFromMs, feed.window.bucketFromMs),
    };
    found.add(feed);
  }
  return found;
}

/** Reaches back over counters that were silent within the stretch, or before what is written. Says whether that asks for more rows. */
function widen({ window, fromMs, toMs, ledger }: Feed): boolean {
  const lastMs = window.isNewest ? Number.POSITIVE_INFINITY : toMs;
  const silences = ledger?.silences ?? [];
  for (const [silentMs, heardMs] of silences) {
    if (silentMs <= lastMs && heardMs >= fromMs)
      window.bucketFromMs = Math.min(window.bucketFromMs, bucketStart(silentMs));
  }
  let isWider = false;
  for (const [silentMs, heardMs] of silences) {
    if (heardMs < window.bucketFromMs || silentMs >= window.readFromMs) continue;
    window.readFromMs = silentMs - WARM_UP_MS;
    isWider = true;
  }
  return isWider;
}

/** What differs from what is written. */
async function compared(telemetry: TelemetryHandle, kind: KindLayout, feeds: readonly Feed[]): Promise<Recomputed[]> {
  const written = await writtenBuckets(
    telemetry,
    feeds.map(({ task, window }) => ({ key: task.device.key, window })),
  );
  const results: Recomputed[] = [];
  const emptied: { result: Recomputed; stood: Map<number, Buffer> }[] = [];
  for (const { task, window, ledger } of feeds) {
    if (ledger === undefined) continue;
    const { bucketFromMs: fromMs, bucketToMs: toMs, isNewest } = window;
    const stood = written.get(task.device.key) ?? new Map<number, Buffer>();
    const result: Recomputed = { task, buckets: [], reckonedMs: [], events: [], ledger: undefined, fromMs, toMs };
    for (const bucket of ledger.takeChanged()) {
      if (bucket.bucketMs < fromMs || bucket.bucketMs > toMs) continue;
      result.reckonedMs.push(bucket.bucketMs);
      const old = stood.get(bucket.bucketMs);
      stood.delete(bucket.bucketMs);
      if (old?.equals(deviceBucketData(bucket)) === true) continue;
      const kept = old === undefined ? bucket : withForeign(bucket, old, task.device.kind);
      if (old?.equals(deviceBucketData(kept)) !== true) result.buckets.push(kept);
    }
    for (const bucketMs of stood.keys()) if (bucketMs < fromMs || bucketMs > toMs) stood.delete(bucketMs);
    if (stood.size > 0) emptied.push({ result, stood });
    result.events = ledger.takeEvents().filter((event) => event.tsMs >= fromMs);
    ledger.settle();
    if (isNewest) result.ledger = ledger;
    results.push(result);
  }
  await takeOut(telemetry, kind, emptied);
  return results;
}

/** What stood in a bucket before and belongs elsewhere now is taken out, but nothing that rows of another kind have written. */
async function takeOut(
  telemetry: TelemetryHandle,
  kind: KindLayout,
  emptied: readonly { result: Recomputed; stood: ReadonlyMap<number, Buffer> }[],
): Promise<void> {
  const times = emptied.flatMap(({ stood }) => [...stood.keys()]);
  if (times.length === 0) return;
  const keys = emptied.map(({ result }) => result.task.device.key);
  const others = await rowsOfOtherKinds(telemetry, kind, keys, Math.min(...times), Math.max(...times) + BUCKET_MS);
  for (const { result, stood } of emptied) {
    const { key, kind: own } = result.task.device;
    const spans = others.get(key) ?? [];
    for (const [bucketMs, old] of stood) {
      const empty = emptyBucket(bucketMs);
      if (old.equals(deviceBucketData(empty)) || hasForeign(old, own)) continue;
      if (spans.some(([firstMs, lastMs]) => bucketMs >= bucketStart(firstMs) - RETAIN_MS && bucketMs <= lastMs))
        continue;
      result.buckets.push(empty);
    }
  }
}

/**
 * Whether a counter that started anew is joined again depends on all readings of the day after. So a stretch that is near such
 * a joint reaches from it on to a day behind it.
 */
export function reachOf(fromMs: number, toMs: number, joints: readonly number[]): [fromMs: number, toMs: number] {
  let [firstMs, lastMs] = [fromMs, toMs];
  for (const jointMs of joints.toReversed()) {
    if (jointMs < firstMs && firstMs - jointMs <= REJOIN_MS) firstMs = jointMs;
  }
  for (const jointMs of joints) if (jointMs > lastMs && jointMs - lastMs <= REJOIN_MS) lastMs = jointMs;
  const latestMs = joints.findLast((jointMs) => jointMs >= firstMs && jointMs <= lastMs);
  return [firstMs, latestMs === undefined ? lastMs : Math.max(lastMs, latestMs + REJOIN_MS)];
}

async function withJoints(db: Kysely<Database>, tasks: readonly RecomputeTask[]): Promise<RecomputeTask[]> {
  const joints = await readJoints(
    db,
    tasks.map(({ device }) => device),
    Math.min(...tasks.map(({ fromMs }) => fromMs)) - 2 * REJOIN_MS,
    Math.max(...tasks.map(({ toMs }) => toMs)) + REJOIN_MS,
  );
  return tasks.map((task) => {
    const [fromMs, toMs] = reachOf(task.fromMs, task.toMs, joints.get(task.device.key) ?? []);
    return { ...task, fromMs, toMs: task.isOpen ? task.toMs : toMs };
  });
}

async function feed(telemetry: TelemetryHandle, kind: KindLayout, byKey: Feeds, openings: Openings): Promise<void> {
  const asked = [...byKey.values()].map(({ task: { device }, window }) => ({ device, window }));
  const samples = await readSamples(telemetry, kind, asked);
  for (const [key, fed] of byKey) {
    const { device } = fed.task;
    const { window } = fed;
    const list = samples.get(key) ?? [];
    fed.ledger = await ledgerOf(telemetry, device, list, window);
    for (const sample of list) openings.note(device, sample);
    openings.take(device, fed.ledger);
  }
}

/** What devices of one kind told within their windows, oldest first. */
export async function readSamples(
  telemetry: Reads,
  kind: KindLayout,
  asked: readonly { device: AccountedDevice; window: Pick<Window, 'readFromMs' | 'readToMs'> }[],
): Promise<Map<number, DeviceSample[]>> {
  const byKey = new Map(asked.map(({ device }) => [device.key, device]));
  const keys = [...byKey.keys()];
  const froms = asked.map(({ window }) => window.readFromMs);
  const tos = asked.map(({ window }) => Math.min(window.readToMs, LATEST_MS));
  const fields = sampleFields(asked[0]?.device.kind ?? 'inverter');
  const indexes = fields.flatMap((name) => kind.indexOf.get(name) ?? []);
  const columns = indexes.map((index) => `, toFloat64(${kind.numbersSql[index]})`).join('');
  const rows = await readRows(
    telemetry.client,
    `SELECT device, toInt64(toUnixTimestamp64Milli(ts)) AS ms${columns} FROM ${kind.table} FINAL
     WHERE device IN (${keys.join(',')}) AND ts >= ${time(Math.min(...froms))} AND ts <= ${time(Math.max(...tos))}
       AND ms >= ${pick(keys, froms)} AND ms <= ${pick(keys, tos)}
     ORDER BY device, ts`,
  );
  const values = kind.emptyValues.slice();
  const samples = new Map<number, DeviceSample[]>();
  while (rows.hasMore) {
    const key = rows.uint32();
    const tsMs = rows.int64();
    for (const index of indexes) values[index] = rows.float64();
    const device = byKey.get(key);
    if (device !== undefined) entryOf(samples, key, () => []).push(deviceSampleOf(device, tsMs, values));
  }
  return samples;
}

/** The ledger of a device that has taken the samples of a window. */
export async function ledgerOf(
  telemetry: Reads,
  device: AccountedDevice,
  samples: readonly DeviceSample[],
  { readFromMs, bucketFromMs }: Pick<Window, 'readFromMs' | 'bucketFromMs'>,
): Promise<DeviceLedger> {
  const written = samples.findIndex(({ tsMs }) => tsMs >= bucketFromMs);
  const before = written < 0 ? samples : samples.slice(0, written);
  const opened = () => new DeviceLedger({ ...ledgerOptions(device), keepsAll: true });
  let ledger = opened();
  for (const sample of before) ledger.add(sample);
  if (needsOlderCounters(device, ledger, readFromMs)) {
    ledger = opened();
    for (const older of await olderCounters(telemetry, device, readFromMs)) ledger.add(older);
    for (const sample of before) ledger.add(sample);
  }
  for (let at = before.length; at < samples.length; at += 1) ledger.add(samples[at] as DeviceSample);
  return ledger;
}

/** What stands in the devices' buckets now, as `deviceBucketData` writes it. */
async function writtenBuckets(
  telemetry: TelemetryHandle,
  windows: readonly { key: number; window: Window }[],
): Promise<Map<number, Map<number, Buffer>>> {
  const found = new Map<number, Map<number, Buffer>>();
  if (windows.length === 0) return found;
  const fromMs = Math.min(...windows.map(({ window }) => window.bucketFromMs));
  const toMs = Math.min(LATEST_BUCKET_MS, Math.max(...windows.map(({ window }) => window.bucketToMs)));
  const rows = await readRows(
    telemetry.client,
    `SELECT ${DEVICE_5M_READ} FROM device_5m FINAL WHERE device IN (${windows.map(({ key }) => key).join(',')})
       AND ts >= toDateTime(${Math.floor(fromMs / 1_000)}, 'UTC') AND ts <= toDateTime(${Math.floor(toMs / 1_000)}, 'UTC')`,
  );
  while (rows.hasMore) {
    const key = rows.uint32();
    const bucketMs = rows.uint32() * 1_000;
    entryOf(found, key, () => new Map<number, Buffer>()).set(bucketMs, rows.bytes(DEVICE_5M_DATA_BYTES));
  }
  return found;
}

function emptyBucket(bucketMs: number): DeviceBucket {
  return { bucketMs, energyWh: {}, powerW: {}, maxPowerW: {}, samples: 0, quality: 'measured' };
}

const LATEST_MS = Date.UTC(2200, 0, 1);
/** The type DateTime ends in 2106. */
const LATEST_BUCKET_MS = Date.UTC(2100, 0, 1);
