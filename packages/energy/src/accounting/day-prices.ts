import { zoneOffsetMs } from '../calendar.ts';

/** A price per kWh from a time of day on, `HH:MM`, until the next, or midnight. */
export interface PricePeriod {
  from: string;
  /** Decimal in plain notation. */
  price: string;
}

/** Prices by the time of day: ascending, the first from midnight on, so that they cover the day without holes. */
export interface DayPrices {
  weekday: PricePeriod[];
  /** Of Saturday and Sunday; null = as on other days. */
  weekend: PricePeriod[] | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday. */
const EPOCH_WEEKDAY = 4;

/** Minutes since midnight of `HH:MM`. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The price at a time, by the clock that the plant's zone shows then. */
export function priceOfDay({ weekday, weekend }: DayPrices, tsMs: number, zone: string): string {
  const localMs = tsMs + zoneOffsetMs(tsMs, zone);
  const dayNumber = Math.floor(localMs / DAY_MS);
  const weekdayNumber = (((dayNumber + EPOCH_WEEKDAY) % 7) + 7) % 7;
  const periods = weekend !== null && (weekdayNumber === 0 || weekdayNumber === 6) ? weekend : weekday;
  const minute = Math.floor((localMs - dayNumber * DAY_MS) / MINUTE_MS);
  const period = periods.findLast(({ from }) => minuteOf(from) <= minute) ?? periods[0];
  if (period === undefined) throw new RangeError('a day has no price');
  return period.price;
}
