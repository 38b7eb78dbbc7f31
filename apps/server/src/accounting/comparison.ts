import { BUCKET_MS, bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import {
  type DeviceBucket,
  type DeviceLedger,
  type LedgerEvent,
  RETAIN_MS,
} from '@sonnenwarte/energy/accounting/buckets';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { ONE_THREAD, readRows } from '../ingestion/samples/row-reader.ts';
import type { KindLayout } from '../ingestion/sessions/kinds.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { Turns } from '../turns.ts';
import { hasForeign, rowsOfOtherKinds, withForeign } from './other-kinds.ts';
import type { AccountedDevice, RecomputeTask, Window } from './recompute-windows.ts';
import { DEVICE_5M_DATA_BYTES, DEVICE_5M_READ, deviceBucketData } from './rollup-tables.ts';

export interface Recomputed {
  task: RecomputeTask;
  /** Times of the buckets that were given out, since they are not what stands. */
  changedMs: number[];
  /** Times of all buckets of the stretch, those included that stand already as they should. */
  reckonedMs: number[];
  events: LedgerEvent[];
  /** The ledger as it stands after the newest sample, if reading went so far. */
  ledger: DeviceLedger | undefined;
  /** First and last time that was accounted anew. */
  fromMs: number;
  toMs: number;
}

/** Takes a bucket that is to be written in place of what stands. */
export type GiveBucket = (device: AccountedDevice, bucket: DeviceBucket) => void;

/** A stretch, with the joints that it depends on, and what was made of it. */
export interface Feed {
  task: RecomputeTask;
  fromMs: number;
  toMs: number;
  window: Window;
  ledger: DeviceLedger | undefined;
}

/** What stands in the buckets of a device, as `deviceBucketData` writes it, by time. */
type Stood = Map<number, Buffer>;

/** Gives out of ledgers what differs from what is written. */
export class Comparison {
  readonly #telemetry: TelemetryHandle;
  readonly #kind: KindLayout;
  readonly #give: GiveBucket;
  #written = new Map<number, Stood>();
  readonly #results: Recomputed[] = [];
  readonly #emptied: { result: Recomputed; stood: Stood }[] = [];

  constructor(telemetry: TelemetryHandle, kind: KindLayout, give: GiveBucket) {
    this.#telemetry = telemetry;
    this.#kind = kind;
    this.#give = give;
  }

  /** Reads what is written of stretches, before they are added. */
  async read(feeds: readonly Feed[]): Promise<void> {
    this.#written = new Map();
    if (feeds.length === 0) return;
    const fromMs = Math.min(...feeds.map(({ window }) => window.bucketFromMs));
    const toMs = Math.min(LATEST_BUCKET_MS, Math.max(...feeds.map(({ window }) => window.bucketToMs)));
    const keys = feeds.map(({ task }) => task.device.key);
    const rows = await readRows(
      this.#telemetry.client,
      `SELECT ${DEVICE_5M_READ} FROM device_5m FINAL WHERE device IN (${keys.join(',')})
         AND ts >= toDateTime(${Math.floor(fromMs / 1_000)}, 'UTC') AND ts <= toDateTime(${Math.floor(toMs / 1_000)}, 'UTC') ${ONE_THREAD}`,
    );
    const turns = new Turns();
    while (rows.hasMore) {
      const key = rows.uint32();
      const bucketMs = rows.uint32() * 1_000;
      entryOf(this.#written, key, (): Stood => new Map()).set(bucketMs, rows.bytes(DEVICE_5M_DATA_BYTES));
      if (turns.isOver) await turns.giveBack();
    }
  }

  /** Takes what a ledger made of a stretch; of the ledger only what goes on is held any longer. */
  async add(feed: Feed): Promise<void> {
    const { task, window, ledger } = feed;
    if (ledger === undefined) return;
    feed.ledger = undefined;
    const { device } = task;
    const { bucketFromMs: fromMs, bucketToMs: toMs, isNewest } = window;
    const stood = this.#written.get(device.key) ?? new Map<number, Buffer>();
    this.#written.delete(device.key);
    const result: Recomputed = { task, changedMs: [], reckonedMs: [], events: [], ledger: undefined, fromMs, toMs };
    const turns = new Turns();
    for (const bucket of ledger.eachChanged()) {
      if (turns.isOver) await turns.giveBack();
      const { bucketMs } = bucket;
      if (bucketMs < fromMs || bucketMs > toMs) continue;
      result.reckonedMs.push(bucketMs);
      const old = stood.get(bucketMs);
      stood.delete(bucketMs);
      if (old?.equals(deviceBucketData(bucket)) === true) continue;
      const kept = old === undefined ? bucket : withForeign(bucket, old, device.kind);
      if (old?.equals(deviceBucketData(kept)) !== true) this.#put(result, kept);
    }
    for (const bucketMs of stood.keys()) if (bucketMs < fromMs || bucketMs > toMs) stood.delete(bucketMs);
    if (stood.size > 0) this.#emptied.push({ result, stood });
    result.events = ledger.takeEvents().filter((event) => event.tsMs >= fromMs);
    ledger.settle();
    if (isNewest) result.ledger = ledger;
    this.#results.push(result);
  }

  /** All that was added. */
  async end(): Promise<Recomputed[]> {
    await this.#takeOut();
    return this.#results;
  }

  #put(result: Recomputed, bucket: DeviceBucket): void {
    result.changedMs.push(bucket.bucketMs);
    this.#give(result.task.device, bucket);
  }

  /** What stood in a bucket before and belongs elsewhere now is taken out, but nothing that rows of another kind have written. */
  async #takeOut(): Promise<void> {
    let firstMs = Number.POSITIVE_INFINITY;
    let lastMs = Number.NEGATIVE_INFINITY;
    for (const { stood } of this.#emptied) {
      for (const bucketMs of stood.keys()) {
        firstMs = Math.min(firstMs, bucketMs);
        lastMs = Math.max(lastMs, bucketMs);
      }
    }
    if (firstMs > lastMs) return;
    const keys = this.#emptied.map(({ result }) => result.task.device.key);
    const others = await rowsOfOtherKinds(this.#telemetry, this.#kind, keys, firstMs, lastMs + BUCKET_MS);
    for (const { result, stood } of this.#emptied) {
      const { key, kind: own } = result.task.device;
      const spans = others.get(key) ?? [];
      for (const [bucketMs, old] of stood) {
        const empty = emptyBucket(bucketMs);
        if (old.equals(deviceBucketData(empty)) || hasForeign(old, own)) continue;
        if (spans.some(([fromMs, toMs]) => bucketMs >= bucketStart(fromMs) - RETAIN_MS && bucketMs <= toMs)) continue;
        this.#put(result, empty);
      }
    }
  }
}

function emptyBucket(bucketMs: number): DeviceBucket {
  return { bucketMs, energyWh: {}, powerW: {}, maxPowerW: {}, samples: 0, quality: 'measured' };
}

/** The type DateTime ends in 2106. */
const LATEST_BUCKET_MS = Date.UTC(2100, 0, 1);
