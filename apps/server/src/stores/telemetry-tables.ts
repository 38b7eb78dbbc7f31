import type { ClickHouseClient } from '@clickhouse/client';
import {
  columnOf,
  type DeviceKind,
  deviceKinds,
  type Point,
  pointsOf,
} from '@sonnenwarte/device-protocol/points/points';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import {
  BESIDE_COLUMN,
  BESIDE_TYPE,
  type RawNumber,
  type RawTable,
  rawNumber,
  storedSql,
  toldSql,
} from './raw-numbers.ts';

const EXACT_IN_FLOAT32 = new Set<number>([
  DataType.Int8,
  DataType.Int16,
  DataType.UInt8,
  DataType.UInt16,
  DataType.Float,
  DataType.Boolean,
]);

const tables: ReadonlyMap<DeviceKind, RawTable> = new Map(
  deviceKinds.map((kind) => [
    kind,
    {
      name: rawTable(kind),
      numbers: pointsOf[kind]
        .filter((point) => !isText(point))
        .map((point) => rawNumber(point, columnOf(point.name), typeOf(point))),
      texts: pointsOf[kind].filter(isText).map((point) => ({ name: columnOf(point.name), point })),
    },
  ]),
);

export function rawTable(kind: DeviceKind): string {
  return `raw_${kind}`;
}

export function rawTableOf(kind: DeviceKind): RawTable {
  const found = tables.get(kind);
  if (found === undefined) throw new Error(`no table for ${kind}`);
  return found;
}

/** What tells the value of a point in the raw table of its kind. */
export function toldOf(kind: DeviceKind, { name }: Pick<Point, 'name'>): string {
  const number = rawTableOf(kind).numbers.find(({ point }) => point.name === name);
  return number === undefined ? columnOf(name) : toldSql(number);
}

/** Those of all kinds. */
export const rawTables = (): RawTable[] => [...tables.values()];

/** Name and declaration of each column. */
function columnsOf({ numbers, texts }: RawTable): ReadonlyMap<string, string> {
  return new Map([
    ['device', 'device UInt32'],
    ['ts', "ts DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1))"],
    ['received', "received DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1))"],
    ...numbers.map((number) => [number.column, storedSql(number)] as const),
    ...texts.map(({ name }) => [name, `${name} LowCardinality(String)`] as const),
    ['other', 'other Map(LowCardinality(String), String)'],
    [BESIDE_COLUMN, `${BESIDE_COLUMN} ${BESIDE_TYPE} CODEC(ZSTD(1))`],
    ['flags', 'flags UInt8'],
  ]);
}

export function rawTableSql(kind: DeviceKind): string {
  const table = rawTableOf(kind);
  return [
    `CREATE TABLE IF NOT EXISTS ${table.name} (`,
    [...columnsOf(table).values()].map((column) => `  ${column}`).join(',\n'),
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
    const table = rawTableOf(kind);
    const names = found.get(table.name);
    if (names === undefined) {
      await client.command({ query: rawTableSql(kind) });
      continue;
    }
    const missing = [...columnsOf(table)].filter(([name]) => !names.has(name));
    if (missing.length === 0) continue;
    const additions = missing.map(([, column]) => `ADD COLUMN IF NOT EXISTS ${column}`);
    await client.command({ query: `ALTER TABLE ${table.name} ${additions.join(', ')}` });
  }
}

function isText(point: Point): boolean {
  return point.unit === 'text' || point.datatype === DataType.String;
}

function typeOf(point: Point): RawNumber['type'] {
  if (point.accumulates !== false) return 'Float64';
  if (EXACT_IN_FLOAT32.has(point.datatype)) return 'Float32';
  return Math.max(Math.abs(point.low ?? Infinity), Math.abs(point.high ?? Infinity)) <= 2 ** 24 ? 'Float32' : 'Float64';
}
