import { expect, test } from 'vitest';
import { priceEffectOf } from './price-effect.ts';

const tariffs = [
  { validFrom: null, when: 'past' },
  { validFrom: '2026-03-01', when: 'past' },
  { validFrom: '2026-06-01', when: 'now' },
  { validFrom: '2027-01-01', when: 'future' },
] as const;

test.each([
  ['now', '', [], '2027-01-01'],
  ['beginning', '', [null], '2026-03-01'],
  ['day', '', [], undefined],
  ['day', '2026-02-01', [], '2026-03-01'],
  ['day', '2026-03-01', ['2026-03-01'], '2026-06-01'],
  ['day', '2026-10-01', [], '2027-01-01'],
  ['day', '2027-01-01', ['2027-01-01'], undefined],
] as const)(
  'prices from %s %s replace those of that day alone and hold until the next',
  (priceValidity, priceValidFrom, replaces, until) => {
    expect(priceEffectOf({ priceValidity, priceValidFrom }, tariffs)).toEqual({ replaces, until });
  },
);

test('prices of a plant that has no others hold without an end', () => {
  expect(priceEffectOf({ priceValidity: 'now', priceValidFrom: '' }, tariffs.slice(0, 1))).toEqual({
    replaces: [],
    until: undefined,
  });
});
