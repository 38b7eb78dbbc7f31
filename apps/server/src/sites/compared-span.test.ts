import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counterpartOf, dayAfter, daysBetween, spanOf } from './compared-span.ts';

const days = fc.integer({ min: 0, max: 36_000 }).map((days) => dayAfter('2001-01-01', days));
const spans = fc.constantFrom('day', 'month', 'year');

describe('what a span is compared to', () => {
  test('is the span right before, or the same a year earlier', () => {
    fc.assert(
      fc.property(spans, days, (by, day) => {
        const span = spanOf(by, day);
        const before = spanOf(by, counterpartOf(by, day, 'previous'));
        expect(dayAfter(before.last)).toBe(span.first);
        const lastYear = spanOf(by, counterpartOf(by, day, 'lastYear'));
        expect(Number(span.first.slice(0, 4)) - Number(lastYear.first.slice(0, 4))).toBe(1);
        expect(lastYear.first.slice(5, 7)).toBe(span.first.slice(5, 7));
        expect(daysBetween(span.first, span.last)).toBeLessThan(366);
      }),
    );
  });

  test('of days that another month or year lacks is its last', () => {
    expect(counterpartOf('month', '2026-03-31', 'previous')).toBe('2026-02-28');
    expect(counterpartOf('day', '2024-02-29', 'lastYear')).toBe('2023-02-28');
    expect(counterpartOf('month', '2026-01-15', 'previous')).toBe('2025-12-15');
    expect(counterpartOf('year', '2026-05-15', 'previous')).toBe('2025-05-15');
  });
});
