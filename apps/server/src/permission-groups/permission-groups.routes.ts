import { permissionGroupEndpoints } from '@sonnenwarte/contract/permission-groups/permission-groups';
import type { Kysely } from 'kysely';
import { serveExport } from '../exports/serve-export.ts';
import { type Api, serve } from '../http/serve.ts';
import { type FindRows, serveList } from '../http/serve-list.ts';
import type { Database } from '../stores/schema.ts';
import { addGroup, editGroup, groupChoices, groupList, groupOf, removeGroup } from './permission-groups.service.ts';

export function bindPermissionGroups(api: Api, db: Kysely<Database>): void {
  const find: FindRows<typeof permissionGroupEndpoints.list> = (input, { scope }) => groupList(db, scope, input);
  serveList(api, permissionGroupEndpoints.list, find);
  serveExport(api, permissionGroupEndpoints.exportList, { find, own: {} });
  serve(api, permissionGroupEndpoints.detail, (input, context) => groupOf(db, input, context));
  serve(api, permissionGroupEndpoints.choices, (input, context) => groupChoices(db, input, context));
  serve(api, permissionGroupEndpoints.add, (input, context) => addGroup(db, input, context));
  serve(api, permissionGroupEndpoints.edit, (input, context) => editGroup(db, input, context));
  serve(api, permissionGroupEndpoints.remove, (input, context) => removeGroup(db, input, context));
}
