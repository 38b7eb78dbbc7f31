import { type DeviceKind, deviceKinds } from '@sonnenwarte/device-protocol/points/points';
import { BESIDE_COLUMN, MISSING, markBytes, toldSql } from '../../stores/raw-numbers.ts';
import { rawTableOf } from '../../stores/telemetry-tables.ts';

/** How samples of a kind lie in memory and in their raw table: numbers by index, texts by index, the rest by name. */
export interface KindLayout {
  kind: DeviceKind;
  table: string;
  /** Columns in the order in which rows are written. */
  columns: readonly string[];
  /** Names of points that are numbers; the index is that of `Sample.values`. */
  names: readonly string[];
  /** What tells the numbers of a row. */
  numbersSql: readonly string[];
  isDouble: readonly boolean[];
  /** Integers to one of the unit. */
  steps: readonly number[];
  /** By which a number is found in `beside`. */
  besideIds: readonly number[];
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
  const { name: table, numbers, texts } = rawTableOf(kind);
  const offsets: number[] = [];
  const parts: Buffer[] = [Buffer.alloc(HEAD_BYTES)];
  let at = HEAD_BYTES;
  for (const { type } of numbers) {
    const missing = markBytes(type, MISSING);
    offsets.push(at);
    parts.push(missing);
    at += missing.length;
  }
  const names = numbers.map(({ point }) => point.name);
  const textNames = texts.map(({ point }) => point.name);
  return {
    kind,
    table,
    columns: [
      'device',
      'ts',
      'received',
      'flags',
      ...numbers.map(({ column }) => column),
      ...texts.map(({ name }) => name),
      'other',
      BESIDE_COLUMN,
    ],
    names,
    numbersSql: numbers.map(toldSql),
    isDouble: numbers.map(({ type }) => type === 'Float64'),
    steps: numbers.map(({ point }) => point.steps),
    besideIds: numbers.map(({ id }) => id),
    isBoolean: numbers.map(({ point }) => point.unit === 'bool'),
    offsets,
    indexOf: new Map(names.map((name, index) => [name, index])),
    textNames,
    textColumns: texts.map(({ name }) => name),
    textIndexOf: new Map(textNames.map((name, index) => [name, index])),
    emptyRow: Buffer.concat(parts),
    emptyValues: doubles(numbers.length),
  };
}

/** An array that the engine keeps as plain doubles. */
function doubles(length: number): number[] {
  const values = new Array<number>(length).fill(0.5);
  values.fill(Number.NaN);
  return values;
}
