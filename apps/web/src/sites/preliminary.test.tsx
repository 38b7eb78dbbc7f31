import { describe, expect, test } from 'vitest';
import { markOf } from './preliminary.tsx';

describe('the mark of a figure', () => {
  test('is its quality where no history comes', () => {
    expect(markOf('estimated', null)).toBe('estimated');
    expect(markOf(undefined, null)).toBe('measured');
  });

  test('is none while history comes, whatever has come: that is said once', () => {
    expect([0, 60, 99].map((percent) => markOf('estimated', percent))).toEqual(['measured', 'measured', 'measured']);
  });
});
