import { serverNowMs } from '../client/clock.ts';
import { localDay } from '../format/dates.ts';
import type { Format } from '../format/use-format.ts';

/** The time of a moment of today, else its day. */
export function dayOrTime(tsMs: number, timeZone: string, format: Format): string {
  return localDay(tsMs, timeZone) === localDay(serverNowMs(), timeZone)
    ? format.time(tsMs, timeZone)
    : format.day(localDay(tsMs, timeZone));
}

/** To the tenth of a second, as the steps of a command follow one another. */
export const exactTime = (tsMs: number, timeZone: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 1,
    timeZone,
  }).format(tsMs);
