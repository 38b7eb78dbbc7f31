import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowKeys, inserted, moved, pathAfter, removed, withMoved } from './form-lists.ts';

const change = fc.tuple(
  fc.constantFrom('insert' as const, 'remove' as const, 'move' as const),
  fc.nat({ max: 20 }),
  fc.nat({ max: 20 }),
);

test('through any changes of a list each row keeps its key, and what is inside goes with it', () => {
  fc.assert(
    fc.property(fc.nat({ max: 5 }), fc.array(change, { maxLength: 20 }), (length, changes) => {
      const keys = createRowKeys();
      let rows = Array.from({ length }, (_, index) => `row ${index}`);
      const keyOf = new Map(keys.of('rows', length).map((key, index) => [rows[index], key]));
      for (const [kind, first, second] of changes) {
        const before = rows;
        const at = first % (rows.length + (kind === 'insert' ? 1 : 0) || 1);
        const to = second % (rows.length || 1);
        if (kind !== 'insert' && rows.length === 0) continue;
        const [move, after] = {
          insert: [inserted(at), rows.toSpliced(at, 0, `new ${keyOf.size}`)] as const,
          remove: [removed(at), rows.toSpliced(at, 1)] as const,
          move: [moved(at, to), withMoved(rows, at, to)] as const,
        }[kind];
        rows = after;
        keys.follow('rows', move, before.length, after.length);
        const now = keys.of('rows', after.length);
        expect(new Set(now).size).toBe(after.length);
        for (const [index, row] of after.entries()) {
          if (keyOf.has(row)) expect(now[index]).toBe(keyOf.get(row));
          else keyOf.set(row, now[index] ?? -1);
        }
        for (const [index, row] of before.entries()) {
          const place = after.indexOf(row);
          expect(pathAfter(`rows.${index}.name`, 'rows', move)).toBe(place < 0 ? undefined : `rows.${place}.name`);
        }
      }
    }),
  );
});

test('the rows of a list within a row keep their keys where that row goes', () => {
  const keys = createRowKeys();
  const inner = keys.of('rows.1.parts', 2);
  keys.of('rows', 2);
  keys.follow('rows', moved(1, 0), 2, 2);
  expect(keys.of('rows.0.parts', 2)).toEqual(inner);
});

test('paths beside the list stay as they are', () => {
  for (const path of ['name', 'rowsBeside.1', 'rows']) expect(pathAfter(path, 'rows', removed(0))).toBe(path);
});
