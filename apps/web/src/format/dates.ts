import { NOT_MEASURED } from './quantities.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const ageSteps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['week', 7 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
];

const relativeFormats = new Map<string, Intl.RelativeTimeFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** `12 min ago`: seconds, minutes, hours, days, weeks, months, years. */
export function formatAge(ageMs: number, locale: string): string {
  const whole = Math.max(0, ageMs);
  const [unit, unitMs] = ageSteps.find(([, stepMs]) => whole >= stepMs) ?? ['second' as const, SECOND_MS];
  let format = relativeFormats.get(locale);
  if (!format) {
    format = new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'always' });
    relativeFormats.set(locale, format);
  }
  return format.format(-Math.floor(whole / unitMs), unit);
}

/** `12 sec`, in the words of an age, on one line. */
export const formatSeconds = (seconds: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'short' })
    .format(seconds)
    .replaceAll(' ', '\u00a0');

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale}|${JSON.stringify(options)}`;
  const known = dateFormats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  dateFormats.set(key, made);
  return made;
}

const part = (tsMs: number | null, locale: string, options: Intl.DateTimeFormatOptions): string =>
  tsMs === null ? NOT_MEASURED : dateFormat(locale, options).format(tsMs);

export const formatTime = (tsMs: number | null, timeZone: string, locale: string): string =>
  part(tsMs, locale, { timeZone, hour: '2-digit', minute: '2-digit' });

export const formatTimeSeconds = (tsMs: number | null, timeZone: string, locale: string): string =>
  part(tsMs, locale, { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' });

export const formatDateTime = (tsMs: number | null, timeZone: string, locale: string): string =>
  part(tsMs, locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' });

/** A moment to the thousandth of a second. */
export const formatMoment = (tsMs: number, timeZone: string, locale: string): string =>
  part(tsMs, locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    timeZoneName: 'short',
  });

/** A zone's short name where a clock in `ownZone` shows another time, else nothing. */
export function zoneBeside(tsMs: number, timeZone: string, ownZone: string, locale: string): string {
  if (zoneOffsetMinutes(tsMs, timeZone) === zoneOffsetMinutes(tsMs, ownZone)) return '';
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }).formatToParts(tsMs);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** The same with the zone's short name where a clock in `ownZone` shows another time. */
export const formatDateTimeAt = (tsMs: number, timeZone: string, ownZone: string, locale: string): string =>
  `${formatDateTime(tsMs, timeZone, locale)} ${zoneBeside(tsMs, timeZone, ownZone, locale)}`.trimEnd();

/** Local time with the zone's short name, `14:05 CEST`. */
export const formatTimeWithZone = (tsMs: number, timeZone: string, locale: string): string =>
  part(tsMs, locale, { timeZone, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

/** A calendar day without a zone, `YYYY-MM-DD`. */
export type CalendarDay = string;

interface CalendarParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export function calendarParts(day: CalendarDay): CalendarParts {
  const [year = 1970, month = 1, dayOfMonth = 1] = day.split('-').map(Number);
  return { year, month, day: dayOfMonth };
}

const noonUtcMs = (day: CalendarDay): number => {
  const { year, month, day: dayOfMonth } = calendarParts(day);
  return Date.UTC(year, month - 1, dayOfMonth, 12);
};

const fromUtc = (utcMs: number): CalendarDay => new Date(utcMs).toISOString().slice(0, 10);

/** The calendar day of a moment in a zone. */
export function localDay(tsMs: number, timeZone: string): CalendarDay {
  const parts = dateFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(
    tsMs,
  );
  const get = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? '';
  return `${get('year')}-${get('month')}-${get('day')}`;
}

export const addDays = (day: CalendarDay, count: number): CalendarDay => fromUtc(noonUtcMs(day) + count * DAY_MS);

export function addMonths(day: CalendarDay, count: number): CalendarDay {
  const { year, month } = calendarParts(day);
  return fromUtc(Date.UTC(year, month - 1 + count, 1, 12));
}

export const addYears = (day: CalendarDay, count: number): CalendarDay => addMonths(day, 12 * count);

export const daysOfMonth = (day: CalendarDay): number => {
  const { year, month } = calendarParts(day);
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
};

export const formatDay = (day: CalendarDay, locale: string): string =>
  dateFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' }).format(noonUtcMs(day));

export const formatDayLong = (day: CalendarDay, locale: string): string =>
  dateFormat(locale, { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' }).format(
    noonUtcMs(day),
  );

export const formatMonth = (day: CalendarDay, locale: string): string =>
  dateFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(noonUtcMs(day));

export const formatMonthName = (day: CalendarDay, locale: string): string =>
  dateFormat(locale, { timeZone: 'UTC', month: 'long' }).format(noonUtcMs(day));

export const formatMonthShort = (day: CalendarDay, locale: string): string =>
  dateFormat(locale, { timeZone: 'UTC', month: 'short' }).format(noonUtcMs(day));

export const formatWeekday = (day: CalendarDay, locale: string): string =>
  dateFormat(locale, { timeZone: 'UTC', weekday: 'short' }).format(noonUtcMs(day));

export const formatWeekdayLong = (day: CalendarDay, locale: string): string =>
  dateFormat(locale, { timeZone: 'UTC', weekday: 'long' }).format(noonUtcMs(day));

/** Day of the week, Monday = 0. */
export const weekdayOf = (day: CalendarDay): number => (new Date(noonUtcMs(day)).getUTCDay() + 6) % 7;

/** Minutes that a zone is ahead of UTC at a moment. */
export function zoneOffsetMinutes(tsMs: number, timeZone: string): number {
  const parts = dateFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(tsMs);
  const get = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((each) => each.type === type)?.value ?? 0);
  const wallMs = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'));
  return Math.round((wallMs - Math.floor(tsMs / MINUTE_MS) * MINUTE_MS) / MINUTE_MS);
}

/** The first moment of a calendar day in a zone. */
export function startOfLocalDay(day: CalendarDay, timeZone: string): number {
  const { year, month, day: dayOfMonth } = calendarParts(day);
  const midnightUtcMs = Date.UTC(year, month - 1, dayOfMonth);
  const guessMs = midnightUtcMs - zoneOffsetMinutes(midnightUtcMs, timeZone) * MINUTE_MS;
  const startMs = midnightUtcMs - zoneOffsetMinutes(guessMs, timeZone) * MINUTE_MS;
  return localDay(startMs, timeZone) === day ? startMs : guessMs;
}

/** What a clock shows at a moment, as fields for times hold it: `HH:MM`. */
export const clockOf = (tsMs: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(tsMs);
