import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTime } from '../format/dates.ts';
import { barHeights, energySplits, labelEvery } from './bar-geometry.ts';
import { daySeries, peakOf, powerSplits } from './day-series.ts';
import { hourTicks, tickHours } from './time-axis.ts';

const HOUR = 3_600_000;

describe('the axis of time', () => {
  const clocks = (startMs: number, hours: number, zone: string) =>
    hourTicks(startMs, startMs + hours * HOUR, zone, 3).map((each) => formatTime(each, zone, 'de'));

  test('labels a day of 23 hours without the hour that does not exist', () => {
    const midnight = Date.UTC(2026, 2, 28, 23);
    expect(clocks(midnight, 23, 'Europe/Berlin')).toEqual([
      '00:00',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      '00:00',
    ]);
  });

  test('labels the hour that comes twice once on a day of 25 hours', () => {
    const midnight = Date.UTC(2026, 9, 24, 22);
    const labels = hourTicks(midnight, midnight + 25 * HOUR, 'Europe/Berlin', 1).map((each) =>
      formatTime(each, 'Europe/Berlin', 'de'),
    );
    expect(labels.filter((label) => label === '02:00')).toHaveLength(1);
    expect(labels).toHaveLength(25);
  });

  test('stands on full local hours in a zone of half hours', () => {
    const midnight = Date.UTC(2026, 5, 20, 18, 30);
    expect(clocks(midnight, 24, 'Asia/Kolkata')[1]).toBe('03:00');
  });

  test('leaves labels room', () => {
    expect(tickHours(24 * HOUR, 1200, 76)).toBe(2);
    expect(tickHours(24 * HOUR, 320, 76)).toBe(6);
  });
});

describe('the axis of power', () => {
  test('covers its range in round steps, zero among them', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 0 }), fc.integer({ min: 1, max: 1_000_000 }), (min, max) => {
        const splits = powerSplits(min, max);
        expect(splits[0]).toBeLessThanOrEqual(min);
        expect(splits.at(-1)).toBeGreaterThanOrEqual(max);
        expect(splits.some((split) => split === 0)).toBe(true);
        expect(splits.length).toBeLessThanOrEqual(9);
      }),
    );
  });
});

describe('the series of a day', () => {
  const empty = [null, null];
  const day = {
    date: '2026-06-21',
    ianaTimezone: 'Europe/Berlin',
    startMs: 0,
    endMs: 600_000,
    bucketMs: 300_000,
    tsMs: [0, 300_000],
    pvW: [100, null],
    externalW: empty,
    batteryW: empty,
    gridW: empty,
    loadW: empty,
    chargerW: empty,
    socPercent: empty,
    clearSkyW: [120, 130],
  };

  test('are those that were measured', () => {
    expect(daySeries(day).map((series) => series.name)).toEqual(['pv', 'clearSky']);
  });

  test('are none where only an expectation is there', () => {
    expect(daySeries({ ...day, pvW: empty })).toEqual([]);
  });

  test('have their peak where it was, and none without a value', () => {
    expect(peakOf([null, 3, 7, 2], [10, 20, 30, 40])).toEqual({ value: 7, tsMs: 30 });
    expect(peakOf([null], [10])).toBeNull();
  });
});

describe('bars', () => {
  test('stack to the height of their sum', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.double({ min: 0, max: 1e5, noNaN: true })), { minLength: 1, maxLength: 4 }),
        (values) => {
          const sum = values.reduce<number>((all, value) => all + (value ?? 0), 0);
          const top = energySplits(sum).at(-1) ?? 1;
          const rects = barHeights(values, top, 200);
          const highest = Math.min(200, ...rects.map((rect) => rect.y));
          expect(highest).toBeGreaterThanOrEqual(-1e-6);
          expect(200 - highest).toBeLessThanOrEqual((sum / top) * 200 + 1e-6);
        },
      ),
    );
  });

  test('leave the place of an unmeasured slot empty', () => {
    expect(barHeights([null, null], 100, 200).every((rect) => rect.height === 0)).toBe(true);
  });

  test('label as many slots as fit', () => {
    expect(labelEvery(12, 60, 3)).toBe(1);
    expect(labelEvery(31, 10, 2)).toBe(3);
  });
});
