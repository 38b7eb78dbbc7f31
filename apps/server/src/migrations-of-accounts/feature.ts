import { migrationEndpoints } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { featureOf } from '../feature.ts';
import { codeFor, migrationList, migrationOf, partiesToChoose, previewOf } from './migrations-of-accounts.service.ts';
import { transferPlants, undoTransfer } from './transfer.ts';

/** Account migration: all plants of one account move to another, and back again. */
export const feature = featureOf(migrationEndpoints, {
  accounts: partiesToChoose,
  preview: previewOf,
  makeCode: codeFor,
  transfer: transferPlants,
  list: migrationList,
  exportList: {
    find: migrationList,
    own: { parentAgents: ({ parentAgents }) => parentAgents.join(' › ') },
  },
  detail: migrationOf,
  undo: undoTransfer,
});
