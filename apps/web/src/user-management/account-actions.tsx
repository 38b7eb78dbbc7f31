import { LEVEL, type Level } from '@sonnenwarte/contract/levels';
import { grantAdd, grantList, grantRemove } from '@sonnenwarte/contract/user-management/grants';
import {
  type AccountRow,
  add,
  edit,
  move,
  remove,
  resetPassword,
  setEnabled,
} from '@sonnenwarte/contract/user-management/user-management';
import {
  IconArrowsMove,
  IconCircleCheck,
  IconCircleX,
  IconDevices,
  IconKey,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';
import { PasswordDialog } from '../organisations/password-dialog.tsx';
import { viewsAs } from '../view-as/view-as-action.tsx';

const adding = actionsOf<{ levels: readonly Level[] }>();

export const accountAdding = adding.table(
  'user-management',
  { nameOf: () => '' },
  {
    add: adding.opens(add, async () => (await import('./add-account.tsx')).AddAccount, {
      icon: IconPlus,
      when: ({ levels }) => levels.length > 0,
    }),
  },
);

const { opens, asks, table } = actionsOf<AccountRow>();

/** What can be done with an account. */
export const accountActions = table(
  'user-management',
  { nameOf: ({ user }) => user },
  {
    edit: opens(edit, async () => (await import('./edit-account.tsx')).EditAccount, { icon: IconPencil }),
    move: opens(move, async () => (await import('./move-account.tsx')).MoveAccount, { icon: IconArrowsMove }),
    grants: opens(grantList, async () => (await import('./grants-drawer.tsx')).GrantsDrawer, {
      icon: IconDevices,
      can: 'grant',
    }),
    resetPassword: asks(resetPassword, ({ id }) => ({ id }), {
      icon: IconKey,
      answer: (handed, _, onClose) => <PasswordDialog {...handed} onClose={onClose} />,
    }),
    enable: asks(setEnabled, ({ id }) => ({ id, enabled: true }), {
      icon: IconCircleCheck,
      when: ({ state }) => state === 'disabled',
      can: 'setEnabled',
    }),
    disable: asks(setEnabled, ({ id }) => ({ id, enabled: false }), {
      icon: IconCircleX,
      grave: true,
      when: ({ state }) => state === 'enabled',
      can: 'setEnabled',
    }),
    viewAs: viewsAs(({ id, user, level }) => ({ kind: 'account', id, name: user, level }), {
      when: ({ level }) => level !== LEVEL.admin,
    }),
    delete: opens(remove, async () => (await import('./delete-account.tsx')).DeleteAccount, {
      icon: IconTrash,
      danger: true,
    }),
  },
);

/** Devices chosen for an integrator. */
export interface ChosenDevices {
  id: string;
  keys: ReadonlySet<string>;
  /** The list shows those alone that were granted. */
  granted: boolean;
}

const granting = actionsOf<ChosenDevices>();
const chosen = ({ id, keys }: ChosenDevices) => ({ id, deviceIds: [...keys] });

export const grantActions = granting.table(
  'user-management.grants',
  { nameOf: () => '' },
  {
    grant: granting.sends(grantAdd, chosen, { when: ({ granted }) => !granted }),
    revoke: granting.sends(grantRemove, chosen),
  },
);
