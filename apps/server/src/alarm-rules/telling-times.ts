import { MOST_TOLD_PER_HOUR } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { instantOf, localDay } from '@sonnenwarte/energy/calendar';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const CRITICAL = 4;

/** When a rule tells; times are `HH:MM` of the receiver's clock, empty = none. */
export interface Times {
  readonly delayMinutes: number;
  readonly mode: 'atOnce' | 'daily';
  readonly digestAt: string;
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly criticalAlways: boolean;
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
const dayBefore = (day: string): string => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);

/** The first instant, not before another, at which a clock shows a time. */
export function nextAt(clock: string, fromMs: number, zone: string): number {
  let day = localDay(fromMs, zone);
  for (;;) {
    const atMs = instantOf(`${day}T${clock}`, zone);
    if (atMs >= fromMs) return atMs;
    day = dayAfter(day);
  }
}

/** The end of the quiet hours in which an instant lies; itself where it lies in none. */
export function afterQuiet(
  atMs: number,
  { quietFrom, quietTo }: Pick<Times, 'quietFrom' | 'quietTo'>,
  zone: string,
): number {
  if (quietFrom === '' || quietFrom === quietTo) return atMs;
  const today = localDay(atMs, zone);
  // Those that began the day before may go on.
  for (const day of [dayBefore(today), today]) {
    const fromMs = instantOf(`${day}T${quietFrom}`, zone);
    const untilMs = instantOf(`${quietTo > quietFrom ? day : dayAfter(day)}T${quietTo}`, zone);
    if (atMs >= fromMs && atMs < untilMs) return untilMs;
  }
  return atMs;
}

/** When an incident that began at a time is told, in the receiver's zone. */
export function dueAt(sinceMs: number, level: number, times: Times, zone: string): number {
  const stoodMs = sinceMs + times.delayMinutes * MINUTE_MS;
  return sendAt(stoodMs, level, times, zone);
}

/** When something that could be told at an instant is told. */
export function sendAt(readyMs: number, level: number, times: Times, zone: string): number {
  if (level >= CRITICAL && times.criticalAlways) return readyMs;
  const atMs = times.mode === 'daily' ? nextAt(times.digestAt, readyMs, zone) : readyMs;
  return afterQuiet(atMs, times, zone);
}

/** Deliveries that an hour may bring by one way: the last of them is kept for what is critical. */
export const mostPerHour = (levels: readonly number[]): number =>
  levels.some((level) => level >= CRITICAL) ? MOST_TOLD_PER_HOUR : MOST_TOLD_PER_HOUR - 1;

/** Deliveries of the last hour, oldest first, and what waits. Answers when the next may go: now, or when the oldest of a full hour is an hour old. */
export function freeAt(sentMs: readonly number[], nowMs: number, mostPerHour: number): number {
  const within = sentMs.filter((ms) => ms > nowMs - HOUR_MS).toSorted((a, b) => a - b);
  if (within.length < mostPerHour) return nowMs;
  return (within[within.length - mostPerHour] ?? nowMs) + HOUR_MS;
}

/** Incidents that are told at a time by one way, as deliveries: each for itself while they are few, else all in one. */
export function parcelled<T>(due: readonly T[], room: number, mostSingly: number): readonly (readonly T[])[] {
  if (due.length === 0) return [];
  return due.length <= mostSingly && due.length <= room ? due.map((each) => [each]) : [due];
}
