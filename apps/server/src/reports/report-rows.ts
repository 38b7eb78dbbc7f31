import type { ClickHouseClient } from '@clickhouse/client';
import { PREVIEW_ROWS, type ReportRequest } from '@sonnenwarte/contract/reports/report';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';
import type { AskedPart } from './asked.ts';
import { bucketsOf, daysBetween } from './buckets.ts';
import type { ReportLine } from './canonical.ts';
import { deviceRows } from './device-rows.ts';
import { plantRows } from './plant-rows.ts';
import { correctionsOf } from './things.store.ts';

export interface RowStores {
  readonly db: Kysely<Database>;
  readonly telemetry: ClickHouseClient;
}

const zoneOf = (part: AskedPart): string => (part.source === 'devices' ? part.device : part.plant).timeZone;

/** The time that a part of a report is about. */
export function spanOf(part: AskedPart, { firstDay, lastDay }: Pick<ReportRequest, 'firstDay' | 'lastDay'>) {
  const timeZone = zoneOf(part);
  return { startMs: dayBounds(firstDay, timeZone).startMs, endMs: dayBounds(lastDay, timeZone).endMs };
}

/** Rows of a device or a plant, some at a time, in the order of time. */
export async function* rowsOfPart(
  { db, telemetry }: RowStores,
  part: AskedPart,
  request: ReportRequest,
  nowMs: number,
): AsyncGenerator<readonly ReportLine[]> {
  const days = daysBetween(request.firstDay, request.lastDay);
  const { interval } = request;
  if (part.source === 'plants') {
    yield* plantRows({ telemetry, plant: part.plant, variables: part.variables, interval, nowMs }, days);
    return;
  }
  const { device, points } = part;
  if (points.length === 0) return;
  const corrections = interval === 'raw' ? [] : await correctionsOf(db, device, spanOf(part, request));
  yield* deviceRows({ telemetry, device, points, corrections, interval, nowMs }, days);
}

/** The first rows of a part; a day is read at a time until there are enough. */
export async function firstRows(
  stores: RowStores,
  part: AskedPart,
  request: ReportRequest,
  nowMs: number,
): Promise<ReportLine[]> {
  const lines: ReportLine[] = [];
  for (const day of daysBetween(request.firstDay, request.lastDay)) {
    for await (const some of rowsOfPart(stores, part, { ...request, firstDay: day, lastDay: day }, nowMs)) {
      lines.push(...some.slice(0, PREVIEW_ROWS - lines.length));
      if (lines.length >= PREVIEW_ROWS) return lines;
    }
  }
  return lines;
}

/** How many rows a part has, where that follows from its days alone. */
export function bucketCount(part: AskedPart, { firstDay, lastDay, interval }: ReportRequest, nowMs: number): number {
  if (interval === 'raw') return 0;
  if (part.source === 'devices' && part.points.length === 0) return 0;
  return daysBetween(firstDay, lastDay).reduce(
    (sum, day) => sum + bucketsOf(day, interval, zoneOf(part)).filter(({ startMs }) => startMs < nowMs).length,
    0,
  );
}
