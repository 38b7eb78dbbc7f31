import { languages, localeOf } from '@sonnenwarte/contract/languages';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberOf } from './number-text.ts';

test.each([
  ['de', '12,5', 12.5],
  ['de', '12.5', 12.5],
  ['de', '0.5', 0.5],
  ['de', '1.000', 1000],
  ['de', '1.000,5', 1000.5],
  ['en-GB', '1,000.5', 1000.5],
  ['en-GB', '12,5', 12.5],
  ['fr', '1 000,5', 1000.5],
  ['de', ' -3 ', -3],
  ['de', '−3', -3],
  ['de', '0', 0],
  ['de', '', ''],
  ['de', ',', ','],
  ['de', '12 kW', '12 kW'],
  ['de', '1,000.5', '1,000.5'],
  ['de', '1.00,5', '1.00,5'],
  ['en-GB', '1.2.3', '1.2.3'],
])('in %s %j is read as %j', (locale, text, expected) => {
  expect(numberOf(text, locale)).toBe(expected);
});

test('a number is read as its language writes it, with thousands and without', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...languages.map(localeOf)),
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      fc.boolean(),
      (locale, thousandths, useGrouping) => {
        const number = thousandths / 1_000;
        // Three decimals and no thousands look like thousands and no decimals elsewhere, not here.
        const options = { maximumFractionDigits: 2, useGrouping };
        const text = new Intl.NumberFormat(locale, options).format(number);
        expect(numberOf(text, locale)).toBeCloseTo(number, 1);
      },
    ),
  );
});
