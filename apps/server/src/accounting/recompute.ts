import type { DeviceBucket, LedgerEvent } from '@sonnenwarte/energy/buckets';
import { BUCKET_MS, bucketStart, DeviceLedger, type LedgerOptions } from '@sonnenwarte/energy/buckets';
import { LATCH_MS } from '@sonnenwarte/energy/counters';
import { type DeviceKind, sampleFields } from '@sonnenwarte/energy/device-sample';
import { entryOf } from '../ingestion/entry-of.ts';
import type { KindLayout } from '../ingestion/kinds.ts';
import type { DeviceEntry } from '../ingestion/plant-model.ts';
import { readRows } from '../ingestion/row-reader.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { deviceSampleOf } from './site-devices.ts';

export type AccountedDevice = DeviceEntry & { kind: DeviceKind };

/** Samples of a device between these times, both included, have come late. `toNewest`: read on to the newest sample. */
export interface RecomputeTask {
  device: AccountedDevice;
  fromMs: number;
  toMs: number;
  toNewest: boolean;
}

export interface Recomputed {
  task: RecomputeTask;
  buckets: DeviceBucket[];
  events: LedgerEvent[];
  /** The ledger as it stands after the newest sample, if reading went so far. */
  ledger: DeviceLedger | undefined;
}

/** Before the first row that counts this much is read, for counters that stand still between readings. */
const WARM_UP_MS = 30 * 60_000;

interface Window {
  /** First and last row to read. */
  readFromMs: number;
  readToMs: number;
  /** First and last bucket to write. */
  bucketFromMs: number;
  bucketToMs: number;
  isNewest: boolean;
}

export function ledgerOptions(device: DeviceEntry): LedgerOptions {
  const { ratedPowerW } = device.properties;
  return device.kind === 'inverter' && ratedPowerW !== undefined ? { maxPowerW: 3 * ratedPowerW } : {};
}

/**
 * Accounts stretches of several devices of one kind anew from their raw rows: all buckets between the row before the stretch
 * and the row after it, since the energy between two rows belongs to the buckets between them.
 */
export async function recompute(telemetry: TelemetryHandle, tasks: readonly RecomputeTask[]): Promise<Recomputed[]> {
  const kind = tasks[0]?.device.layout;
  if (kind === undefined) return [];
  const windows = await windowsOf(telemetry, kind, tasks);
  const results: Recomputed[] = [];
  const byKey = new Map<number, { window: Window; result: Recomputed; ledger: DeviceLedger }>();
  for (const task of tasks) {
    const window = windows.get(task.device.key);
    if (window === undefined) continue;
    const result: Recomputed = { task, buckets: [], events: [], ledger: undefined };
    results.push(result);
    byKey.set(task.device.key, { window, result, ledger: new DeviceLedger(ledgerOptions(task.device)) });
  }
  await feed(telemetry, kind, byKey);
  const written = await writtenBuckets(
    telemetry,
    [...byKey.values()].map(({ result, window }) => ({ key: result.task.device.key, window })),
  );
  for (const { window, result, ledger } of byKey.values()) {
    for (const bucket of ledger.takeChanged()) {
      if (bucket.bucketMs < window.bucketFromMs || bucket.bucketMs > window.bucketToMs) continue;
      result.buckets.push(bucket);
      written.get(result.task.device.key)?.delete(bucket.bucketMs);
    }
    // What stood in a bucket before and belongs elsewhere now is taken out.
    for (const bucketMs of written.get(result.task.device.key) ?? []) {
      if (bucketMs >= window.bucketFromMs && bucketMs <= window.bucketToMs) result.buckets.push(emptyBucket(bucketMs));
    }
    result.events = ledger.takeEvents().filter((event) => event.tsMs >= window.bucketFromMs);
    if (window.isNewest) result.ledger = ledger;
  }
  return results;
}

async function windowsOf(
  telemetry: TelemetryHandle,
  kind: KindLayout,
  tasks: readonly RecomputeTask[],
): Promise<Map<number, Window>> {
  const keys = tasks.map(({ device }) => device.key);
  const around = await readAround(
    telemetry,
    kind,
    keys,
    tasks.map((task) => task.fromMs),
    tasks.map((task) => task.toMs),
  );
  const starts = tasks.map((task) => bucketStart((around.get(task.device.key)?.beforeMs || task.fromMs) - LATCH_MS));
  const ends = tasks.map(
    (task) => bucketStart((around.get(task.device.key)?.afterMs || task.toMs) + LATCH_MS) + BUCKET_MS - 1,
  );
  const beyond = await readAround(telemetry, kind, keys, starts, ends);
  const windows = new Map<number, Window>();
  tasks.forEach((task, index) => {
    const { key } = task.device;
    const outer = beyond.get(key);
    const isNewest = task.toNewest || !outer?.afterMs;
    windows.set(key, {
      readFromMs: outer?.beforeMs ? outer.beforeMs - WARM_UP_MS : (starts[index] ?? 0),
      readToMs: isNewest ? Number.MAX_SAFE_INTEGER : (outer?.afterMs ?? 0),
      bucketFromMs: starts[index] ?? 0,
      bucketToMs: isNewest ? Number.MAX_SAFE_INTEGER : (ends[index] ?? 0),
      isNewest,
    });
  });
  return windows;
}

