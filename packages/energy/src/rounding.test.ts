import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fewestDigits, roundedTo, withoutNoise } from './rounding.ts';

const figure = fc.double({ min: -1e9, max: 1e9, noNaN: true });
const decimals = fc.integer({ min: 0, max: 3 });

describe('rounding', () => {
  test('is never further off than half of the last digit, and has no more digits', () => {
    fc.assert(
      fc.property(figure, decimals, (value, count) => {
        const rounded = roundedTo(value, count);
        expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.5 * 10 ** -count * (1 + 1e-6));
        expect(Object.is(rounded, -0)).toBe(false);
        expect(String(rounded)).toMatch(new RegExp(`^-?\\d+(\\.\\d{1,${Math.max(1, count)}})?$`));
        expect(roundedTo(rounded, count)).toBe(rounded);
      }),
    );
  });

  test('keeps a sum within half of the last digit for each of its parts', () => {
    fc.assert(
      fc.property(fc.array(figure, { maxLength: 100 }), decimals, (values, count) => {
        const add = (all: readonly number[]): number => all.reduce((sum, value) => sum + value, 0);
        const apart = Math.abs(add(values.map((value) => roundedTo(value, count))) - add(values));
        expect(apart).toBeLessThanOrEqual(values.length * 0.5 * 10 ** -count + 1e-4);
      }),
    );
  });

  test('takes off what adding in binary leaves', () => {
    expect(withoutNoise(12158.4169999999)).toBe(12158.417);
    expect(withoutNoise(177155.25000000035)).toBe(177155.25);
    expect(withoutNoise(null)).toBeNull();
  });

  test('tells a float32 by the fewest digits that are it, bit by bit, and leaves other numbers alone', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Math.fround(fewestDigits(value))).toBe(value);
        expect(String(fewestDigits(value)).length).toBeLessThanOrEqual(String(value).length);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), (tenths) => {
        expect(fewestDigits(Math.fround(tenths / 10))).toBe(tenths / 10);
        expect(fewestDigits(Math.fround(-tenths / 10))).toBe(-tenths / 10);
      }),
    );
    expect(fewestDigits(50.70000076293945)).toBe(50.7);
    expect(fewestDigits(50.123456789012)).toBe(50.123456789012);
  });
});
