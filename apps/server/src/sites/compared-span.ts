import { daysOfMonth } from '@sonnenwarte/energy/calendar';

export type ComparedBy = 'day' | 'week' | 'month' | 'year';

/** Local days, both included. */
export interface DaySpan {
  first: string;
  last: string;
}

const two = (value: number): string => String(value).padStart(2, '0');
const DAY_MS = 86_400_000;

/** A day some days later, by the calendar. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

export const daysBetween = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS);

/** The day that the sums of a plant have to hold so that a period is told: one whole day of it, or the running one. */
export const toldFrom = (first: string, today: string): string => (first < today ? dayAfter(first) : first);

/** The day, week (from Monday on), month or year that a day lies in. */
export function spanOf(by: ComparedBy, day: string): DaySpan {
  if (by === 'day') return { first: day, last: day };
  if (by === 'week') {
    const first = dayAfter(day, -((new Date(Date.parse(day)).getUTCDay() + 6) % 7));
    return { first, last: dayAfter(first, 6) };
  }
  if (by === 'year') return { first: `${day.slice(0, 4)}-01-01`, last: `${day.slice(0, 4)}-12-31` };
  const month = day.slice(0, 7);
  return { first: `${month}-01`, last: daysOfMonth(month).at(-1) ?? `${month}-28` };
}

function monthsEarlier(day: string, months: number): string {
  const at = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months;
  const month = `${Math.floor(at / 12)}-${two((at % 12) + 1)}`;
  const days = daysOfMonth(month);
  return days[Math.min(days.length, Number(day.slice(8))) - 1] ?? `${month}-28`;
}

/** The day in another span that stands where a day stands in its own; of a shorter month its last. */
export function counterpartOf(by: ComparedBy, day: string, against: 'previous' | 'lastYear'): string {
  if (against === 'lastYear' || by === 'year') return monthsEarlier(day, 12);
  if (by === 'month') return monthsEarlier(day, 1);
  return dayAfter(day, by === 'week' ? -7 : -1);
}
