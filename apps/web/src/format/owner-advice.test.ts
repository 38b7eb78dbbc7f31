import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { advisedCodes, ownerAdviceOf } from './owner-advice.ts';

test('what has an advice of its own is a code of the catalogue', () => {
  const file = new URL('../../../../packages/phrases/src/alarms/en.json', import.meta.url);
  const catalogue = Object.keys(JSON.parse(readFileSync(file, 'utf8'))).map(Number);
  expect(catalogue).toEqual(expect.arrayContaining(advisedCodes()));
});

test('what can hurt is for nobody to touch, and a code that is not known is for the installer', () => {
  expect(ownerAdviceOf(2003)).toBe('safety');
  expect(ownerAdviceOf(4004)).toBe('battery');
  expect(ownerAdviceOf(99_999)).toBe('check');
});
