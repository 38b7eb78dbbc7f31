import { localDay } from '@sonnenwarte/energy/calendar';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterQuiet, dueAt, freeAt, nextAt, parcelled, type Times } from './telling-times.ts';

const ZONE = 'Europe/Berlin';
const at = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString();
const times: Times = {
  delayMinutes: 15,
  mode: 'atOnce',
  digestAt: '',
  quietFrom: '22:00',
  quietTo: '06:30',
  criticalAlways: true,
};

describe('the time at which somebody is told', () => {
  test.each([
    ['by day after the delay', '2026-06-16T10:00:00Z', 3, '2026-06-16T10:15:00.000Z'],
    ['of what falls into quiet hours, when they end', '2026-06-16T19:50:00Z', 3, '2026-06-17T04:30:00.000Z'],
    [
      'after midnight, when the quiet hours of the evening before end',
      '2026-06-16T23:50:00Z',
      2,
      '2026-06-17T04:30:00.000Z',
    ],
    ['of what is critical, at once', '2026-06-16T23:50:00Z', 4, '2026-06-17T00:05:00.000Z'],
    ['at the end of quiet hours, then', '2026-06-17T04:15:00Z', 3, '2026-06-17T04:30:00.000Z'],
    // Clocks go back on 25 October 2026: that night is an hour longer.
    ['on the night that is longer', '2026-10-24T21:00:00Z', 3, '2026-10-25T05:30:00.000Z'],
  ])('%s', (_, since, level, due) => {
    expect(iso(dueAt(at(since), level, times, ZONE))).toBe(due);
  });

  test.each([
    ['2026-06-16T10:00:00Z', '2026-06-17T05:00:00.000Z'],
    ['2026-06-16T04:00:00Z', '2026-06-16T05:00:00.000Z'],
    ['2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
  ])('a digest of what began at %s comes at its time of the receiver’s clock', (since, due) => {
    expect(iso(dueAt(at(since), 3, { ...times, mode: 'daily', digestAt: '07:00' }, ZONE))).toBe(due);
  });

  const clock = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  const zone = fc.constantFrom('Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns', 'UTC');
  const instant = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z') });

  test('never lies in quiet hours, never before the instant, and at most a day after it', () => {
    fc.assert(
      fc.property(instant, clock, clock, zone, (ms, quietFrom, quietTo, where) => {
        const quiet = { quietFrom, quietTo };
        const end = afterQuiet(ms, quiet, where);
        expect(end).toBeGreaterThanOrEqual(ms);
        expect(end - ms).toBeLessThanOrEqual(25 * 3_600_000);
        expect(afterQuiet(end, quiet, where)).toBe(end);
      }),
    );
  });

  test('of a digest is the next one at that time, within 25 hours', () => {
    fc.assert(
      fc.property(instant, clock, zone, (ms, time, where) => {
        const next = nextAt(time, ms, where);
        expect(next).toBeGreaterThanOrEqual(ms);
        expect(next - ms).toBeLessThanOrEqual(25 * 3_600_000);
        expect(localDay(next, where) >= localDay(ms, where)).toBe(true);
      }),
    );
  });
});

describe('a storm of incidents', () => {
  test('never makes more deliveries an hour than the cap, whenever they are looked at', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 7_200_000 }), { maxLength: 80 }), (arrivals) => {
        const sent: number[] = [];
        for (const ms of arrivals.toSorted((a, b) => a - b)) {
          if (freeAt(sent, ms, 6) <= ms) sent.push(ms);
        }
        for (const ms of sent)
          expect(sent.filter((each) => each > ms - 3_600_000 && each <= ms).length).toBeLessThanOrEqual(6);
      }),
    );
  });

  test('waits no longer than until the oldest of a full hour is an hour old', () => {
    expect(freeAt([0, 10, 20], 30, 3)).toBe(3_600_000);
    expect(freeAt([0, 10, 20], 3_600_000, 3)).toBe(3_600_000);
    expect(freeAt([], 5, 3)).toBe(5);
  });

  test('is told of in one, and the few each for itself while there is room', () => {
    expect(parcelled(['a', 'b'], 6, 3)).toEqual([['a'], ['b']]);
    expect(parcelled(['a', 'b'], 1, 3)).toEqual([['a', 'b']]);
    expect(parcelled(['a', 'b', 'c', 'd'], 6, 3)).toEqual([['a', 'b', 'c', 'd']]);
    expect(parcelled([], 6, 3)).toEqual([]);
  });
});
