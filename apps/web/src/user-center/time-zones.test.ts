import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchingZones, offsetText } from './time-zones.ts';

const zones = ['America/New_York', 'America/Sao_Paulo', 'Asia/Seoul', 'Europe/Berlin', 'Europe/Zurich'];

describe('the search for a time zone', () => {
  test.each([
    ['new york', ['America/New_York']],
    ['YORK new', ['America/New_York']],
    ['são', ['America/Sao_Paulo']],
    ['europe/b', ['Europe/Berlin']],
    ['mars', []],
  ])('%j finds %j', (text, expected) => {
    expect(matchingZones(text, 10, null, zones)).toEqual(expected);
  });

  test('begins with the chosen zone where it fits, and never names a zone twice', () => {
    fc.assert(
      fc.property(fc.constantFrom('', 'a', 'europe', 'o'), fc.constantFrom(null, ...zones), (text, chosen) => {
        const found = matchingZones(text, 10, chosen, zones);
        expect(new Set(found).size).toBe(found.length);
        if (chosen !== null && found.includes(chosen)) expect(found[0]).toBe(chosen);
      }),
    );
  });
});

test('a zone says how far it is from UTC at that moment, summer time included', () => {
  expect(offsetText('Europe/Berlin', Date.UTC(2026, 6, 1), 'en-GB')).toBe('GMT+02:00');
  expect(offsetText('Europe/Berlin', Date.UTC(2026, 0, 1), 'en-GB')).toBe('GMT+01:00');
});
