import type { ClickHouseClient } from '@clickhouse/client';
import { partsOf } from '../../in-slices.ts';
import type { DeviceEntry } from '../registry/plant-model.ts';
import type { KindLayout } from '../sessions/kinds.ts';
import { entryOf } from './entry-of.ts';
import { eachRowOf, readRows } from './row-reader.ts';
import { newSample, type Sample } from './sample.ts';

const MOST_KEYS = 1_000;

type ByDeviceAndTime = Map<DeviceEntry, Map<number, Sample>>;

/** Finds rows that are already stored, for samples that come late or twice. */
export class StoredRows {
  readonly #client: ClickHouseClient;

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  /** Sets the newest stored time of devices that had none in memory. */
  async learnNewest(devices: Iterable<DeviceEntry>): Promise<void> {
    const byTable = new Map<string, DeviceEntry[]>();
    for (const device of devices) {
      entryOf(byTable, device.layout.table, () => []).push(device);
    }
    for (const [table, list] of byTable) {
      const found = new Map<number, number>();
      await eachRowOf(
        this.#client,
        list.map((device) => device.key),
        (keys) =>
          `SELECT device, toInt64(toUnixTimestamp64Milli(max(ts))) FROM ${table} WHERE device IN (${keys}) GROUP BY device`,
        (rows) => found.set(rows.uint32(), rows.int64()),
      );
      for (const device of list) device.newestTsMs = found.get(device.key) ?? Number.NEGATIVE_INFINITY;
    }
  }

  /** The stored rows of the wanted devices and times. */
  async find(
    kind: KindLayout,
    wanted: ReadonlyMap<DeviceEntry, ReadonlyMap<number, Sample>>,
  ): Promise<ByDeviceAndTime> {
    const byKey = new Map<number, DeviceEntry>();
    for (const [device, times] of wanted) if (times.size > 0) byKey.set(device.key, device);
    const found: ByDeviceAndTime = new Map();
    if (byKey.size === 0) return found;
    const hits = await this.#hits(kind, byKey, wanted);
    for (let at = 0; at < hits.length; at += MOST_KEYS) {
      await this.#read(kind, hits.slice(at, at + MOST_KEYS), byKey, found);
    }
    return found;
  }

  /** Time of the first stored row after a time, of each device that has one. */
  async nextAfter(kind: KindLayout, afterMs: ReadonlyMap<DeviceEntry, number>): Promise<Map<DeviceEntry, number>> {
    const byKey = new Map([...afterMs.keys()].map((device) => [device.key, device]));
    const next = new Map<DeviceEntry, number>();
    for (const part of partsOf([...afterMs], MOST_KEYS)) {
      const clauses = part.map(([{ key }, tsMs]) => `(device = ${key} AND ts > ${time(tsMs)})`);
      const rows = await readRows(
        this.#client,
        `SELECT device, toInt64(toUnixTimestamp64Milli(min(ts))) FROM ${kind.table} WHERE ${clauses.join(' OR ')}
         GROUP BY device`,
      );
      while (rows.hasMore) {
        const device = byKey.get(rows.uint32());
        const tsMs = rows.int64();
        if (device !== undefined) next.set(device, tsMs);
      }
    }
    return next;
  }

  async #hits(
    kind: KindLayout,
    byKey: ReadonlyMap<number, DeviceEntry>,
    wanted: ReadonlyMap<DeviceEntry, ReadonlyMap<number, Sample>>,
  ): Promise<[key: number, tsMs: number][]> {
    let first = Number.POSITIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    for (const device of byKey.values()) {
      for (const tsMs of wanted.get(device)?.keys() ?? []) {
        if (tsMs < first) first = tsMs;
        if (tsMs > last) last = tsMs;
      }
    }
    const hits: [number, number][] = [];
    await eachRowOf(
      this.#client,
      [...byKey.keys()],
      (keys) => `SELECT DISTINCT device, toInt64(toUnixTimestamp64Milli(ts)) FROM ${kind.table}
       WHERE device IN (${keys}) AND ts >= ${time(first)} AND ts <= ${time(last)}`,
      (rows) => {
        const key = rows.uint32();
        const tsMs = rows.int64();
        const device = byKey.get(key);
        if (device !== undefined && wanted.get(device)?.has(tsMs) === true) hits.push([key, tsMs]);
      },
    );
    return hits;
  }

  async #read(
    kind: KindLayout,
    hits: readonly [number, number][],
    byKey: ReadonlyMap<number, DeviceEntry>,
    found: ByDeviceAndTime,
  ): Promise<void> {
    if (hits.length === 0) return;
    const times = hits.map(([, tsMs]) => tsMs);
    const keys = hits.map(([key, tsMs]) => `(${key},${time(tsMs)})`).join(',');
    const rows = await readRows(
      this.#client,
      `SELECT device, toInt64(toUnixTimestamp64Milli(ts)), toInt64(toUnixTimestamp64Milli(received)), flags
        ${kind.numbersSql.map((name) => `, toFloat64(${name})`).join('')}
        ${kind.textColumns.map((name) => `, toString(${name})`).join('')}, CAST(other, 'Map(String, String)')
       FROM ${kind.table} FINAL
       WHERE ts >= ${time(Math.min(...times))} AND ts <= ${time(Math.max(...times))} AND (device, ts) IN (${keys})`,
    );
    while (rows.hasMore) {
      const device = byKey.get(rows.uint32());
      const tsMs = rows.int64();
      if (device === undefined) throw new Error('a row of another device');
      const sample = newSample(device, tsMs, rows.int64(), false);
      sample.flags = rows.uint8();
      for (let index = 0; index < kind.names.length; index += 1) sample.values[index] = rows.float64();
      for (let index = 0; index < kind.textNames.length; index += 1) {
        const text = rows.text();
        if (text === '') continue;
        sample.texts ??= [];
        sample.texts[index] = text;
      }
      const pairs = rows.varint();
      for (let pair = 0; pair < 2 * pairs; pair += 1) {
        sample.other ??= [];
        sample.other.push(rows.text());
      }
      entryOf(found, device, () => new Map<number, Sample>()).set(tsMs, sample);
    }
  }
}

function time(tsMs: number): string {
  return `fromUnixTimestamp64Milli(${tsMs}, 'UTC')`;
}
