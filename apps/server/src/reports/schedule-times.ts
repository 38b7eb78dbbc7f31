import type { ReportRequest, ScheduleRhythm } from '@sonnenwarte/contract/reports/report';
import { daysOfMonth, instantOf, localDay } from '@sonnenwarte/energy/calendar';

export interface Rhythm {
  readonly every: ScheduleRhythm;
  /** Of a week, Monday = 1. */
  readonly weekday: number;
  /** HH:MM of the clock of `timeZone`. */
  readonly at: string;
  readonly timeZone: string;
}

const DAY_MS = 86_400_000;
/** In so many days each rhythm is due. */
const LONGEST_DAYS = 32;

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const weekdayOf = (day: string): number => new Date(day).getUTCDay() || 7;

function isDueOn(day: string, { every, weekday }: Rhythm): boolean {
  if (every === 'weekly') return weekdayOf(day) === weekday;
  return every === 'daily' || day.endsWith('-01');
}

/**
 * When a schedule is due next after a moment: on its day at its time of the clock. A time that the clock leaves out is as much later, one that it repeats
 * is the first.
 */
export function nextDueMs(rhythm: Rhythm, afterMs: number): number {
  const today = localDay(afterMs, rhythm.timeZone);
  for (let days = 0; days <= LONGEST_DAYS; days += 1) {
    const day = dayAfter(today, days);
    if (!isDueOn(day, rhythm)) continue;
    const dueMs = instantOf(`${day}T${rhythm.at}`, rhythm.timeZone);
    if (dueMs > afterMs) return dueMs;
  }
  throw new RangeError(`a schedule that is never due: ${rhythm.every} at ${rhythm.at}`);
}

/** The days of which a schedule tells when it is due: the day before, the seven days before, or the month before. */
export function daysBefore({ every, timeZone }: Rhythm, dueMs: number): Pick<ReportRequest, 'firstDay' | 'lastDay'> {
  const today = localDay(dueMs, timeZone);
  const lastDay = dayAfter(today, -1);
  if (every === 'daily') return { firstDay: lastDay, lastDay };
  if (every === 'weekly') return { firstDay: dayAfter(today, -7), lastDay };
  const days = daysOfMonth(dayAfter(`${today.slice(0, 7)}-01`, -1).slice(0, 7));
  return { firstDay: days[0] ?? lastDay, lastDay: days.at(-1) ?? lastDay };
}
