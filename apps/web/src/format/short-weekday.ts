import type { CalendarDay } from './dates.ts';
import type { Format } from './use-format.ts';

/** Name of a day of the week as calendars show it. Portuguese has whole words for short ones: three letters, as in seg, ter, sáb. */
export const shortWeekday = (day: CalendarDay, format: Format, language: string): string =>
  language === 'pt' ? format.weekday(day).slice(0, 3) : format.weekday(day);
