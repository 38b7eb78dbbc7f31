import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindUserManagement } from './user-management.routes.ts';

/** Accounts of all levels in scope, and the devices granted to integrators. */
export function userManagementFeature(api: Api, { db }: { db: Kysely<Database> }): void {
  bindUserManagement(api, db);
}
