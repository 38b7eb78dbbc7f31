import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { MAX_EXPORT_ROWS } from '@sonnenwarte/contract/exports';
import {
  daysOfReport,
  MOST_KEPT_REPORTS,
  MOST_REPORT_VALUES,
  MOST_WAITING_REPORTS,
  mostDaysOf,
  type ReportFailure,
  type ReportPreview,
  type ReportRequest,
  type ReportRow,
  reportFailures,
} from '@sonnenwarte/contract/reports/report';
import { isOver } from '@sonnenwarte/contract/reports/report-moves';
import { create, type reportEndpoints } from '@sonnenwarte/contract/reports/reports';
import { pointsOf } from '@sonnenwarte/device-protocol/points/points';
import type { Actor } from '../access/actor.ts';
import { isLetPast } from '../access/codes.ts';
import { unitText } from '../exports/point-name.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, FileAnswer, Scoped } from '../http/serve.ts';
import { addJob } from '../jobs/jobs.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import { type AskedReport, askedReport, isNumber } from './asked.ts';
import { readRowsOf } from './canonical.ts';
import { keptUntil, MAKE_REPORT } from './maker.ts';
import { columnName, reportFileOf } from './report-file.ts';
import type { ReportFiles } from './report-files.ts';
import { bucketCount, firstRows, spanOf } from './report-rows.ts';
import {
  addReport,
  cancelReports,
  countOpen,
  countReports,
  type ReportFound,
  removeReports,
  reportById,
  reportsById,
  reportsFound,
  retryReport,
} from './reports.store.ts';
import { isAnyFine, plantsToChoose, reportedDevices, samplesTold } from './things.store.ts';
import { localTimeText } from './time-texts.ts';

type Calls = typeof reportEndpoints;
type Stores = Uses<'db' | 'telemetry' | 'nowMs'>;
type WithFiles = { readonly files: ReportFiles };
type Own = Pick<CallContext, 'actor'>;

/** Bytes of a value in a CSV file, and what else a row has there. */
const BYTES_PER_VALUE = 7;
const BYTES_PER_ROW = 110;
/** Measured on two cores, with a portal that is looked at. */
const VALUES_PER_SECOND = 600_000;
const LEAST_SECONDS = 0.5;

const isFailure = (failure: string): failure is ReportFailure => reportFailures.some((each) => each === failure);

export function toReportRow(report: ReportFound, actor: Actor): ReportRow {
  const { request, state } = report;
  const mayChange = isLetPast(actor, [create.code]);
  return {
    reportID: report.id,
    name: report.name,
    state,
    source: request.source,
    things: (request.source === 'devices' ? request.deviceIDs : request.stationIDs).length,
    variables: request.variables.length,
    interval: request.interval,
    firstDay: request.firstDay,
    lastDay: request.lastDay,
    askedMs: report.asked_at.getTime(),
    finishedMs: report.finished_at?.getTime() ?? null,
    keptUntilMs: report.kept_until?.getTime() ?? null,
    progress: report.progress,
    ahead: report.ahead,
    rows: report.rows,
    bytes: report.bytes,
    failure: isFailure(report.failure) ? report.failure : null,
    missing: report.missing,
    isScheduled: report.isScheduled,
    account: report.username,
    can: {
      cancel: mayChange && !isOver(state),
      retry: mayChange && (state === 'failed' || state === 'cancelled'),
      download: mayChange && state === 'completed',
      remove: mayChange,
    },
  };
}

/** Reports of the caller; those of all for administrators who ask for them. */
export const reportListOf = async ({ db }: Uses<'db'>, input: Asked<Calls['list']>, { actor }: Own) =>
  toRows(await reportsFound(db, actor, input), (report) => toReportRow(report, actor));

export async function reportDetailOf(
  { db }: Uses<'db'>,
  { id }: Parsed<Calls['detail']>,
  { actor }: Own,
): Promise<Result<Calls['detail']>> {
  const report = found(await reportById(db, actor, id), 'reportNotFound');
  return { report: toReportRow(report, actor), ...report.request };
}

