import { permissionGroupEndpoints } from '@sonnenwarte/contract/permission-groups/permission-groups';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { addGroup, editGroup, groupChoices, groupList, groupOf, removeGroup } from './permission-groups.service.ts';

export function bindPermissionGroups(api: Api, db: Kysely<Database>): void {
  serve(api, permissionGroupEndpoints.list, (input, { scope }) => groupList(db, scope, input));
  serve(api, permissionGroupEndpoints.detail, (input, context) => groupOf(db, input, context));
  serve(api, permissionGroupEndpoints.choices, (input, context) => groupChoices(db, input, context));
  serve(api, permissionGroupEndpoints.add, (input, context) => addGroup(db, input, context));
  serve(api, permissionGroupEndpoints.edit, (input, context) => editGroup(db, input, context));
  serve(api, permissionGroupEndpoints.remove, (input, context) => removeGroup(db, input, context));
}
