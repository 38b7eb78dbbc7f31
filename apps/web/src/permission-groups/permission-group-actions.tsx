import { levelOfKind } from '@sonnenwarte/contract/members/member-levels';
import { add, edit, type PermissionGroupRow, remove } from '@sonnenwarte/contract/permission-groups/permission-groups';
import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';
import { viewsAs } from '../view-as/view-as-action.tsx';
import { Affected } from './affected.tsx';

const adding = actionsOf<{ organisationID: string | undefined }>();

export const groupAdding = adding.table(
  'permission-groups',
  { nameOf: () => '' },
  {
    add: adding.opens(add, async () => (await import('./permission-group-form.tsx')).GroupAddForm, { icon: IconPlus }),
  },
);

const { opens, asks, table } = actionsOf<PermissionGroupRow>();

/** What can be done with a permission group. */
export const groupActions = table(
  'permission-groups',
  { nameOf: ({ name }) => name },
  {
    edit: opens(edit, async () => (await import('./permission-group-form.tsx')).GroupEditForm, { icon: IconPencil }),
    copy: opens(add, async () => (await import('./permission-group-form.tsx')).GroupCopyForm, { icon: IconCopy }),
    viewAs: viewsAs(({ permissionGroupID: id, name, organisationKind }) => ({
      kind: 'group',
      id,
      name,
      level: levelOfKind(organisationKind),
    })),
    delete: asks(remove, ({ permissionGroupID }) => ({ permissionGroupID }), {
      icon: IconTrash,
      danger: true,
      meaning: (row) => <Affected row={row} />,
    }),
  },
);
