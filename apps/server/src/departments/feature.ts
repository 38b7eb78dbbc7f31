import { departmentEndpoints } from '@sonnenwarte/contract/departments/departments';
import { featureOf } from '../feature.ts';
import {
  addDepartment,
  departmentMembers,
  departmentTree,
  editDepartment,
  moveDepartment,
  removeDepartment,
} from './departments.service.ts';

/** Departments: the tree of an organisation, and who is in them. */
export const feature = featureOf(departmentEndpoints, {
  tree: departmentTree,
  members: departmentMembers,
  add: addDepartment,
  edit: editDepartment,
  move: moveDepartment,
  remove: removeDepartment,
});
