import { departmentEndpoints } from '@sonnenwarte/contract/departments/departments';
import { featureOf } from '../http/feature.ts';
import {
  addDepartment,
  departmentMembers,
  departmentTree,
  editDepartment,
  moveDepartment,
  organisationChoices,
  removeDepartment,
} from './departments.service.ts';

/** Departments: the tree of an organisation, and who is in them. */
export const feature = featureOf(departmentEndpoints, {
  organisations: organisationChoices,
  tree: departmentTree,
  members: departmentMembers,
  add: addDepartment,
  edit: editDepartment,
  move: moveDepartment,
  remove: removeDepartment,
});
