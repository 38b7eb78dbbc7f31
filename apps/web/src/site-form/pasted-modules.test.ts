import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inGroups, modulesIn } from './pasted-modules.ts';

const sn = fc.stringMatching(/^[0-9]{15}$/);
const key = fc.stringMatching(/^[A-Z][0-9A-Z-]{6,12}$/);
const separator = fc.constantFrom(' ', '\t', ',', ';', ', ', ' ; ');
const newLine = fc.constantFrom('\n', '\r\n', '\n\n');

test('a pasted list is one row for each line, its key behind any of the separators, in any kind of line', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(sn, key, separator), { minLength: 1, maxLength: 30 }), newLine, (rows, end) => {
      const text = rows.map(([number, secret, between]) => `${number}${between}${secret}`).join(end);
      expect(modulesIn(text)).toEqual(rows.map(([number, secret]) => ({ sn: number, key: secret })));
    }),
  );
});

test('a serial number in groups is read as it is shown; one that is too short takes nothing of its key', () => {
  fc.assert(
    fc.property(sn, (number) => {
      expect(modulesIn(inGroups(number))).toEqual([{ sn: number, key: '' }]);
      expect(modulesIn(`${number.slice(0, 14)} 12345678`)).toEqual([{ sn: number.slice(0, 14), key: '12345678' }]);
    }),
  );
});

test('headers and empty lines are no rows', () => {
  expect(modulesIn('SN;Key\n\n"302609010000131";"SUNN-YR00"\n')).toEqual([{ sn: '302609010000131', key: 'SUNN-YR00' }]);
});
