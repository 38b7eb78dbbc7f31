import { departmentEndpoints } from '@sonnenwarte/contract/departments/departments';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import {
  addDepartment,
  departmentMembers,
  departmentTree,
  editDepartment,
  moveDepartment,
  removeDepartment,
} from './departments.service.ts';

export function bindDepartments(api: Api, db: Kysely<Database>): void {
  serve(api, departmentEndpoints.tree, (input, context) => departmentTree(db, input, context));
  serve(api, departmentEndpoints.members, (input, context) => departmentMembers(db, input, context));
  serve(api, departmentEndpoints.add, (input, context) => addDepartment(db, input, context));
  serve(api, departmentEndpoints.edit, (input, context) => editDepartment(db, input, context));
  serve(api, departmentEndpoints.move, (input, context) => moveDepartment(db, input, context));
  serve(api, departmentEndpoints.remove, (input, context) => removeDepartment(db, input, context));
}
