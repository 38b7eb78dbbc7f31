import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindPermissionGroups } from './permission-groups.routes.ts';

/** Permission groups: what members of an organisation may do. */
export function permissionGroupsFeature(api: Api, db: Kysely<Database>): void {
  bindPermissionGroups(api, db);
}
