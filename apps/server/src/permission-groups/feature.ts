import { permissionGroupEndpoints } from '@sonnenwarte/contract/permission-groups/permission-groups';
import { featureOf } from '../feature.ts';
import { addGroup, editGroup, groupChoices, groupList, groupOf, removeGroup } from './permission-groups.service.ts';

/** Permission groups: what members of an organisation may do. */
export const feature = featureOf(permissionGroupEndpoints, {
  list: groupList,
  exportList: { find: groupList, own: {} },
  detail: groupOf,
  choices: groupChoices,
  add: addGroup,
  edit: editGroup,
  remove: removeGroup,
});