/** Time of the last row before and of the first row after a stretch of each device; 0 where there is none. */
async function readAround(
  telemetry: TelemetryHandle,
  kind: KindLayout,
  keys: readonly number[],
  fromMs: readonly number[],
  toMs: readonly number[],
): Promise<Map<number, { beforeMs: number; afterMs: number }>> {
  const rows = await readRows(
    telemetry.client,
    `SELECT device, maxIf(ms, ms < ${pick(keys, fromMs)}), minIf(ms, ms > ${pick(keys, toMs)})
     FROM (SELECT device, toInt64(toUnixTimestamp64Milli(ts)) AS ms FROM ${kind.table} WHERE device IN (${keys.join(',')}))
     GROUP BY device`,
  );
  const found = new Map<number, { beforeMs: number; afterMs: number }>();
  while (rows.hasMore) found.set(rows.uint32(), { beforeMs: rows.int64(), afterMs: rows.int64() });
  return found;
}

async function feed(
  telemetry: TelemetryHandle,
  kind: KindLayout,
  byKey: ReadonlyMap<number, { window: Window; result: Recomputed; ledger: DeviceLedger }>,
): Promise<void> {
  const keys = [...byKey.keys()];
  const froms = [...byKey.values()].map(({ window }) => window.readFromMs);
  const tos = [...byKey.values()].map(({ window }) => Math.min(window.readToMs, LATEST_MS));
  const fields = sampleFields(byKey.values().next().value?.result.task.device.kind ?? 'inverter');
  const indexes = fields.flatMap((name) => kind.indexOf.get(name) ?? []);
  const columns = indexes.map((index) => `, toFloat64(${kind.numberColumns[index]})`).join('');
  const rows = await readRows(
    telemetry.client,
    `SELECT device, toInt64(toUnixTimestamp64Milli(ts)) AS ms${columns} FROM ${kind.table} FINAL
     WHERE device IN (${keys.join(',')}) AND ts >= ${time(Math.min(...froms))} AND ts <= ${time(Math.max(...tos))}
       AND ms >= ${pick(keys, froms)} AND ms <= ${pick(keys, tos)}
     ORDER BY device, ts`,
  );
  const values = kind.emptyValues.slice();
  while (rows.hasMore) {
    const entry = byKey.get(rows.uint32());
    const tsMs = rows.int64();
    for (const index of indexes) values[index] = rows.float64();
    if (entry !== undefined) entry.ledger.add(deviceSampleOf(entry.result.task.device, tsMs, values));
  }
}

/** Buckets in which the devices have a row now. */
async function writtenBuckets(
  telemetry: TelemetryHandle,
  windows: readonly { key: number; window: Window }[],
): Promise<Map<number, Set<number>>> {
  const found = new Map<number, Set<number>>();
  if (windows.length === 0) return found;
  const fromMs = Math.min(...windows.map(({ window }) => window.bucketFromMs));
  const toMs = Math.min(LATEST_MS, Math.max(...windows.map(({ window }) => window.bucketToMs)));
  const rows = await readRows(
    telemetry.client,
    `SELECT DISTINCT device, toUInt32(ts) FROM device_5m WHERE device IN (${windows.map(({ key }) => key).join(',')})
       AND ts >= toDateTime(${Math.floor(fromMs / 1_000)}, 'UTC') AND ts <= toDateTime(${Math.floor(Math.min(toMs, LATEST_BUCKET_MS) / 1_000)}, 'UTC')`,
  );
  while (rows.hasMore) {
    const key = rows.uint32();
    entryOf(found, key, () => new Set<number>()).add(rows.uint32() * 1_000);
  }
  return found;
}

function emptyBucket(bucketMs: number): DeviceBucket {
  return { bucketMs, energyWh: {}, powerW: {}, maxPowerW: {}, samples: 0, quality: 'measured' };
}

const LATEST_MS = Date.UTC(2200, 0, 1);
/** The type DateTime ends in 2106. */
const LATEST_BUCKET_MS = Date.UTC(2100, 0, 1);

function pick(keys: readonly number[], values: readonly number[]): string {
  if (keys.length === 1) return `toInt64(${values[0]})`;
  return `transform(device, [${keys.map((key) => `toUInt32(${key})`).join(',')}], [${values.map((value) => `toInt64(${value})`).join(',')}], toInt64(0))`;
}

function time(tsMs: number): string {
  return `fromUnixTimestamp64Milli(${tsMs}, 'UTC')`;
}
