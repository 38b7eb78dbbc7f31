import { type MemberRow, remove, resetPassword, setState } from '@sonnenwarte/contract/members/members';
import { IconEye, IconKey, IconPencil, IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../blocks/action-menu.tsx';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { useWrite } from '../client/queries.ts';
import { TemporaryPassword } from './temporary-password.tsx';

const MemberAddForm = lazy(async () => ({ default: (await import('./member-form.tsx')).MemberAddForm }));
const MemberEditForm = lazy(async () => ({ default: (await import('./member-form.tsx')).MemberEditForm }));
const ViewAsStart = lazy(async () => ({ default: (await import('../view-as/start-dialog.tsx')).ViewAsStart }));

type Deed = 'edit' | 'reset' | 'state' | 'delete' | 'view';

/** What can be done with members, and the dialogs in which it is done. */
export function useMemberActions(organisationID: string | undefined): {
  actions: (row: MemberRow) => readonly RowAction[];
  add: () => void;
  dialogs: ReactNode;
} {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<{ deed: Deed; row: MemberRow }>();
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<{ account: string; password: string }>();
  const removal = useWrite(remove, { inPlace: true });
  const reset = useWrite(resetPassword, { inPlace: true });
  const change = useWrite(setState, { inPlace: true });

  const refusal = (row: MemberRow, allowed: boolean): string | undefined => {
    if (allowed) return undefined;
    return t(row.can.edit ? 'members.oneself' : 'members.beyond');
  };
  const choose = (deed: Deed, row: MemberRow) => () => setChosen({ deed, row });
  const actions = (row: MemberRow): readonly RowAction[] => [
    {
      label: t('members.edit'),
      icon: <IconPencil aria-hidden="true" />,
      onSelect: choose('edit', row),
      code: 'member:edit',
      disabledReason: refusal(row, row.can.edit),
    },
    {
      label: t('members.resetPassword'),
      icon: <IconKey aria-hidden="true" />,
      onSelect: choose('reset', row),
      code: 'member:resetPassword',
      disabledReason: refusal(row, row.can.resetPassword),
    },
    {
      label: t(row.state === 'enabled' ? 'members.disable' : 'members.enable'),
      icon: row.state === 'enabled' ? <IconUserOff aria-hidden="true" /> : <IconUserCheck aria-hidden="true" />,
      onSelect: choose('state', row),
      code: 'member:edit',
      disabledReason: refusal(row, row.can.disable),
    },
    {
      label: t('view-as.start'),
      icon: <IconEye aria-hidden="true" />,
      onSelect: choose('view', row),
      code: 'role:query',
      disabledReason: row.can.edit ? undefined : t('members.beyond'),
    },
    {
      label: t('members.delete'),
      icon: <IconTrash aria-hidden="true" />,
      onSelect: choose('delete', row),
      code: 'member:delete',
      danger: true,
      disabledReason: refusal(row, row.can.delete),
    },
  ];

  const close = () => setChosen(undefined);
  const dialogs = (
    <Suspense>
      {adding && (
        <MemberAddForm
          organisationID={organisationID}
          onClose={() => setAdding(false)}
          onAdded={(account, password) => setSecret({ account, password })}
        />
      )}
      {chosen?.deed === 'edit' && <MemberEditForm key={chosen.row.accountID} member={chosen.row} onClose={close} />}
      {chosen?.deed === 'view' && (
        <ViewAsStart
          opened
          onClose={close}
          preset={{ kind: 'account', id: chosen.row.accountID, name: chosen.row.account, level: chosen.row.level }}
        />
      )}
      {chosen?.deed === 'reset' && (
        <ConfirmAction
          title={t('members.resetTitle', { account: chosen.row.account })}
          opened
          onClose={close}
          confirmLabel={t('members.resetPassword')}
          danger
          onConfirm={async () => {
            const { accountID, account } = chosen.row;
            const { temporaryPassword } = await reset.mutateAsync({ accountID });
            setSecret({ account, password: temporaryPassword });
          }}
        >
          <p>{t('members.resetText')}</p>
        </ConfirmAction>
      )}
      {chosen?.deed === 'state' && <StateQuestion row={chosen.row} onClose={close} onConfirm={change.mutateAsync} />}
      {chosen?.deed === 'delete' && (
        <ConfirmAction
          title={t('members.deleteTitle', { account: chosen.row.account })}
          opened
          onClose={close}
          confirmLabel={t('members.delete')}
          danger
          onConfirm={() => removal.mutateAsync({ accountID: chosen.row.accountID })}
        >
          <p>{t('members.deleteText')}</p>
        </ConfirmAction>
      )}
      {secret && <TemporaryPassword {...secret} onClose={() => setSecret(undefined)} />}
    </Suspense>
  );
  return { actions, add: () => setAdding(true), dialogs };
}

interface StateQuestionProps {
  row: MemberRow;
  onClose: () => void;
  onConfirm: (input: { accountID: string; state: 'enabled' | 'disabled' }) => Promise<unknown>;
}

function StateQuestion({ row: { accountID, account, state }, onClose, onConfirm }: StateQuestionProps) {
  const { t } = useTranslation();
  const deed = state === 'enabled' ? 'disable' : 'enable';
  return (
    <ConfirmAction
      title={t(`members.${deed}Title`, { account })}
      opened
      onClose={onClose}
      confirmLabel={t(`members.${deed}`)}
      danger={deed === 'disable'}
      onConfirm={() => onConfirm({ accountID, state: deed === 'disable' ? 'disabled' : 'enabled' })}
    >
      <p>{t(`members.${deed}Text`)}</p>
    </ConfirmAction>
  );
}
