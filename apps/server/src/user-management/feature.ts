import { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import { featureOf } from '../feature.ts';
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

/** Accounts of all levels in scope, and the devices granted to integrators. */
export const feature = featureOf(userManagementEndpoints, {
  list: accountList,
  exportList: { find: accountList, own: {} },
  detail: accountOf,
  add: addAccount,
  edit: editAccount,
  movePreview: previewMove,
  move: moveAccount,
  setEnabled: setAccountEnabled,
  resetPassword: resetAccountPassword,
  deletionPreview: previewAccountDeletion,
  remove: deleteAccount,
  grantList: grantPage,
  grantCheck: checkSns,
  grantAdd: addGrants,
  grantRemove: removeGrants,
});
