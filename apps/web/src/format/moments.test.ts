import { expect, test } from 'vitest';
import { durationText, momentText } from './moments.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

test.each([
  [0, '0 Min.'],
  [4 * MINUTE_MS + 59_000, '4 Min.'],
  [HOUR_MS, '1 Std.'],
  [2 * HOUR_MS + 10 * MINUTE_MS, '2 Std. 10 Min.'],
  [DAY_MS + 3 * HOUR_MS, '1 Tag 3 Std.'],
  [2 * DAY_MS - 1, '1 Tag 23 Std.'],
  [9 * DAY_MS + 5 * HOUR_MS, '9 Tage'],
])('%i ms took %s', (durationMs, text) => {
  expect(plain(durationText(durationMs, 'de-DE'))).toBe(text);
});

const at = (text: string): number => Date.parse(text);

test.each([
  ['2026-06-16T09:42:00Z', 'heute 11:42'],
  ['2026-06-15T22:05:00Z', 'heute 00:05'],
  ['2026-06-15T21:59:00Z', '15. Juni, 23:59'],
  ['2025-06-07T11:15:00Z', '07.06.2025'],
])('%s is said as "%s" on the clock of the plant', (moment, text) => {
  expect(plain(momentText(at(moment), 'Europe/Berlin', at('2026-06-16T11:05:00Z'), 'de-DE'))).toBe(text);
});
