import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberOf } from './number-field.tsx';

test.each([
  ['12,5', 12.5],
  ['12.5', 12.5],
  [' -3 ', -3],
  ['0', 0],
  ['', ''],
  ['12 kW', '12 kW'],
  ['1.000,5', '1.000,5'],
])('%j is read as %j', (text, expected) => {
  expect(numberOf(text)).toBe(expected);
});

test('a number is read as it is written', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(numberOf(String(number))).toBe(Number(String(number)));
    }),
  );
});
