import type { SettingValue, TableRow } from '@sonnenwarte/contract/commands/setting-value';
import type { SettingRow, SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { numberOf } from '../blocks/form/number-text.ts';

/** What bounds of a number are made of: a setting, or a column of one that is a table. */
export type Bounds = Pick<SettingRule, 'unit' | 'low' | 'high' | 'step' | 'decimals'>;

/** How a number is shown and typed: `holds` of what the device knows make one of the unit. */
export interface Scale {
  readonly unit: string;
  readonly holds: number;
  readonly leastDecimals: number;
  readonly mostDecimals: number;
}

const LARGE_FROM = 1_000;
const MOST_DIGITS = 12;
const largeUnits: Readonly<Record<string, string>> = { W: 'kW', VA: 'kVA', var: 'kvar', Wh: 'kWh' };
const signs: Readonly<Record<string, string>> = {
  degC: '°C',
  kOhm: 'kΩ',
  '1': '',
  enum: '',
  bitfield: '',
  text: '',
  bool: '',
};

/** The unit in which a setting is shown, one for all its values: watts of what takes kilowatts as kW. */
export function scaleOf({ unit, low, high, decimals }: Bounds): Scale {
  const larger = largeUnits[unit];
  if (larger !== undefined && Math.max(Math.abs(low ?? 0), Math.abs(high ?? Number.POSITIVE_INFINITY)) >= LARGE_FROM) {
    return { unit: larger, holds: 1_000, leastDecimals: 1, mostDecimals: decimals + 3 };
  }
  return { unit: signs[unit] ?? unit, holds: 1, leastDecimals: decimals, mostDecimals: decimals };
}

/** A number in the scale of its setting, as it is shown; the sign before it is a true minus. */
export function numberText(value: number, scale: Scale, locale: string, grouped = true): string {
  const text = new Intl.NumberFormat(locale, {
    minimumFractionDigits: scale.leastDecimals,
    maximumFractionDigits: scale.mostDecimals,
    useGrouping: grouped,
  }).format(value / scale.holds);
  return text.replace('-', '\u2212');
}

/** What was typed, in the unit that the device knows; what is no number stays text. */
export function typedNumber(text: string, { holds }: Scale, locale: string): number | string {
  const number = numberOf(text, locale);
  return typeof number === 'number' ? Number((number * holds).toPrecision(MOST_DIGITS)) : number;
}

export type Refusal =
  | { readonly why: 'empty' | 'notNumber' | 'notOffered' | 'tooLong' | 'crossed' | 'overlap' }
  | { readonly why: 'low' | 'high' | 'step'; readonly bound: number }
  | { readonly why: 'rows' | 'period'; readonly bound: number };

/** Single precision keeps seven digits. */
const SINGLE_PRECISION = 1e-6;
/** Rounding of single precision, of a step. */
const STEP_TOLERANCE = 1e-4;

const isOnStep = (value: number, decimals: number): boolean => {
  const steps = value * 10 ** decimals;
  return Math.abs(steps - Math.round(steps)) <= STEP_TOLERANCE;
};

/** Why a number cannot be written. */
export function numberRefusal(value: number | string | null, bounds: Bounds): Refusal | undefined {
  if (value === null || value === '') return { why: 'empty' };
  if (typeof value !== 'number' || !Number.isFinite(value)) return { why: 'notNumber' };
  const { low, high, step, decimals } = bounds;
  if (low !== null && value < low) return { why: 'low', bound: low };
  if (high !== null && value > high) return { why: 'high', bound: high };
  return step === null || isOnStep(value, decimals) ? undefined : { why: 'step', bound: step };
}

const LONGEST_TEXT = 128;

/** Why a value cannot be written by the rules of its setting; the server holds to the same. */
export function refusalOf(rule: SettingRule, value: SettingValue | null): Refusal | undefined {
  if (value === null) return { why: 'empty' };
  switch (rule.form) {
    case 'number':
      return numberRefusal(Array.isArray(value) || typeof value === 'boolean' ? String(value) : value, rule);
    case 'choice':
      return rule.options.some((option) => option.value === value) ? undefined : { why: 'notOffered' };
    case 'switch':
      return typeof value === 'boolean' ? undefined : { why: 'notOffered' };
    case 'text':
      if (typeof value !== 'string' || value.trim() === '') return { why: 'empty' };
      return value.length > LONGEST_TEXT ? { why: 'tooLong' } : undefined;
    default:
      return tableRefusal(rule, value);
  }
}

function tableRefusal(rule: SettingRule, value: SettingValue): Refusal | undefined {
  if (!Array.isArray(value)) return { why: 'notOffered' };
  if (value.length > rule.mostRows) return { why: 'rows', bound: rule.mostRows };
  if (value.length === 0 && rule.mostRows === 1) return { why: 'empty' };
  for (const [at, row] of value.entries()) {
    for (const column of rule.columns) {
      const refused = numberRefusal(row[column.name] ?? null, column);
      if (refused) return refused;
    }
    const refused = rowRefusal(rule, row, value.slice(0, at));
    if (refused) return refused;
  }
  return undefined;
}

const LEAST_PERIOD_MIN = 30;

/** What the columns of a row are to each other, and the row to those before it: the server holds to the same. */
export function rowRefusal(
  { name }: Pick<SettingRule, 'name'>,
  row: TableRow,
  before: readonly TableRow[],
): Refusal | undefined {
  const { start, end, over, under, days } = row;
  if (over !== undefined && under !== undefined && over <= under && name.startsWith('Setting/O'))
    return { why: 'crossed' };
  if (start === undefined || end === undefined) return undefined;
  const least = 'mode' in row ? LEAST_PERIOD_MIN : 1;
  if (end - start < least) return { why: 'period', bound: least };
  const overlaps = before.some(
    (early) => ((days ?? 0) & (early.days ?? 0)) !== 0 && start < (early.end ?? 0) && (early.start ?? 0) < end,
  );
  return overlaps ? { why: 'overlap' } : undefined;
}

/** Whether two values of a setting are the same to a device. */
export function isSameValue(left: SettingValue | null, right: SettingValue | null): boolean {
  if (left === right) return true;
  if (typeof left === 'number' && typeof right === 'number')
    return Math.abs(left - right) <= SINGLE_PRECISION * Math.max(1, Math.abs(left));
  if (!Array.isArray(left) || !Array.isArray(right)) return false;
  return left.length === right.length && left.every((row, at) => isSameRow(row, right[at] ?? {}));
}

const isSameRow = (left: TableRow, right: TableRow): boolean => {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSameValue(left[name] ?? null, right[name] ?? null));
};

/** A setting as it was looked at. */
export const seenOf = ({ rule: { name }, reported: value }: SettingRow) => (value === null ? [] : [{ name, value }]);
