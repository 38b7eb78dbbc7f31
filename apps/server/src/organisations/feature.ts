import { organisationEndpoints } from '@sonnenwarte/contract/organisations/organisations';
import { featureOf } from '../feature.ts';
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

/** The tree of organisations: platform, distributors, agents, installers. */
export const feature = featureOf(organisationEndpoints, {
  list: organisationList,
  exportList: { find: organisationList, own: {} },
  tree: treeOf,
  choices: organisationChoices,
  detail: organisationOf,
  add: addOrganisation,
  edit: editOrganisation,
  move: moveOrganisation,
  setEnabled: setOrganisationEnabled,
  renewSignUpCode: renewCode,
  deletionPreview: previewDeletion,
  remove: deleteOrganisation,
});
