import { deletionPreview, type OrganisationRow, type remove } from '@sonnenwarte/contract/organisations/organisations';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { read, useWrite } from '../client/queries.ts';
import { countedOnce, DeletionDialog } from './deletion-dialog.tsx';

/** Only an installer's plants and end users can go elsewhere; any other organisation has to be empty. */
export function DeleteOrganisation(props: ActionProps<OrganisationRow, typeof remove>): ReactNode {
  const { row, of, onClose, onDone } = props;
  const { t } = useTranslation();
  const { id, name, kind } = row;
  const preview = useQuery({ ...read(deletionPreview, { id }), ...countedOnce });
  const write = useWrite(of, { inPlace: true });
  return (
    <DeletionDialog
      title={t('organisations.delete.title', { name })}
      confirmLabel={t('organisations.action.delete')}
      onClose={onClose}
      preview={preview}
      hindering={(counts) => {
        const { organisationsBelow, sites, endUsers } = counts;
        const blocks = organisationsBelow > 0 || (kind !== 'installer' && (sites > 0 || endUsers > 0));
        return blocks ? counts : undefined;
      }}
      typed={({ sites }) => (sites > 0 ? name : undefined)}
      onConfirm={async (expected) => {
        await write.mutateAsync({ id, expected });
        onDone();
      }}
    />
  );
}
