import { type AnnouncementRow, add, edit, remove } from '@sonnenwarte/contract/announcements/announcements';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const adding = actionsOf<undefined>();

export const announcing = adding.table(
  'announcements',
  { nameOf: () => '' },
  {
    add: adding.opens(add, async () => (await import('./announcement-form.tsx')).AnnouncementAddForm, {
      icon: IconPlus,
    }),
  },
);

const { opens, asks, table } = actionsOf<AnnouncementRow>();

/** What can be done with an announcement. */
export const announcementActions = table(
  'announcements',
  { nameOf: ({ title }) => title },
  {
    edit: opens(edit, async () => (await import('./announcement-form.tsx')).AnnouncementEditForm, { icon: IconPencil }),
    delete: asks(remove, ({ announcementID }) => ({ announcementID }), { icon: IconTrash, danger: true }),
  },
);
