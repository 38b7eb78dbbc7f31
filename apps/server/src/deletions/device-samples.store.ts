import type { ClickHouseClient } from '@clickhouse/client';
import type { DeviceKind } from '@sonnenwarte/device-protocol/points/points';
import { rawTable } from '../stores/telemetry-tables.ts';

/** What is stored under the key of a device. Times: milliseconds since 1970. */
export interface Stored {
  readonly samples: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** When the last of them was received. */
  readonly receivedMs: number;
}

/** Samples under a key, undefined where there is none. */
export async function storedSamples(
  telemetry: ClickHouseClient,
  kind: DeviceKind,
  key: number,
): Promise<Stored | undefined> {
  const answer = await telemetry.query({
    query: `SELECT toUInt32(count()) AS samples, toFloat64(toUnixTimestamp64Milli(min(ts))) AS firstMs,
        toFloat64(toUnixTimestamp64Milli(max(ts))) AS lastMs, toFloat64(toUnixTimestamp64Milli(max(received))) AS receivedMs
      FROM (SELECT ts, received FROM ${rawTable(kind)} FINAL WHERE device = {key:UInt32})`,
    query_params: { key },
    format: 'JSONEachRow',
  });
  const [row] = await answer.json<Stored>();
  return row === undefined || row.samples === 0 ? undefined : row;
}

/** Puts copies of the samples under a key under another one; where both have one of the same time, the one received last counts. */
export async function copySamples(
  telemetry: ClickHouseClient,
  kind: DeviceKind,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const table = rawTable(kind);
  await telemetry.command({
    query: `INSERT INTO ${table} SELECT * REPLACE (toUInt32({to:UInt32}) AS device)
      FROM (SELECT * FROM ${table} FINAL WHERE device = {from:UInt32})`,
    query_params: { from, to },
  });
}
