import { languages, localeOf } from '@sonnenwarte/contract/languages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  daysOfMonth,
  formatAge,
  formatDateTime,
  formatDateTimeAt,
  formatDay,
  formatSeconds,
  formatTime,
  localDay,
  startOfLocalDay,
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

describe('an age in every language', () => {
  const ages = [59_000, 12 * MINUTE, 5 * 60 * MINUTE, 3 * DAY, 15 * DAY, 70 * DAY, 800 * DAY];

  test.each(languages)(
    'goes in %s from seconds through minutes, hours, days, weeks and months to years',
    (language) => {
      const locale = localeOf(language);
      const words = ages.map((ageMs) => formatAge(ageMs, locale));
      const units = words.map((text) => text.replace(/\d+/g, '').trim());
      expect(new Set(units).size).toBe(ages.length);
      expect(words.map((text) => Number(/\d+/.exec(text)?.[0]))).toEqual([59, 12, 5, 3, 2, 2, 2]);
    },
  );

  test('is said in the language', () => {
    const said = (['de', 'fr', 'pl', 'cs', 'ko', 'zh_CN'] as const).map((language) =>
      formatAge(5 * 60 * MINUTE, localeOf(language)).replaceAll('\u00a0', ' '),
    );
    expect(said).toEqual(['vor 5 Std.', 'il y a 5 h', '5 godz. temu', 'před 5 h', '5시간 전', '5小时前']);
  });

  test('never falls back to a smaller unit as it grows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 * DAY }), (ageMs) => {
        const count = Number(/\d+/.exec(formatAge(ageMs, 'en-GB'))?.[0]);
        expect(count).toBeLessThan(60);
        expect(count >= 1 || ageMs < 1000).toBe(true);
      }),
    );
  });
});

describe('dates by language', () => {
  const moment = Date.UTC(2026, 10, 5, 13, 7);

  test.each([
    ['de', '05.11.2026', '05.11.2026, 14:07'],
    ['en', '5 Nov 2026', '5 Nov 2026, 14:07'],
    ['fr', '5 nov. 2026', '5 nov. 2026, 14:07'],
    ['pl', '5 lis 2026', '5 lis 2026, 14:07'],
    ['ko', '2026. 11. 5.', '2026. 11. 5. 오후 2:07'],
    ['zh_CN', '2026年11月5日', '2026年11月5日 14:07'],
  ] as const)('%s writes %s', (language, day, dateTime) => {
    const locale = localeOf(language);
    expect(formatDay('2026-11-05', locale)).toBe(day);
    expect(formatDateTime(moment, 'Europe/Berlin', locale).replaceAll('\u202f', ' ')).toBe(dateTime);
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

test('a time to wait is one piece, in the words of an age', () => {
  for (const language of languages) expect(formatSeconds(7, localeOf(language))).not.toContain(' ');
  expect(formatSeconds(7, 'de')).toBe('7\u00a0Sek.');
  expect(formatAge(7_000, 'de')).toContain('7 Sek.');
});

test('a moment of a plant names its zone where another clock shows another time', () => {
  const ms = Date.UTC(2026, 6, 15, 10, 0);
  const at = (own: string) => formatDateTimeAt(ms, 'Europe/Lisbon', own, 'de-DE');
  expect(at('Europe/London')).toBe(formatDateTime(ms, 'Europe/Lisbon', 'de-DE'));
  expect(at('Europe/Berlin')).toMatch(/11:00 \S+$/);
});
