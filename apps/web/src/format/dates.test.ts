import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  daysOfMonth,
  formatAge,
  formatTime,
  localDay,
  startOfLocalDay,
  startOfWeek,
  zoneOffsetMinutes,
} from './dates.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('an age', () => {
  test.each([
    [2_400, '2 sec ago'],
    [12 * MINUTE + 59_000, '12 min ago'],
    [3 * 60 * MINUTE, '3 hr ago'],
    [DAY, '1 day ago'],
    [15 * DAY, '2 wk ago'],
    [70 * DAY, '2 mo ago'],
    [800 * DAY, '2 yr ago'],
  ])('of %d ms is told in its largest whole unit', (ageMs, words) => {
    expect(formatAge(ageMs, 'en-GB').replaceAll('.', '')).toBe(words);
  });

  test('of a clock that runs ahead is zero seconds', () => {
    expect(formatAge(-5000, 'en-GB')).toBe(formatAge(0, 'en-GB'));
  });
});

describe('plant-local days', () => {
  test('turn at local midnight, half-hour zones included', () => {
    const justBefore = Date.UTC(2026, 5, 20, 18, 29);
    expect(localDay(justBefore, 'Asia/Kolkata')).toBe('2026-06-20');
    expect(localDay(justBefore + MINUTE, 'Asia/Kolkata')).toBe('2026-06-21');
    expect(formatTime(justBefore + MINUTE, 'Asia/Kolkata', 'de')).toBe('00:00');
  });

  test('know the offset on both sides of a change of the clock', () => {
    expect(zoneOffsetMinutes(Date.UTC(2026, 2, 29, 0, 59), 'Europe/Berlin')).toBe(60);
    expect(zoneOffsetMinutes(Date.UTC(2026, 2, 29, 1, 0), 'Europe/Berlin')).toBe(120);
    expect(zoneOffsetMinutes(0, 'Asia/Kolkata')).toBe(330);
  });
});

test('a local day starts at its own midnight, on days of 23 and 25 hours too', () => {
  const hours = (day: string, zone: string) =>
    (startOfLocalDay(addDays(day, 1), zone) - startOfLocalDay(day, zone)) / 3_600_000;
  expect(hours('2026-03-29', 'Europe/Berlin')).toBe(23);
  expect(hours('2026-10-25', 'Europe/Berlin')).toBe(25);
  expect(hours('2026-10-25', 'Asia/Kolkata')).toBe(24);
  expect(startOfLocalDay('2026-06-21', 'Asia/Kolkata')).toBe(Date.UTC(2026, 5, 20, 18, 30));
});

describe('calendar', () => {
  test('weeks start on Monday', () => {
    expect(startOfWeek('2026-06-21')).toBe('2026-06-15');
    expect(startOfWeek('2026-06-15')).toBe('2026-06-15');
  });

  test('months step over year ends', () => {
    expect(addMonths('2026-01-31', -1)).toBe('2025-12-01');
    expect(daysOfMonth('2028-02-10')).toBe(29);
  });

  test('adding days and taking them away leads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -2000, max: 2000 }), (start, count) => {
        const day = addDays('1980-01-01', start);
        expect(addDays(addDays(day, count), -count)).toBe(day);
      }),
    );
  });
});
