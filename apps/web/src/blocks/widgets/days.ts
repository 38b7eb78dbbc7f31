import { type CalendarDate, type DateValue, parseDate } from '@internationalized/date';
import type { CalendarDay } from '../../format/dates.ts';

/** A day as the widgets know it; what is no day is none. */
export function dateOf(day: CalendarDay | '' | undefined): CalendarDate | null {
  if (day === undefined || day === '') return null;
  try {
    return parseDate(day);
  } catch {
    return null;
  }
}

export const dayOf = ({ year, month, day }: Pick<DateValue, 'year' | 'month' | 'day'>): CalendarDay =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
