import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf, columnsText } from './chosen-columns.ts';

test('chosen columns are the same once they were in an address', () => {
  const field = fc.stringMatching(/^[a-z][A-Za-z]{0,12}$/).filter((name) => name !== 'standard');
  fc.assert(
    fc.property(fc.dictionary(field, fc.boolean()), (chosen) => {
      expect(columnsOf(columnsText(chosen))).toEqual(chosen);
    }),
  );
});
