import { expect, test } from 'vitest';
import { isForRows } from './row-keys.ts';

const alone = {
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  defaultPrevented: false,
  target: { closest: () => null },
};

test('a key alone is for the rows, wherever nothing is typed', () => {
  expect(isForRows(alone)).toBe(true);
  expect(isForRows({ ...alone, target: null })).toBe(true);
  // Of the document itself nothing is closest.
  expect(isForRows({ ...alone, target: {} })).toBe(true);
});

test.each(['ctrlKey', 'metaKey', 'altKey', 'shiftKey', 'isComposing', 'defaultPrevented'] as const)(
  'with %s it belongs to somebody else',
  (held) => {
    expect(isForRows({ ...alone, [held]: true })).toBe(false);
  },
);

test('what is typed into a field is text', () => {
  expect(isForRows({ ...alone, target: { closest: () => ({}) } })).toBe(false);
});
