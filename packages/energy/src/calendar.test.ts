import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  dayBounds,
  daysOfMonth,
  formatPlantTime,
  hoursOfDay,
  instantOf,
  isValidZone,
  localDay,
  monthBounds,
  monthsOfYear,
  yearBounds,
  zoneOffsetMs,
} from './calendar.ts';

const HOUR_MS = 3_600_000;
const ZONES = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Australia/Adelaide',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Africa/Cairo',
  'UTC',
];
const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2037, 0, 1) });

function hoursLong(day: string, inZone: string): number {
  const { startMs, endMs } = dayBounds(day, inZone);
  return (endMs - startMs) / HOUR_MS;
}

describe('local days', () => {
  test('the local day is the one that Intl prints, in any order of asking', () => {
    const formats = new Map(
      ZONES.map((name) => [
        name,
        new Intl.DateTimeFormat('en-CA', { timeZone: name, year: 'numeric', month: '2-digit', day: '2-digit' }),
      ]),
    );
    fc.assert(
      fc.property(instant, zone, (tsMs, inZone) => {
        expect(localDay(tsMs, inZone)).toBe(formats.get(inZone)?.format(tsMs));
      }),
      { numRuns: 500 },
    );
  });

  test('every instant lies within the bounds of its own local day', () => {
    fc.assert(
      fc.property(instant, zone, (tsMs, inZone) => {
        const { startMs, endMs } = dayBounds(localDay(tsMs, inZone), inZone);
        expect(startMs).toBeLessThanOrEqual(tsMs);
        expect(endMs).toBeGreaterThan(tsMs);
      }),
      { numRuns: 300 },
    );
  });

  test('the hours of a day fill it without holes, and each has the offset of its time', () => {
    fc.assert(
      fc.property(instant, zone, (tsMs, inZone) => {
        const day = localDay(tsMs, inZone);
        const bounds = dayBounds(day, inZone);
        const hours = hoursOfDay(day, inZone);
        expect(hours[0]?.startMs).toBe(bounds.startMs);
        expect(hours.at(-1)?.endMs).toBe(bounds.endMs);
        hours.forEach((hour, index) => {
          if (index > 0) expect(hour.startMs).toBe(hours[index - 1]?.endMs);
          expect(hour.offsetMinutes * 60_000).toBe(zoneOffsetMs(hour.startMs, inZone));
          expect(hour.endMs - hour.startMs).toBeLessThanOrEqual(HOUR_MS);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('days of the change of clocks have 23, 25, 23.5 and 24.5 hours', () => {
    expect(hoursLong('2026-03-29', 'Europe/Berlin')).toBe(23);
    expect(hoursLong('2026-10-25', 'Europe/Berlin')).toBe(25);
    expect(hoursLong('2026-06-01', 'Europe/Berlin')).toBe(24);
    expect(hoursLong('2026-10-04', 'Australia/Lord_Howe')).toBe(23.5);
    expect(hoursLong('2026-04-05', 'Australia/Lord_Howe')).toBe(24.5);
  });

  test('a repeated hour occurs twice and a skipped one not at all', () => {
    const labels = (day: string) => hoursOfDay(day, 'Europe/Berlin').map(({ hour }) => hour);
    expect(labels('2026-10-25').slice(0, 5)).toEqual([0, 1, 2, 2, 3]);
    expect(labels('2026-03-29').slice(0, 4)).toEqual([0, 1, 3, 4]);
  });

  test('a day without midnight starts at its first instant', () => {
    const [first] = hoursOfDay('2026-09-06', 'America/Santiago');
    expect(first).toMatchObject({ hour: 1, startMs: Date.UTC(2026, 8, 6, 4) });
    expect(hoursLong('2026-09-06', 'America/Santiago')).toBe(23);
  });

  test('a day that a zone left out is empty', () => {
    expect(hoursOfDay('2011-12-30', 'Pacific/Apia')).toEqual([]);
  });

  test('hours of a half-hour zone do not start on hours of UTC', () => {
    expect(hoursOfDay('2026-06-01', 'Asia/Kolkata')[0]?.startMs).toBe(Date.UTC(2026, 4, 31, 18, 30));
    expect(hoursOfDay('2026-06-01', 'Asia/Kathmandu')[0]?.startMs).toBe(Date.UTC(2026, 4, 31, 18, 15));
  });

  test('days fill their month and months their year', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2001, max: 2036 }), zone, (year, inZone) => {
        let atMs = yearBounds(year, inZone).startMs;
        for (const month of monthsOfYear(year)) {
          const bounds = monthBounds(month, inZone);
          expect(bounds.startMs).toBe(atMs);
          for (const day of daysOfMonth(month)) {
            expect(dayBounds(day, inZone).startMs).toBe(atMs);
            atMs = dayBounds(day, inZone).endMs;
          }
          expect(bounds.endMs).toBe(atMs);
        }
        expect(yearBounds(year, inZone).endMs).toBe(atMs);
      }),
      { numRuns: 8 },
    );
  });

  test('a plant-local time is an instant: the first where the clock repeats it, as much later where it leaves it out', () => {
    expect(instantOf('2026-06-01', 'Asia/Kolkata')).toBe(Date.UTC(2026, 4, 31, 18, 30));
    expect(instantOf('2026-06-01T12:00', 'Europe/Berlin')).toBe(Date.UTC(2026, 5, 1, 10));
    expect(instantOf('2026-10-25T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 9, 25, 0, 30));
    expect(instantOf('2026-03-29T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1, 30));
    expect(() => instantOf('2026-06-01T12:00', 'Mars/Olympus')).toThrow(RangeError);
    expect(() => instantOf('2026-06-31T12:00', 'UTC')).toThrow(RangeError);
  });

  test('days and zones that do not exist are refused', () => {
    expect(() => dayBounds('2026-02-30', 'Europe/Berlin')).toThrow(RangeError);
    expect(() => localDay(0, 'Mars/Olympus')).toThrow(RangeError);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('zones', () => {
  test('names of the IANA database are valid, offsets and inventions are not', () => {
    expect(isValidZone('Asia/Kolkata')).toBe(true);
    for (const wrong of ['', '+02:00', 'Mars/Olympus', '../etc']) expect(isValidZone(wrong)).toBe(false);
  });

  test('the runtime is asked once for a zone, in whatever case it is spelled, and names that it does not know are not kept', () => {
    const formatter = vi.spyOn(Intl, 'DateTimeFormat');
    for (let asked = 0; asked < 1_000; asked += 1) {
      expect(isValidZone(asked % 2 === 0 ? 'Antarctica/Troll' : 'antarctica/TROLL')).toBe(true);
    }
    expect(formatter).toHaveBeenCalledTimes(1);
    formatter.mockClear();
    for (const unknown of ['Mars/Olympus', 'Mars/Olympus', `A${'a'.repeat(100_000)}`]) {
      expect(isValidZone(unknown)).toBe(false);
    }
    expect(formatter).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['Europe/Berlin', '2026-06-21 02:00:00 CEST+0200'],
    ['Asia/Kolkata', '2026-06-21 05:30:00 IST+0530'],
    ['Europe/Istanbul', '2026-06-21 03:00:00 +03+0300'],
    ['America/Sao_Paulo', '2026-06-20 21:00:00 -03-0300'],
    ['Asia/Kathmandu', '2026-06-21 05:45:00 +0545+0545'],
    ['America/St_Johns', '2026-06-20 21:30:00 NDT-0230'],
    ['Asia/Jerusalem', '2026-06-21 03:00:00 IDT+0300'],
    ['UTC', '2026-06-21 00:00:00 UTC+0000'],
  ])('a time in %s is printed as %s', (inZone, text) => {
    expect(formatPlantTime(Date.UTC(2026, 5, 21), inZone)).toBe(text);
  });
});
