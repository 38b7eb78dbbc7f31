import { type CalendarDay, calendarParts } from '../format/dates.ts';
import { momentOf } from './curves.ts';

/** The moment at which a clock shows a time `HH:MM` of a day; undefined where either is not written out. */
export function momentAtClock(day: CalendarDay, time: string, timeZone: string): number | undefined {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (hour === undefined || minute === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const { year, month, day: ofMonth } = calendarParts(day);
  return momentOf(Date.UTC(year, month - 1, ofMonth, Number(hour), Number(minute)), timeZone);
}
