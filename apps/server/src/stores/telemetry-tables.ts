import type { ClickHouseClient } from '@clickhouse/client';
import {
  columnOf,
  type DeviceKind,
  deviceKinds,
  type Point,
  pointsOf,
} from '@sonnenwarte/device-protocol/points/points';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';

/** How a column of a raw table is stored, and so how RowBinary writes it. */
export type RawColumnType = 'UInt32' | 'DateTime64' | 'Float32' | 'Float64' | 'String' | 'Map' | 'UInt8';

export interface RawColumn {
  name: string;
  type: RawColumnType;
  /** The point whose value the column holds. */
  point?: Point;
}

const EXACT_IN_FLOAT32 = new Set<number>([
  DataType.Int8,
  DataType.Int16,
  DataType.UInt8,
  DataType.UInt16,
  DataType.Float,
  DataType.Boolean,
]);

const columns: ReadonlyMap<DeviceKind, readonly RawColumn[]> = new Map(
  deviceKinds.map((kind) => [
    kind,
    [
      { name: 'device', type: 'UInt32' },
      { name: 'ts', type: 'DateTime64' },
      { name: 'received', type: 'DateTime64' },
      ...pointsOf[kind].map((point): RawColumn => ({ name: columnOf(point.name), type: typeOf(point), point })),
      { name: 'other', type: 'Map' },
      { name: 'flags', type: 'UInt8' },
    ],
  ]),
);

export function rawTable(kind: DeviceKind): string {
  return `raw_${kind}`;
}

/** The columns in the order in which rows are written: device, ts, received, one per point, other, flags. */
export function rawColumns(kind: DeviceKind): readonly RawColumn[] {
  return columns.get(kind) ?? [];
}

export function rawTableSql(kind: DeviceKind): string {
  const lines = rawColumns(kind).map((column) => `  ${columnSql(column)}`);
  return [
    `CREATE TABLE IF NOT EXISTS ${rawTable(kind)} (`,
    lines.join(',\n'),
    ') ENGINE = ReplacingMergeTree(received) PARTITION BY toYYYYMMDD(ts) ORDER BY (device, ts)',
  ].join('\n');
}

/** Makes the raw tables of all kinds, and adds the columns of points that the catalogue has gained. */
export async function ensureRawTables(client: ClickHouseClient): Promise<void> {
  const answer = await client.query({
    query: "SELECT table, name FROM system.columns WHERE database = currentDatabase() AND startsWith(table, 'raw_')",
    format: 'JSONEachRow',
  });
  const found = new Map<string, Set<string>>();
  for (const { table, name } of await answer.json<{ table: string; name: string }>()) {
    const names = found.get(table) ?? new Set<string>();
    found.set(table, names.add(name));
  }
  for (const kind of deviceKinds) {
    const names = found.get(rawTable(kind));
    if (names === undefined) {
      await client.command({ query: rawTableSql(kind) });
      continue;
    }
    const missing = rawColumns(kind).filter((column) => !names.has(column.name));
    if (missing.length === 0) continue;
    const additions = missing.map((column) => `ADD COLUMN IF NOT EXISTS ${columnSql(column)}`);
    await client.command({ query: `ALTER TABLE ${rawTable(kind)} ${additions.join(', ')}` });
  }
}

function typeOf(point: Point): RawColumnType {
  if (point.unit === 'text' || point.datatype === DataType.String) return 'String';
  if (point.accumulates !== false) return 'Float64';
  if (EXACT_IN_FLOAT32.has(point.datatype)) return 'Float32';
  return Math.max(Math.abs(point.low ?? Infinity), Math.abs(point.high ?? Infinity)) <= 2 ** 24 ? 'Float32' : 'Float64';
}

function columnSql(column: RawColumn): string {
  switch (column.type) {
    case 'DateTime64':
      return `${column.name} DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1))`;
    case 'Float32':
      return `${column.name} Float32 DEFAULT nan CODEC(Delta(4), ZSTD(1))`;
    case 'Float64':
      return `${column.name} Float64 DEFAULT nan CODEC(Delta(8), ZSTD(1))`;
    case 'String':
      return `${column.name} LowCardinality(String)`;
    case 'Map':
      return `${column.name} Map(LowCardinality(String), String)`;
    default:
      return `${column.name} ${column.type}`;
  }
}
