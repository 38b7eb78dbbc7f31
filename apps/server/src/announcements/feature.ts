import { announcementEndpoints } from '@sonnenwarte/contract/announcements/announcements';
import { featureOf } from '../feature.ts';
import { addAnnouncement, announcementList, editAnnouncement, removeAnnouncement } from './announcements.service.ts';

/** What the operator of the platform tells many. */
export const feature = featureOf(announcementEndpoints, {
  list: announcementList,
  exportList: {
    find: announcementList,
    own: {
      levels: ({ levels }) => levels.join(', '),
      organisations: ({ organisations }) => organisations.map(({ name }) => name).join(', '),
    },
  },
  add: addAnnouncement,
  edit: editAnnouncement,
  remove: removeAnnouncement,
});
