import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import { featureOf } from '../feature.ts';
import {
  addMember,
  editMember,
  memberChoices,
  memberList,
  memberOf,
  removeMember,
  resetMemberPassword,
  setMemberState,
} from './members.service.ts';

/** Members: further accounts of an organisation, narrowed by permission groups. */
export const feature = featureOf(memberEndpoints, {
  list: memberList,
  exportList: {
    find: memberList,
    own: { groups: ({ groups }) => groups.map(({ name }) => name).join(', ') },
  },
  detail: memberOf,
  choices: memberChoices,
  add: addMember,
  edit: editMember,
  setState: setMemberState,
  resetPassword: resetMemberPassword,
  remove: removeMember,
});
