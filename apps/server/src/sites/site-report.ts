import type { Parsed } from '@sonnenwarte/contract/endpoint';
import type { Report, ReportVariable } from '@sonnenwarte/contract/sites/site';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { daysOfMonth, hoursOfDay, type LocalHour, localDay, monthsOfYear } from '@sonnenwarte/energy/calendar';
import { CallError } from '../http/call-error.ts';
import type { EnergyColumn, EnergySum } from './site-energy.store.ts';
import { qualityOfEnergies } from './site-quality.ts';

type ReportInput = Parsed<typeof siteEndpoints.historyReport>;

/** Columns of the rollups that make up a variable. */
export const columnOfVariable = {
  generation: 'ac_out_wh',
  PVEnergyTotal: 'pv_wh',
  external: 'external_wh',
  feedin: 'export_wh',
  gridConsumption: 'import_wh',
  loads: 'load_wh',
  charger: 'charger_wh',
  chargeEnergyToTal: 'charge_wh',
  dischargeEnergyToTal: 'discharge_wh',
  pvToLoad: 'pv_to_load_wh',
  pvToCharger: 'pv_to_charger_wh',
  pvToBattery: 'pv_to_battery_wh',
  pvToGrid: 'pv_to_grid_wh',
  externalToLoad: 'external_to_load_wh',
  externalToCharger: 'external_to_charger_wh',
  batteryToLoad: 'battery_to_load_wh',
  batteryToCharger: 'battery_to_charger_wh',
  batteryToGrid: 'battery_to_grid_wh',
  gridToLoad: 'grid_to_load_wh',
  gridToCharger: 'grid_to_charger_wh',
  gridToBattery: 'grid_to_battery_wh',
  loss: 'loss_wh',
} as const satisfies Record<ReportVariable, EnergyColumn>;

export const columnsOf = (variables: readonly ReportVariable[]): EnergyColumn[] => [
  ...new Set(variables.map((variable) => columnOfVariable[variable])),
];

/** One bar of a report; `name` is that of its sum in the rollups. */
export interface Bar {
  index: number;
  name: string;
  label: string;
}

/** How a report reads the rollups; `parts`: start of the second part of an hour, and of the hour. */
export type ReportPlan =
  | { by: 'hour'; startMs: number; endMs: number; bars: Bar[]; parts: ReadonlyMap<number, number> }
  | { by: 'day' | 'month'; first: string; last: string; bars: Bar[] }
  | { by: 'year'; first: string; last: string };

const HOUR_MS = 3_600_000;

const two = (value: number): string => String(value).padStart(2, '0');

function refuseDay(): never {
  throw new CallError('refusedInput', { fields: [{ path: 'queryDate.day', reason: 'invalid_value', params: {} }] });
}

function hourLabel({ startMs, hour, offsetMinutes }: LocalHour, hours: readonly LocalHour[]): string {
  const minute = new Date(startMs + offsetMinutes * 60_000).getUTCMinutes();
  const text = `${two(hour)}:${two(minute)}`;
  if (hours.filter((other) => other.hour === hour && other.startMs !== startMs).length === 0) return text;
  const shift = Math.abs(offsetMinutes);
  return `${text} ${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(shift / 60))}${two(shift % 60)}`;
}

/** Where the clock changes within an hour by less than one, the two parts of that hour are one entry. */
function wholeHours(hours: readonly LocalHour[]): { whole: LocalHour[]; parts: Map<number, number> } {
  const whole: LocalHour[] = [];
  const parts = new Map<number, number>();
  for (const hour of hours) {
    const last = whole.at(-1);
    const isRest = last !== undefined && last.endMs - last.startMs < HOUR_MS && hour.endMs - last.startMs === HOUR_MS;
    if (isRest) {
      parts.set(hour.startMs, last.startMs);
      last.endMs = hour.endMs;
    } else whole.push({ ...hour });
  }
  return { whole, parts };
}

const bars = (names: readonly string[]): Bar[] =>
  names.map((name, position) => ({ index: position + 1, name, label: name }));

/** Which plant-local hours, days, months or years a report asks for. */
export function planReport(
  { reportType, queryDate: { year, month, day } }: Pick<ReportInput, 'reportType' | 'queryDate'>,
  timeZone: string,
  nowMs: number,
): ReportPlan {
  const monthName = `${year}-${two(month)}`;
  if (reportType === 'day') {
    if (day > daysOfMonth(monthName).length) refuseDay();
    const { whole: hours, parts } = wholeHours(hoursOfDay(`${monthName}-${two(day)}`, timeZone));
    const [first] = hours;
    const last = hours.at(-1);
    return {
      by: 'hour',
      startMs: first?.startMs ?? 0,
      endMs: last?.endMs ?? 0,
      bars: hours.map((hour, position) => ({
        index: position + 1,
        name: String(hour.startMs / 1_000),
        label: hourLabel(hour, hours),
      })),
      parts,
    };
  }
  if (reportType === 'month') {
    const days = daysOfMonth(monthName);
    return { by: 'day', first: `${monthName}-01`, last: days.at(-1) ?? monthName, bars: bars(days) };
  }
  if (reportType === 'year') {
    return { by: 'month', first: `${year}-01-01`, last: `${year}-12-31`, bars: bars(monthsOfYear(year)) };
  }
  return { by: 'year', first: '2000-01-01', last: localDay(nowMs, timeZone) };
}

/** Bars of all years from the first with data to the last. */
export function yearBars(names: Iterable<string>): Bar[] {
  const years = [...names].map(Number);
  if (years.length === 0) return [];
  const first = Math.min(...years);
  return Array.from({ length: Math.max(...years) - first + 1 }, (_, step) => {
    const name = String(first + step);
    return { index: first + step, name, label: name };
  });
}

/** Rounds away the noise of binary addition, far below a watt-hour. */
const kwh = (energyWh: number): number => Math.round(energyWh * 1e3) / 1e6;

/** The report's series; null where nothing is known of the hour, day, month or year. */
export const toReport = (
  variables: readonly ReportVariable[],
  wanted: readonly Bar[],
  sums: ReadonlyMap<string, EnergySum>,
): Report =>
  [...new Set(variables)].map((variable) => ({
    variable,
    unit: 'kWh',
    data: wanted.map(({ index, name, label }) => {
      const sum = sums.get(name);
      const column = columnOfVariable[variable];
      const energyWh = sum?.[column] ?? null;
      return {
        index,
        value: energyWh === null ? null : kwh(energyWh),
        quality: sum === undefined ? 'measured' : qualityOfEnergies(sum, [column]),
        label,
      };
    }),
  }));
