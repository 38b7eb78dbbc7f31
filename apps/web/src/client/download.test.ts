import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileNameOf } from './download.ts';

test.each([
  ['attachment; filename="members.csv"', 'members.csv'],
  ['attachment; filename=members.csv', 'members.csv'],
  ['attachment; filename="a.csv"; filename*=UTF-8\'\'S%C3%BCd.csv', 'Süd.csv'],
  ["attachment; filename*=UTF-8''broken%E0.csv; filename=plain.csv", 'plain.csv'],
  ['attachment; filename="../../etc/passwd"', '.._.._etc_passwd'],
  ['attachment', undefined],
  [null, undefined],
])('%j names the file %j', (header, expected) => {
  expect(fileNameOf(header)).toBe(expected);
});

test('a name in any script arrives as it was sent, without folders', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => name.isWellFormed() && name.trim() === name),
      (name) => {
        const header = `attachment; filename="x.csv"; filename*=UTF-8''${encodeURIComponent(name)}`;
        expect(fileNameOf(header)).toBe(name.replaceAll(/[/\\]/g, '_'));
      },
    ),
  );
});
