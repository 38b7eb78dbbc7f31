import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageNumbers } from './pager.tsx';

describe('page buttons', () => {
  test('are at most five neighbours that hold the current page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(499), (pages, offset) => {
        const current = Math.min(pages, offset + 1);
        const numbers = pageNumbers(current, pages);
        expect(numbers).toHaveLength(Math.min(5, pages));
        expect(numbers).toContain(current);
        expect(numbers.every((page, index) => page >= 1 && page <= pages && page === (numbers[0] ?? 0) + index)).toBe(
          true,
        );
      }),
    );
  });
});
