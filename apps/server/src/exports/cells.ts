import type { QuantityKind, quantities } from '@sonnenwarte/contract/kinds';

/** What a cell holds; nothing where nothing is known. */
export type CellValue = string | number | Date | null;

/** Kind of a column: numbers and times are real ones in a sheet. `day` is `YYYY-MM-DD` without a zone. */
export type CellKind = 'text' | 'number' | 'time' | 'day';

/** Decimals with which quantities are told. */
export type Decimals = (typeof quantities)[QuantityKind]['decimals'];

export interface HeaderCell {
  readonly text: string;
  readonly kind: CellKind;
  /** Of the numbers below it. */
  readonly decimals?: Decimals;
}

export interface Table {
  readonly name: string;
  readonly header: readonly HeaderCell[];
  /** Rows in the order of the header. */
  readonly rows: AsyncIterable<readonly CellValue[]>;
  /** Of its zone. */
  readonly clock: Intl.DateTimeFormat;
}

const wallClocks = new Map<string, Intl.DateTimeFormat>();

/** The clock of a zone. Zones are taken in any case and by any of their names, and each has one clock that is kept. */
export function wallClockOf(timeZone: string): Intl.DateTimeFormat {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const { timeZone: zone } = clock.resolvedOptions();
  const kept = wallClocks.get(zone);
  if (kept === undefined) wallClocks.set(zone, clock);
  return kept ?? clock;
}

/** What a clock shows, as if it were UTC. */
export function wallClockMs(time: Date, clock: Intl.DateTimeFormat): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clock.formatToParts(time)) parts[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** `2026-03-29 14:05:00` as the clock showed it; programs read it as a time in every language. */
export const timeText = (time: Date, clock: Intl.DateTimeFormat): string =>
  new Date(wallClockMs(time, clock)).toISOString().slice(0, 19).replace('T', ' ');

/** Control characters other than tab and line feed, and halves of characters, which no file can hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export const writable = (text: string): string => text.replaceAll(unwritable, '').toWellFormed();
