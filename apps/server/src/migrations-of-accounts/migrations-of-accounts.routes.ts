import { migrationEndpoints } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { serveExport } from '../exports/serve-export.ts';
import { type Api, serve } from '../http/serve.ts';
import { type FindRows, serveList } from '../http/serve-list.ts';
import {
  codeFor,
  type MigrationStores,
  migrationList,
  migrationOf,
  partiesToChoose,
  previewOf,
} from './migrations-of-accounts.service.ts';
import { transferPlants, undoTransfer } from './transfer.ts';

export function bindMigrations(api: Api, stores: MigrationStores): void {
  serve(api, migrationEndpoints.accounts, (input, { scope }) => partiesToChoose(stores, scope, input));
  serve(api, migrationEndpoints.preview, (input, { scope }) => previewOf(stores, scope, input));
  serve(api, migrationEndpoints.makeCode, (input, context) => codeFor(stores, context, input));
  serve(api, migrationEndpoints.transfer, (input, context) => transferPlants(stores, context, input));
  const find: FindRows<typeof migrationEndpoints.list> = (input, { scope }) => migrationList(stores, scope, input);
  serveList(api, migrationEndpoints.list, find);
  serveExport(api, migrationEndpoints.exportList, {
    find,
    own: { parentAgents: ({ parentAgents }) => parentAgents.join(' › ') },
  });
  serve(api, migrationEndpoints.detail, ({ migrationID }, { scope }) => migrationOf(stores, scope, migrationID));
  serve(api, migrationEndpoints.undo, ({ migrationID }, context) => undoTransfer(stores, context, migrationID));
}
