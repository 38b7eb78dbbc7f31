import { organisationEndpoints } from '@sonnenwarte/contract/organisations/organisations';
import type { Kysely } from 'kysely';
import { serveExport } from '../exports/serve-export.ts';
import { type Api, serve } from '../http/serve.ts';
import { type FindRows, serveList } from '../http/serve-list.ts';
import type { Database } from '../stores/schema.ts';
import {
  addOrganisation,
  deleteOrganisation,
  editOrganisation,
  moveOrganisation,
  organisationChoices,
  organisationList,
  organisationOf,
  previewDeletion,
  renewCode,
  setOrganisationEnabled,
  treeOf,
} from './organisations.service.ts';

export function bindOrganisations(api: Api, db: Kysely<Database>): void {
  const e = organisationEndpoints;
  const find: FindRows<typeof e.list> = (input, context) => organisationList(db, input, context);
  serveList(api, e.list, find);
  serveExport(api, e.exportList, { find, own: {} });
  serve(api, e.tree, (_, { scope }) => treeOf(db, scope));
  serve(api, e.choices, (input, context) => organisationChoices(db, input, context));
  serve(api, e.detail, ({ id }, context) => organisationOf(db, id, context));
  serve(api, e.add, (input, context) => addOrganisation(db, input, context));
  serve(api, e.edit, (input, context) => editOrganisation(db, input, context));
  serve(api, e.move, (input, context) => moveOrganisation(db, input, context));
  serve(api, e.setEnabled, (input, context) => setOrganisationEnabled(db, input, context));
  serve(api, e.renewSignUpCode, ({ id }, context) => renewCode(db, id, context));
  serve(api, e.deletionPreview, ({ id }, context) => previewDeletion(db, id, context));
  serve(api, e.remove, (input, context) => deleteOrganisation(db, input, context, api.nowMs()));
}
