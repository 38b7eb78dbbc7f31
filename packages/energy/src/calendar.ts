import { Temporal } from 'temporal-polyfill';
import { zoneAbbreviation } from './zone-abbreviation.ts';

/** A span of UTC time, end exclusive, epoch ms. */
export interface TimeBounds {
  startMs: number;
  endMs: number;
}

/** One local hour of a day. An hour that is repeated occurs twice; one that is cut by a shift of the clock is shorter. */
export interface LocalHour extends TimeBounds {
  /** 0-23 on the plant's clock. */
  hour: number;
  /** UTC offset during this hour, minutes east. */
  offsetMinutes: number;
}

/** A span of constant offset in a zone. */
interface OffsetSpan extends TimeBounds {
  offsetMs: number;
}

interface ZoneCache {
  /** Ascending, without overlap. */
  spans: OffsetSpan[];
  last: OffsetSpan;
  lastDay: TimeBounds & { day: string };
  bounds: Map<string, TimeBounds>;
  hours: Map<string, readonly LocalHour[]>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const MAX_CACHED_DAYS = 5000;
/** Of hours only those days are kept that many plants of a zone ask for. */
const MAX_CACHED_DAYS_OF_HOURS = 4;
/** No name of the IANA database is longer than 32 characters. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,47}$/;
const NO_SPAN: OffsetSpan = { startMs: Number.POSITIVE_INFINITY, endMs: Number.NEGATIVE_INFINITY, offsetMs: 0 };

/** By name in small letters: names are taken in any case, and what this runtime knows is finite. */
const zones = new Map<string, ZoneCache>();

/** Asking the runtime for a zone costs it a formatter, so each is asked for once; a name that it does not know leaves nothing. */
function knownCache(zone: string): ZoneCache | undefined {
  const name = zone.toLowerCase();
  const known = zones.get(name);
  if (known !== undefined || !ZONE_NAME.test(zone)) return known;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    return undefined;
  }
  const lastDay = { startMs: 1, endMs: 0, day: '' };
  const cache: ZoneCache = { spans: [], last: NO_SPAN, lastDay, bounds: new Map(), hours: new Map() };
  zones.set(name, cache);
  return cache;
}

function cacheOf(zone: string): ZoneCache {
  const cache = knownCache(zone);
  if (cache === undefined) throw new RangeError(`Unknown time zone: ${zone.slice(0, 64)}`);
  return cache;
}

/** True for an IANA zone name that this runtime knows; a bare offset such as `+02:00` is none. */
export function isValidZone(zone: string): boolean {
  return knownCache(zone) !== undefined;
}

function spanAt(tsMs: number, zone: string): OffsetSpan {
  const cache = cacheOf(zone);
  const { last } = cache;
  if (tsMs >= last.startMs && tsMs < last.endMs) return last;
  const { spans } = cache;
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const span = spans[middle] as OffsetSpan;
    if (tsMs < span.startMs) high = middle - 1;
    else if (tsMs >= span.endMs) low = middle + 1;
    else {
      cache.last = span;
      return span;
    }
  }
  const span = findSpan(tsMs, zone);
  spans.splice(low, 0, span);
  cache.last = span;
  return span;
}

function findSpan(tsMs: number, zone: string): OffsetSpan {
  const wholeMs = Math.floor(tsMs);
  const at = Temporal.Instant.fromEpochMilliseconds(wholeMs).toZonedDateTimeISO(zone);
  // "previous" is strictly before, and a transition at this very instant begins the span.
  const previous = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const next = at.getTimeZoneTransition('next');
  return {
    startMs: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    endMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: Math.round(at.offsetNanoseconds / 1e6),
  };
}

/** Offset of a zone at a time, ms to add to UTC. Throws RangeError for an unknown zone. */
export function zoneOffsetMs(tsMs: number, zone: string): number {
  return spanAt(tsMs, zone).offsetMs;
}

function isoDay(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 10);
}

/** The plant-local day, `YYYY-MM-DD`. Throws RangeError for an unknown zone. */
export function localDay(tsMs: number, zone: string): string {
  const { lastDay } = cacheOf(zone);
  if (tsMs >= lastDay.startMs && tsMs < lastDay.endMs) return lastDay.day;
  const span = spanAt(tsMs, zone);
  const localMs = tsMs + span.offsetMs;
  const midnightMs = Math.floor(localMs / DAY_MS) * DAY_MS;
  lastDay.day = isoDay(localMs);
  // Only the part of the day within one offset is remembered: it needs no second look-up and is never wrong.
  lastDay.startMs = Math.max(span.startMs, midnightMs - span.offsetMs);
  lastDay.endMs = Math.min(span.endMs, midnightMs + DAY_MS - span.offsetMs);
  return lastDay.day;
}

/** The plant-local month, `YYYY-MM`. */
export function localMonth(tsMs: number, zone: string): string {
  return localDay(tsMs, zone).slice(0, 7);
}

