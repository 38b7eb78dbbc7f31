import type { SettingValue as SettingMetric } from '../sparkplug/commands.ts';
import { DataType } from '../sparkplug/datatypes.ts';
import type { DataSet, MetricValue } from '../sparkplug/sparkplug-payload.ts';
import { settingByName } from './points.ts';

/** The value of a setting without its datatype: a number, a switch, a text, or rows of a table by their columns. */
export type PlainSetting = number | boolean | string | Record<string, number>[];

const LONGEST_TEXT = 128;
const COLUMN = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;
const MOST_ROWS = 64;
const MOST_COLUMNS = 32;
/** Digits that a 32-bit float tells for certain. */
const FLOAT_DIGITS = 7;
/** Of what 32-bit floats round: a share of the value. */
const FLOAT_SHARE = 1e-6;
/** Digits behind the point to which columns of tables that are no whole numbers are told. */
const COLUMN_DECIMALS = 2;

/**
 * The plain value of a metric; a float is taken as the decimal number that it stands for. Undefined for what is no setting: bytes, arrays, numbers that
 * are none, tables that are too large or hold something else than numbers.
 */
export function plainSetting(value: MetricValue | null, datatype: number | undefined): PlainSetting | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return plainNumber(value, datatype);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string')
    return value.length > LONGEST_TEXT ? undefined : value.replaceAll('\0', '').toWellFormed();
  return value !== null && isTable(value) ? plainTable(value) : undefined;
}

/** The metric that writes a setting. `datatype` is that which its birth declared; without one the catalogue's, or what fits the value. */
export function settingMetric(name: string, value: PlainSetting, datatype?: number): SettingMetric {
  const setting = settingByName(name);
  const type = datatype ?? setting?.datatype ?? datatypeFor(value);
  if (!Array.isArray(value)) return { name, datatype: type, value: asDatatype(value, type) };
  const columns = setting?.columns?.map((column) => column.name) ?? Object.keys(value[0] ?? {});
  const types = columns.map(
    (column) => setting?.columns?.find((each) => each.name === column)?.datatype ?? DataType.Double,
  );
  const rows = value.map((row) => columns.map((column) => row[column] ?? 0));
  return { name, datatype: DataType.DataSet, value: { columns, types, rows } };
}

/**
 * Whether a device that says `told` has taken `wanted`: numbers within half of the smallest step that was asked for, tables row by row, 0 and 1 for
 * switches.
 */
export function isSameSetting(name: string, wanted: PlainSetting, told: PlainSetting | undefined): boolean {
  if (told === undefined) return false;
  if (Array.isArray(wanted)) return Array.isArray(told) && isSameTable(name, wanted, told);
  if (typeof wanted === 'boolean') return told === wanted || told === Number(wanted);
  if (typeof wanted !== 'number') return told === wanted;
  const number = typeof told === 'boolean' ? Number(told) : told;
  if (typeof number !== 'number') return false;
  return isWithin(wanted, number, decimalsOf(wanted, settingByName(name)?.decimals ?? 0));
}

function isSameTable(name: string, wanted: readonly Record<string, number>[], told: readonly Record<string, number>[]) {
  if (wanted.length !== told.length) return false;
  const columns = settingByName(name)?.columns;
  return wanted.every((row, place) =>
    Object.entries(row).every(([column, cell]) => {
      const there = told[place]?.[column];
      if (there === undefined) return false;
      const datatype = columns?.find((each) => each.name === column)?.datatype;
      const isWhole = datatype !== undefined && datatype !== DataType.Float && datatype !== DataType.Double;
      return isWithin(cell, there, isWhole ? decimalsOf(cell, 0) : decimalsOf(cell, COLUMN_DECIMALS));
    }),
  );
}

function isWithin(wanted: number, told: number, decimals: number): boolean {
  return Math.abs(wanted - told) <= Math.max(0.5 * 10 ** -decimals, Math.abs(wanted) * FLOAT_SHARE);
}

/** Decimals to which a value was asked for, at least `least`. */
function decimalsOf(value: number, least: number): number {
  for (let decimals = least; decimals < FLOAT_DIGITS; decimals += 1) {
    if (Math.abs(Number(value.toFixed(decimals)) - value) <= Math.abs(value) * 1e-12) return decimals;
  }
  return FLOAT_DIGITS;
}

function plainNumber(value: number | bigint, datatype: number | undefined): number | undefined {
  const number = Number(value);
  if (!Number.isFinite(number)) return undefined;
  return datatype === DataType.Float ? Number(number.toPrecision(FLOAT_DIGITS)) : number;
}

function plainTable({ columns, types, rows }: DataSet): Record<string, number>[] | undefined {
  if (rows.length > MOST_ROWS || columns.length > MOST_COLUMNS) return undefined;
  if (!columns.every((column) => COLUMN.test(column))) return undefined;
  const plain: Record<string, number>[] = [];
  for (const row of rows) {
    const cells: Record<string, number> = {};
    for (const [place, column] of columns.entries()) {
      const cell = row[place];
      const number =
        cell === null || cell === undefined || typeof cell === 'string'
          ? Number.NaN
          : plainNumber(numeric(cell), types[place]);
      if (number === undefined || Number.isNaN(number)) return undefined;
      cells[column] = number;
    }
    plain.push(cells);
  }
  return plain;
}

function numeric(cell: number | bigint | boolean): number | bigint {
  return typeof cell === 'boolean' ? Number(cell) : cell;
}

function datatypeFor(value: PlainSetting): number {
  if (typeof value === 'boolean') return DataType.Boolean;
  if (typeof value === 'string') return DataType.String;
  return typeof value === 'number' ? DataType.Double : DataType.DataSet;
}

function asDatatype(value: number | boolean | string, datatype: number): MetricValue {
  if (datatype === DataType.Boolean && typeof value === 'number') return value !== 0;
  return typeof value === 'boolean' && datatype !== DataType.Boolean && datatype !== DataType.String
    ? Number(value)
    : value;
}

function isTable(value: MetricValue): value is DataSet {
  return typeof value === 'object' && 'rows' in value;
}
