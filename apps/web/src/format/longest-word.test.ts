import { expect, test } from 'vitest';
import { longestWord } from './longest-word.ts';

test('the longest word is told in letters, parted at hyphens, also those that are not seen', () => {
  expect(longestWord('Einspeisebegrenzung am Netz')).toBe(19);
  expect(longestWord('PV-Leistung')).toBe(8);
  expect(longestWord('Einspeise\u00adbegrenzung')).toBe(10);
  expect(longestWord('')).toBe(0);
});
