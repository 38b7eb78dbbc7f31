import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';

test('fields of both sides stand beside each other, changed ones first', () => {
  expect(changesOf({ name: 'a', city: 'Ulm' }, { name: 'b', city: 'Ulm', price: 1 })).toEqual([
    { field: 'name', before: 'a', after: 'b', changed: true },
    { field: 'price', before: undefined, after: 1, changed: true },
    { field: 'city', before: 'Ulm', after: 'Ulm', changed: false },
  ]);
});

test('an entry without values has no changes', () => {
  expect(changesOf(null, null)).toEqual([]);
});

test('equal sides have no changed field, whatever they hold', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (values) => {
      expect(changesOf(values, structuredClone(values)).filter(({ changed }) => changed)).toEqual([]);
    }),
  );
});
