import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['Anna Berg', 'AB'],
  ['  anna   von berg ', 'AV'],
  ['anna', 'A'],
  ['𠮷田 太郎', '𠮷太'],
  ['', ''],
])('%j is shown as %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
