import { crc32 } from 'node:zlib';
import type { Point } from '@sonnenwarte/device-protocol/points/points';

/**
 * How numbers of points are stored: as integers of the point's smallest step, which take half of the bytes that floats take. What
 * is no multiple of it stands beside, exactly. `toldSql` makes the number of it again, bit by bit.
 */
export interface RawNumber {
  readonly point: Point;
  /** As which it is told. */
  readonly type: 'Float32' | 'Float64';
  readonly column: string;
  /** The column of floats in tables from before there were integers, until these are recoded. */
  readonly former: string;
  /** By which it is found in `beside`. */
  readonly id: number;
}

/** A raw table beyond what all of them have: numbers and texts of the catalogue's points. */
export interface RawTable {
  readonly name: string;
  readonly numbers: readonly RawNumber[];
  readonly texts: readonly { readonly name: string; readonly point: Point }[];
}

/** What integers say that are none, above the lowest of their type: the value is in the former column; there is none; it stands beside. */
export const FORMER = 0;
export const MISSING = 1;
export const BESIDE = 2;

const LOWEST_SINGLE = -(2 ** 31);
/** Its negative is above all marks. */
const LARGEST_SINGLE = 2 ** 31 - 4;
const LARGEST_SQL = { Float32: `${LARGEST_SINGLE}`, Float64: `${Number.MAX_SAFE_INTEGER}` } as const;
const LOWEST_SQL = {
  Float32: ['-2147483648', '-2147483647', '-2147483646'],
  Float64: ['-9223372036854775808', '-9223372036854775807', '-9223372036854775806'],
} as const;

export const BESIDE_COLUMN = 'beside';
export const BESIDE_TYPE = 'Array(Tuple(point UInt32, value Float64))';

export const rawNumber = (point: Point, column: string, type: RawNumber['type']): RawNumber => ({
  point,
  type,
  column: `${column}_n`,
  former: column,
  id: crc32(point.name),
});

/** A value in steps, if these give the very same number again; else undefined. */
export function stepsOf(value: number, steps: number, isDouble: boolean): number | undefined {
  // Without the sign of a nought, which an integer has not.
  const whole = Math.round(value * steps) + 0;
  if (!(Math.abs(whole) <= (isDouble ? Number.MAX_SAFE_INTEGER : LARGEST_SINGLE))) return undefined;
  const again = whole / steps;
  const isSame = isDouble ? Object.is(again, value) : Object.is(Math.fround(again), Math.fround(value));
  return isSame ? whole : undefined;
}

/** The integer that says so much above the lowest, as bytes. */
export function markBytes(type: RawNumber['type'], mark: number): Buffer {
  const bytes = Buffer.alloc(type === 'Float32' ? 4 : 8);
  bytes.writeInt32LE(LOWEST_SINGLE, bytes.length - 4);
  bytes.writeUInt32LE(bytes.readUInt32LE(0) + mark, 0);
  return bytes;
}

const markSql = (type: RawNumber['type'], mark: number): string => LOWEST_SQL[type][mark] ?? '';
const integerOf = ({ type }: RawNumber): 'Int32' | 'Int64' => (type === 'Float32' ? 'Int32' : 'Int64');

export const storedSql = (number: RawNumber): string =>
  `${number.column} ${integerOf(number)} DEFAULT ${markSql(number.type, FORMER)} CODEC(Delta, T64('bit'), ZSTD(1))`;

/**
 * The number of a row. No column of the table, since the engine looks through all such columns for whatever is asked, which takes
 * longer than the answer. Where the table has no former column, the list of its name's matches has none.
 */
export function toldSql({ point, type, column, former, id }: RawNumber): string {
  return `to${type}(multiIf(${column} > ${markSql(type, BESIDE)}, ${column} / ${point.steps},
    ${column} = ${markSql(type, BESIDE)}, ${BESIDE_COLUMN}.value[indexOf(${BESIDE_COLUMN}.point, ${id})],
    ${column} = ${markSql(type, FORMER)}, toFloat64([COLUMNS('^${former}$'), nan][1]), nan))`;
}

/** Whether one of them stands beside in a row. */
export const standsBesideSql = (numbers: readonly RawNumber[]): string =>
  numbers.map(({ column, type }) => `${column} = ${markSql(type, BESIDE)}`).join(' OR ');

/** Whether a row has the number in whole steps: `column / point.steps` is it then. */
export const isInStepsSql = ({ column, type }: RawNumber): string => `${column} > ${markSql(type, BESIDE)}`;

/** Reads integers of a binary answer, the lower half first. */
interface IntegerReader {
  int32(): number;
  uint32(): number;
}

/** The number of the integer that is read next; `null` where there is none, or where else it stands. */
export function readSteps(rows: IntegerReader, { type, point }: RawNumber): number | null | 'beside' | 'former' {
  const low = type === 'Float64' ? rows.uint32() : 0;
  const high = rows.int32();
  const mark = type === 'Float64' ? (high === LOWEST_SINGLE ? low : BESIDE + 1) : high - LOWEST_SINGLE;
  if (mark > BESIDE) return (type === 'Float64' ? high * 2 ** 32 + low : high) / point.steps;
  if (mark === MISSING) return null;
  return mark === BESIDE ? 'beside' : 'former';
}

/** Whether a row was written before there were integers. */
export const isFormerSql = ({ column, type }: RawNumber): string => `${column} = ${markSql(type, FORMER)}`;

/** Steps of the former number, 0 where they cannot be counted. */
function formerStepsSql({ point: { steps }, type, former }: RawNumber): string {
  const inSteps = `toFloat64(${former}) * ${steps}`;
  return `to${type === 'Float32' ? 'Int32' : 'Int64'}(if(isFinite(${former}) AND abs(${inSteps}) < ${LARGEST_SQL[type]}, round(${inSteps}), 0))`;
}

/** Whether the steps of the former number give the very same number again. */
function fitsSql(number: RawNumber): string {
  const bits = number.type === 'Float32' ? 'reinterpretAsUInt32' : 'reinterpretAsUInt64';
  const again = `to${number.type}(${formerStepsSql(number)} / ${number.point.steps})`;
  return `${bits}(${again}) = ${bits}(${number.former})`;
}

/** Sets the integer from the former column. */
export function recodedSql(number: RawNumber): string {
  const { column, former, type } = number;
  return `${column} = multiIf(isNaN(${former}), ${markSql(type, MISSING)}, ${fitsSql(number)}, ${formerStepsSql(number)}, ${markSql(type, BESIDE)})`;
}

/** Sets beside what of the former columns is no multiple of its step. */
export function recodedBesideSql(numbers: readonly RawNumber[]): string {
  const all = numbers.map(
    (number) =>
      `tuple(toUInt32(${number.id}), toFloat64(${number.former}), NOT isNaN(${number.former}) AND NOT (${fitsSql(number)}))`,
  );
  const kept = `arrayMap(each -> tuple(each.1, each.2), arrayFilter(each -> each.3, [${all.join(', ')}]))`;
  return `${BESIDE_COLUMN} = CAST(${kept}, '${BESIDE_TYPE}')`;
}
