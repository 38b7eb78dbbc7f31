import * as z from 'zod/mini';
import { deviceKind } from '../devices/device.ts';
import { line, plantDay, text } from '../fields.ts';
import { REPORT_RANGE_DAYS, REPORT_RANGE_DAYS_FINE } from '../limits.ts';
import { historyVariables } from '../sites/site-history.ts';
import { reportStates } from './report-moves.ts';

/** Devices or plants that one report is about. */
export const MOST_REPORTED = 50;
export const MOST_REPORT_VARIABLES = 40;
/** Numbers that one report may hold: rows times variables. */
export const MOST_REPORT_VALUES = 10_000_000;
/** Bytes of its rows on the disk, packed. */
export const MOST_REPORT_BYTES = 256 * 1024 * 1024;
/** Reports of an account that wait or are made. */
export const MOST_WAITING_REPORTS = 20;
/** Reports of an account that are kept, those of its schedules not counted. */
export const MOST_KEPT_REPORTS = 400;
export const MOST_REPORT_SCHEDULES = 20;
export const REPORT_KEPT_DAYS = 30;
/** Rows that a preview shows. */
export const PREVIEW_ROWS = 8;
/** A device that records at such a distance, s, or a smaller one, has three days in a report of what it recorded. */
export const FINE_SECONDS = 15;

export const reportSources = ['devices', 'plants'] as const;
export type ReportSource = (typeof reportSources)[number];
export const reportIntervals = ['raw', '5min', '15min', 'hour', 'day'] as const;
export type ReportInterval = (typeof reportIntervals)[number];
export const reportFormats = ['csv', 'xlsx', 'parquet'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Plants are summed up by hour and day. */
export const intervalsOf: Readonly<Record<ReportSource, readonly ReportInterval[]>> = {
  devices: reportIntervals,
  plants: ['hour', 'day'],
};

/** What a report holds of plants: energies, the energy that they used themselves, and money. */
export const plantVariables = [...historyVariables, 'selfUse', 'income', 'saving', 'paid'] as const;
export type PlantVariable = (typeof plantVariables)[number];
/** Money is known of whole days. */
export const moneyVariables: readonly string[] = ['income', 'saving', 'paid'] satisfies PlantVariable[];

/** How the values of an interval come to one: as they were told, their mean, what a counter grew by, the last of them, their sum. */
export const reportWays = ['told', 'mean', 'growth', 'last', 'sum'] as const;
export type ReportWay = (typeof reportWays)[number];

/** How the values of a row came about, the best first; of several the worst. */
export const rowQualities = ['measured', 'corrected', 'incomplete', 'estimated', 'missing'] as const;
export type RowQuality = (typeof rowQualities)[number];

export const reportFailures = [
  'nothingVisible',
  'notPermitted',
  'tooLarge',
  'noSpace',
  'interrupted',
  'storeAway',
  'unexpected',
] as const;
export type ReportFailure = (typeof reportFailures)[number];

const each = <Item extends z.ZodMiniType>(item: Item, most: number, least = 0) =>
  z
    .array(item)
    .check(z.minLength(least), z.maxLength(most))
    .check(z.refine((chosen: readonly unknown[]) => new Set(chosen).size === chosen.length, { error: 'duplicate' }));

/** What a report is about, whatever its days. */
export const reported = {
  source: z.enum(reportSources),
  deviceIDs: z._default(each(z.uuid(), MOST_REPORTED), []),
  stationIDs: z._default(each(z.uuid(), MOST_REPORTED), []),
  /** Of devices `inverter:AC/ActivePower`, the kind before the name; of plants `plantVariables`. */
  variables: each(text(80, 1), MOST_REPORT_VARIABLES, 1),
  interval: z._default(z.enum(reportIntervals), '5min'),
};

/** Days of each plant's clock, both included. */
export const reportedDays = { firstDay: plantDay(), lastDay: plantDay() };

const reportOf = z.object({ ...reported, ...reportedDays });
export type ReportRequest = z.output<typeof reportOf>;
const chosen = z.object(reported);
export type ReportedThings = z.output<typeof chosen>;

interface Things {
  source: ReportSource;
  deviceIDs: readonly string[];
  stationIDs: readonly string[];
}
/** Whoever asks for devices names one, and so with plants. */
export const hasThings = z.refine<Things>(
  ({ source, deviceIDs, stationIDs }) => (source === 'devices' ? deviceIDs : stationIDs).length > 0,
  { error: 'required', path: ['deviceIDs'] },
);
export const daysInOrder = z.refine<{ firstDay: string; lastDay: string }>((asked) => asked.firstDay <= asked.lastDay, {
  error: 'order',
  path: ['lastDay'],
});

const DAY_MS = 86_400_000;
export const daysOfReport = ({ firstDay, lastDay }: Pick<ReportRequest, 'firstDay' | 'lastDay'>): number =>
  Math.round((Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS) + 1;

/** Days that can be chosen at once; what devices recorded each few seconds fills files sooner. */
export const mostDaysOf = (interval: ReportInterval, isFine: boolean): number =>
  interval === 'raw' && isFine ? REPORT_RANGE_DAYS_FINE : REPORT_RANGE_DAYS;

/** Where it is empty, it is called after what it is about. */
export const reportName = z._default(line(64), '');

/** A report. */
export const reportRow = z.object({
  reportID: z.string(),
  name: z.string(),
  state: z.enum(reportStates),
  source: z.enum(reportSources),
  /** Devices or plants, and variables. */
  things: z.int(),
  variables: z.int(),
  interval: z.enum(reportIntervals),
  firstDay: z.string(),
  lastDay: z.string(),
  askedMs: z.int(),
  finishedMs: z.nullable(z.int()),
  /** Until when its file is kept. */
  keptUntilMs: z.nullable(z.int()),
  /** 0 to 100. */
  progress: z.int(),
  /** Reports that are made before it; `null` unless it waits. */
  ahead: z.nullable(z.int()),
  rows: z.nullable(z.int()),
  /** Of the file as CSV, about. */
  bytes: z.nullable(z.int()),
  failure: z.nullable(z.enum(reportFailures)),
  /** Devices or plants that were asked for and could not be seen any more. */
  missing: z.int(),
  /** It was made by a schedule. */
  isScheduled: z.boolean(),
  /** Who asked for it. */
  account: z.string(),
  can: z.object({ cancel: z.boolean(), retry: z.boolean(), download: z.boolean(), remove: z.boolean() }),
});
export type ReportRow = z.infer<typeof reportRow>;

/** A column of a report's preview. */
export const previewColumn = z.object({
  /** As it stands in the file. */
  label: z.string(),
  unit: z.string(),
  way: z.enum(reportWays),
});

export const previewRow = z.object({
  tsMs: z.int(),
  /** On the plant's clock with its offset: `2026-10-25 02:30:00+02:00`. */
  localTime: z.string(),
  values: z.array(z.nullable(z.number())),
  quality: z.enum(rowQualities),
});

export const reportPreview = z.object({
  /** The device or plant whose rows are shown. */
  name: z.string(),
  ianaTimezone: z.string(),
  columns: z.array(previewColumn),
  rows: z.array(previewRow),
  /** Of all devices or plants, and of the largest of them, which is a sheet. */
  totalRows: z.int(),
  sheetRows: z.int(),
  sheets: z.int(),
  /** Rows times variables; more than `MOST_REPORT_VALUES` are refused. */
  values: z.int(),
  /** Both estimated: of the file as CSV, and until it is there. */
  bytes: z.int(),
  seconds: z.number(),
  /** Reports that are made before it. */
  ahead: z.int(),
  /** A device records each few seconds. */
  isFine: z.boolean(),
});
export type ReportPreview = z.infer<typeof reportPreview>;

/** A variable that devices can have in a report. */
export const reportVariable = z.object({ kind: deviceKind, variable: z.string(), unit: z.string() });
export type ReportVariableChoice = z.infer<typeof reportVariable>;

export const scheduleRhythms = ['daily', 'weekly', 'monthly'] as const;
export type ScheduleRhythm = (typeof scheduleRhythms)[number];

/** When a report is made again: of the day, the week or the month before. */
export const rhythm = {
  every: z.enum(scheduleRhythms),
  /** Of a week, Monday = 1; else it says nothing. */
  weekday: z._default(z.int().check(z.gte(1), z.lte(7)), 1),
  /** HH:MM of the account's clock. */
  at: text(5).check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)),
};