/** Numbers that devices of these kinds can tell. */
export async function variablesOf(
  { db }: Uses<'db'>,
  { deviceIDs }: Parsed<Calls['variables']>,
  { scope }: Scoped,
): Promise<Result<Calls['variables']>> {
  const devices = await reportedDevices(db, scope, [...new Set(deviceIDs)]);
  if (devices.length < new Set(deviceIDs).size) throw new CallError('deviceNotFound');
  const kinds = [...new Set(devices.map(({ kind }) => kind))];
  return {
    variables: kinds.flatMap((kind) =>
      pointsOf[kind].filter(isNumber).map(({ name, unit }) => ({ kind, variable: name, unit })),
    ),
  };
}

/** Plants to choose from. */
export const plantsOf = async (
  { db }: Uses<'db'>,
  sought: Parsed<Calls['plants']>,
  { scope }: Scoped,
): Promise<Result<Calls['plants']>> => ({ choices: await plantsToChoose(db, scope, sought) });

interface Size {
  /** Of each device or plant. */
  readonly rows: readonly number[];
  readonly values: number;
}

/** The devices of a report with the time of it that is over. */
const countedOf = ({ parts }: AskedReport, request: ReportRequest, nowMs: number) =>
  parts.flatMap((part) => {
    const { startMs, endMs } = spanOf(part, request);
    const span = { startMs, endMs: Math.min(endMs, nowMs) };
    return part.source === 'devices' && part.points.length > 0 && span.endMs > startMs
      ? [{ device: part.device, span }]
      : [];
  });

/** How large a report becomes. */
async function sizeOf({ telemetry, nowMs }: Stores, asked: AskedReport, request: ReportRequest): Promise<Size> {
  const told =
    request.interval === 'raw' ? await samplesTold(telemetry, countedOf(asked, request, nowMs())) : undefined;
  const rows = asked.parts.map((part) =>
    told === undefined
      ? bucketCount(part, request, nowMs())
      : part.source === 'devices' && part.points.length > 0
        ? (told.get(part.device.key) ?? 0)
        : 0,
  );
  const values = asked.head.parts.reduce((sum, { columns }, place) => sum + columns.length * (rows[place] ?? 0), 0);
  return { rows, values };
}

const isFine = async ({ telemetry, nowMs }: Stores, asked: AskedReport, request: ReportRequest): Promise<boolean> =>
  request.interval === 'raw' && isAnyFine(telemetry, countedOf(asked, request, nowMs()));

/** Refuses more days than one report has, in the words of the specification. */
export async function refuseTooLong(stores: Stores, asked: AskedReport, request: ReportRequest): Promise<void> {
  const days = daysOfReport(request);
  if (days > mostDaysOf(request.interval, false)) throw new CallError('reportRangeTooLong');
  if (days > mostDaysOf(request.interval, true) && (await isFine(stores, asked, request)))
    throw new CallError('reportFineRangeTooLong');
}

/** The first rows of a report, and how large it becomes. */
export async function previewOf(
  stores: Stores,
  request: Parsed<Calls['preview']>,
  { scope, language }: CallContext,
): Promise<ReportPreview> {
  const { db, nowMs } = stores;
  const asked = await askedReport(db, scope, request, 'allThere');
  if (daysOfReport(request) > mostDaysOf(request.interval, false)) throw new CallError('reportRangeTooLong');
  const [{ rows, values }, fine, ahead] = await Promise.all([
    sizeOf(stores, asked, request),
    isFine(stores, asked, request),
    countOpen(db),
  ]);
  const shown = Math.max(
    0,
    rows.findIndex((count) => count > 0),
  );
  const [part, sheet] = [asked.parts[shown], asked.head.parts[shown]];
  const lines = part === undefined ? [] : await firstRows(stores, part, request, nowMs());
  const totalRows = rows.reduce((sum, count) => sum + count, 0);
  const timeZone = sheet?.timeZone ?? 'UTC';
  return {
    name: sheet?.name ?? '',
    ianaTimezone: timeZone,
    columns: (sheet?.columns ?? []).flatMap((place) => {
      const column = asked.head.columns[place];
      if (column === undefined) return [];
      return [{ label: columnName(column, language), unit: unitText(column.unit), way: column.way }];
    }),
    rows: lines.map(({ tsMs, quality, values: told }) => ({
      tsMs,
      localTime: localTimeText(tsMs, timeZone),
      values: [...told],
      quality,
    })),
    totalRows,
    sheetRows: Math.max(0, ...rows),
    sheets: asked.parts.length,
    values,
    bytes: values * BYTES_PER_VALUE + totalRows * BYTES_PER_ROW,
    seconds: LEAST_SECONDS + values / VALUES_PER_SECOND,
    ahead,
    isFine: fine,
  };
}

