import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { zoneOffsetMs } from './calendar.ts';
import { standardZone } from './standard-time.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 5, 1);
const zones = Intl.supportedValuesOf('timeZone');

test('a zone without summer time keeps the winter hour of the place all the year, on either side of the equator', () => {
  expect(standardZone('Europe/Berlin', NOW_MS)).toBe('Etc/GMT-1');
  expect(standardZone('Europe/London', NOW_MS)).toBe('Etc/GMT');
  expect(standardZone('America/New_York', NOW_MS)).toBe('Etc/GMT+5');
  expect(standardZone('Australia/Sydney', NOW_MS)).toBe('Etc/GMT-10');
  expect(standardZone('Australia/Adelaide', NOW_MS)).toBe('Australia/Darwin');
  expect(standardZone('Asia/Kolkata', NOW_MS)).toBe('Asia/Kolkata');
  expect(standardZone('America/St_Johns', NOW_MS)).toBeUndefined();
});

test('no zone that is found has a summer time, and each is that of the place or an hour or half of one behind its summer', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), (zone) => {
      const standard = standardZone(zone, NOW_MS);
      if (standard === undefined) return;
      const offsets = [0, 6].map((month) => {
        const atMs = Date.UTC(2026, month, 1);
        const behindHours = (zoneOffsetMs(atMs, zone) - zoneOffsetMs(atMs, standard)) / HOUR_MS;
        expect([0, 0.5, 1, 2]).toContain(behindHours);
        return zoneOffsetMs(atMs, standard);
      });
      expect(offsets[0]).toBe(offsets[1]);
    }),
  );
});
