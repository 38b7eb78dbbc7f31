import type { Department } from '@sonnenwarte/contract/departments/departments';
import type { TreeNode } from '../blocks/show/tree.tsx';

export interface DepartmentNode extends TreeNode {
  department: Department;
  children?: readonly DepartmentNode[];
}

/** The tree of departments, each with the number of its members. */
export function nodesOf(
  all: readonly Department[],
  count: (members: number) => string,
  parentID: string | null = null,
): readonly DepartmentNode[] {
  return all
    .filter((department) => department.parentID === parentID)
    .map((department) => {
      const children = nodesOf(all, count, department.departmentID);
      return {
        id: department.departmentID,
        name: department.name,
        aside: count(department.members),
        department,
        ...(children.length > 0 && { children }),
      };
    });
}

/** Ids of a department and of all below it. */
export function branchOf(all: readonly Department[], { departmentID }: Department): ReadonlySet<string> {
  const branch = new Set([departmentID]);
  for (const id of branch) {
    for (const department of all) if (department.parentID === id) branch.add(department.departmentID);
  }
  return branch;
}

/** Names from the top of the organisation down to a department. */
export function pathOf(all: readonly Department[], department: Department): string {
  const above = all.find(({ departmentID }) => departmentID === department.parentID);
  return above ? `${pathOf(all, above)} › ${department.name}` : department.name;
}