/**
 * Start and end of a plant-local day; 23, 24 or 25 hours apart, or otherwise where the zone's clock was shifted. A day that
 * has no midnight starts at its first instant; a day that a zone left out altogether is empty.
 *
 * @param day `YYYY-MM-DD`. Throws RangeError for a day or a zone that does not exist.
 */
export function dayBounds(day: string, zone: string): TimeBounds {
  const { bounds } = cacheOf(zone);
  const known = bounds.get(day);
  if (known !== undefined) return known;
  const date = Temporal.PlainDate.from(day);
  const found = { startMs: startOfDayMs(date, zone), endMs: startOfDayMs(date.add({ days: 1 }), zone) };
  if (bounds.size >= MAX_CACHED_DAYS) bounds.clear();
  bounds.set(day, found);
  return found;
}

function startOfDayMs(date: Temporal.PlainDate, zone: string): number {
  return date.toZonedDateTime({ timeZone: zone }).epochMilliseconds;
}

/**
 * The instant of a plant-local time, `YYYY-MM-DD` (its midnight) or `YYYY-MM-DDTHH:MM`. A time that the clock repeats is the
 * first, one that it leaves out is as much later. Throws RangeError for a time or a zone that does not exist.
 */
export function instantOf(plantTime: string, zone: string): number {
  cacheOf(zone);
  if (plantTime.length === 10) return dayBounds(plantTime, zone).startMs;
  return Temporal.PlainDateTime.from(plantTime).toZonedDateTime(zone).epochMilliseconds;
}

/** The hours of a plant-local day in order, without holes between its bounds. */
export function hoursOfDay(day: string, zone: string): readonly LocalHour[] {
  const { hours } = cacheOf(zone);
  const known = hours.get(day);
  if (known !== undefined) return known;
  const found = findHours(day, zone);
  if (hours.size >= MAX_CACHED_DAYS_OF_HOURS) hours.clear();
  hours.set(day, found);
  return found;
}

function findHours(day: string, zone: string): LocalHour[] {
  const { startMs, endMs } = dayBounds(day, zone);
  const hours: LocalHour[] = [];
  let atMs = startMs;
  while (atMs < endMs) {
    const span = spanAt(atMs, zone);
    const localMs = atMs + span.offsetMs;
    const nextHourMs = (Math.floor(localMs / HOUR_MS) + 1) * HOUR_MS - span.offsetMs;
    const hourEndMs = Math.min(nextHourMs, span.endMs, endMs);
    hours.push({
      hour: Math.floor((localMs - Math.floor(localMs / DAY_MS) * DAY_MS) / HOUR_MS),
      startMs: atMs,
      endMs: hourEndMs,
      offsetMinutes: Math.round(span.offsetMs / MINUTE_MS),
    });
    atMs = hourEndMs;
  }
  return hours;
}

/** Days of a month, `YYYY-MM` to a list of `YYYY-MM-DD`. */
export function daysOfMonth(month: string): string[] {
  const { daysInMonth } = Temporal.PlainYearMonth.from(month);
  return Array.from({ length: daysInMonth }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

/** Months of a year, `YYYY-MM`. */
export function monthsOfYear(year: number): string[] {
  return Array.from({ length: 12 }, (_, index) => `${yearText(year)}-${String(index + 1).padStart(2, '0')}`);
}

/** Start and end of a plant-local month, `YYYY-MM`. */
export function monthBounds(month: string, zone: string): TimeBounds {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  return { startMs: startOfDayMs(first, zone), endMs: startOfDayMs(first.add({ months: 1 }), zone) };
}

/** Start and end of a plant-local year. */
export function yearBounds(year: number, zone: string): TimeBounds {
  const first = Temporal.PlainDate.from({ year, month: 1, day: 1 });
  return { startMs: startOfDayMs(first, zone), endMs: startOfDayMs(first.add({ years: 1 }), zone) };
}

function yearText(year: number): string {
  return String(year).padStart(4, '0');
}

/**
 * Plant-local time as `YYYY-MM-DD HH:MM:SS CEST+0200`; a zone whose time has no letters repeats its offset:
 * `+03+0300`.
 */
export function formatPlantTime(tsMs: number, zone: string): string {
  const { offsetMs } = spanAt(tsMs, zone);
  const local = new Date(tsMs + offsetMs).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${zoneText(tsMs, zone, offsetMs)}`;
}

const zoneTexts = new Map<string, string>();

/** `CEST+0200`, made once for each offset of a zone. */
function zoneText(tsMs: number, zone: string, offsetMs: number): string {
  const key = `${zone} ${offsetMs}`;
  const known = zoneTexts.get(key);
  if (known !== undefined) return known;
  const sign = offsetMs < 0 ? '-' : '+';
  const minutes = Math.round(Math.abs(offsetMs) / MINUTE_MS);
  const hh = String(Math.floor(minutes / 60)).padStart(2, '0');
  const mm = String(minutes % 60).padStart(2, '0');
  const letters = zoneAbbreviation(tsMs, zone, offsetMs) ?? `${sign}${hh}${mm === '00' ? '' : mm}`;
  const text = `${letters}${sign}${hh}${mm}`;
  zoneTexts.set(key, text);
  return text;
}
