import type { ClickHouseClient } from '@clickhouse/client';
import type { Point } from '@sonnenwarte/device-protocol/points/points';
import { readRows } from '../ingestion/samples/row-reader.ts';
import { BESIDE_COLUMN, readSteps, standsBesideSql } from '../stores/raw-numbers.ts';
import { rawTableOf, toldOf } from '../stores/telemetry-tables.ts';
import { Turns } from '../turns.ts';
import type { DeviceFrame } from './devices.store.ts';

/** Samples of a device: their times in epoch ms, and of each point its values at these times, `null` or an empty text where there is none. */
export interface Samples {
  readonly timesMs: readonly number[];
  readonly values: readonly (readonly (number | string | null)[])[];
}

type Device = Pick<DeviceFrame, 'key' | 'kind'>;
/** `most` samples from the start on, all where it is not said. */
type Span = Readonly<{ startMs: number; endMs: number; most?: number }>;

/** Columns come from the catalogue's points, never from what a caller sent; numbers stand in the text, since parameters are a question of their own to the engine. */
const samplesSql = ({ key, kind }: Device, columns: readonly string[], { startMs, endMs, most }: Span): string =>
  `SELECT toUnixTimestamp64Milli(ts), ${columns.join(', ')} FROM ${rawTableOf(kind).name} FINAL
    WHERE device = ${key} AND ts >= fromUnixTimestamp64Milli(${startMs}) AND ts < fromUnixTimestamp64Milli(${endMs})
    ORDER BY ts ${most === undefined ? '' : `LIMIT ${most}`} SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** Samples of a device in a span. */
export async function samplesOf(
  telemetry: ClickHouseClient,
  device: Device,
  points: readonly Point[],
  span: Span,
): Promise<Samples> {
  return (await samplesInSteps(telemetry, device, points, span)) ?? toldSamples(telemetry, device, points, span);
}

/** The same without the engine's making numbers of steps, which takes it longer; undefined where rows from before there were steps are among them. */
async function samplesInSteps(
  telemetry: ClickHouseClient,
  device: Device,
  points: readonly Point[],
  span: Span,
): Promise<Samples | undefined> {
  const { numbers } = rawTableOf(device.kind);
  const asked = points.map(({ name }) => numbers.find(({ point }) => point.name === name));
  const inSteps = asked.filter((number) => number !== undefined);
  const beside = inSteps.length === 0 ? '[]' : `if(${standsBesideSql(inSteps)}, ${BESIDE_COLUMN}, [])`;
  const columns = points.map((point, at) => asked[at]?.column ?? toldOf(device.kind, point));
  const rows = await readRows(telemetry, samplesSql(device, [...columns, beside], span));
  const timesMs: number[] = [];
  const values = points.map((): (number | string | null)[] => []);
  /** Places of points whose values stand beside. */
  const odd: number[] = [];
  const turns = new Turns();
  while (rows.hasMore) {
    if (turns.isOver) await turns.giveBack();
    timesMs.push(rows.int64());
    // Rows are many, and nearly all hold whole steps alone: nothing is made for each of them.
    odd.length = 0;
    for (let at = 0; at < asked.length; at += 1) {
      const number = asked[at];
      const list = values[at] ?? [];
      if (number === undefined) {
        list.push(rows.text());
        continue;
      }
      const value = readSteps(rows, number);
      if (value === 'former') return undefined;
      if (value === 'beside') odd.push(at);
      list.push(value === 'beside' ? null : value);
    }
    for (let left = rows.varint(); left > 0; left -= 1) {
      const id = rows.uint32();
      const value = rows.float64();
      if (!Number.isFinite(value)) continue;
      for (const at of odd) if (asked[at]?.id === id) (values[at] ?? [])[timesMs.length - 1] = value;
    }
  }
  return { timesMs, values };
}

async function toldSamples(
  telemetry: ClickHouseClient,
  device: Device,
  points: readonly Point[],
  span: Span,
): Promise<Samples> {
  const columns = points.map((point) => toldOf(device.kind, point));
  const answer = await telemetry.query({
    query: `${samplesSql(device, columns, span)}, output_format_json_quote_64bit_integers = 0`,
    format: 'JSONCompactEachRow',
  });
  const rows = await answer.json<[number, ...(number | string | null)[]]>();
  return {
    timesMs: rows.map(([tsMs]) => tsMs),
    values: points.map((_, at) => rows.map((row) => row[at + 1] ?? null)),
  };
}
