import { describe, expect, test } from 'vitest';
import { mutedUntil } from './mute-until.ts';

const zone = 'Europe/Berlin';
const at = (text: string): number => Date.parse(text);
const iso = (tsMs: number | undefined) => (tsMs === undefined ? undefined : new Date(tsMs).toISOString());
const none = { day: '', time: '' };

describe('muted until', () => {
  test.each([
    ['tomorrow', '2026-06-16T21:30:00Z', '2026-06-17T06:00:00.000Z'],
    ['tomorrow', '2026-06-16T22:30:00Z', '2026-06-18T06:00:00.000Z'],
    // Clocks go back on 25 October 2026.
    ['tomorrow', '2026-10-24T10:00:00Z', '2026-10-25T07:00:00.000Z'],
    ['days3', '2026-06-16T10:00:00Z', '2026-06-19T10:00:00.000Z'],
    ['week', '2026-06-16T10:00:00Z', '2026-06-23T10:00:00.000Z'],
    ['days30', '2026-06-16T10:00:00Z', '2026-07-16T10:00:00.000Z'],
  ] as const)('%s, from %s on', (span, now, until) => {
    expect(iso(mutedUntil({ span, ...none }, at(now), zone))).toBe(until);
  });

  test('an own time is that of the clock of who mutes', () => {
    const own = { span: 'own', day: '2026-07-01', time: '17:45' } as const;
    expect(iso(mutedUntil(own, 0, zone))).toBe('2026-07-01T15:45:00.000Z');
  });

  test.each([
    ['', '17:45'],
    ['2026-07-01', ''],
    ['2026-07', '17:45'],
  ])('day "%s" and time "%s" are no time', (day, time) => {
    expect(mutedUntil({ span: 'own', day, time }, 0, zone)).toBeUndefined();
  });
});
