import { useMemo } from 'react';
import { serverNowMs } from '../client/clock.ts';
import { formatDay, formatTime, localDay, zoneBeside } from './dates.ts';
import { localZone } from './local-zone.ts';
import { useFormat } from './use-format.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** From here on hours are not told beside days. */
const LONG_MS = 2 * DAY_MS;

type Unit = 'day' | 'hour' | 'minute';

/** How long something took: `9 days`, `1 day 3 hr`, `2 hr 10 min`, `4 min`. */
export function durationText(durationMs: number, locale: string): string {
  const amount = (value: number, unit: Unit): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: unit === 'day' ? 'long' : 'short' })
      .format(value)
      .replaceAll(' ', '\u00a0');
  const two = (first: Unit, firstMs: number, second: Unit, secondMs: number): string => {
    const rest = Math.floor((durationMs % firstMs) / secondMs);
    const whole = amount(Math.floor(durationMs / firstMs), first);
    return rest === 0 ? whole : `${whole} ${amount(rest, second)}`;
  };
  if (durationMs >= LONG_MS) return amount(Math.floor(durationMs / DAY_MS), 'day');
  if (durationMs >= DAY_MS) return two('day', DAY_MS, 'hour', HOUR_MS);
  if (durationMs >= HOUR_MS) return two('hour', HOUR_MS, 'minute', MINUTE_MS);
  return amount(Math.max(0, Math.floor(durationMs / MINUTE_MS)), 'minute');
}

/** A moment as people say it: `today 11:42`, `7 Jun 13:15` of the running year, `7 Jun 2025` of another. */
export function momentText(tsMs: number, timeZone: string, nowMs: number, locale: string): string {
  const [day, today] = [localDay(tsMs, timeZone), localDay(nowMs, timeZone)];
  if (day === today) {
    const word = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'day');
    return `${word} ${formatTime(tsMs, timeZone, locale)}`;
  }
  if (day.slice(0, 4) !== today.slice(0, 4)) return formatDay(day, locale);
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(tsMs);
}

export interface Moments {
  /** On the clock of a zone, which is named where it shows another time than the reader's. */
  readonly moment: (tsMs: number, timeZone: string) => string;
  readonly duration: (durationMs: number) => string;
}

/** Moments and how long things took, in the interface language. */
export function useMoments(): Moments {
  const { locale } = useFormat();
  return useMemo(
    () => ({
      moment: (tsMs, timeZone) =>
        `${momentText(tsMs, timeZone, serverNowMs(), locale)} ${zoneBeside(tsMs, timeZone, localZone(), locale)}`.trimEnd(),
      duration: (durationMs) => durationText(durationMs, locale),
    }),
    [locale],
  );
}
