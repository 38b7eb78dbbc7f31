/** What stands in a field for numbers. */
type Typed = number | string;

/** A price from a time of day on, `HH:MM`, until the next. */
export interface PeriodValues {
  from: string;
  price: Typed;
}

export interface DayPriceValues {
  weekday: readonly PeriodValues[];
  /** null = as on weekdays. */
  weekend: readonly PeriodValues[] | null;
}

export const STEP_MINUTES = 15;
export const DAY_MINUTES = 1440;

/** Minutes since midnight of `HH:MM`. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** `HH:MM` of minutes since midnight; the end of the day is 24:00. */
export const timeAt = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** When a period begins, and when the next does. */
export const spanOf = (periods: readonly PeriodValues[], at: number): { start: number; end: number } => {
  const [own, next] = [periods[at], periods[at + 1]];
  return { start: own ? minuteOf(own.from) : 0, end: next ? minuteOf(next.from) : DAY_MINUTES };
};

const onStep = (minute: number): number => Math.round(minute / STEP_MINUTES) * STEP_MINUTES;

/** The period begins at another quarter of an hour, and the one before it gives way; each keeps a quarter. The first stays. */
export function withStart(periods: readonly PeriodValues[], at: number, minute: number): readonly PeriodValues[] {
  const period = periods[at];
  if (at < 1 || period === undefined || !Number.isFinite(minute)) return periods;
  const least = spanOf(periods, at - 1).start + STEP_MINUTES;
  const most = spanOf(periods, at).end - STEP_MINUTES;
  const from = timeAt(Math.min(most, Math.max(least, onStep(minute))));
  return periods.with(at, { ...period, from });
}

/** Whether a period has two quarters of an hour at least. */
export const canDivide = (periods: readonly PeriodValues[], at: number): boolean => {
  const { start, end } = spanOf(periods, at);
  return end - start >= 2 * STEP_MINUTES;
};

/** The period and a new one behind it share its time, at its price. */
export function divided(periods: readonly PeriodValues[], at: number): readonly PeriodValues[] {
  const period = periods[at];
  if (period === undefined || !canDivide(periods, at)) return periods;
  const { start, end } = spanOf(periods, at);
  const from = timeAt(start + Math.floor((end - start) / 2 / STEP_MINUTES) * STEP_MINUTES);
  return periods.toSpliced(at + 1, 0, { from, price: period.price });
}

/** The time of a period falls to the one before it, that of the first to the next. The last one that is left stays. */
export function withoutPeriod(periods: readonly PeriodValues[], at: number): readonly PeriodValues[] {
  if (periods.length < 2) return periods;
  return periods.toSpliced(at, 1).map((period, index) => (index === 0 ? { ...period, from: '00:00' } : period));
}

/** Minutes of a time as people type it: `17`, `17:15`, `17.15`, `1715`, `24`; to the quarter. undefined = it is none. */
export function typedMinute(text: string): number | undefined {
  const [, hours = '', minutes = '0'] = /^\s*(\d{1,2})(?:\s*[:.hH]?\s*(\d{2}))?\s*(?:[hH]|Uhr)?\s*$/.exec(text) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return hours === '' || Number(minutes) > 59 || minute > DAY_MINUTES ? undefined : onStep(minute);
}

/** How dear a price is among those of all days, from 0 to 1; one that is none is the cheapest. */
export function dearness({ weekday, weekend }: DayPriceValues, price: Typed): number {
  const numbers = [...weekday, ...(weekend ?? [])].map((each) => each.price).filter((each) => typeof each === 'number');
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  if (typeof price !== 'number' || most <= least) return typeof price === 'number' ? 0.5 : 0;
  return (price - least) / (most - least);
}
