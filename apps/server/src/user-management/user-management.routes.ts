import { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import type { Kysely } from 'kysely';
import { serveExport } from '../exports/serve-export.ts';
import { type Api, serve } from '../http/serve.ts';
import { type FindRows, serveList } from '../http/serve-list.ts';
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
  const find: FindRows<typeof e.list> = (input, context) => accountList(db, input, context);
  serveList(api, e.list, find);
  serveExport(api, e.exportList, { find, own: {} });
  serve(api, e.detail, ({ id }, context) => accountOf(db, id, context));
  serve(api, e.add, (input, context) => addAccount(db, input, context));
  serve(api, e.edit, (input, context) => editAccount(db, input, context));
  serve(api, e.movePreview, (input, context) => previewMove(db, input, context));
  serve(api, e.move, (input, context) => moveAccount(db, input, context));
  serve(api, e.setEnabled, (input, context) => setAccountEnabled(db, input, context));
  serve(api, e.resetPassword, ({ id }, context) => resetAccountPassword(db, id, context));
  serve(api, e.deletionPreview, ({ id }, context) => previewAccountDeletion(db, id, context));
  serve(api, e.remove, (input, context) => deleteAccount(db, input, context, api.nowMs()));
  serveList(api, e.grantList, (input, context) => grantPage(db, input, context));
  serve(api, e.grantCheck, (input, context) => checkSns(db, input, context));
  serve(api, e.grantAdd, (input, context) => addGrants(db, input, context));
  serve(api, e.grantRemove, (input, context) => removeGrants(db, input, context));
}
