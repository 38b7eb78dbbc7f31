import { migrationEndpoints } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { serveExport, timeCell } from '../exports/serve-export.ts';
import { type Api, serve } from '../http/serve.ts';
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
  serve(api, migrationEndpoints.list, (input, { scope }) => migrationList(stores, scope, input));
  serve(api, migrationEndpoints.detail, ({ migrationID }, { scope }) => migrationOf(stores, scope, migrationID));
  serve(api, migrationEndpoints.undo, ({ migrationID }, context) => undoTransfer(stores, context, migrationID));
  bindExport(api, stores);
}

function bindExport(api: Api, stores: MigrationStores): void {
  serveExport(api, migrationEndpoints.exportList, {
    name: 'account-migrations',
    page: async (input, { scope }) => {
      const { migrations, total } = await migrationList(stores, scope, input);
      return { rows: migrations, total };
    },
    columns: {
      source: { label: 'migrations-of-accounts.field.source', value: (row) => row.source },
      parentAgents: {
        label: 'migrations-of-accounts.field.parentAgents',
        value: (row) => row.parentAgents.join(' › '),
      },
      target: { label: 'migrations-of-accounts.field.target', value: (row) => row.target },
      sites: { label: 'migrations-of-accounts.field.sites', kind: 'number', value: (row) => row.sites },
      transferCount: {
        label: 'migrations-of-accounts.field.transferCount',
        kind: 'number',
        value: (row) => row.transferCount,
      },
      transferredAtMs: {
        label: 'migrations-of-accounts.field.transferredAtMs',
        kind: 'time',
        value: (row) => timeCell(row.transferredAtMs),
      },
      operatedBy: { label: 'migrations-of-accounts.field.operatedBy', value: (row) => row.operatedBy },
      state: {
        label: 'migrations-of-accounts.field.state',
        value: (row, { text }) =>
          text(`migrations-of-accounts.state.${row.undoneAtMs === null ? 'transferred' : 'undone'}`),
      },
      undoneAtMs: {
        label: 'migrations-of-accounts.field.undoneAtMs',
        kind: 'time',
        value: (row) => timeCell(row.undoneAtMs),
      },
      undoneBy: { label: 'migrations-of-accounts.field.undoneBy', value: (row) => row.undoneBy },
    },
  });
}
