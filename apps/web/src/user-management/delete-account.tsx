import { type AccountRow, deletionPreview, remove } from '@sonnenwarte/contract/user-management/user-management';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { Dialog } from '../blocks/dialog.tsx';
import { ErrorNotice } from '../blocks/error-notice.tsx';
import { read, useWrite } from '../client/queries.ts';
import { Consequences, Hindrances } from '../organisations/consequences.tsx';

/** Says first what a deletion means for plants and organisation, then asks. */
export function DeleteAccount({ row, onClose }: { row: AccountRow; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { id, user } = row;
  const preview = useQuery({ ...read(deletionPreview, { id }), staleTime: 0, gcTime: 0 });
  const write = useWrite(remove, { inPlace: true, alsoChanges: ['organisations', 'deletions', 'sites', 'fleet'] });
  const title = t('user-management.delete.title', { user });
  const { data } = preview;
  if (data === undefined || preview.isFetching)
    return (
      <Dialog opened onClose={onClose} title={title}>
        {preview.error ? (
          <ErrorNotice error={preview.error} retry={() => void preview.refetch()} />
        ) : (
          <p role="status">{t('organisations.delete.counting')}</p>
        )}
      </Dialog>
    );
  if (data.organisationsBelow > 0 || data.membersBesides > 0)
    return (
      <Dialog opened onClose={onClose} title={title}>
        <Hindrances counts={{ ...data, sites: 0, endUsers: 0 }} />
      </Dialog>
    );
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={title}
      confirmLabel={t('user-management.delete.action')}
      danger
      {...(data.movedSites > 0 && { typed: user })}
      onConfirm={() => {
        const { sites, endUsers, movedSites } = data;
        return write.mutateAsync({ id, expected: { sites, endUsers, movedSites } }).catch((error: unknown) => {
          void preview.refetch();
          throw error;
        });
      }}
    >
      <Consequences counts={data} leads={row.leads && row.level !== 10 && row.level !== 255} />
    </ConfirmAction>
  );
}