/** What a report is called that nobody has named. */
export function nameOf({ head: { parts } }: AskedReport): string {
  const first = parts[0]?.name ?? '';
  return parts.length > 1 ? `${first} +${parts.length - 1}` : first;
}

/** Asks for a report. */
export async function createReport(
  stores: Stores,
  { name, ...request }: Parsed<Calls['create']>,
  { actor, scope, language }: CallContext,
): Promise<Result<Calls['create']>> {
  const { db, nowMs } = stores;
  const asked = await askedReport(db, scope, request, 'allThere');
  await refuseTooLong(stores, asked, request);
  const { values, rows } = await sizeOf(stores, asked, request);
  // A device is a sheet, which has no room for more.
  if (values > MOST_REPORT_VALUES || Math.max(...rows) > MAX_EXPORT_ROWS)
    throw new CallError('reportTooLarge', { values, most: MOST_REPORT_VALUES });
  const { accountId } = actor;
  const reportID = await inTransaction(db, async (tx) => {
    const { open, kept } = await countReports(tx, accountId);
    if (open >= MOST_WAITING_REPORTS) throw new CallError('tooManyWaitingReports', { most: MOST_WAITING_REPORTS });
    if (kept >= MOST_KEPT_REPORTS) throw new CallError('tooManyKeptReports', { most: MOST_KEPT_REPORTS });
    const named = name === '' ? nameOf(asked) : name;
    const added = await addReport(tx, { accountId, name: named, language, request, askedAt: new Date(nowMs()) });
    await addJob(tx, MAKE_REPORT);
    return found(added, 'reportNotFound');
  });
  return { reportID };
}

/** Of all that are named; where one of them is not there, nothing is done. */
async function allOf(db: Stores['db'], actor: Actor, ids: readonly string[]): Promise<ReportFound[]> {
  const wanted = new Set(ids);
  const reports = await reportsById(db, actor, [...wanted]);
  if (reports.length < wanted.size) throw new CallError('reportNotFound');
  return reports;
}

export async function cancelOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { ids }: Parsed<Calls['cancel']>,
  { actor }: Own,
): Promise<Result<Calls['cancel']>> {
  const reports = await allOf(db, actor, ids);
  const now = nowMs();
  return {
    done: await cancelReports(
      db,
      reports.map(({ id }) => id),
      new Date(now),
      keptUntil(now),
    ),
  };
}

export async function retryOf({ db }: Uses<'db'>, { id }: Parsed<Calls['retry']>, { actor }: Own): Promise<void> {
  const report = found(await reportById(db, actor, id), 'reportNotFound');
  await inTransaction(db, async (tx) => {
    const { open } = await countReports(tx, report.account_id);
    if (open >= MOST_WAITING_REPORTS) throw new CallError('tooManyWaitingReports', { most: MOST_WAITING_REPORTS });
    if (!(await retryReport(tx, id))) throw new CallError('reportIsOver');
    await addJob(tx, MAKE_REPORT);
  });
}

export async function removeOf(
  { db, files }: Uses<'db'> & WithFiles,
  { ids }: Parsed<Calls['remove']>,
  { actor }: Own,
): Promise<Result<Calls['remove']>> {
  const reports = await allOf(db, actor, ids);
  const removed = await removeReports(
    db,
    reports.map(({ id }) => id),
  );
  await files.remove(removed);
  return { done: removed.length };
}

/** A report that is completed, as a file in the words of whoever downloads it. */
export async function downloadOf(
  { db, files }: Uses<'db'> & WithFiles,
  { id, format }: Parsed<Calls['download']>,
  { actor, language }: CallContext,
): Promise<FileAnswer> {
  const report = found(await reportById(db, actor, id), 'reportNotFound');
  if (report.state !== 'completed') throw new CallError('reportNotReady');
  const packed = await files.read(report);
  if (packed === undefined) throw new CallError('reportFileGone');
  const { name, request } = report;
  return reportFileOf(await readRowsOf(packed), `${name}-${request.firstDay}-${request.lastDay}`, format, language);
}