/** Why a schedule has stopped by itself. */
export const scheduleStops = ['notPermitted', 'nothingVisible'] as const;
export type ScheduleStop = (typeof scheduleStops)[number];

export const scheduleRow = z.object({
  scheduleID: z.string(),
  name: z.string(),
  source: z.enum(reportSources),
  things: z.int(),
  variables: z.int(),
  interval: z.enum(reportIntervals),
  every: z.enum(scheduleRhythms),
  weekday: z.int(),
  at: z.string(),
  /** Whose clock it keeps. */
  ianaTimezone: z.string(),
  isPaused: z.boolean(),
  /** `null` while it is paused. */
  nextMs: z.nullable(z.int()),
  lastMs: z.nullable(z.int()),
  stopped: z.nullable(z.enum(scheduleStops)),
  can: z.object({ edit: z.boolean(), pause: z.boolean(), resume: z.boolean(), remove: z.boolean() }),
});
export type ScheduleRow = z.infer<typeof scheduleRow>;

/** Days of a schedule's reports: those of a month are summed up at least by quarters of an hour. */
export const intervalsOfRhythm: Readonly<Record<ScheduleRhythm, readonly ReportInterval[]>> = {
  daily: reportIntervals,
  weekly: reportIntervals,
  monthly: ['15min', 'hour', 'day'],
};
