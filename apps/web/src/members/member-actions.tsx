import { add, edit, type MemberRow, remove, resetPassword, setState } from '@sonnenwarte/contract/members/members';
import { IconKey, IconPencil, IconPlus, IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';
import { PasswordDialog } from '../organisations/password-dialog.tsx';
import { viewsAs } from '../view-as/view-as-action.tsx';

const adding = actionsOf<{ organisationID: string | undefined }>();

export const memberAdding = adding.table(
  'members',
  { nameOf: () => '' },
  { add: adding.opens(add, async () => (await import('./member-form.tsx')).MemberAddForm, { icon: IconPlus }) },
);

const { opens, asks, table } = actionsOf<MemberRow>();

/** What can be done with a member. */
export const memberActions = table(
  'members',
  {
    nameOf: ({ account }) => account,
    whyNot: ({ can }, t) => t(can.edit ? 'members.oneself' : 'members.beyond'),
  },
  {
    edit: opens(edit, async () => (await import('./member-form.tsx')).MemberEditForm, { icon: IconPencil }),
    resetPassword: asks(resetPassword, ({ accountID }) => ({ accountID }), {
      icon: IconKey,
      grave: true,
      answer: ({ temporaryPassword }, { account }, onClose) => (
        <PasswordDialog user={account} password={temporaryPassword} onClose={onClose} />
      ),
    }),
    enable: asks(setState, ({ accountID }) => ({ accountID, state: 'enabled' as const }), {
      icon: IconUserCheck,
      when: ({ state }) => state === 'disabled',
      can: 'disable',
    }),
    disable: asks(setState, ({ accountID }) => ({ accountID, state: 'disabled' as const }), {
      icon: IconUserOff,
      grave: true,
      when: ({ state }) => state === 'enabled',
    }),
    viewAs: viewsAs(({ accountID, account, level }) => ({ kind: 'account', id: accountID, name: account, level }), {
      can: 'edit',
    }),
    delete: asks(remove, ({ accountID }) => ({ accountID }), { icon: IconTrash, danger: true }),
  },
);
