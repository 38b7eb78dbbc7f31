import { permissionGroupEndpoints } from '@sonnenwarte/contract/permission-groups/permission-groups';
import type { Kysely } from 'kysely';
import { serveExport, timeCell } from '../exports/serve-export.ts';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { groupList } from './permission-groups.service.ts';

/** The list of permission groups as a file. */
export function bindPermissionGroupExport(api: Api, db: Kysely<Database>): void {
  serveExport(api, permissionGroupEndpoints.exportList, {
    page: async (input, { scope }) => {
      const { groups, total } = await groupList(db, scope, input);
      return { rows: groups, total };
    },
    columns: {
      name: { label: 'permission-groups.field.name', value: (group) => group.name },
      description: { label: 'permission-groups.field.description', value: (group) => group.description },
      type: {
        label: 'permission-groups.field.type',
        value: (group, { text }) => text(`permission-groups.type.${group.type}`),
      },
      organisation: { label: 'permission-groups.field.organisation', value: (group) => group.organisation },
      department: { label: 'permission-groups.field.department', value: (group) => group.department },
      codes: { label: 'permission-groups.field.codes', kind: 'number', value: (group) => group.codes },
      members: { label: 'permission-groups.field.members', kind: 'number', value: (group) => group.members },
      updatedAtMs: {
        label: 'permission-groups.field.updatedAtMs',
        kind: 'time',
        value: (group) => timeCell(group.updatedAtMs),
      },
    },
  });
}
