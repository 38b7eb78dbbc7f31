import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTime } from '../format/dates.ts';
import { energyAxis } from '../format/quantities.ts';
import { barHeights, energySplits, labelEvery } from './bar-geometry.ts';
import { daylightSpan, daySeries, essentialSeries, goesBothWays, peakOf } from './day-series.ts';
import { hiddenSeries } from './shown-lines.ts';
import { axisTicks, hourTicks, tickHours } from './time-axis.ts';
import { valueRange, valueSplits } from './value-axis.ts';

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

  test('of a short time has minutes, whichever time that is: two labels at least, each with its room', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 2_000 }), fc.integer({ min: 240, max: 1_600 }), (minutes, widthPx) => {
        const startMs = Date.UTC(2026, 5, 20, 18, 7);
        const ticks = axisTicks(startMs, startMs + minutes * 60_000, 'Europe/Berlin', widthPx, 76);
        expect(ticks.length).toBeGreaterThanOrEqual(minutes > 180 ? 1 : 2);
        expect(ticks.length).toBeLessThanOrEqual(widthPx / 76 + 1);
      }),
    );
  });

  test('leaves labels room', () => {
    expect(tickHours(24 * HOUR, 1200, 76)).toBe(2);
    expect(tickHours(24 * HOUR, 320, 76)).toBe(6);
  });
});

describe('the axis of values', () => {
  const low = fc.double({ min: -1e6, max: 0, noNaN: true });
  const high = fc.double({ min: 0, max: 1e6, noNaN: true });

  test('covers its range in round steps, zero among them', () => {
    fc.assert(
      fc.property(low, high, fc.boolean(), (from, to, bothWays) => {
        const [min, max] = valueRange(from, to, bothWays);
        const lines = valueSplits(min, max);
        const tolerance = 1e-6 * (max - min);
        expect(min).toBeLessThanOrEqual(from + tolerance);
        expect(max).toBeGreaterThanOrEqual(to - tolerance);
        expect(lines.some((line) => line === 0)).toBe(true);
        expect(lines.length).toBeLessThanOrEqual(7);
        expect(lines.at(-1)).toBeCloseTo(max, 3);
        if (from < -0.25 * (lines.at(-1) ?? 0)) expect(lines[0]).toBeLessThan(0);
      }),
    );
  });

  test('gives a zero line two thirds from below at the most: a curve upwards keeps a third of the height', () => {
    fc.assert(
      fc.property(low, high, fc.boolean(), (from, to, bothWays) => {
        const [min, max] = valueRange(from, to, bothWays);
        expect(max).toBeGreaterThanOrEqual(-min / 2 - 1e-6);
      }),
    );
  });

  test('stays as it was when a battery of a quiet day begins to charge with some watts', () => {
    const before = valueRange(0, 4900, true);
    expect(before).toEqual([-250, 5000]);
    for (const chargingW of [-1, -49, -250]) expect(valueRange(chargingW, 4900, true)).toEqual(before);
    expect(valueSplits(...before)).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
  });

  test('has no room below zero where nothing goes there', () => {
    expect(valueRange(0, 4900, false)).toEqual([0, 5000]);
  });

  test('says how far down it goes where that is more than a margin', () => {
    expect(valueSplits(...valueRange(-400, 4400, true))).toEqual([-1000, 0, 1000, 2000, 3000, 4000, 5000]);
    expect(valueSplits(...valueRange(-4200, 4900, true))).toEqual([-6000, -4000, -2000, 0, 2000, 4000, 6000]);
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
    sunriseMs: null,
    sunsetMs: null,
    earlierDay: null,
  };

  test('are those that were measured', () => {
    expect(daySeries(day).map((series) => series.name)).toEqual(['pv', 'clearSky']);
  });

  test('go both ways where the plant has a battery or a grid, and not with a PV and a load alone', () => {
    expect(goesBothWays(daySeries(day))).toBe(false);
    expect(goesBothWays(daySeries({ ...day, loadW: [10, 20] }))).toBe(false);
    expect(goesBothWays(daySeries({ ...day, batteryW: [0, 0] }))).toBe(true);
    expect(goesBothWays(daySeries({ ...day, gridW: [null, 5] }))).toBe(true);
  });

  test('tell house and car as one consumption, as far as either is known', () => {
    const both = daySeries({ ...day, loadW: [10, null], chargerW: [5, 7] });
    expect(both.find(({ name }) => name === 'consumption')?.values).toEqual([15, 7]);
    expect(daySeries({ ...day, loadW: [10, null] }).find(({ name }) => name === 'consumption')?.values).toEqual([
      10,
      null,
    ]);
  });

  test('begin with what was generated, used and stored; other lines come when they are chosen, and stay', () => {
    const all = daySeries({
      ...day,
      externalW: [1, 1],
      batteryW: [1, 1],
      gridW: [1, 1],
      loadW: [1, 1],
      chargerW: [1, 1],
      socPercent: [50, 50],
    });
    expect(essentialSeries(all)).toEqual(['pv', 'consumption', 'soc']);
    const none = { on: [], off: [] };
    expect([...hiddenSeries(all, none)]).toEqual(['battery', 'grid', 'external', 'charger', 'clearSky']);
    expect([...hiddenSeries(all, { on: ['grid'], off: ['soc'] })]).toEqual([
      'battery',
      'external',
      'charger',
      'soc',
      'clearSky',
    ]);
    const withoutPv = daySeries({ ...day, pvW: empty, externalW: [1, 1], loadW: [1, 1] });
    expect(essentialSeries(withoutPv)).toEqual(['consumption', 'external']);
  });

  test('are none where only an expectation is there', () => {
    expect(daySeries({ ...day, pvW: empty })).toEqual([]);
  });

  test('have their peak where it was, and none without a value', () => {
    expect(peakOf([null, 3, 7, 2], [10, 20, 30, 40])).toEqual({ value: 7, tsMs: 30 });
    expect(peakOf([null], [10])).toBeNull();
  });
});

describe('the daylight of a day', () => {
  const startMs = Date.UTC(2026, 10, 22, 23);
  const day = { startMs, endMs: startMs + 24 * HOUR, sunriseMs: startMs + 7.6 * HOUR, sunsetMs: startMs + 16.2 * HOUR };
  const hours = (seenMs: number | null) => {
    const span = daylightSpan(day, seenMs);
    return [(span.startMs - startMs) / HOUR, (span.endMs - startMs) / HOUR];
  };

  test('is shown with an hour on either side, and as far as now', () => {
    expect(hours(null)).toEqual([6, 18]);
    expect(hours(startMs + 12 * HOUR)).toEqual([6, 18]);
    expect(hours(startMs + 20.3 * HOUR)).toEqual([6, 21]);
    expect(hours(startMs + 23.9 * HOUR)).toEqual([6, 24]);
  });

  test('is the whole day where now is before it, and where the sun is not known', () => {
    expect(hours(startMs + 3 * HOUR)).toEqual([0, 24]);
    expect(daylightSpan({ ...day, sunsetMs: null }, null)).toEqual({ startMs, endMs: day.endMs });
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

  test('have an axis whose labels are short and differ, also where there is hardly any energy', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (largestWh) => {
        const splits = energySplits(largestWh);
        const labels = energyAxis(splits, 'de');
        expect(splits.at(-1)).toBeGreaterThanOrEqual(largestWh - 1e-6);
        expect(new Set(labels).size).toBe(splits.length);
        expect(Math.max(...labels.map((label) => label.length))).toBeLessThanOrEqual('0,50 kWh'.length);
      }),
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
