import { LEVEL } from '@sonnenwarte/contract/levels';
import { type AccountRow, resetPassword, setEnabled } from '@sonnenwarte/contract/user-management/user-management';
import {
  IconArrowsMove,
  IconCircleCheck,
  IconCircleX,
  IconDevices,
  IconEye,
  IconKey,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../blocks/action-menu.tsx';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { useWrite } from '../client/queries.ts';
import { type HandedOver, PasswordDialog } from '../organisations/password-dialog.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { EditAccount } from './edit-account.tsx';
import { MoveAccount } from './move-account.tsx';

const ViewAsStart = lazy(async () => ({ default: (await import('../view-as/start-dialog.tsx')).ViewAsStart }));
const GrantsDrawer = lazy(async () => ({ default: (await import('./grants-drawer.tsx')).GrantsDrawer }));

type Doing = { what: 'edit' | 'move' | 'setEnabled' | 'reset' | 'delete' | 'grants' | 'view'; row: AccountRow };

/** What can be done with accounts, and the dialogs in which it is done. */
export function useAccountActions(): { actionsOf: (row: AccountRow) => readonly RowAction[]; dialogs: ReactNode } {
  const { t } = useTranslation();
  const [doing, setDoing] = useState<Doing>();
  const [handed, setHanded] = useState<HandedOver>();
  const enable = useWrite(setEnabled, { inPlace: true });
  const reset = useWrite(resetPassword, { inPlace: true });
  const close = () => setDoing(undefined);
  const begin = (what: Doing['what'], row: AccountRow) => () => setDoing({ what, row });

  const actionsOf = (row: AccountRow): readonly RowAction[] => {
    const { can } = row;
    const isOn = row.state === 'enabled';
    const all: (RowAction | false)[] = [
      can.edit && {
        label: t('user-management.edit.action'),
        icon: <IconPencil aria-hidden="true" />,
        onSelect: begin('edit', row),
      },
      can.move && {
        label: t('user-management.move.action'),
        icon: <IconArrowsMove aria-hidden="true" />,
        onSelect: begin('move', row),
      },
      can.grant && {
        label: t('user-management.grants.action'),
        icon: <IconDevices aria-hidden="true" />,
        onSelect: begin('grants', row),
      },
      can.resetPassword && {
        label: t('user-management.reset.action'),
        icon: <IconKey aria-hidden="true" />,
        onSelect: begin('reset', row),
      },
      can.setEnabled && {
        label: t(isOn ? 'user-management.disable.action' : 'user-management.enable.action'),
        icon: isOn ? <IconCircleX aria-hidden="true" /> : <IconCircleCheck aria-hidden="true" />,
        onSelect: begin('setEnabled', row),
      },
      row.level !== LEVEL.admin && {
        label: t('view-as.start'),
        icon: <IconEye aria-hidden="true" />,
        onSelect: begin('view', row),
        code: 'role:query',
      },
      can.delete && {
        label: t('user-management.delete.action'),
        icon: <IconTrash aria-hidden="true" />,
        onSelect: begin('delete', row),
        danger: true,
      },
    ];
    return all.filter((action) => action !== false);
  };

  const dialog = (): ReactNode => {
    if (doing === undefined) return null;
    const { what, row } = doing;
    const { id, user } = row;
    switch (what) {
      case 'edit':
        return <EditAccount id={id} user={user} onClose={close} />;
      case 'move':
        return <MoveAccount row={row} onClose={close} />;
      case 'delete':
        return <DeleteAccount row={row} onClose={close} />;
      case 'grants':
        return (
          <Suspense fallback={null}>
            <GrantsDrawer id={id} user={user} onClose={close} />
          </Suspense>
        );
      case 'view':
        return (
          <Suspense fallback={null}>
            <ViewAsStart opened onClose={close} preset={{ kind: 'account', id, name: user, level: row.level }} />
          </Suspense>
        );
      case 'reset':
        return (
          <ConfirmAction
            opened
            onClose={close}
            title={t('user-management.reset.title', { user })}
            confirmLabel={t('user-management.reset.action')}
            onConfirm={async () => setHanded(await reset.mutateAsync({ id }))}
          >
            <p>{t('user-management.reset.meaning')}</p>
          </ConfirmAction>
        );
      case 'setEnabled': {
        const step = row.state === 'enabled' ? 'disable' : 'enable';
        return (
          <ConfirmAction
            opened
            onClose={close}
            title={t(`user-management.${step}.title`, { user })}
            confirmLabel={t(`user-management.${step}.action`)}
            danger={step === 'disable'}
            onConfirm={() => enable.mutateAsync({ id, enabled: step === 'enable' })}
          >
            <p>{t(`user-management.${step}.meaning`)}</p>
          </ConfirmAction>
        );
      }
    }
  };

  return {
    actionsOf,
    dialogs: (
      <>
        {dialog()}
        {handed !== undefined && <PasswordDialog {...handed} onClose={() => setHanded(undefined)} />}
      </>
    ),
  };
}
