import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindDepartments } from './departments.routes.ts';

/** Departments: the tree of an organisation, and who is in them. */
export function departmentsFeature(api: Api, db: Kysely<Database>): void {
  bindDepartments(api, db);
}
