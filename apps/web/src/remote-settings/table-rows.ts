import type { SettingValue, TableRow } from '@sonnenwarte/contract/commands/setting-value';
import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { numberRefusal, type Refusal } from './values.ts';

export type Column = SettingRule['columns'][number];

/** How a cell is typed: minutes of the day as a time, a set of weekdays as boxes, all else as a number. */
export function cellOf({ name, unit, high }: Column): 'time' | 'days' | 'number' {
  if (name === 'days') return 'days';
  return (name === 'start' || name === 'end') && unit === 'min' && (high ?? 0) > 60 ? 'time' : 'number';
}

const DAY_MINUTES = 24 * 60;
const twoDigits = (value: number): string => String(value).padStart(2, '0');

export const timeText = (minutes: number): string =>
  `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(Math.round(minutes) % 60)}`;

/** Minutes of the day that were typed as a time; 24:00 is the end of the day. */
export function minutesOf(text: string): number | undefined {
  const found = /^(\d{1,2})[:.h]?(\d{2})$/.exec(text.trim());
  if (!found) return undefined;
  const minutes = Number(found[1]) * 60 + Number(found[2]);
  return Number(found[2]) < 60 && minutes <= DAY_MINUTES ? minutes : undefined;
}

const EVERY_DAY = 127;
export const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;
export const hasDay = (mask: number, day: number): boolean => (mask & (1 << day)) !== 0;
export const withDay = (mask: number, day: number, on: boolean): number =>
  on ? mask | (1 << day) : mask & ~(1 << day);

/** A row to begin with: in the middle of nothing, at the lowest of each column's bounds. */
export const newRow = (columns: readonly Column[]): TableRow =>
  Object.fromEntries(columns.map(({ name, low }) => [name, name === 'days' ? EVERY_DAY : (low ?? 0)]));

export const cellRefusal = (row: TableRow, column: Column): Refusal | undefined =>
  numberRefusal(row[column.name] ?? null, column);

interface Trip {
  readonly side: 'over' | 'under';
  readonly limit: number;
  readonly limitOf: Column;
  readonly time: number;
  readonly timeOf: Column;
}

/** The limits of a setting that is one row of them, as protection has it; none of any other value. */
export function tripsOf({ columns }: Pick<SettingRule, 'columns'>, value: SettingValue | null): Trip[] {
  if (!Array.isArray(value) || value.length !== 1) return [];
  const [row = {}] = value;
  return (['over', 'under'] as const).flatMap((side) => {
    const [limitOf, timeOf] = [side, `${side}Time`].map((name) => columns.find((column) => column.name === name));
    const [limit, time] = [row[side], row[`${side}Time`]];
    return limitOf && timeOf && limit !== undefined && time !== undefined
      ? [{ side, limit, limitOf, time, timeOf }]
      : [];
  });
}

/** Columns of limits of which only the name was told: as the catalogue has them. */
export function bareColumns(name: string, value: SettingValue | null): Column[] {
  const [row = {}] = Array.isArray(value) ? value : [];
  const [unit, decimals] = name.startsWith('Setting/OvUv') ? ['V', 1] : ['Hz', 2];
  return Object.keys(row).map((column) => ({
    name: column,
    labelKey: '',
    unit: column.endsWith('Time') ? 's' : unit,
    low: null,
    high: null,
    step: null,
    decimals: column.endsWith('Time') ? 2 : decimals,
  }));
}
