import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Branch, branchIds, pathTo, treeMove, visibleNodes } from './tree-keys.ts';

const leaf = (id: string): Branch => ({ id, name: `${id} name` });
const nodes: readonly Branch[] = [
  { ...leaf('a'), children: [{ ...leaf('b'), children: [leaf('c'), leaf('d')] }, leaf('e')] },
  leaf('f'),
];
const allOpen = new Set(['a', 'b']);
const idsOf = (expanded: ReadonlySet<string>) => visibleNodes(nodes, expanded).map(({ node }) => node.id);

describe('what a tree shows', () => {
  test('is what stands beneath open nodes only', () => {
    expect(idsOf(new Set())).toEqual(['a', 'f']);
    expect(idsOf(new Set(['b']))).toEqual(['a', 'f']);
    expect(idsOf(allOpen)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  test('knows the place of each node', () => {
    const places = visibleNodes(nodes, allOpen).map(({ node, level, position, siblings, expanded }) => [
      node.id,
      level,
      position,
      siblings,
      expanded,
    ]);
    expect(places).toEqual([
      ['a', 1, 1, 2, true],
      ['b', 2, 1, 2, true],
      ['c', 3, 1, 2, undefined],
      ['d', 3, 2, 2, undefined],
      ['e', 2, 2, 2, undefined],
      ['f', 1, 2, 2, undefined],
    ]);
  });
});

describe('keys in a tree', () => {
  test.each([
    ['ArrowDown', 'a', { kind: 'focus', id: 'b' }],
    ['ArrowDown', 'f', undefined],
    ['ArrowUp', 'e', { kind: 'focus', id: 'd' }],
    ['ArrowUp', 'a', undefined],
    ['Home', 'd', { kind: 'focus', id: 'a' }],
    ['End', 'a', { kind: 'focus', id: 'f' }],
    ['ArrowRight', 'b', { kind: 'focus', id: 'c' }],
    ['ArrowRight', 'c', undefined],
    ['ArrowLeft', 'b', { kind: 'collapse', id: 'b' }],
    ['ArrowLeft', 'd', { kind: 'focus', id: 'b' }],
    ['ArrowLeft', 'f', undefined],
    ['Enter', 'd', { kind: 'select', id: 'd' }],
    [' ', 'd', { kind: 'select', id: 'd' }],
    ['E', 'b', { kind: 'focus', id: 'e' }],
    ['c', 'e', { kind: 'focus', id: 'c' }],
    ['x', 'a', undefined],
    ['Tab', 'a', undefined],
    ['ArrowDown', 'gone', undefined],
  ])('%s on %s', (key, focused, expected) => {
    expect(treeMove(visibleNodes(nodes, allOpen), focused, key)).toEqual(expected);
  });

  test('ArrowRight opens a closed node first', () => {
    expect(treeMove(visibleNodes(nodes, new Set()), 'a', 'ArrowRight')).toEqual({ kind: 'expand', id: 'a' });
  });

  test('never lead to a node that is not shown', () => {
    const keys = fc.constantFrom('ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'b', 'f');
    fc.assert(
      fc.property(fc.subarray(['a', 'b']), fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), keys, (open, from, key) => {
        const shown = visibleNodes(nodes, new Set(open));
        const move = treeMove(shown, from, key);
        if (move) expect(shown.map(({ node }) => node.id)).toContain(move.id);
      }),
    );
  });
});

test('the way to a node is the nodes above it', () => {
  expect(pathTo(nodes, 'd')).toEqual(['a', 'b']);
  expect(pathTo(nodes, 'f')).toEqual([]);
  expect(pathTo(nodes, 'gone')).toBeUndefined();
});

test('branches are the nodes with something beneath, down to a depth', () => {
  expect(branchIds(nodes, 0)).toEqual([]);
  expect(branchIds(nodes, 1)).toEqual(['a']);
  expect(branchIds(nodes, 9)).toEqual(['a', 'b']);
});
