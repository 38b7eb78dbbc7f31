import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupState, toggleGroup, toggleItem } from './check-tree-state.ts';

const ids = ['a', 'b', 'c', 'd'] as const;
const groups = fc
  .subarray([...ids], { minLength: 1 })
  .chain((chosen) =>
    fc.tuple(...chosen.map((id) => fc.record({ id: fc.constant(id), label: fc.constant(id), disabled: fc.boolean() }))),
  )
  .map((items) => ({ items }));
const values = fc.subarray([...ids, 'x', 'y']);

test('the box of a group says all, some or none', () => {
  const group = {
    items: [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ],
  };
  expect(groupState(group, new Set(['x']))).toBe('none');
  expect(groupState(group, new Set(['a']))).toBe('some');
  expect(groupState(group, new Set(['a', 'b', 'x']))).toBe('all');
});

test('the box of a group changes all that may be changed in it, and nothing else', () => {
  fc.assert(
    fc.property(groups, values, (group, value) => {
      const next = toggleGroup(group, value);
      const changeable = group.items.filter(({ disabled }) => !disabled).map(({ id }) => id as string);
      const outside = (list: readonly string[]) => list.filter((id) => !changeable.includes(id)).sort();
      expect(outside(next)).toEqual(outside(value));
      const chosen = new Set(next);
      expect(new Set(changeable.map((id) => chosen.has(id))).size).toBeLessThanOrEqual(1);
      expect(chosen.size).toBe(next.length);
      if (changeable.length > 0) expect([...next].sort()).not.toEqual([...value].sort());
    }),
  );
});

test('a box that is changed twice is as before', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ids), values, (id, value) => {
      expect([...toggleItem(id, toggleItem(id, value))].sort()).toEqual([...value].sort());
    }),
  );
});
