import type { Figures } from '@sonnenwarte/contract/sites/site';
import type { CalendarDayFigures, SiteCalendar } from '@sonnenwarte/contract/sites/site-calendar';
import { type CalendarDay, daysOfMonth, weekdayOf } from '../format/dates.ts';
import { type CalendarFigure, figureValue } from './calendar-steps.ts';

/** Days of a row. */
export const WEEK = 7;
const two = (value: number): string => String(value).padStart(2, '0');

/** The days of a month in weeks that begin on Monday; what belongs to other months is undefined. */
export function weeksOf(month: string): (CalendarDay | undefined)[][] {
  const first = `${month}-01`;
  const lead = weekdayOf(first);
  const count = daysOfMonth(first);
  return Array.from({ length: Math.ceil((lead + count) / WEEK) }, (_, week) =>
    Array.from({ length: WEEK }, (_day, place) => {
      const day = week * WEEK + place - lead + 1;
      return day < 1 || day > count ? undefined : `${month}-${two(day)}`;
    }),
  );
}

/** The day of a month that gave most of a figure, and that which gave least; today is not over yet. */
export function extremesOf(
  month: string,
  today: CalendarDay,
  days: ReadonlyMap<CalendarDay, CalendarDayFigures>,
  figure: CalendarFigure,
): { best: CalendarDayFigures | undefined; weakest: CalendarDayFigures | undefined } {
  const known = [...days.values()]
    .filter(({ day }) => day.startsWith(month))
    .flatMap((day) => {
      const value = figureValue(figure, day);
      return value === null ? [] : [{ day, value }];
    });
  const best = known.reduce<(typeof known)[number] | undefined>(
    (most, each) => (most === undefined || each.value > most.value ? each : most),
    undefined,
  );
  const weakest = known
    .filter(({ day }) => day.day !== today)
    .reduce<(typeof known)[number] | undefined>(
      (least, each) => (least === undefined || each.value < least.value ? each : least),
      undefined,
    );
  const isOne = best === undefined || weakest === undefined || best.value <= weakest.value;
  return isOne ? { best: undefined, weakest: undefined } : { best: best.day, weakest: weakest.day };
}

/** A calendar as it was read, with newer figures of today: what today has gained is in its month too. */
export function calendarWithToday(read: SiteCalendar, today: CalendarDay, newest: Figures | undefined): SiteCalendar {
  const before = read.days.find(({ day }) => day === today);
  if (before === undefined || newest === undefined) return read;
  const gained = (name: 'generationWh' | 'consumptionWh'): number =>
    Math.max(0, (newest[name] ?? 0) - (before[name] ?? 0));
  const grown = (of: number | null, gain: number): number | null => (gain === 0 ? of : (of ?? 0) + gain);
  const gain = { generationWh: gained('generationWh'), consumptionWh: gained('consumptionWh') };
  const withGain = <F extends { generationWh: number | null; consumptionWh: number | null }>(figures: F): F => ({
    ...figures,
    generationWh: grown(figures.generationWh, gain.generationWh),
    consumptionWh: grown(figures.consumptionWh, gain.consumptionWh),
  });
  return {
    ...read,
    days: read.days.map((day) =>
      day === before ? { ...withGain(day), selfSufficiencyPercent: newest.selfSufficiencyPercent } : day,
    ),
    months: read.months.map((month) => (month.month === today.slice(0, 7) ? withGain(month) : month)),
  };
}
