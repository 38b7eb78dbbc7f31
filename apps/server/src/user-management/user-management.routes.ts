import { exportList, userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import type { Kysely } from 'kysely';
import { serveExport, timeCell } from '../exports/serve-export.ts';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { addAccount } from './add-account.ts';
import { addGrants, checkSns, grantPage, removeGrants } from './grants.service.ts';
import { moveAccount, previewMove } from './move-account.ts';
import {
  accountList,
  accountOf,
  deleteAccount,
  editAccount,
  previewAccountDeletion,
  resetAccountPassword,
  setAccountEnabled,
} from './user-management.service.ts';

export function bindUserManagement(api: Api, db: Kysely<Database>): void {
  const e = userManagementEndpoints;
  serve(api, e.list, (input, context) => accountList(db, input, context));
  serve(api, e.detail, ({ id }, context) => accountOf(db, id, context));
  serve(api, e.add, (input, context) => addAccount(db, input, context));
  serve(api, e.edit, (input, context) => editAccount(db, input, context));
  serve(api, e.movePreview, (input, context) => previewMove(db, input, context));
  serve(api, e.move, (input, context) => moveAccount(db, input, context));
  serve(api, e.setEnabled, (input, context) => setAccountEnabled(db, input, context));
  serve(api, e.resetPassword, ({ id }, context) => resetAccountPassword(db, id, context));
  serve(api, e.deletionPreview, ({ id }, context) => previewAccountDeletion(db, id, context));
  serve(api, e.remove, (input, context) => deleteAccount(db, input, context, api.nowMs()));
  serve(api, e.grantList, (input, context) => grantPage(db, input, context));
  serve(api, e.grantCheck, (input, context) => checkSns(db, input, context));
  serve(api, e.grantAdd, (input, context) => addGrants(db, input, context));
  serve(api, e.grantRemove, (input, context) => removeGrants(db, input, context));
  serveExport(api, exportList, {
    page: async (input, context) => {
      const { accounts, total } = await accountList(db, input, context);
      return { rows: accounts, total };
    },
    columns: {
      user: { label: 'user-management.field.user', value: (row) => row.user },
      name: { label: 'user-management.field.name', value: (row) => row.name },
      email: { label: 'user-management.field.email', value: (row) => row.email },
      phone: { label: 'user-management.field.phone', value: (row) => row.phone },
      level: { label: 'user-management.field.level', value: (row, { text }) => text(`levels.${row.level}`) },
      organisation: { label: 'user-management.field.organisation', value: (row) => row.organisation },
      country: { label: 'user-management.field.country', value: (row, { country }) => country(row.country) },
      sites: { label: 'user-management.field.sites', kind: 'number', value: (row) => row.sites },
      state: {
        label: 'user-management.field.state',
        value: (row, { text }) => text(`organisations.state.${row.state}`),
      },
      lastSignInMs: {
        label: 'user-management.field.lastSignInMs',
        kind: 'time',
        value: (row) => timeCell(row.lastSignInMs),
      },
      createdMs: { label: 'user-management.field.createdMs', kind: 'time', value: (row) => timeCell(row.createdMs) },
    },
  });
}
