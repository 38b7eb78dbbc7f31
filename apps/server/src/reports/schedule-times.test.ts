import { dayBounds, instantOf, localDay } from '@sonnenwarte/energy/calendar';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysBefore, nextDueMs, type Rhythm } from './schedule-times.ts';

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'] as const;
const rhythms: fc.Arbitrary<Rhythm> = fc.record({
  every: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
  weekday: fc.integer({ min: 1, max: 7 }),
  at: fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`),
  timeZone: fc.constantFrom(...zones),
});
const moments = fc.integer({ min: Date.UTC(2021, 0, 1), max: Date.UTC(2030, 0, 1) });

describe('a schedule', () => {
  test('is due after any moment, at no time twice, each period once', () => {
    fc.assert(
      fc.property(rhythms, moments, (rhythm, fromMs) => {
        let atMs = fromMs;
        const days = new Set<string>();
        for (let turn = 0; turn < 8; turn += 1) {
          const nextMs = nextDueMs(rhythm, atMs);
          expect(nextMs).toBeGreaterThan(atMs);
          const { firstDay, lastDay } = daysBefore(rhythm, nextMs);
          expect(firstDay <= lastDay).toBe(true);
          expect(dayBounds(lastDay, rhythm.timeZone).endMs).toBeLessThanOrEqual(nextMs);
          expect(days.has(firstDay)).toBe(false);
          days.add(firstDay);
          atMs = nextMs;
        }
      }),
    );
  });

  test('tells of weeks and months without a hole or a day twice', () => {
    fc.assert(
      fc.property(rhythms, moments, (rhythm, fromMs) => {
        // Where a zone leaves out a whole day, that day is nobody's.
        fc.pre(rhythm.timeZone !== 'Pacific/Apia');
        const first = nextDueMs(rhythm, fromMs);
        const { lastDay } = daysBefore(rhythm, first);
        const { firstDay } = daysBefore(rhythm, nextDueMs(rhythm, first));
        expect(Date.parse(firstDay)).toBe(Date.parse(lastDay) + 86_400_000);
      }),
    );
  });

  test('keeps its time of the clock when that changes to and from summer time', () => {
    const daily: Rhythm = { every: 'daily', weekday: 1, at: '06:00', timeZone: 'Europe/Berlin' };
    const before = instantOf('2026-10-24T06:00', 'Europe/Berlin');
    expect(nextDueMs(daily, before) - before).toBe(25 * 3_600_000);
    const spring = instantOf('2026-03-28T06:00', 'Europe/Berlin');
    expect(nextDueMs(daily, spring) - spring).toBe(23 * 3_600_000);
  });

  test('is due at the first of a time that is repeated, and as much later at one that is left out', () => {
    const at = (time: string): Rhythm => ({ every: 'daily', weekday: 1, at: time, timeZone: 'Europe/Berlin' });
    expect(nextDueMs(at('02:30'), Date.UTC(2026, 9, 24, 12))).toBe(Date.UTC(2026, 9, 25, 0, 30));
    // The second half past two of that night is no further time.
    expect(nextDueMs(at('02:30'), Date.UTC(2026, 9, 25, 0, 30))).toBe(Date.UTC(2026, 9, 26, 1, 30));
    expect(nextDueMs(at('02:30'), Date.UTC(2026, 2, 28, 12))).toBe(Date.UTC(2026, 2, 29, 1, 30));
  });

  test('tells of the seven days, the day and the month before', () => {
    const on = (every: Rhythm['every']): Rhythm => ({ every, weekday: 1, at: '06:00', timeZone: 'Europe/Berlin' });
    const monday = instantOf('2026-03-02T06:00', 'Europe/Berlin');
    expect(localDay(nextDueMs(on('weekly'), monday - 1), 'Europe/Berlin')).toBe('2026-03-02');
    expect(daysBefore(on('weekly'), monday)).toEqual({ firstDay: '2026-02-23', lastDay: '2026-03-01' });
    expect(daysBefore(on('daily'), monday)).toEqual({ firstDay: '2026-03-01', lastDay: '2026-03-01' });
    expect(daysBefore(on('monthly'), monday)).toEqual({ firstDay: '2026-02-01', lastDay: '2026-02-28' });
  });
});
