import type { Department } from '@sonnenwarte/contract/departments/departments';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { branchOf, type DepartmentNode, nodesOf, pathOf } from './tree-nodes.ts';

/** A tree in which each department hangs below one before it, or at the top. */
const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 20 }).map((choices) =>
  choices.map(
    (choice, index): Department => ({
      departmentID: `d${index}`,
      parentID: choice % (index + 1) === index ? null : `d${choice % (index + 1)}`,
      name: `Name ${index}`,
      description: '',
      members: index,
      groups: 0,
    }),
  ),
);

const flat = (nodes: readonly DepartmentNode[]): DepartmentNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);

describe('the tree of departments', () => {
  test('shows every department once, below its own parent', () => {
    fc.assert(
      fc.property(trees, (all) => {
        const nodes = flat(nodesOf(all, String));
        expect(nodes.map(({ id }) => id).toSorted()).toEqual(all.map(({ departmentID }) => departmentID).toSorted());
        for (const node of nodes) {
          for (const child of node.children ?? []) expect(child.department.parentID).toBe(node.id);
        }
      }),
    );
  });

  test('the branch of a department is exactly what has it in its path', () => {
    fc.assert(
      fc.property(trees, fc.nat(), (all, choice) => {
        const chosen = all[choice % all.length];
        if (!chosen) return;
        const branch = branchOf(all, chosen);
        const prefix = pathOf(all, chosen);
        for (const department of all) {
          const path = pathOf(all, department);
          expect(branch.has(department.departmentID)).toBe(path === prefix || path.startsWith(`${prefix} › `));
        }
      }),
    );
  });
});
