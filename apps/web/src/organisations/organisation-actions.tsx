import { LEVEL } from '@sonnenwarte/contract/levels';
import { type OrganisationRow, setEnabled } from '@sonnenwarte/contract/organisations/organisations';
import {
  IconArrowsMove,
  IconCircleCheck,
  IconCirclePlus,
  IconCircleX,
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
import { AddOrganisation } from './add-organisation.tsx';
import { DeleteOrganisation } from './delete-organisation.tsx';
import { EditOrganisation } from './edit-organisation.tsx';
import { MoveOrganisation } from './move-organisation.tsx';
import { SignUpCode } from './sign-up-code.tsx';

const ViewAsStart = lazy(async () => ({ default: (await import('../view-as/start-dialog.tsx')).ViewAsStart }));

/** The level of those who lead an organisation of a kind; the platform's own sees all as it is. */
const levelOf = { installer: LEVEL.installer, agent: LEVEL.agent, distributor: LEVEL.distributor } as const;

type Doing = { what: 'edit' | 'move' | 'setEnabled' | 'code' | 'delete' | 'view'; row: OrganisationRow };

interface OrganisationActions {
  actionsOf: (row: OrganisationRow) => readonly RowAction[];
  /** Opens the form, with the organisation above already chosen. */
  add: (parentId?: string) => void;
  dialogs: ReactNode;
}

/** What can be done with organisations, and the dialogs in which it is done. */
export function useOrganisationActions(onDeleted: () => void = () => undefined): OrganisationActions {
  const { t } = useTranslation();
  const [doing, setDoing] = useState<Doing>();
  const [adding, setAdding] = useState<{ parentId: string | undefined }>();
  const enable = useWrite(setEnabled, { inPlace: true });
  const close = () => setDoing(undefined);
  const begin = (what: Doing['what'], row: OrganisationRow) => () => setDoing({ what, row });

  const actionsOf = (row: OrganisationRow): readonly RowAction[] => {
    const { can } = row;
    const isOn = row.state === 'enabled';
    const all: (RowAction | false)[] = [
      can.edit && {
        label: t('organisations.edit.action'),
        icon: <IconPencil aria-hidden="true" />,
        onSelect: begin('edit', row),
      },
      can.add && {
        label: t('organisations.add.action'),
        icon: <IconCirclePlus aria-hidden="true" />,
        onSelect: () => setAdding({ parentId: row.id }),
      },
      can.move && {
        label: t('organisations.move.action'),
        icon: <IconArrowsMove aria-hidden="true" />,
        onSelect: begin('move', row),
      },
      {
        label: t('organisations.code.action'),
        icon: <IconKey aria-hidden="true" />,
        onSelect: begin('code', row),
      },
      can.setEnabled && {
        label: t(isOn ? 'organisations.disable.action' : 'organisations.enable.action'),
        icon: isOn ? <IconCircleX aria-hidden="true" /> : <IconCircleCheck aria-hidden="true" />,
        onSelect: begin('setEnabled', row),
      },
      row.kind !== 'platform' && {
        label: t('view-as.start'),
        icon: <IconEye aria-hidden="true" />,
        onSelect: begin('view', row),
        code: 'role:query',
      },
      can.delete && {
        label: t('organisations.delete.action'),
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
    switch (what) {
      case 'edit':
        return <EditOrganisation row={row} onClose={close} />;
      case 'move':
        return <MoveOrganisation row={row} onClose={close} />;
      case 'view':
        return row.kind === 'platform' ? null : (
          <Suspense>
            <ViewAsStart
              opened
              onClose={close}
              preset={{ kind: 'organisation', id: row.id, name: row.name, level: levelOf[row.kind] }}
            />
          </Suspense>
        );
      case 'code':
        return <SignUpCode row={row} onClose={close} />;
      case 'delete':
        return <DeleteOrganisation row={row} onClose={close} onDeleted={onDeleted} />;
      case 'setEnabled': {
        const step = row.state === 'enabled' ? 'disable' : 'enable';
        return (
          <ConfirmAction
            opened
            onClose={close}
            title={t(`organisations.${step}.title`, { name: row.name })}
            confirmLabel={t(`organisations.${step}.action`)}
            danger={step === 'disable'}
            onConfirm={() => enable.mutateAsync({ id: row.id, enabled: step === 'enable' })}
          >
            <p>{t(`organisations.${step}.meaning`)}</p>
          </ConfirmAction>
        );
      }
    }
  };

  return {
    actionsOf,
    add: (parentId) => setAdding({ parentId }),
    dialogs: (
      <>
        {dialog()}
        {adding !== undefined && <AddOrganisation parentId={adding.parentId} onClose={() => setAdding(undefined)} />}
      </>
    ),
  };
}
