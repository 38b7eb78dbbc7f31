import { deletionPreview, type OrganisationRow, remove } from '@sonnenwarte/contract/organisations/organisations';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { Dialog } from '../blocks/dialog.tsx';
import { ErrorNotice } from '../blocks/error-notice.tsx';
import { read, useWrite } from '../client/queries.ts';
import { Consequences, Hindrances } from './consequences.tsx';

interface DeleteOrganisationProps {
  row: OrganisationRow;
  onClose: () => void;
  onDeleted: () => void;
}

/** Counts first what a deletion takes with it, then asks. */
export function DeleteOrganisation({ row, onClose, onDeleted }: DeleteOrganisationProps): ReactNode {
  const { t } = useTranslation();
  const { id, name, kind } = row;
  const preview = useQuery({ ...read(deletionPreview, { id }), staleTime: 0, gcTime: 0 });
  const write = useWrite(remove, { inPlace: true, alsoChanges: ['user-management', 'deletions', 'sites', 'fleet'] });
  const title = t('organisations.delete.title', { name });
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
  const blocks = data.organisationsBelow > 0 || (kind !== 'installer' && (data.sites > 0 || data.endUsers > 0));
  if (blocks)
    return (
      <Dialog opened onClose={onClose} title={title}>
        <Hindrances counts={data} />
      </Dialog>
    );
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={title}
      confirmLabel={t('organisations.delete.action')}
      danger
      {...(data.sites > 0 && { typed: name })}
      onConfirm={async () => {
        const { sites, endUsers, movedSites } = data;
        await write.mutateAsync({ id, expected: { sites, endUsers, movedSites } }).catch((error: unknown) => {
          void preview.refetch();
          throw error;
        });
        onDeleted();
      }}
    >
      <Consequences counts={data} />
    </ConfirmAction>
  );
}
