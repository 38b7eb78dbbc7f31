import {
  daysOfReport,
  intervalsOf,
  MOST_REPORT_VALUES,
  moneyVariables,
  mostDaysOf,
  type ReportInterval,
  type ReportPreview,
  type ReportRequest,
} from '@sonnenwarte/contract/reports/report';
import { addDays, type CalendarDay } from '../format/dates.ts';

/** What is chosen for a report. */
export interface ReportValues extends ReportRequest {
  name: string;
}

const FIRST_DAYS = 7;

/** A week of devices, in steps of five minutes. */
export const firstValues = (today: CalendarDay): ReportValues => ({
  name: '',
  source: 'devices',
  deviceIDs: [],
  stationIDs: [],
  variables: [],
  interval: '5min',
  firstDay: addDays(today, 1 - FIRST_DAYS),
  lastDay: today,
});

/** What is chosen of another source: what depends on the former one is left out. */
export function withSource(values: ReportValues, source: ReportValues['source']): Partial<ReportValues> {
  if (source === values.source) return {};
  return source === 'plants'
    ? { source, interval: 'day', variables: ['PVEnergyTotal', 'selfUse', 'feedin', 'gridConsumption'] }
    : { source, interval: '5min', variables: [] };
}

/** Why a report cannot be had as it is chosen, by what would have to be chosen otherwise. */
export interface Problems {
  readonly days?: 'order' | 'days15';
  readonly interval?: 'days3' | 'moneyDaily';
  readonly size?: 'tooLarge' | 'nothing';
}

type Sized = Pick<ReportPreview, 'isFine' | 'values' | 'totalRows'>;

export function problemsOf(values: ReportValues, preview: Sized | undefined): Problems {
  const days = daysOfReport(values);
  if (days < 1) return { days: 'order' };
  if (days > mostDaysOf(values.interval, false)) return { days: 'days15' };
  if (hasMoneyByHour(values)) return { interval: 'moneyDaily' };
  if (preview === undefined) return {};
  if (days > mostDaysOf(values.interval, preview.isFine)) return { interval: 'days3' };
  if (preview.values > MOST_REPORT_VALUES) return { size: 'tooLarge' };
  return preview.totalRows === 0 ? { size: 'nothing' } : {};
}

const hasMoneyByHour = ({ source, interval, variables }: ReportValues): boolean =>
  source === 'plants' && interval !== 'day' && variables.some((variable) => moneyVariables.includes(variable));

/** Whether enough is chosen for a preview, and nothing of it impossible without one. */
export function canBePreviewed(values: ReportValues): boolean {
  const things = values.source === 'devices' ? values.deviceIDs : values.stationIDs;
  const isWhole = things.length > 0 && values.variables.length > 0 && values.firstDay !== '' && values.lastDay !== '';
  return isWhole && Object.keys(problemsOf(values, undefined)).length === 0;
}

export const isOffered = ({ source }: Pick<ReportValues, 'source'>, interval: ReportInterval): boolean =>
  intervalsOf[source].includes(interval);

/** The kind and the name of a variable of devices. */
export function partsOf(variable: string): { kind: string; name: string } {
  const [kind = '', ...name] = variable.split(':');
  return { kind, name: name.join(':') };
}
