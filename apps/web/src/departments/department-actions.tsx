import { add, type Department, edit, move, remove } from '@sonnenwarte/contract/departments/departments';
import { IconArrowsMove, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

/** A department among all of its organisation. */
export interface DepartmentPlace {
  department: Department;
  all: readonly Department[];
  organisationID: string;
}

const loadAdd = async () => (await import('./department-form.tsx')).DepartmentAddForm;

const adding = actionsOf<{ organisationID: string }>();

export const departmentAdding = adding.table(
  'departments',
  { nameOf: () => '' },
  { add: adding.opens(add, loadAdd, { icon: IconPlus }) },
);

const { opens, table } = actionsOf<DepartmentPlace>();

/** What can be done with a department. */
export const departmentActions = table(
  'departments',
  { nameOf: ({ department }) => department.name },
  {
    addBelow: opens(add, loadAdd, { icon: IconPlus }),
    edit: opens(edit, async () => (await import('./department-form.tsx')).DepartmentEditForm, { icon: IconPencil }),
    move: opens(move, async () => (await import('./department-form.tsx')).DepartmentMoveForm, {
      icon: IconArrowsMove,
    }),
    delete: opens(remove, async () => (await import('./department-form.tsx')).DepartmentRemoveForm, {
      icon: IconTrash,
      danger: true,
    }),
  },
);
