import { type DeviceKind, deviceKinds } from '@sonnenwarte/device-protocol/points/points';
import { type RawColumn, rawColumns, rawTable } from '../../stores/telemetry-tables.ts';

/** How samples of a kind lie in memory and in their raw table: numbers by index, texts by index, the rest by name. */
export interface KindLayout {
  kind: DeviceKind;
  table: string;
  /** Columns in the order in which rows are written. */
  columns: readonly string[];
  /** Names of points that are numbers; the index is that of `Sample.values`. */
  names: readonly string[];
  numberColumns: readonly string[];
  isDouble: readonly boolean[];
  /** Points that are true or false. */
  isBoolean: readonly boolean[];
  /** Byte offset of each number in the row. */
  offsets: readonly number[];
  indexOf: ReadonlyMap<string, number>;
  textNames: readonly string[];
  textColumns: readonly string[];
  textIndexOf: ReadonlyMap<string, number>;
  /** A row without values, up to the texts. */
  emptyRow: Buffer;
  /** As many NaN as there are numbers. */
  emptyValues: readonly number[];
}

export const FLAG_CLOCK = 1;
export const FLAG_HISTORICAL = 2;

const HEAD_BYTES = 4 + 8 + 8 + 1;

const layouts = new Map<DeviceKind, KindLayout>(deviceKinds.map((kind) => [kind, layoutOf(kind)]));

export function layout(kind: DeviceKind): KindLayout {
  const found = layouts.get(kind);
  if (found === undefined) throw new Error(`no layout for ${kind}`);
  return found;
}

function layoutOf(kind: DeviceKind): KindLayout {
  const all = rawColumns(kind);
  const numbers = all.filter((column) => column.type === 'Float32' || column.type === 'Float64').filter(isOfPoint);
  const texts = all.filter((column) => column.type === 'String').filter(isOfPoint);
  const offsets: number[] = [];
  let at = HEAD_BYTES;
  for (const column of numbers) {
    offsets.push(at);
    at += column.type === 'Float64' ? 8 : 4;
  }
  const emptyRow = Buffer.alloc(at);
  numbers.forEach((column, index) => {
    const offset = offsets[index] ?? 0;
    if (column.type === 'Float64') emptyRow.writeDoubleLE(Number.NaN, offset);
    else emptyRow.writeFloatLE(Number.NaN, offset);
  });
  const names = numbers.map((column) => column.point.name);
  const textNames = texts.map((column) => column.point.name);
  return {
    kind,
    table: rawTable(kind),
    columns: [
      'device',
      'ts',
      'received',
      'flags',
      ...numbers.map((column) => column.name),
      ...texts.map((column) => column.name),
      'other',
    ],
    names,
    numberColumns: numbers.map((column) => column.name),
    isDouble: numbers.map((column) => column.type === 'Float64'),
    isBoolean: numbers.map((column) => column.point.unit === 'bool'),
    offsets,
    indexOf: new Map(names.map((name, index) => [name, index])),
    textNames,
    textColumns: texts.map((column) => column.name),
    textIndexOf: new Map(textNames.map((name, index) => [name, index])),
    emptyRow,
    emptyValues: doubles(numbers.length),
  };
}

function isOfPoint(column: RawColumn): column is RawColumn & { point: NonNullable<RawColumn['point']> } {
  return column.point !== undefined;
}

/** An array that the engine keeps as plain doubles. */
function doubles(length: number): number[] {
  const values = new Array<number>(length).fill(0.5);
  values.fill(Number.NaN);
  return values;
}
