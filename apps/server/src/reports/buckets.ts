import type { ReportInterval, RowQuality } from '@sonnenwarte/contract/reports/report';
import { rowQualities } from '@sonnenwarte/contract/reports/report';
import { dayBounds, hoursOfDay, type TimeBounds } from '@sonnenwarte/energy/calendar';

const MINUTE_MS = 60_000;
const stepsMs = { '5min': 5 * MINUTE_MS, '15min': 15 * MINUTE_MS } as const;

/** Intervals of a local day in order, without holes between its bounds; the hour that a clock repeats is there twice. */
export function bucketsOf(day: string, interval: Exclude<ReportInterval, 'raw'>, timeZone: string): TimeBounds[] {
  const { startMs, endMs } = dayBounds(day, timeZone);
  if (interval === 'day') return endMs > startMs ? [{ startMs, endMs }] : [];
  if (interval === 'hour')
    return hoursOfDay(day, timeZone).map((hour) => ({ startMs: hour.startMs, endMs: hour.endMs }));
  const stepMs = stepsMs[interval];
  const buckets: TimeBounds[] = [];
  for (let atMs = startMs; atMs < endMs; atMs += stepMs)
    buckets.push({ startMs: atMs, endMs: Math.min(endMs, atMs + stepMs) });
  return buckets;
}

/** The worse of two. */
export const worse = (one: RowQuality, other: RowQuality): RowQuality =>
  rowQualities.indexOf(one) >= rowQualities.indexOf(other) ? one : other;

/** Local days between two, both included. */
export function daysBetween(firstDay: string, lastDay: string): string[] {
  const days: string[] = [];
  for (let atMs = Date.parse(firstDay); atMs <= Date.parse(lastDay); atMs += 86_400_000)
    days.push(new Date(atMs).toISOString().slice(0, 10));
  return days;
}
