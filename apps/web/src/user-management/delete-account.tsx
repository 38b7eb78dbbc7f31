import { type AccountRow, deletionPreview, type remove } from '@sonnenwarte/contract/user-management/user-management';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { read, useWrite } from '../client/queries.ts';
import { countedOnce, DeletionDialog } from '../organisations/deletion-dialog.tsx';

/** An account that leads an organisation takes it along, which nobody else may be left in. */
export function DeleteAccount({ row, of, onClose }: ActionProps<AccountRow, typeof remove>): ReactNode {
  const { t } = useTranslation();
  const { id, user } = row;
  const preview = useQuery({ ...read(deletionPreview, { id }), ...countedOnce });
  const write = useWrite(of, { inPlace: true });
  return (
    <DeletionDialog
      title={t('user-management.delete.title', { user })}
      confirmLabel={t('user-management.action.delete')}
      onClose={onClose}
      preview={preview}
      hindering={(counts) =>
        counts.organisationsBelow > 0 || counts.membersBesides > 0 ? { ...counts, sites: 0, endUsers: 0 } : undefined
      }
      typed={({ movedSites }) => (movedSites > 0 ? user : undefined)}
      leads={row.leads && row.level !== 10 && row.level !== 255}
      onConfirm={(expected) => write.mutateAsync({ id, expected })}
    />
  );
}
