import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldsOf } from './folded-rows.ts';

const rows = fc.array(fc.record({ id: fc.nat(), key: fc.constantFrom('', 'a', 'b') }));

test('no row is lost and none changes its place', () => {
  fc.assert(
    fc.property(rows, (all) => {
      expect(foldsOf(all, ({ key }) => key).flatMap(({ first, others }) => [first, ...others])).toEqual(all);
    }),
  );
});

test('rows are folded exactly with neighbours of the same key, and never without a key', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const folds = foldsOf(all, ({ key }) => key);
      for (const { key, first, others } of folds) {
        expect([first, ...others].every((row) => row.key === key)).toBe(true);
        if (key === '') expect(others).toEqual([]);
      }
      for (const [index, { key }] of folds.entries()) {
        if (key !== '') expect(folds[index + 1]?.key).not.toBe(key);
      }
    }),
  );
});
