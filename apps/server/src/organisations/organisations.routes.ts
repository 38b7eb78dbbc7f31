import { exportList, organisationEndpoints } from '@sonnenwarte/contract/organisations/organisations';
import type { Kysely } from 'kysely';
import { serveExport, timeCell } from '../exports/serve-export.ts';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import {
  addOrganisation,
  deleteOrganisation,
  editOrganisation,
  moveOrganisation,
  organisationList,
  organisationOf,
  previewDeletion,
  renewCode,
  setOrganisationEnabled,
  treeOf,
} from './organisations.service.ts';

export function bindOrganisations(api: Api, db: Kysely<Database>): void {
  const e = organisationEndpoints;
  serve(api, e.list, (input, context) => organisationList(db, input, context));
  serve(api, e.tree, (_, { scope }) => treeOf(db, scope));
  serve(api, e.detail, ({ id }, context) => organisationOf(db, id, context));
  serve(api, e.add, (input, context) => addOrganisation(db, input, context));
  serve(api, e.edit, (input, context) => editOrganisation(db, input, context));
  serve(api, e.move, (input, context) => moveOrganisation(db, input, context));
  serve(api, e.setEnabled, (input, context) => setOrganisationEnabled(db, input, context));
  serve(api, e.renewSignUpCode, ({ id }, context) => renewCode(db, id, context));
  serve(api, e.deletionPreview, ({ id }, context) => previewDeletion(db, id, context));
  serve(api, e.remove, (input, context) => deleteOrganisation(db, input, context, api.nowMs()));
  serveExport(api, exportList, {
    page: async (input, context) => {
      const { organisations, total } = await organisationList(db, input, context);
      return { rows: organisations, total };
    },
    columns: {
      number: { label: 'organisations.field.number', kind: 'number', value: (row) => row.number },
      name: { label: 'organisations.field.name', value: (row) => row.name },
      kind: {
        label: 'organisations.field.kind',
        value: (row, { text }) => text(`organisations.kind.${row.kind}`),
      },
      country: { label: 'organisations.field.country', value: (row, { country }) => country(row.country) },
      email: { label: 'organisations.field.email', value: (row) => row.email },
      phone: { label: 'organisations.field.phone', value: (row) => row.phone },
      parent: { label: 'organisations.field.parent', value: (row) => row.parent },
      state: {
        label: 'organisations.field.state',
        value: (row, { text }) => text(`organisations.state.${row.state}`),
      },
      organisations: { label: 'organisations.field.organisations', kind: 'number', value: (row) => row.organisations },
      accounts: { label: 'organisations.field.accounts', kind: 'number', value: (row) => row.accounts },
      sites: { label: 'organisations.field.sites', kind: 'number', value: (row) => row.sites },
      createdMs: { label: 'organisations.field.createdMs', kind: 'time', value: (row) => timeCell(row.createdMs) },
    },
  });
}
