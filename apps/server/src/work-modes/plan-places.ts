import type { TableRow } from '@sonnenwarte/contract/commands/setting-value';
import type { Plan, PlanPeriod } from '@sonnenwarte/contract/work-modes/plan';
import type { Obstacle } from '../remote-settings/checked-values.ts';
import { byTime, scheduleRow } from './plan-settings.ts';

type PlaceOf = (name: string, obstacle: Obstacle) => string;

const fields: Readonly<Record<string, string>> = {
  'Setting/WorkMode': 'mode',
  'Setting/MinSoc': 'minSoc',
  'Setting/BackupSoc': 'backupSoc',
  'Setting/GridCharge': 'gridCharge',
  'Setting/PeakLimit': 'peakLimitW',
  'Setting/Schedule': 'periods',
  'Setting/PricePeriods': 'pricePeriods',
};
const columns: Readonly<Record<string, string>> = { start: 'startMin', end: 'endMin', mode: 'action' };

const joined = (...parts: readonly (string | number | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join('.');
const columnOf = (column: string | undefined) => column && (columns[column] ?? column);

/** Where in a plan, as it was sent, stands what an obstacle to one of its settings is about. */
export const placeIn =
  (plan: Plan): PlaceOf =>
  (name, { problem }) => {
    const field = fields[name] ?? name;
    if (problem?.row === undefined || (field !== 'periods' && field !== 'pricePeriods')) return joined('plan', field);
    const sent: readonly { readonly startMin: number }[] = plan[field] ?? [];
    const row = [...sent].sort(byTime)[problem.row];
    return joined('plan', field, row && sent.indexOf(row), columnOf(problem.column));
  };

/** The same of charge periods among all rows of a schedule; what is wrong with another row is said of the periods as a whole. */
export const chargePlaceIn =
  (periods: readonly PlanPeriod[], all: readonly TableRow[]): PlaceOf =>
  (_, { problem }) => {
    const row = problem?.row === undefined ? undefined : all[problem.row];
    const place = periods.findIndex((period) => row !== undefined && scheduleRow(period).start === row.start);
    return place < 0 ? 'periods' : joined('periods', place, columnOf(problem?.column));
  };
