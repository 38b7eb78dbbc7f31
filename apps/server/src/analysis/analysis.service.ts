import {
  type AnalysisMark,
  type analysisEndpoints,
  MOST_ANALYSIS_DAYS,
  MOST_MARKS,
  MOST_WHOLE_SAMPLES,
} from '@sonnenwarte/contract/analysis/analysis';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { type Point, pointByName } from '@sonnenwarte/device-protocol/points/points';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { CallError } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { alarmMarks, devicesById, devicesToChoose, type PlottedRow, settingMarks } from './analysis.store.ts';
import type { Told } from './curve.ts';
import { curvesOf, sharedTimes } from './read-curves.ts';

type Calls = typeof analysisEndpoints;
type Asked = Pick<Parsed<Calls['series']>, 'deviceIDs' | 'curves' | 'firstDay' | 'lastDay'>;
type Days = Pick<Asked, 'firstDay' | 'lastDay'>;

const DAY_MS = 86_400_000;
/** What is told in words is no curve. */
const notPlotted: readonly string[] = ['enum', 'bitfield', 'bool', 'text'];

/** The instants of days of a clock. */
export function spanOf({ firstDay, lastDay }: Days, timeZone: string): { startMs: number; endMs: number } {
  if ((Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS >= MOST_ANALYSIS_DAYS)
    throw new CallError('analysisTooLong', { days: MOST_ANALYSIS_DAYS });
  return { startMs: dayBounds(firstDay, timeZone).startMs, endMs: dayBounds(lastDay, timeZone).endMs };
}

/** Devices by their ids; that none of them is there is refused. The clock is that of the first one's plant. */
export async function plottedDevices(db: Kysely<Database>, scope: Scope, ids: readonly string[]) {
  const devices = await devicesById(db, scope, [...new Set(ids)]);
  const [first] = devices;
  if (first === undefined) throw new CallError('deviceNotFound');
  return { devices, first };
}

export interface PlottedPoints {
  readonly device: PlottedRow;
  readonly points: readonly Point[];
}

/** Of each device the points that are asked for, each once; names that the catalogue does not know as numbers are left out. */
export function pointsAsked({ deviceIDs, curves }: Asked, devices: readonly PlottedRow[]): PlottedPoints[] {
  return devices.map((device) => {
    const names = curves.filter(({ of }) => deviceIDs[of] === device.id).map(({ variable }) => variable);
    const points = [...new Set(names)].flatMap((name) => pointByName(device.kind, name) ?? []);
    return { device, points: points.filter(({ unit }) => !notPlotted.includes(unit)) };
  });
}

/** Curves of several devices. */
export async function seriesOf(
  { db, telemetry }: Uses<'db' | 'telemetry'>,
  input: Parsed<Calls['series']>,
  { scope }: Scoped,
): Promise<Result<Calls['series']>> {
  const { devices, first } = await plottedDevices(db, scope, input.deviceIDs);
  const { startMs, endMs } = spanOf(input, first.timeZone);
  const fromMs = Math.max(startMs, input.fromMs ?? startMs);
  const toMs = Math.max(fromMs, Math.min(endMs, input.toMs ?? endMs));
  const drawn = { fromMs, toMs, columns: input.columns, whole: MOST_WHOLE_SAMPLES };
  const found: { device: PlottedRow; point: Point; told: Told }[] = [];
  for (const { device, points } of pointsAsked(input, devices)) {
    if (points.length === 0) continue;
    const curves = await curvesOf(telemetry, device, points, drawn);
    for (const [place, told] of curves.entries()) {
      const point = points[place];
      if (point !== undefined) found.push({ device, point, told });
    }
  }
  const { times, of } = sharedTimes(found.map(({ told }) => told));
  return {
    plantName: first.siteName,
    ianaTimezone: first.timeZone,
    startMs,
    endMs,
    fromMs,
    toMs,
    devices: devices.map((device) => ({
      deviceID: device.id,
      deviceSN: device.sn,
      kind: device.kind,
      deviceType: device.model,
      stationID: device.siteId,
      plantName: device.siteName,
      ianaTimezone: device.timeZone,
    })),
    missing: [...new Set(input.deviceIDs)].filter((id) => devices.every((device) => device.id !== id)),
    times,
    series: found.map(({ device, point, told: { values, samples, isThinned } }, place) => ({
      deviceID: device.id,
      variable: point.name,
      unit: point.unit,
      times: of[place] ?? 0,
      values: [...values],
      samples,
      isThinned,
    })),
  };
}

type MarkSource = typeof alarmMarks;

/** What can be seen to have happened to a device. A further kind of mark is a further line. */
const markSources: readonly MarkSource[] = [alarmMarks, settingMarks];

/** What happened to some devices within a range of days. */
export async function marksOf(
  { db }: Uses<'db'>,
  input: Parsed<Calls['marks']>,
  { scope }: Scoped,
): Promise<Result<Calls['marks']>> {
  const { devices, first } = await plottedDevices(db, scope, input.deviceIDs);
  const span = spanOf(input, first.timeZone);
  const ids = devices.map(({ id }) => id);
  const told = await Promise.all(markSources.map((source) => source(db, scope, ids, span, MOST_MARKS)));
  const marks: AnalysisMark[] = told.flatMap((each) => each.marks);
  return {
    marks: marks.slice(0, MOST_MARKS).toSorted((one, other) => one.atMs - other.atMs),
    total: told.reduce((sum, { total }) => sum + total, 0),
  };
}

/** Devices to choose from. */
export async function choicesOf(
  { db }: Uses<'db'>,
  { search, ids, stationID }: Parsed<Calls['devicesToPlot']>,
  { scope }: Scoped,
): Promise<Result<Calls['devicesToPlot']>> {
  const rows = await devicesToChoose(db, scope, { search, ids, stationID });
  return {
    choices: rows.map(({ id, sn, model, kind, siteId, siteName }) => ({
      id,
      name: sn,
      detail: [siteName, model].filter((each) => each !== '').join(' · '),
      kind,
      stationID: siteId,
      plantName: siteName,
    })),
  };
}
