import { migrationEndpoints } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { featureOf } from '../feature.ts';
import { codeFor, migrationList, migrationOf, partiesToChoose, previewOf } from './migrations-of-accounts.service.ts';
import { movePlants } from './move-plants.ts';
import { ownersToChoose, plantsPreviewOf } from './plants.service.ts';
import { transferPlants, undoTransfer } from './transfer.ts';

/** Migration: all plants of one account, or chosen ones, move to another, and back again. */
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
  owners: ownersToChoose,
  plantsPreview: plantsPreviewOf,
  movePlants,
});
