import { BUCKET_MS, bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { RETAIN_MS } from '@sonnenwarte/energy/accounting/buckets';
import { counterChannels, counterFields, type DeviceKind } from '@sonnenwarte/energy/accounting/device-sample';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { readRows } from '../ingestion/samples/row-reader.ts';
import type { KindLayout } from '../ingestion/sessions/kinds.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';

export type AccountedDevice = DeviceEntry & { kind: DeviceKind };

/** Who only reads of the store. */
export type Reads = Pick<TelemetryHandle, 'client'>;

/**
 * Samples of a device between these times, both included, have come late. `toNewest`: read on to the newest sample; `isOpen`:
 * more of them are to come after `toMs`, so that what lies behind it is left as it is. From `keptFromMs` on the running
 * ledger holds the buckets: a stretch that reaches there is read on to the newest sample as well.
 */
export interface RecomputeTask {
  device: AccountedDevice;
  fromMs: number;
  toMs: number;
  toNewest: boolean;
  isOpen: boolean;
  keptFromMs: number;
}

/** Before the first row that counts this much is read, for counters that stand still between readings. */
export const WARM_UP_MS = 30 * 60_000;

/** What is read and written of a device. */
export interface Window {
  /** First and last row to read. */
  readFromMs: number;
  readToMs: number;
  /** First and last bucket to write. */
  bucketFromMs: number;
  bucketToMs: number;
  isNewest: boolean;
}

/** The windows of stretches, by the key of their devices: from the row before each to that after it that decides of its counters. */
export async function windowsOf(
  telemetry: Reads,
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
  const closed = tasks.filter((task) => !task.isOpen && !task.toNewest);
  const counted = await readNextCounters(
    telemetry,
    kind,
    closed,
    closed.map((task) => task.toMs),
  );
  // A reading that is held back is decided by the one after it.
  const decided = await readNextCounters(
    telemetry,
    kind,
    closed,
    closed.map((task) => counted.get(task.device.key) || task.toMs),
  );
  // A row without counters still bounds how far back the next reading spreads its energy, and that reading may be far.
  const starts = tasks.map((task) => bucketStart(around.get(task.device.key)?.beforeMs || task.fromMs) - RETAIN_MS);
  const ends = tasks.map((task) => {
    const { key } = task.device;
    const lastMs = Math.max(around.get(key)?.afterMs ?? 0, counted.get(key) ?? 0, decided.get(key) ?? 0, task.toMs);
    return bucketStart(lastMs) + RETAIN_MS + BUCKET_MS - 1;
  });
  const beyond = await readAround(telemetry, kind, keys, starts, ends);
  const countedBeyond = await readNextCounters(
    telemetry,
    kind,
    closed,
    closed.map((task) => ends[tasks.indexOf(task)] ?? 0),
  );
  const windows = new Map<number, Window>();
  tasks.forEach((task, index) => {
    const { key } = task.device;
    const outer = beyond.get(key);
    const readFromMs = outer?.beforeMs ? outer.beforeMs - WARM_UP_MS : (starts[index] ?? 0);
    const bucketFromMs = starts[index] ?? 0;
    if (task.isOpen) {
      const bucketToMs = bucketStart(task.toMs) - 1;
      windows.set(key, { readFromMs, readToMs: task.toMs, bucketFromMs, bucketToMs, isNewest: false });
      return;
    }
    const isNewest = task.toNewest || !outer?.afterMs || (ends[index] ?? 0) >= task.keptFromMs;
    windows.set(key, {
      readFromMs,
      readToMs: isNewest ? Number.MAX_SAFE_INTEGER : Math.max(outer?.afterMs ?? 0, countedBeyond.get(key) ?? 0),
      bucketFromMs,
      bucketToMs: isNewest ? Number.MAX_SAFE_INTEGER : (ends[index] ?? 0),
      isNewest,
    });
  });
  return windows;
}

/** Rows around and after a stretch are looked for so near first: of a long history few parts are opened. */
const NEAR_MS = 2 * 86_400_000;

interface Around {
  beforeMs: number;
  afterMs: number;
}

/** Time of the last row before and of the first row after a stretch of each device; 0 where there is none. */
async function readAround(
  telemetry: Reads,
  kind: KindLayout,
  keys: readonly number[],
  fromMs: readonly number[],
  toMs: readonly number[],
): Promise<Map<number, Around>> {
  const found = new Map<number, Around>(keys.map((key) => [key, { beforeMs: 0, afterMs: 0 }]));
  const look = async (asked: readonly number[], where: string): Promise<void> => {
    if (asked.length === 0) return;
    const rows = await readRows(
      telemetry.client,
      `SELECT device, maxIf(ms, ms < ${pick(keys, fromMs)}), minIf(ms, ms > ${pick(keys, toMs)})
       FROM (SELECT device, toInt64(toUnixTimestamp64Milli(ts)) AS ms FROM ${kind.table}
             WHERE device IN (${asked.join(',')}) AND ${where})
       GROUP BY device`,
    );
    while (rows.hasMore) {
      const around = found.get(rows.uint32());
      const [beforeMs, afterMs] = [rows.int64(), rows.int64()];
      if (around === undefined) continue;
      around.beforeMs ||= beforeMs;
      around.afterMs ||= afterMs;
    }
  };
  const firstMs = Math.min(...fromMs) - NEAR_MS;
  const lastMs = Math.max(...toMs) + NEAR_MS;
  await look(keys, `ts >= ${time(firstMs)} AND ts <= ${time(lastMs)}`);
  const lacking = (which: keyof Around) => keys.filter((key) => found.get(key)?.[which] === 0);
  await look(lacking('beforeMs'), `ts < ${time(firstMs)}`);
  await look(lacking('afterMs'), `ts > ${time(lastMs)}`);
  return found;
}

/**
 * Time of the row by which each counter of a device that is read again after a time has been read; 0 = none is. A counter whose
 * first reading ever comes later says nothing of the time before it, and is not waited for.
 */
export async function readNextCounters(
  telemetry: Reads,
  kind: KindLayout,
  tasks: readonly RecomputeTask[],
  afterMs: readonly number[],
): Promise<Map<number, number>> {
  const [first] = tasks;
  if (first === undefined) return new Map();
  const { kind: deviceKind } = first.device;
  const channels = counterChannels(deviceKind);
  const counters = counterFields(deviceKind).flatMap((name, place) => {
    const told = kind.numbersSql[kind.indexOf.get(name) ?? -1];
    return told === undefined ? [] : [{ told, channel: channels[place] }];
  });
  if (counters.length === 0) return new Map();
  const keys = tasks.map(({ device }) => device.key);
  const awaited = new Map(
    tasks.map(({ device }, at) => [
      device.key,
      counters.map(({ channel }) => {
        const firstMs = channel === undefined ? 0 : (device.firstReadMs[channel] ?? Number.POSITIVE_INFINITY);
        return { nextMs: 0, isAwaited: firstMs <= (afterMs[at] ?? 0) };
      }),
    ]),
  );
  const columns = counters.map(({ told }, place) => `${told} AS counter${place}`);
  const results = counters.flatMap((_, place) => [
    `minIf(ms, isAfter AND NOT isNaN(counter${place}))`,
    `toUInt8(countIf(NOT isAfter AND NOT isNaN(counter${place})) > 0)`,
  ]);
  const look = async (asked: readonly number[], where: string): Promise<void> => {
    if (asked.length === 0) return;
    const rows = await readRows(
      telemetry.client,
      `SELECT device, ${results.join(', ')}
       FROM (SELECT device, toInt64(toUnixTimestamp64Milli(ts)) AS ms, ms > ${pick(keys, afterMs)} AS isAfter, ${columns.join(', ')}
             FROM ${kind.table} WHERE device IN (${asked.join(',')}) AND ${where})
       GROUP BY device`,
    );
    while (rows.hasMore) {
      const own = awaited.get(rows.uint32());
      for (let place = 0; place < counters.length; place += 1) {
        const nextMs = rows.int64();
        const wasRead = rows.uint8() === 1;
        const counter = own?.[place];
        if (counter === undefined) continue;
        counter.nextMs ||= nextMs;
        counter.isAwaited ||= wasRead;
      }
    }
  };
  const nearMs = Math.max(...afterMs) + NEAR_MS;
  await look(keys, `ts > ${time(Math.min(...afterMs) - NEAR_MS)} AND ts <= ${time(nearMs)}`);
  const lacking = keys.filter((key) => awaited.get(key)?.some(({ nextMs, isAwaited }) => isAwaited && nextMs === 0));
  await look(lacking, `ts > ${time(nearMs)}`);
  const lastOf = (own: readonly { nextMs: number; isAwaited: boolean }[]) =>
    Math.max(...own.map(({ nextMs, isAwaited }) => (isAwaited ? nextMs : 0)));
  return new Map([...awaited].map(([key, own]) => [key, lastOf(own)]));
}

/** The value of the row's device, as SQL. */
export function pick(keys: readonly number[], values: readonly number[]): string {
  if (keys.length === 1) return `toInt64(${values[0]})`;
  return `transform(device, [${keys.map((key) => `toUInt32(${key})`).join(',')}], [${values.map((value) => `toInt64(${value})`).join(',')}], toInt64(0))`;
}

export function time(tsMs: number): string {
  return `fromUnixTimestamp64Milli(${tsMs}, 'UTC')`;
}
