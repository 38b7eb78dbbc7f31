import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, localDay, startOfLocalDay } from '../format/dates.ts';
import { axisTop, dayParts, weekPaths } from './week-shape.ts';

const values = fc.array(fc.option(fc.integer({ min: 0, max: 50_000 })), { minLength: 168, maxLength: 168 });
const size = { width: 700, height: 150, top: 50_000 };

const calendarOf = (zone: string) => ({
  dayOf: (ms: number) => localDay(ms, zone),
  startOf: (day: string) => startOfLocalDay(day, zone),
  next: (day: string) => addDays(day, 1),
});

test('the axis ends at a round number that holds all values', () => {
  expect([1, 999, 2_001, 39_000, 61_000, 100_000].map(axisTop)).toEqual([1, 1_000, 4_000, 40_000, 80_000, 100_000]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), (peak) => {
      expect(axisTop(peak)).toBeGreaterThanOrEqual(peak);
      expect(axisTop(peak)).toBeLessThanOrEqual(2 * peak);
    }),
  );
});

describe('a week of power', () => {
  test('is drawn in as many runs as it has, and never across a gap', () => {
    fc.assert(
      fc.property(values, (powers) => {
        const runs = powers.filter((value, hour) => value !== null && (powers[hour - 1] ?? null) === null).length;
        const paths = weekPaths(powers, size);
        expect(paths).toHaveLength(runs);
        const points = paths.flatMap(({ line }) => line.split(/[ML]/).filter((each) => each !== ''));
        expect(points).toHaveLength(powers.filter((value) => value !== null).length);
      }),
    );
  });

  test('is told in days that together hold every hour once, in every zone and over a change of the clock', () => {
    fc.assert(
      fc.property(
        values,
        fc.constantFrom('Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe'),
        fc.integer({ min: 0, max: 8_000 }),
        (powerW, zone, hour) => {
          const startMs = Date.UTC(2026, 0, 1) + hour * 3_600_000;
          const days = dayParts({ startMs, powerW }, calendarOf(zone));
          const sum = days.reduce((all, { wh }) => all + (wh ?? 0), 0);
          expect(sum).toBe(powerW.reduce<number>((all, value) => all + (value ?? 0), 0));
          expect(days.reduce((all, { share }) => all + share, 0)).toBeCloseTo(1, 9);
        },
      ),
    );
  });
});
